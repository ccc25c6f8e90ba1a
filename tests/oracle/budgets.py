"""Budgets under which nothing is cut, and random ones under which much is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from lens_dsl.budget import Budget

AMPLE = Budget(
    depth=20,
    fanout=40,
    window=1_000,
    nodes=1_000,
    edges=10_000,
    examined=100_000,
    scopes=256,
    rows=100_000,
    steps=5_000_000,
    rows_read=100_000_000,
    allow_scan=True,
)


def lowered(**ceilings: int) -> Budget:
    """The ample budget with these ceilings instead."""
    values: dict[str, Any] = dict(ceilings)
    return replace(AMPLE, **values)


@st.composite
def tight_budgets(draw: st.DrawFn) -> Budget:
    """Some ceilings ample, some so low that a small world reaches them."""

    def pick(ample: int, *low: int) -> int:
        return draw(st.sampled_from([ample, ample, ample, *low]))

    return Budget(
        depth=20,
        fanout=pick(40, 1, 2, 3),
        window=pick(1_000, 1, 2, 3, 5),
        nodes=pick(1_000, 1, 2, 3, 5, 8),
        edges=pick(10_000, 1, 2, 5, 10),
        examined=pick(100_000, 1, 3, 8, 20),
        scopes=256,
        rows_read=100_000_000,
        rows=pick(100_000, 1, 3),
        steps=pick(5_000_000, 5, 20, 60),
        allow_scan=True,
    )
