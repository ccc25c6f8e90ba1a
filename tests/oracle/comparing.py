"""Whether the engine's answer is the oracle's, or a marked part of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from lens_runtime.graph import Node, Path, Relationship
from lens_runtime.result import Result
from tests.oracle.brute import Answer
from tests.oracle.values import N, P, R

Plain = tuple[Hashable, ...]


def plain(value: object, *, exact: bool = True, unordered: bool = False) -> Hashable:
    """A value of either side in one form; without ``exact`` 1 and 1.0 are one."""
    if isinstance(value, (N, Node)):
        return ("node", *((value.kind, value.id) if isinstance(value, N) else at(value)))
    if isinstance(value, (R, Relationship)):
        return ("relationship", value.by if isinstance(value, R) else value.provenance.entity_id)
    if isinstance(value, (P, Path)):
        return ("path", *(plain(part) for part in (*value.nodes, *value.relationships)))
    if isinstance(value, list):
        items = [plain(item, exact=exact) for item in value]
        return ("list", *(sorted(items, key=repr) if unordered else items))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return ("number", value, isinstance(value, float) and exact)
    return (type(value).__name__, value)


def at(node: Node) -> tuple[str, str]:
    return node.coordinate.entity_type, node.coordinate.entity_id


def plain_rows(rows: Sequence[Sequence[object]], columns: Sequence[str], *, exact: bool) -> list[Plain]:
    """Rows in one form; a collected list, whose name begins with ``xs``, has no order."""
    return [
        tuple(plain(v, exact=exact, unordered=c.startswith("xs")) for v, c in zip(row, columns, strict=True))
        for row in rows
    ]


def difference(result: Result, answer: Answer, *, exact: bool) -> str:
    """What is wrong with a complete result; "" where nothing is."""
    got = plain_rows(result.rows, result.columns, exact=exact)
    want = plain_rows(answer.rows, result.columns, exact=exact)
    end = len(want) if answer.limit is None else min(len(want), answer.skip + answer.limit)
    if len(got) != max(0, end - answer.skip):
        return f"{len(got)} rows in place of {max(0, end - answer.skip)}: {got} in place of {want}"
    start = answer.skip
    for first, last in ties(answer):
        here = got[max(0, first - start) : max(0, last - start)]
        if Counter(here) - Counter(want[first:last]):
            return f"{here} is not of {want[first:last]}"
    return ""


def ties(answer: Answer) -> list[tuple[int, int]]:
    """The stretches of rows that ORDER BY does not tell apart; all of them are one where it is not written."""
    keys = answer.keys
    starts = [i for i in range(len(keys)) if i == 0 or keys[i] != keys[i - 1]]
    return list(zip(starts, [*starts, len(keys)][1:], strict=True))


def overstatement(result: Result, answer: Answer, *, exact: bool) -> str:
    """What an incomplete result says that is not so; "" where every row is a right one or a right bound."""
    if result.withheld:
        return f"withheld, and rows: {result.rows}" if result.rows else ""
    got = plain_rows(result.rows, result.columns, exact=exact)
    want = plain_rows(answer.rows, result.columns, exact=exact)
    allowed = [
        [j for j, row in enumerate(want) if covers(mine, row, result.columns, result.bounds)] for mine in got
    ]
    matched = matching(allowed)
    if matched is None:
        return f"{got} is no part of {want}, with the bounds {dict(result.bounds)}"
    if answer.ordered and not in_order(allowed, answer):
        return f"{got} does not stand in the order of {want}"
    if answer.limit is not None and len(got) > answer.limit:
        return f"{len(got)} rows, over the limit {answer.limit}"
    return ""


def covers(mine: Plain, row: Plain, columns: Sequence[str], bounds: Mapping[str, str]) -> bool:
    """Whether a row is what it says of the true one: the same, but for columns marked as bounds."""
    for value, true, column in zip(mine, row, columns, strict=True):
        bound = bounds.get(column)
        if bound == "at least" and value[0] == true[0] == "number":  # type: ignore[index]
            fits = value[1] <= true[1]  # type: ignore[index]
        elif bound == "some of" and value[0] == true[0] == "list":  # type: ignore[index]
            fits = not Counter(value[1:]) - Counter(true[1:])  # type: ignore[index]
        else:
            fits = value == true
        if not fits:
            return False
    return True


def matching(allowed: list[list[int]]) -> dict[int, int] | None:
    """A true row of its own for every row, where there is one (augmenting paths)."""
    holder: dict[int, int] = {}

    def place(mine: int, seen: set[int]) -> bool:
        for true in allowed[mine]:
            if true not in seen:
                seen.add(true)
                if true not in holder or place(holder[true], seen):
                    holder[true] = mine
                    return True
        return False

    return holder if all(place(mine, set()) for mine in range(len(allowed))) else None


def in_order(allowed: list[list[int]], answer: Answer) -> bool:
    """Whether the rows can be read off the true ones from first to last; ties may stand in any order."""
    group = {i: number for number, (first, last) in enumerate(ties(answer)) for i in range(first, last)}
    at_least = 0
    for places in allowed:
        later = [group[i] for i in places if group[i] >= at_least]
        if not later:
            return False
        at_least = min(later)
    return True
