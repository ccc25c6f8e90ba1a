"""The traversal beside SQL that was written by hand for one shape alone, with the same bounds and the same answer."""

from __future__ import annotations

from functools import partial

from tests.bench.conftest import Loaded
from tests.bench.figures import Figures
from tests.bench.graph import name_of
from tests.bench.handwritten import chain_of, walk_of
from tests.bench.shapes import CHAIN, FOUR, HUB, TEN, chain_answer, planted_hub, planted_starts
from tests.bench.timing import in_turns, own, p50

PART = "Traverse beside bounded SQL written by hand (processor time, p50)"
MOST_CHAIN, MOST_NEIGHBOURHOOD = 3.0, 2.0
CHAIN_KINDS = ("Party", "Account", "Case", "Document")


def test_chains(loaded: Loaded, figures: Figures, rounds: int, count: int) -> None:
    starts, by_hand = planted_starts(loaded.graph, count), loaded.handwritten
    for start in starts:
        wanted = [tuple(map(name_of, walk)) for walk in chain_answer(loaded.around, start)]
        assert chain_of(by_hand.chain(CHAIN_KINDS, start)) == sorted(wanted)
    ours = partial(loaded.product.traverse_only, CHAIN)
    times = in_turns({"ours": ours, "theirs": partial(by_hand.chain, CHAIN_KINDS)}, starts, rounds, own)
    _note(figures, "chain of 3 steps", loaded.size, times, MOST_CHAIN)


def test_neighbourhoods(loaded: Loaded, figures: Figures, rounds: int, count: int) -> None:
    by_hand = loaded.handwritten
    for shape in (FOUR, TEN, HUB):
        starts = [planted_hub()] if shape is HUB else planted_starts(loaded.graph, count)
        for start in starts:
            assert walk_of(by_hand.neighbourhood(shape, start)) == shape.answer(loaded.around, start)
        ours = partial(loaded.product.traverse_only, shape.text)
        theirs = partial(by_hand.neighbourhood, shape)
        times = in_turns({"ours": ours, "theirs": theirs}, starts, rounds, own)
        _note(figures, shape.name, loaded.size, times, MOST_NEIGHBOURHOOD)


def _note(figures: Figures, what: str, size: int, times: dict[str, list[float]], most: float) -> None:
    ours, theirs = p50(times["ours"]), p50(times["theirs"])
    measured = f"{ours / theirs:.1f}x ({ours:.2f} to {theirs:.2f} ms)"
    figures.note(PART, what, size, measured, target=f"at most {most:g}x", reached=ours / theirs <= most)
