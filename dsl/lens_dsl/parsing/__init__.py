"""From text to a query: the grammar, the builder of its tree, and errors that teach."""
