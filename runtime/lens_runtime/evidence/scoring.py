"""What one answer is worth on one case."""

from __future__ import annotations

from dataclasses import dataclass

from lens_runtime.envelope import ContextEnvelope
from lens_runtime.envelope.shape import Unknown
from lens_runtime.evidence.auditing import Audit, coordinate
from lens_runtime.evidence.cases import Case, ExpectedUnknown
from lens_runtime.graph import Coordinate

EXPECTED = "expected_but_absent"


@dataclass(frozen=True, slots=True)
class Cost:
    """What an answer took: tokens of the envelope as compact JSON, seconds, calls of modules' readers."""

    tokens: int
    seconds: float
    source_reads: int


@dataclass(frozen=True, slots=True)
class Score:
    """One answer on one case.

    ``absent`` are the needed records that are no facts, ``unnamed`` the unknowns that should have been named,
    ``offered`` the next actions; they are judged where the case says which are right.
    """

    case: Case
    facts: int
    absent: tuple[Coordinate, ...]
    unnamed: tuple[ExpectedUnknown, ...]
    offered: tuple[str, ...]
    audit: Audit
    cost: Cost

    @property
    def complete(self) -> bool:
        """Whether every needed record is a fact."""
        return not self.absent


def score(case: Case, envelope: ContextEnvelope, audit: Audit, cost: Cost) -> Score:
    """The answer held against what the case says."""
    facts = {coordinate(fact.coordinate) for fact in envelope.facts}
    return Score(
        case=case,
        facts=len(envelope.facts),
        absent=tuple(at for at in case.needed if at not in facts),
        unnamed=tuple(each for each in case.unknowns if not _named(each, envelope)),
        offered=tuple(dict.fromkeys(each.name for each in envelope.permitted_next_actions)),
        audit=audit,
        cost=cost,
    )


def _named(expected: ExpectedUnknown, envelope: ContextEnvelope) -> bool:
    return any(
        _is_called(unknown, expected.code)
        and (
            expected.about is None
            or (unknown.about is not None and coordinate(unknown.about) == expected.about)
        )
        for unknown in envelope.unknowns
    )


def _is_called(unknown: Unknown, code: str) -> bool:
    """By its own code, or by that of the lens's expectation that was not met."""
    return unknown.code == code or (unknown.code == EXPECTED and unknown.message.startswith(f"{code}:"))
