"""The bands of length: each is a committed node of its own, and the raw request never counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Band:
    """A length that is kept: about ``words`` words."""

    name: str
    words: int


GIST, STANDARD, LONG = Band("gist", 40), Band("standard", 200), Band("long", 600)
BANDS = (GIST, STANDARD, LONG)


def band_of(words: int) -> Band:
    """The nearest band; a tie takes the longer, and anything above the longest is the longest."""
    return min(BANDS, key=lambda band: (abs(band.words - words), -band.words))
