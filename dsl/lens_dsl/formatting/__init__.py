"""How a query becomes text."""
