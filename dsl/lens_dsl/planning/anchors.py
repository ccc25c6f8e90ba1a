"""Where a pattern can start: exact keys first, then lists of keys, then a bounded scan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lens_dsl import ast
from lens_dsl.errors import OverBudget
from lens_dsl.nesting import names_a_subquery
from lens_dsl.ontology import ANYTHING, Ontology, label_key
from lens_dsl.pattern import MatchBlock, NodeSlot
from lens_dsl.walk import free_variables


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to start at ``slot``: ``values`` needs the variables ``needs``, none for a constant.

    ``unique`` says that the key names at most one record a kind, which an indexed property does not. With
    ``search`` the values are a text that full text looks for.
    """

    slot: NodeSlot
    key: str
    values: ast.Expression | None
    many: bool = False
    needs: frozenset[str] = frozenset()
    unique: bool = False
    search: bool = False

    @property
    def rank(self) -> tuple[bool, bool, bool, bool]:
        """Sorts the best first: constants before computed values, keys before full text, and that before indexes.

        An index is no identifier: it may name more records than any ceiling takes. One comes before a list.
        """
        return (bool(self.needs), not self.unique, not self.search, self.many)


def candidates(block: MatchBlock, slot: NodeSlot, ontology: Ontology) -> list[Candidate]:
    """What the block's predicates give to find a node by (=, IN, search()), the best first."""
    found = (c for predicate in block.predicates for c in _of_predicate(predicate, slot, ontology))
    return sorted((c for c in found if not c.needs & frozenset(block.introduces)), key=lambda c: c.rank)


def _of_predicate(predicate: ast.Expression, slot: NodeSlot, ontology: Ontology) -> Iterator[Candidate]:
    text = searched(predicate, slot.name)
    if text is not None and slot.kinds is not None and not free_variables(text):
        yield Candidate(slot, "id", text, search=True)
    for subject, values, many in _equalities(predicate):
        on_slot = isinstance(subject, ast.Property) and subject.subject == ast.Variable(slot.name)
        if (
            not on_slot
            or not isinstance(subject, ast.Property)
            or slot.kinds is None
            or names_a_subquery(values)
        ):
            continue
        having = [k for name in slot.kinds if subject.name in (k := ontology.kinds[name]).properties]
        if having and all(subject.name in kind.anchors for kind in having):
            unique = all(subject.name in kind.keys for kind in having)
            yield Candidate(slot, subject.name, values, many, free_variables(values), unique)


def searched(predicate: ast.Expression, name: str) -> ast.Expression | None:
    """The text that a predicate searches the node of this name for; None where it is no search() of it."""
    is_search = isinstance(predicate, ast.Call) and predicate.name.lower() == "search"
    if is_search and isinstance(predicate, ast.Call) and predicate.arguments[0] == ast.Variable(name):
        return predicate.arguments[1]
    return None


def _equalities(predicate: ast.Expression) -> Iterator[tuple[ast.Expression, ast.Expression, bool]]:
    if isinstance(predicate, ast.Comparison) and len(predicate.rest) == 1 and predicate.rest[0][0] == "=":
        yield predicate.first, predicate.rest[0][1], False
        yield predicate.rest[0][1], predicate.first, False
    if isinstance(predicate, ast.In):
        yield predicate.item, predicate.container, True


def kinds_of(ontology: Ontology, slot: NodeSlot, key: str) -> tuple[str, ...]:
    """The kinds to seek a key in, sorted; an open world has one for all."""
    if slot.kinds is None:
        return (ANYTHING,)
    return tuple(sorted(k for k in slot.kinds if not key or key in ontology.kinds[k].properties))


def scan_key(ontology: Ontology, slot: NodeSlot) -> str:
    """What a scan goes along: in an open world a label that all of the records must have, else their kinds."""
    single = next((group[0] for group in slot.labels if len(group) == 1), None)
    return label_key(single) if ontology.open and single is not None else ""


def no_anchor(block: MatchBlock, slots: list[NodeSlot], ontology: Ontology) -> OverBudget:
    """The refusal of a pattern that could only be answered by reading everything, with the ways out."""
    shown = [slot.name for slot in slots if not slot.name.startswith("#")]
    ways = sorted(
        {f"{kind}.{key}" for s in slots for kind in s.kinds or () for key in ontology.kinds[kind].anchors}
    )
    where = f"the part around {', '.join(shown)}" if shown else "a part of the pattern"
    return OverBudget(
        "NoAnchor",
        f"{where} has nothing to start from: no exact key, no list of keys, no text to search for, no bound variable",
        span=block.span,
        hint=f"give one of {', '.join(ways[:8])} a value (= or IN), or allow a bounded scan (--allow-scan)",
    )
