"""The tables of directory.db."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Party:
    """directory.parties"""

    id: str
    name: str
    email: str
    phone: str
    city: str
    segment: str
    since: str
    visibility: str
    revision: int
    changed_at: str
