"""What to do about an error of validation, where the place that found it has nothing nearer to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WAYS_OUT: Final[Mapping[str, str]] = {
    "InvalidArgumentType": "docs/language.md says what each function and operator takes; convert the value first",
    "InvalidArgumentValue": "docs/language.md says which values it takes",
    "InvalidNumberOfArguments": "docs/language.md says what each function takes",
    "NegativeIntegerArgument": "write a whole number from 0 on, or a parameter",
    "NonConstantExpression": "write a whole number from 0 on, or a parameter",
    "RelationshipUniquenessViolation": "use two variables, or two MATCH clauses",
    "VariableAlreadyBound": "give it another name",
    "VariableTypeConflict": "give one of the two another name",
}
"""By code."""
