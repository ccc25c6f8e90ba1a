"""The product beside other engines on the same bounded questions, with the same answers, in one run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial

from tests.bench.conftest import Loaded
from tests.bench.figures import Figures
from tests.bench.peers.roster import PEERS, Peer
from tests.bench.peers.walking import walk
from tests.bench.product import walk_of
from tests.bench.shapes import CHAIN, FOUR, chain_answer, other_starts
from tests.bench.timing import in_turns, p50, wall

PART = "Traverse and match beside other engines, starts anywhere in the part that grows (time passed, p50)"
ROUNDS = 3
AHEAD = {100_000: 5.0, 1_000_000: 20.0}
"""How far ahead of the best of them the product has to be, by size."""


def test_other_engines(loaded: Loaded, figures: Figures, rounds: int, count: int) -> None:
    fastest: dict[str, list[tuple[float, float, str]]] = {FOUR.name: [], "chain": []}
    for peer in PEERS:
        if not peer.installed:
            figures.note(PART, peer.name, loaded.size, f"not measured: {peer.name} is not installed")
        elif loaded.size > peer.most:
            figures.note(PART, peer.name, loaded.size, f"not measured: {peer.why}")
        else:
            for what, ours, theirs in _compared(peer, loaded, min(rounds, ROUNDS), count):
                fastest[what].append((theirs / ours, theirs, peer.name))
                measured = f"{theirs / ours:.1f}x ({theirs:.2f} to our {ours:.2f} ms)"
                figures.note(PART, f"{what}: {peer.name} {peer.version}", loaded.size, measured)
    for what, found in fastest.items():
        if found:
            _note_best(figures, what, loaded.size, *min(found))
    _note_whole(figures, loaded, min(rounds, ROUNDS), count)


def _compared(peer: Peer, loaded: Loaded, rounds: int, count: int) -> list[tuple[str, float, float]]:
    """The shape, our milliseconds and theirs; after every answer was checked."""
    starts, product = other_starts(loaded.graph, min(count, peer.starts)), loaded.product
    found = []
    with closing(peer.open(loaded.graph, loaded.folder)) as engine:
        for start in starts:
            assert walk(engine, start, FOUR.types) == FOUR.answer(loaded.around, start), (peer.name, start)
            assert sorted(engine.chain(start)) == chain_answer(loaded.around, start), (peer.name, start)
            assert walk_of(product.traverse_only(FOUR.text, start)) == FOUR.answer(loaded.around, start)
        contenders: dict[str, Callable[[int], object]] = {
            FOUR.name: partial(walk, engine, types=FOUR.types),
            "chain": engine.chain,
        }
        for what, text in ((FOUR.name, FOUR.text), ("chain", CHAIN)):
            ours = partial(product.traverse_and_match, text)
            times = in_turns({"ours": ours, "theirs": contenders[what]}, starts, rounds, wall)
            found.append((what, p50(times["ours"]), p50(times["theirs"])))
    return found


def _note_best(figures: Figures, what: str, size: int, ratio: float, theirs: float, name: str) -> None:
    target = AHEAD.get(size) if what == FOUR.name else None
    figures.note(
        PART,
        f"{what}: beside the best of them ({name})",
        size,
        f"{ratio:.1f}x",
        target="" if target is None else f"at least {target:g}x",
        reached=None if target is None else ratio >= target,
    )


def _note_whole(figures: Figures, loaded: Loaded, rounds: int, count: int) -> None:
    starts = other_starts(loaded.graph, count)
    for what, text in ((FOUR.name, FOUR.text), ("chain", CHAIN)):
        contenders = {"whole": partial(loaded.product.whole, text)}
        whole = p50(in_turns(contenders, starts, rounds, wall)["whole"])
        figures.note(PART, f"{what}: our whole query, text to envelope", loaded.size, f"{whole:.2f} ms")
