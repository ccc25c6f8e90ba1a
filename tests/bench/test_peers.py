"""The product beside other engines on the same bounded questions, with the same answers, in one run."""

from __future__ import annotations

from contextlib import closing
from functools import partial

from tests.bench.conftest import Loaded
from tests.bench.figures import Figures
from tests.bench.graph import name_of
from tests.bench.peers.roster import PEERS, Peer
from tests.bench.peers.walking import Engine, walk
from tests.bench.product import rows_of, walk_of
from tests.bench.shapes import CHAIN, FOUR, chain_answer, other_starts, starts_beside_hub
from tests.bench.timing import in_turns, p50, wall

PART = "Traverse and match beside other engines, in the part that grows (time passed, p50)"
BESIDE, CHAINS = f"{FOUR.name}, beside a hub", "chain"
TEXTS = {FOUR.name: FOUR.text, BESIDE: FOUR.text, CHAINS: CHAIN}
AHEAD = {100_000: 5.0, 1_000_000: 20.0}
"""How far ahead of the best of them a neighbourhood has to be, by size."""


def test_other_engines(loaded: Loaded, figures: Figures, rounds: int, count: int) -> None:
    compared: dict[str, list[tuple[float, str]]] = {what: [] for what in TEXTS}
    for peer in PEERS:
        if not peer.installed:
            figures.note(PART, peer.name, loaded.size, f"not measured: {peer.name} is not installed")
        elif loaded.size > peer.most:
            figures.note(PART, peer.name, loaded.size, f"not measured: {peer.why}")
        else:
            for what, ours, theirs in _compared(peer, loaded, min(rounds, peer.rounds), count):
                compared[what].append((theirs / ours, peer.name))
                measured = f"{theirs / ours:.1f}x ({theirs:.2f} to our {ours:.2f} ms)"
                figures.note(PART, f"{what}: {peer.name} {peer.version}", loaded.size, measured)
    for what, found in compared.items():
        if found:
            _note_best(figures, what, loaded.size, *min(found))
    _note_whole(figures, loaded, rounds, count)


def _compared(peer: Peer, loaded: Loaded, rounds: int, count: int) -> list[tuple[str, float, float]]:
    """The question, our milliseconds and theirs; after every answer was checked."""
    found = []
    with closing(peer.open(loaded.graph, loaded.folder)) as engine:
        for what, starts in _starts(loaded, min(count, peer.starts)).items():
            for start in starts:
                _check(engine, what, start, loaded)
            ours = partial(loaded.product.traverse_and_match, TEXTS[what])
            theirs = engine.chain if what == CHAINS else partial(walk, engine, types=FOUR.types)
            times = in_turns({"ours": ours, "theirs": theirs}, starts, rounds, wall)
            found.append((what, p50(times["ours"]), p50(times["theirs"])))
    return found


def _starts(loaded: Loaded, count: int) -> dict[str, list[int]]:
    anywhere = other_starts(loaded.graph, count)
    beside = starts_beside_hub(loaded.graph, loaded.around, count)
    return {FOUR.name: anywhere, BESIDE: beside, CHAINS: anywhere}


def _check(engine: Engine, what: str, start: int, loaded: Loaded) -> None:
    """Their answer and ours are the oracle's."""
    found, table = loaded.product.traverse_and_match(TEXTS[what], start)
    if what == CHAINS:
        wanted = chain_answer(loaded.around, start)
        assert sorted(engine.chain(start)) == wanted
        assert rows_of(table) == sorted((tuple(map(name_of, one)) for one in wanted), key=str)
    else:
        answer = FOUR.answer(loaded.around, start)
        assert walk(engine, start, FOUR.types) == answer
        assert walk_of(found) == answer


def _note_best(figures: Figures, what: str, size: int, ratio: float, name: str) -> None:
    target = None if what == CHAINS else AHEAD.get(size)
    figures.note(
        PART,
        f"{what}: beside the best of them ({name})",
        size,
        f"{ratio:.1f}x",
        target="" if target is None else f"at least {target:g}x",
        reached=None if target is None else ratio >= target,
    )


def _note_whole(figures: Figures, loaded: Loaded, rounds: int, count: int) -> None:
    for what, starts in _starts(loaded, count).items():
        contenders = {"whole": partial(loaded.product.whole, TEXTS[what])}
        whole = p50(in_turns(contenders, starts, rounds, wall)["whole"])
        figures.note(PART, f"{what}: our whole query, text to envelope", loaded.size, f"{whole:.2f} ms")
