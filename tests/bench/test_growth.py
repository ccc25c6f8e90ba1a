"""The same planted part in graphs of every size: the same answers, and the time for them."""

from __future__ import annotations

from functools import partial

from tests.bench.conftest import Loaded
from tests.bench.figures import Figures
from tests.bench.graph import name_of
from tests.bench.product import Product, rows_of, walk_of
from tests.bench.shapes import CHAIN, FOUR, HUB, TEN, chain_answer, planted_hub, planted_starts
from tests.bench.timing import in_turns, own, p50

SHAPES = (FOUR, TEN, HUB)
MOST = 1.1


def test_answers_are_the_oracles(loaded: Loaded, count: int) -> None:
    product, around = loaded.product, loaded.around
    for shape in SHAPES:
        for start in starts_of(shape.name, loaded, count):
            wanted, (found, table) = (
                shape.answer(around, start),
                product.traverse_and_match(shape.text, start),
            )
            assert walk_of(found) == wanted
            others = {name_of(node) for node in wanted.nodes - {start}}
            assert {row[0] for row in rows_of(table)} - {name_of(start)} == others
    for start in starts_of("chain", loaded, count):
        _, table = product.traverse_and_match(CHAIN, start)
        assert rows_of(table) == named(chain_answer(around, start))


def test_growth_on_the_planted_part(
    graphs: dict[int, Loaded], figures: Figures, rounds: int, count: int
) -> None:
    first, last = graphs[min(graphs)], graphs[max(graphs)]
    assert planted_starts(first.graph, count) == planted_starts(last.graph, count)
    for name, text in {"chain": CHAIN, **{shape.name: shape.text for shape in SHAPES}}.items():
        for start in (starts := starts_of(name, first, count)):
            answers = [rows_of(one.product.traverse_and_match(text, start)[1]) for one in (first, last)]
            assert answers[0] == answers[1]
        contenders = {str(one.size): partial(traverse_and_match, one.product, text) for one in (first, last)}
        times = in_turns(contenders, starts, rounds, own)
        small, large = p50(times[str(first.size)]), p50(times[str(last.size)])
        figures.note(
            "Growth on the planted part, traverse and match (processor time, p50)",
            name,
            f"{first.size:,} to {last.size:,}",
            f"{large / small:.2f}x ({small:.2f} to {large:.2f} ms)",
            target=f"at most {MOST}x",
            reached=large / small <= MOST if first is not last else None,
        )


def traverse_and_match(product: Product, text: str, start: int) -> object:
    return product.traverse_and_match(text, start)


def starts_of(name: str, loaded: Loaded, count: int) -> list[int]:
    return [planted_hub()] if name == HUB.name else planted_starts(loaded.graph, count)


def named(walks: list[tuple[int, ...]]) -> list[tuple[str, ...]]:
    return sorted((tuple(map(name_of, walk)) for walk in walks), key=str)
