"""Which predicates SQL may prune by: on projected properties, in a positive pattern, against a constant.

SQL never decides. It keeps a superset of what the predicate keeps, and the evaluator decides again on
the hydrated value (architecture.md, "What may be pruned").
"""

from __future__ import annotations

from collections.abc import Iterator

from lens_dsl import ast
from lens_dsl.ontology import Ontology
from lens_dsl.pattern import MatchBlock, NodeSlot
from lens_dsl.plan import Test
from lens_dsl.walk import free_variables

_FLIPPED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def tests_for(block: MatchBlock, slot: NodeSlot, ontology: Ontology) -> tuple[Test, ...]:
    """The prunings for one node of the block; none in an OPTIONAL MATCH, where a lost row changes answers."""
    if block.optional or slot.kinds is None:
        return ()
    found = (test for predicate in block.predicates for test in _tests(predicate, slot.name))
    return tuple(test for test in found if _stored(ontology, slot, test.property))


def _tests(predicate: ast.Expression, name: str) -> Iterator[Test]:
    if isinstance(predicate, ast.Comparison) and len(predicate.rest) == 1:
        operator, right = predicate.rest[0]
        yield from _test(predicate.first, operator, right, predicate, name)
        yield from _test(right, _FLIPPED[operator], predicate.first, predicate, name)
    elif isinstance(predicate, ast.In):
        yield from _test(predicate.item, "IN", predicate.container, predicate, name)
    elif isinstance(predicate, ast.IsNull):
        null_test = "IS NOT NULL" if predicate.negated else "IS NULL"
        yield from _test(predicate.operand, null_test, None, predicate, name)


def _test(
    subject: ast.Expression,
    operator: str,
    value: ast.Expression | None,
    predicate: ast.Expression,
    name: str,
) -> Iterator[Test]:
    on_property = isinstance(subject, ast.Property) and subject.subject == ast.Variable(name)
    constant = value is None or not free_variables(value)
    if on_property and constant and isinstance(subject, ast.Property):
        yield Test(subject.name, operator, value, predicate)


def _stored(ontology: Ontology, slot: NodeSlot, name: str) -> bool:
    kinds = [ontology.kinds[kind] for kind in slot.kinds or ()]
    return bool(kinds) and all(name in kind.stored or name not in kind.properties for kind in kinds)
