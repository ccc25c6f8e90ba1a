"""How a text becomes a query: the rules of the grammar, the limits, and the words of its errors."""
