"""Where the records of a picture stand: on rings around the middle of what hangs together, the same every time."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

Point = tuple[float, float]
Circle = tuple[float, list[tuple[int, Point]]]

RING = 1.9
"""From one ring to the next, in units of a record's width."""
SPACE = 1.3
"""Between two records on a ring."""
GAP = 1.2


def layout(count: int, joined: Iterable[tuple[int, int]]) -> list[Point]:
    """A place for each of ``count`` records, in units of a record's width, around (0, 0).

    Records that are joined stand together; nothing is drawn by chance, so that a picture is the same every time.
    """
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for one, other in dict.fromkeys(joined):
        if one != other:
            neighbours[one].append(other)
            neighbours[other].append(one)
    places: list[Point] = [(0.0, 0.0)] * count
    for number, place in _packed([_rings(part, neighbours) for part in _parts(neighbours)]):
        places[number] = place
    return places


def _parts(neighbours: Sequence[Sequence[int]]) -> list[list[int]]:
    """The records that hang together, the largest part first."""
    seen: set[int] = set()
    parts = []
    for start in range(len(neighbours)):
        if start not in seen:
            part = list(_tree(start, neighbours))
            seen.update(part)
            parts.append(part)
    return sorted(parts, key=len, reverse=True)


def _tree(root: int, neighbours: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    """Each record that can be reached, in order of distance, with those that were first reached from it."""
    tree: dict[int, list[int]] = {root: []}
    waiting = deque([root])
    while waiting:
        at = waiting.popleft()
        for far in neighbours[at]:
            if far not in tree:
                tree[far] = []
                tree[at].append(far)
                waiting.append(far)
    return tree


def _reach(start: int, neighbours: Sequence[Sequence[int]]) -> int:
    """How many steps the farthest record is away."""
    steps, seen, edge = 0, {start}, [start]
    while edge:
        edge = list(dict.fromkeys(far for at in edge for far in neighbours[at] if far not in seen))
        seen.update(edge)
        steps += 1
    return steps


def _rings(part: Sequence[int], neighbours: Sequence[Sequence[int]]) -> Circle:
    """The part around its middle: each branch takes the share of the circle that its leaves need."""
    root = min(part, key=lambda number: (_reach(number, neighbours), -len(neighbours[number]), number))
    tree = _tree(root, neighbours)
    leaves = dict.fromkeys(tree, 1)
    for number in reversed(tree):
        leaves[number] = max(1, sum(leaves[child] for child in tree[number]))
    depth = {root: 0}
    widest: dict[int, int] = {}
    for number in tree:
        depth.update(dict.fromkeys(tree[number], depth[number] + 1))
        widest[depth[number]] = widest.get(depth[number], 0) + 1
    radius = {0: 0.0}
    for ring in range(1, len(widest)):
        radius[ring] = max(radius[ring - 1] + RING, widest[ring] * SPACE / (2 * math.pi))
    placed = [(number, _at(angle, radius[depth[number]])) for number, angle in _angles(root, tree, leaves)]
    return max(radius.values()) + 1, placed


def _angles(
    root: int, tree: Mapping[int, list[int]], leaves: Mapping[int, int]
) -> Iterable[tuple[int, float]]:
    shares = {root: (-math.pi / 2, 2 * math.pi)}
    for number in tree:
        begin, share = shares[number]
        yield number, begin + share / 2
        for child in tree[number]:
            part = share * leaves[child] / leaves[number]
            shares[child] = (begin, part)
            begin += part


def _at(angle: float, radius: float) -> Point:
    return radius * math.cos(angle), radius * math.sin(angle)


def _packed(circles: Sequence[Circle]) -> Iterable[tuple[int, Point]]:
    """The parts side by side in rows about as wide as all of them are high."""
    area = sum((2 * radius + GAP) ** 2 for radius, _ in circles)
    width = max([math.sqrt(area) * 1.4, *(2 * radius for radius, _ in circles)], default=0.0)
    left = top = high = 0.0
    for radius, placed in circles:
        if left and left + 2 * radius > width:
            left, top, high = 0.0, top + high + GAP, 0.0
        for number, (x, y) in placed:
            yield number, (left + radius + x, top + radius + y)
        left += 2 * radius + GAP
        high = max(high, 2 * radius)
