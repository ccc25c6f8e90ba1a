"""Whether a query means something here: names, variables, expressions, clauses."""
