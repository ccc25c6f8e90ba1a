"""Which record comes first where not all fit: nearest, weightiest, nearest to the focus, newest (P43)."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from lens_dsl.lens import Lens
from lens_runtime.graph import Node, Relationship

_WORD = re.compile(r"\w+")
UNREACHED = 1_000
"""The distance of a record that no returned relationship joins to the subject, for ranking alone."""


def distances(start: str, relationships: Iterable[Relationship]) -> dict[str, int]:
    """How many of these relationships lead from the start to each node, by its id, whichever way they point."""
    around: defaultdict[str, list[str]] = defaultdict(list)
    for relationship in relationships:
        around[relationship.source].append(relationship.target)
        around[relationship.target].append(relationship.source)
    found, frontier = {start: 0}, [start]
    while frontier:
        reached = [far for near in frontier for far in around[near] if far not in found]
        found.update(dict.fromkeys(reached, found[frontier[0]] + 1))
        frontier = list(dict.fromkeys(reached))
    return found


def ranked(
    nodes: Sequence[Node],
    lens: Lens,
    focus: str | None,
    far: dict[str, int],
    relationships: Iterable[Relationship] = (),
) -> list[Node]:
    """The nodes in the order in which they are packed; the same nodes, whatever their order, give the same.

    A record is as near to the focus as the words it holds, and those of the records just before it on the way.
    """
    words = frozenset(_words(focus or ""))
    held = {node.id: _held(node, words) for node in nodes}
    before: defaultdict[str, set[str]] = defaultdict(set)
    for each in relationships:
        for near, there in ((each.source, each.target), (each.target, each.source)):
            if far.get(near, UNREACHED) < far.get(there, UNREACHED):
                before[there] |= held.get(near, frozenset())

    def rank(node: Node) -> tuple[int, float, int, int, str]:
        return (
            far.get(node.id, UNREACHED),
            -lens.weights.get(node.coordinate.entity_type, 1.0),
            -len(held[node.id] | before[node.id]),
            -(node.observed_at or 0),
            str(node.coordinate),
        )

    return sorted(nodes, key=rank)


def _held(node: Node, words: frozenset[str]) -> frozenset[str]:
    """The different words of the focus that its fields hold."""
    if not words:
        return words
    text = json.dumps(list(node.properties.values()), ensure_ascii=False, default=str)
    return words.intersection(_words(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
