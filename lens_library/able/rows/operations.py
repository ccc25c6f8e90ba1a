"""The tables of operations.db."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operation:
    """operations.operations: something set in motion. ``receipt`` says that it was taken on, not how it ended."""

    id: str
    action: str
    receipt: str | None
    requested_at: str
    opens_at: str
    closes_at: str
    visibility: str
    revision: int
    changed_at: str


@dataclass(frozen=True, slots=True)
class Observation:
    """operations.observations: what ``source`` said of an operation; ``authoritative`` is 1 where it decides."""

    id: str
    source: str
    authoritative: int
    state: str
    detail: str
    observed_at: str
    conversation_id: str | None
    document_id: str | None
    activity_id: str | None
    visibility: str
    revision: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """operations.sightings: which operation an observation is of."""

    operation_id: str
    observation_id: str
    noted_at: str


@dataclass(frozen=True, slots=True)
class Tracking:
    """operations.trackings: the case, sales lead or follow-up that an operation is carried out for."""

    operation_id: str
    noted_at: str
    case_id: str | None = None
    lead_id: str | None = None
    followup_id: str | None = None
