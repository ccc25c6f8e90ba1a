"""The lines of the demo world's tables; a class is a table, its fields the columns."""

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


@dataclass(frozen=True, slots=True)
class Conversation:
    """communications.conversations; ``case_id`` is the case it was routed to."""

    id: str
    party_id: str
    case_id: str | None
    channel: str
    subject: str
    body: str
    started_at: str
    visibility: str
    revision: int


@dataclass(frozen=True, slots=True)
class Origin:
    """communications.origins: which conversation a case came out of."""

    case_id: str
    conversation_id: str
    noted_at: str


@dataclass(frozen=True, slots=True)
class Case:
    """helpdesk.cases"""

    id: str
    party_id: str
    team: str
    status: str
    priority: str
    subject: str
    description: str
    opened_at: str
    visibility: str
    revision: int
    changed_at: str


@dataclass(frozen=True, slots=True)
class Business:
    """Everything there is, table by table."""

    parties: tuple[Party, ...]
    conversations: tuple[Conversation, ...]
    origins: tuple[Origin, ...]
    cases: tuple[Case, ...]


def party_id(number: int) -> str:
    """``p-0042``"""
    return f"p-{number:04d}"


def conversation_id(number: int) -> str:
    """``v-0311``"""
    return f"v-{number:04d}"


def case_id(number: int) -> str:
    """``c-0017``"""
    return f"c-{number:04d}"
