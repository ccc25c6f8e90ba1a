"""How an operation ended. A receipt is not an outcome, and neither is what somebody without authority says.

An operation closes only on an observation that is authoritative, inside its window and terminal. Two such
observations that say different things leave it indeterminate; a window that passed without one leaves it not
observable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

OPEN, INDETERMINATE, NOT_OBSERVABLE = "open", "indeterminate", "not_observable"
TERMINAL = frozenset({"succeeded", "failed"})
"""The states of an observation after which nothing more can come; any other is on the way."""


@dataclass(frozen=True, slots=True)
class Window:
    """When an observation counts, both ends included (ms since 1970 UTC)."""

    opens: int
    closes: int


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation, as far as the outcome depends on it; ``at`` in ms since 1970 UTC."""

    state: str
    authoritative: bool
    at: int


def decide(seen: Iterable[Seen], window: Window, now: int) -> str:
    """``succeeded`` or ``failed``, else ``indeterminate``, ``not_observable`` or, while it may still come, ``open``."""
    states = {
        each.state
        for each in seen
        if each.authoritative
        and each.state in TERMINAL
        and window.opens <= each.at <= min(window.closes, now)
    }
    if len(states) > 1:
        return INDETERMINATE
    if states:
        return states.pop()
    return NOT_OBSERVABLE if now > window.closes else OPEN


def outcome(row: Mapping[str, object], now: int) -> str:
    """The outcome of a line of ``tracked_operations``, whose ``observations`` are a list of maps, at this time.

    modules.yml names it as what computes ``Operation.outcome`` whenever an operation is read.
    """
    window = Window(_ms(row["opens_at"]), _ms(row["closes_at"]))
    observations = row["observations"]
    if not isinstance(observations, list):
        raise TypeError("observations are a list")
    return decide(
        (Seen(str(o["state"]), bool(o["authoritative"]), _ms(o["observed_at"])) for o in observations),
        window,
        now,
    )


def _ms(text: object) -> int:
    moment = datetime.fromisoformat(str(text))
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return round(aware.timestamp() * 1000)
