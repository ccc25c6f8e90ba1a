"""Seeded choices and the made-up texts they give."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from lens_library.able import texts

T = TypeVar("T")
LAST_DAY = datetime(2026, 6, 30, 18, 0, tzinfo=UTC)


class Draw:
    """Draws from a seed. Only ``random()`` is used: Python promises its sequence, and no other's."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def one(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[self.below(len(choices))]

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` - 1."""
        return int(self._random.random() * limit)

    def chance(self, share: float) -> bool:
        """True in that share of the draws."""
        return self._random.random() < share

    def moment(self, days_back: int) -> datetime:
        """A moment in the days before the last day of the demo."""
        return LAST_DAY - timedelta(minutes=self.below(days_back * 24 * 60))

    def words(self, topic: texts.Topic) -> tuple[str, str]:
        """A subject and a text on this topic."""
        filling = {
            "product": self.one(texts.PRODUCTS),
            "order": f"#{10_000 + self.below(90_000)}",
            "amount": f"{20 + self.below(480)}.{self.below(100):02d} EUR",
            "days": str(3 + self.below(24)),
        }
        parts = (
            self.one(texts.GREETINGS),
            self.one(topic.problems).format(**filling),
            self.one(topic.requests).format(**filling),
            self.one(texts.CLOSINGS),
        )
        return topic.subject.format(**filling), " ".join(parts)


def iso(moment: datetime) -> str:
    """The moment as text, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_of(milliseconds: int) -> str:
    """Milliseconds since 1970 UTC as text, to the second."""
    return iso(datetime.fromtimestamp(milliseconds / 1000, UTC))
