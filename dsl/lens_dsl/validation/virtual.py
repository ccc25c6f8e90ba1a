"""Virtual relationships: where one may stand, and what becomes of the clause that has one.

A producer makes the leaf at its far end. The rest of the clause is matched first, so that a leaf is made only
for what survives; the predicates that name the leaf are decided once it is there.
"""

from __future__ import annotations

from collections.abc import Mapping

from lens_dsl import ast
from lens_dsl.errors import Span, UnsupportedFeature
from lens_dsl.ontology import Ontology
from lens_dsl.pattern import Block, Directives, MatchBlock, NodeSlot, ProduceBlock, RelationshipSlot
from lens_dsl.walk import free_variables


def is_virtual(pattern: ast.RelationshipPattern, types: tuple[str, ...], ontology: Ontology) -> bool:
    """Whether a producer makes this relationship. UnsupportedFeature where such a one stands in a form it cannot."""
    made = [
        name for name in types if name in ontology.relationships and ontology.relationships[name].producer
    ]
    if not made or not pattern.types:
        return False
    name = made[0]
    if len(types) > 1:
        raise _refusal(
            pattern.span,
            f"{name} is made by a producer and stands alone, not beside other types",
            "match it alone",
        )
    if pattern.hops is not None:
        raise _refusal(
            pattern.span, f"{name} is made by a producer and cannot be walked by *", "write it without *"
        )
    if pattern.direction == "both":
        raise _refusal(
            pattern.span, f"{name} is made by a producer and has a direction", f"write -[:{name}]->"
        )
    if pattern.variable is not None:
        raise _refusal(
            pattern.span,
            f"{name} is made by a producer and is not kept, so no variable can hold it",
            f"write [:{name}]",
        )
    return True


def refuse_made_kinds(block: MatchBlock, virtual: Mapping[str, Directives], ontology: Ontology) -> None:
    """Raise UnsupportedFeature for a node that only a producer makes, but that no virtual relationship leads to."""
    leaves = {_ends(slot)[1] for slot in block.relationships if slot.name in virtual}
    for node in block.nodes:
        kinds = node.kinds or frozenset()
        if kinds and node.name not in leaves and not node.bound and kinds <= ontology.made.keys():
            kind = min(kinds)
            raise _refusal(
                block.span,
                f"{kind} is made by a producer and cannot be matched on its own",
                f"write (...)-[:{ontology.made[kind]}]->(:{kind})",
            )


def split(block: MatchBlock, virtual: Mapping[str, Directives]) -> tuple[Block, ...]:
    """The clause without its virtual relationships, then one block for each of them.

    ``virtual`` names them among the block's relationships. UnsupportedFeature where a leaf is not a leaf.
    """
    if not virtual:
        return (block,)
    slots = [slot for slot in block.relationships if slot.name in virtual]
    nodes = {node.name: node for node in block.nodes}
    for slot in slots:
        _check_leaf(slot, block, nodes)
    leaves = [_ends(slot)[1] for slot in slots]
    if block.optional:
        _check_optional(block, slots, nodes)
        return (_produce(slots[0], virtual, nodes, block.predicates, optional=True),)
    waiting: dict[str, list[ast.Expression]] = {leaf: [] for leaf in leaves}
    early: list[ast.Expression] = []
    for predicate in block.predicates:
        named = [leaf for leaf in leaves if leaf in free_variables(predicate)]
        (waiting[named[-1]] if named else early).append(predicate)
    hidden = {*leaves, *virtual}
    rest = MatchBlock(
        block.optional,
        tuple(node for node in block.nodes if node.name not in leaves),
        tuple(slot for slot in block.relationships if slot.name not in virtual),
        block.paths,
        tuple(early),
        tuple(name for name in block.introduces if name not in hidden),
        block.span,
    )
    produced = (_produce(slot, virtual, nodes, tuple(waiting[_ends(slot)[1]])) for slot in slots)
    return (rest, *produced)


def _ends(slot: RelationshipSlot) -> tuple[str, str]:
    """The anchor and the leaf, whichever way the relationship is written."""
    return (slot.source, slot.target) if slot.direction == "out" else (slot.target, slot.source)


def _produce(
    slot: RelationshipSlot,
    virtual: Mapping[str, Directives],
    nodes: Mapping[str, NodeSlot],
    predicates: tuple[ast.Expression, ...],
    *,
    optional: bool = False,
) -> ProduceBlock:
    anchor, leaf = _ends(slot)
    kind = next(iter(sorted(nodes[leaf].kinds or ())), "")
    return ProduceBlock(
        slot.types[0],
        anchor,
        nodes[anchor].kinds or frozenset(),
        leaf,
        kind,
        virtual[slot.name],
        predicates,
        optional,
        slot.span,
    )


def _check_leaf(slot: RelationshipSlot, block: MatchBlock, nodes: Mapping[str, NodeSlot]) -> None:
    _, leaf = _ends(slot)
    name = slot.types[0]
    if (
        nodes[leaf].bound
        or sum(end == leaf for one in block.relationships for end in (one.source, one.target)) > 1
    ):
        raise _refusal(
            slot.span,
            f"{name} ends at a leaf that it makes: no other relationship, and nothing bound before, can stand there",
            "give its far end a variable of its own",
        )
    if any(slot.name in path.relationships for path in block.paths):
        raise _refusal(
            slot.span, f"{name} is made by a producer and cannot be part of a named path", "match it apart"
        )


def _check_optional(block: MatchBlock, slots: list[RelationshipSlot], nodes: Mapping[str, NodeSlot]) -> None:
    if len(block.relationships) > 1 or not nodes[_ends(slots[0])[0]].bound:
        raise _refusal(
            block.span,
            f"an OPTIONAL MATCH with {slots[0].types[0]} can hold nothing else, from a variable that is bound before",
            "put the rest of it into a MATCH or OPTIONAL MATCH before",
        )


def refuse_leaf(name: str, span: Span) -> UnsupportedFeature:
    """The refusal of a pattern that goes on from a leaf."""
    return _refusal(
        span, f"{name} is made by a producer: no pattern can go on from it", "return it, or filter on it"
    )


def _refusal(span: Span, message: str, hint: str) -> UnsupportedFeature:
    return UnsupportedFeature("VirtualRelationship", message, span=span, hint=hint)
