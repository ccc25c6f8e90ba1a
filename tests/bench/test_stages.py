"""What each stage of one query takes, and how much memory at most while it runs."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from lens_dsl.parser import parse
from lens_dsl.planner import plan_query
from lens_dsl.validator import validate
from lens_runtime.envelope import seal
from lens_runtime.pruning import prune
from tests.bench.conftest import Loaded
from tests.bench.figures import Figures
from tests.bench.graph import ONTOLOGY, name_of
from tests.bench.product import Product, rows_of
from tests.bench.shapes import BUDGET, CHAIN, FOUR, planted_starts
from tests.bench.timing import own, p50
from tests.bench.world import Patience

PART = "Stages of one query (processor time, p50; memory, largest peak)"
T = TypeVar("T")


@dataclass
class Costs:
    """Milliseconds or bytes of each stage, one entry a run."""

    traced: bool
    of: dict[str, list[float]] = field(default_factory=dict)

    def take(self, name: str, stage: Callable[[], T]) -> T:
        """Run a stage and note what it cost."""
        if self.traced:
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            outcome = stage()
            cost = float(tracemalloc.get_traced_memory()[1] - before)
        else:
            began = own()
            outcome = stage()
            cost = (own() - began) * 1_000
        self.of.setdefault(name, []).append(cost)
        return outcome


def test_stages(loaded: Loaded, figures: Figures, rounds: int, count: int) -> None:
    for what, text in (("chain", CHAIN), (FOUR.name, FOUR.text)):
        times, memory = Costs(traced=False), Costs(traced=True)
        for start in planted_starts(loaded.graph, count):
            for _ in range(rounds):
                rows = _staged(loaded.product, text, start, times)
            tracemalloc.start()
            _staged(loaded.product, text, start, memory)
            tracemalloc.stop()
            whole, _ = loaded.product.whole(text, start)
            assert rows == sorted(whole.rows, key=str)
        for name, costs in times.of.items():
            measured = f"{p50(costs):8.3f} ms {max(memory.of[name]) / 1_000:10,.0f} kB"
            figures.note(PART, f"{what}: {name}", loaded.size, measured)


def _staged(product: Product, text: str, start: int, costs: Costs) -> list[tuple[object, ...]]:
    """One query, stage by stage as the engine runs it."""
    query = costs.take("parse", lambda: parse(text))
    pattern = costs.take("validate", lambda: validate(query, ONTOLOGY, text))
    costs.take("plan", lambda: plan_query(pattern, ONTOLOGY, BUDGET))
    stage, statements = costs.take("seed", lambda: product.seed(text, start))
    reading = costs.take("store", lambda: product.read(statements))
    found = costs.take("decode", lambda: product.decode(reading, stage))
    candidates = costs.take("prune", lambda: prune(stage, found))
    known = costs.take("hydrate", lambda: product.hydrate(stage, candidates))
    table = costs.take("match and project", lambda: product.match(stage, known, start))
    result = product.engine.run(text, {"id": name_of(start)}, BUDGET, Patience())
    costs.take("envelope", lambda: seal(result))
    return rows_of(table)
