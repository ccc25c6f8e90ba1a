"""Comparing things that answer the same: in turns, so that what else the machine does falls on all of them."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median

Clock = Callable[[], float]
own: Clock = time.process_time
"""The time this process computed: for what runs in one thread and waits for nothing. Others' load hardly shows."""
wall: Clock = time.perf_counter
"""The time that passed: for engines with threads of their own."""


def in_turns(
    contenders: Mapping[str, Callable[[int], object]], starts: Sequence[int], rounds: int, clock: Clock
) -> dict[str, list[float]]:
    """For each contender the milliseconds at each start: the least of so many rounds."""
    best = {name: [float("inf")] * len(starts) for name in contenders}
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for number, start in enumerate(starts):
                for name, ask in contenders.items():
                    began = clock()
                    ask(start)
                    best[name][number] = min(best[name][number], (clock() - began) * 1_000)
            gc.collect()
    finally:
        gc.enable()
    return best


def p50(times: Sequence[float]) -> float:
    """The median."""
    return float(median(times))
