"""What D1 counts: rows read on workerd, over the very files that were built for SQLite."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lens_dsl.plan import Statement
from lens_runtime.adapters.d1 import D1GatewayStore
from lens_runtime.adapters.d1_gateway import write_worker
from tests.bench.conftest import Loaded
from tests.bench.figures import Figures
from tests.bench.product import Product, rows_of
from tests.bench.shapes import CHAIN, FOUR, HUB, TEN, planted_hub, planted_starts
from tests.bench.timing import p50
from tests.bench.world import READER, WORLD
from tests.stores.workerd import WRITER_KEY, binary, gateway, token

PART = "Rows read on D1 (workerd), starts in the planted part"
SHAPES = {"chain": CHAIN, FOUR.name: FOUR.text, TEN.name: TEN.text, HUB.name: HUB.text}
CEILINGS = {FOUR.name: 20_000, TEN.name: 40_000}


@pytest.fixture(scope="module")
def program() -> Path:
    return binary()


def test_rows_read(
    program: Path,
    graphs: dict[int, Loaded],
    figures: Figures,
    count: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    seen: dict[str, list[list[int]]] = {name: [] for name in SHAPES}
    for loaded in graphs.values():
        with served(program, loaded.path, tmp_path_factory) as store:
            product = Product(loaded.graph, store)
            for name, text in SHAPES.items():
                counts = [rows_read(product, loaded.product, text, s) for s in starts_of(name, loaded, count)]
                seen[name].append(counts)
                ceiling = CEILINGS.get(name)
                figures.note(
                    PART,
                    name,
                    loaded.size,
                    f"p50 {p50(counts):,.0f}, most {max(counts):,}",
                    target="" if ceiling is None else f"at most {ceiling:,}",
                    reached=None if ceiling is None else max(counts) <= ceiling,
                )
    if len(graphs) > 1:
        equal = all(counts == other[0] for other in seen.values() for counts in other)
        names = ", ".join(f"{size:,}" for size in graphs)
        figures.note(
            PART,
            f"the same count for every question at {names}",
            "",
            str(equal),
            target="equal",
            reached=equal,
        )


def rows_read(product: Product, embedded: Product, text: str, start: int) -> int:
    """What one question reads; its answer is the embedded store's."""
    stage, statements = product.seed(text, start)
    reading = product.read(statements)
    assert reading.round_trips == 1
    assert reading.rows_read is not None
    found = product.decode(reading, stage)
    assert rows_of(product.match(stage, found, start)) == rows_of(embedded.traverse_and_match(text, start)[1])
    return reading.rows_read


def starts_of(name: str, loaded: Loaded, count: int) -> list[int]:
    return [planted_hub()] if name == HUB.name else planted_starts(loaded.graph, count)


@contextmanager
def served(program: Path, built: Path, folders: pytest.TempPathFactory) -> Iterator[D1GatewayStore]:
    """The gateway over a copy of a built file: put where workerd keeps its database, before it is first asked."""
    name = _file_name(program, folders)
    folder = folders.mktemp("gateway")
    write_worker(folder)
    with gateway(program, folder, WORLD) as running:
        target = folder / "data" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(built, target)
        store = D1GatewayStore(running.url, token(READER))
        try:
            yield store
        finally:
            store.close()
            target.unlink()


def _file_name(program: Path, folders: pytest.TempPathFactory) -> Path:
    """Where workerd keeps its one database, relative to its data."""
    folder = folders.mktemp("empty")
    write_worker(folder)
    with gateway(program, folder, WORLD) as running:
        store = D1GatewayStore(running.url, writer_key=WRITER_KEY)
        store.inspect([Statement("schema_exists")])
        store.close()
    (file,) = (one for one in (folder / "data").glob("*/*.sqlite") if one.stem != "metadata")
    return file.relative_to(folder / "data")
