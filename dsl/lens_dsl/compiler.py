"""From a stage to statements: parameters of the fixed SQL, never SQL text."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lens_dsl.ast import ListLiteral
from lens_dsl.budget import LARGEST, MAX_ANCHORS, MAX_SOUGHT, Budget, Room
from lens_dsl.errors import OverBudget
from lens_dsl.plan import Anchor, Stage, Statement, Step, Test
from lens_dsl.values import LABELLED, index_text

MAX_SEARCHED = LARGEST["candidates"]  # of more, those are looked at that the hashes of their ids choose

AnchorLine = tuple[int, list[str], str, list[str]]  # bit, kinds, key, texts of the values


@dataclass(frozen=True, slots=True)
class Seed:
    """Values to seek an anchor by, within some of its kinds."""

    kinds: tuple[str, ...]
    values: tuple[object, ...]


def compile_stage(
    stage: Stage,
    budget: Budget,
    world: str,
    seeds: Mapping[int, Sequence[Seed]],
    constants: Mapping[Test, object],
    room: Room,
) -> tuple[Statement, ...]:
    """The statements of one stage: none where it reads nothing, else one traversal.

    ``seeds`` are the values of each anchor by its bit, ``constants`` those of each test; ``room`` is
    what the stages before have left of the query's ceilings.
    """
    if not stage.anchors:
        return ()
    anchors = [line for anchor in stage.anchors for line in _anchor(anchor, seeds[anchor.bit])]
    _check_sought(anchors, room.nodes)
    plan = {
        "world": world,
        "n": room.nodes,
        "f": budget.fanout,
        "w": budget.window,
        "e": room.examined,
        "k": budget.scopes,
        "r": room.state,
        "s": [_step(step, constants, budget.anchors) for step in stage.steps],
    }
    return (Statement("traverse", (_json(anchors), _json(plan))),)


def compile_search(
    anchor: Anchor, words: Sequence[str], world: str, budget: Budget, state: int | None
) -> Statement:
    """The statement that finds candidates for an anchor of full text, by at least one word.

    ``state`` is how many rows the store may read to learn what the actor may see; None is any number.
    """
    request = {
        "world": world,
        "n": MAX_SEARCHED,
        "k": budget.scopes,
        "r": state,
        "kinds": list(anchor.kinds),
        "words": list(words),
    }
    return Statement("search", (_json(request),))


def _check_sought(anchors: Sequence[AnchorLine], room: int) -> None:
    values = sum(len(sought) for _, _, _, sought in anchors)
    groups = sum(len(kinds) * len(sought) for _, kinds, _, sought in anchors)
    if values > MAX_ANCHORS or groups * (room + 1) > MAX_SOUGHT:
        raise OverBudget(
            "TooManyAnchors",
            f"{values:,} values are sought in {groups:,} combinations with kinds, each for up to {room:,} nodes",
            hint="name the labels, narrow what comes before, or lower --max-nodes",
            phase="runtime",
        )


def _anchor(anchor: Anchor, seeds: Sequence[Seed]) -> list[AnchorLine]:
    if anchor.scan:
        return [(anchor.bit, list(anchor.kinds), anchor.key, [LABELLED if anchor.key else ""])]
    lines: list[AnchorLine] = []
    for seed in seeds:
        texts = dict.fromkeys(text for value in seed.values if (text := index_text(value)) is not None)
        if texts:
            lines.append((anchor.bit, list(seed.kinds), anchor.key, list(texts)))
    return lines


def _step(step: Step, constants: Mapping[Test, object], longest: int) -> dict[str, object]:
    tests = [line for test in step.tests if (line := _test(test, constants.get(test), longest))]
    return {
        "bit": step.bit,
        "from": step.origin,
        "skip": step.skip,
        "into": None if step.into is None else list(step.into),
        "go": [[name, code, list(kinds)] for name, code, kinds in step.go],
        "tests": tests,
        "need": int(step.need),
    }


def _test(test: Test, value: object, longest: int) -> list[object] | None:
    """The test as SQL takes it; None where SQL's comparison could keep less than the language's.

    A list that is not written in the query is no longer than the plan's cost was stated for, else it is no test.
    """
    path = f'$."{test.property}"'
    if test.value is None:
        return [path, test.operator, None]
    if test.operator == "IN":
        if not isinstance(value, list) or not all(map(_comparable, value)):
            return None
        taken = isinstance(test.value, ListLiteral) or len(value) <= longest
        return [path, "IN", value] if taken else None
    if test.operator == "<>" and not _differs_alike(value):
        return None
    return [path, test.operator, value] if _comparable(value) else None


def _differs_alike(value: object) -> bool:
    """Whether SQL calls nothing equal to it that the language calls different: it reads true as 1, a list as a text."""
    if isinstance(value, str):
        return not value.startswith(("[", "{"))
    return not isinstance(value, bool) and value not in (0, 1)


def _comparable(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, (bool, int, str))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
