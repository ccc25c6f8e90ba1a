"""From what the grammar saw to the AST: a method for each rule, called after it."""
