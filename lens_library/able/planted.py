"""The records that show the four cases of every relationship type: ``ontology.yml`` names them as its ``cases``.

A set is one record of every kind, each called by its letter and the set's name (``c-missing``), and every
relationship type leads from the records of one set to those of another. ``gone`` is a set that is not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lens_library.able.rows import (
    Activity,
    Case,
    CaseEvidence,
    CaseRoute,
    Chunk,
    ChunkClaim,
    Conversation,
    Document,
    FollowUp,
    KnowledgeArticle,
    LeadOrigin,
    LeadRoute,
    Observation,
    Operation,
    Origin,
    Party,
    Recording,
    Relationship,
    Row,
    SalesLead,
    Schedule,
    Sighting,
    Suggestion,
    Tracking,
)
from lens_library.able.story import TWINS

DAY = "2026-06-20T10:00:00Z"
LATER = "2026-06-29T10:00:00Z"


@dataclass(frozen=True, slots=True)
class Set:
    """A set of records. ``toward`` is the set that its records' own columns name."""

    name: str
    toward: str
    visibility: str = "internal"


SETS = (
    Set("missing", "gone"),
    Set("stale", "moving"),
    Set("moving", "moving"),
    Set("unauthorized", "hidden"),
    Set("hidden", "hidden", "restricted"),
    Set("contradictory", "one"),
    Set("one", "one"),
    Set("other", "other"),
)
JOINED = (
    ("missing", "gone"),
    ("stale", "moving"),
    ("unauthorized", "hidden"),
    ("contradictory", "one"),
    ("contradictory", "other"),
)


def planted() -> Iterator[Row]:
    """Every set, and what joins them."""
    for each in SETS:
        yield from (_otherwise(row) for row in (*_service(each), *_business(each), *_shelf(each)))
    for source, target in JOINED:
        yield from _joined(source, target)
    # A line of the conversation itself names the first of two cases; these were sent on to by hand.
    yield CaseRoute("v-contradictory", "c-other", DAY)
    yield ChunkClaim("h-contradictory", "d-other")
    # Of the two operations of one case, one succeeded and one failed.
    yield Sighting("o-one", "b-one", LATER)
    yield Sighting("o-other", "b-other", LATER)


def _service(each: Set) -> Iterator[Row]:
    name, toward, visibility = each.name, each.toward, each.visibility
    yield Party(
        f"p-{name}", f"Case {name.capitalize()}", f"{name}@cases.example", "+49 731 555 0199", "Ulm", "private",
        "2026-01-01", visibility, 1, DAY,
    )  # fmt: skip
    yield Conversation(
        f"v-{name}", f"p-{toward}", f"c-{toward}", "email", f"Planted: {name}", "Which of these is right?",
        DAY, visibility, 1,
    )  # fmt: skip
    yield Case(
        f"c-{name}", f"p-{toward}", "returns", "open", "normal", f"Planted: {name}", "Which of these is right?",
        DAY, visibility, 1, LATER,
    )  # fmt: skip


def _business(each: Set) -> Iterator[Row]:
    name, toward, visibility = each.name, each.toward, each.visibility
    proof = f"v-{toward}"
    yield Relationship(f"r-{name}", f"p-{toward}", "customer", "standard", "2026-01-01", visibility, 1, DAY)
    yield SalesLead(f"l-{name}", f"p-{toward}", "new", "helmet", 90, DAY, visibility, 1, DAY)
    yield Activity(
        f"a-{name}", "payment check", "paid", "Says that it was paid.", DAY, proof, None, visibility, 1
    )
    yield FollowUp(f"f-{name}", "send the new price list", "done", LATER, visibility, 1, DAY)
    yield Operation(f"o-{name}", "refund", None, DAY, DAY, "2026-06-30T10:00:00Z", visibility, 1, DAY)
    yield Observation(
        f"b-{name}", "payment provider", 1, "succeeded", "Reported as carried out.", LATER, proof, None, None,
        visibility, 1,
    )  # fmt: skip


def _shelf(each: Set) -> Iterator[Row]:
    name, toward, visibility = each.name, each.toward, each.visibility
    yield KnowledgeArticle(
        f"k-{name}", "returns", f"Planted: {name}", "A return is possible for 30 days.", "It is.", "published",
        visibility, 1, DAY,
    )  # fmt: skip
    yield Document(
        f"d-{name}", f"https://able.example/documents/{name}", f"p-{toward}", "service report",
        f"Planted: {name}", DAY, visibility, 1,
    )  # fmt: skip
    yield Chunk(f"h-{name}", f"d-{toward}", 1, "The frame was inspected.", visibility, 1, DAY)


def _joined(source: str, target: str) -> Iterator[Row]:
    yield Origin(f"c-{source}", f"v-{target}", DAY)
    yield LeadOrigin(f"l-{source}", f"v-{target}", DAY)
    yield LeadRoute(f"v-{source}", f"l-{target}", DAY)
    yield Recording(f"r-{source}", f"a-{target}", DAY)
    yield Schedule(f"f-{target}", DAY, relationship_id=f"r-{source}")
    yield CaseEvidence(f"c-{source}", DAY, activity_id=f"a-{target}")
    yield Tracking(f"o-{target}", DAY, case_id=f"c-{source}")
    yield Sighting(f"o-{source}", f"b-{target}", LATER)
    yield Suggestion(f"c-{source}", f"k-{target}", DAY)


def _otherwise(row: Row) -> Row:
    """The record as it is, or as it contradicts its like: the customer is one twin here, the other one there."""
    match row:
        case Case(id="c-contradictory"):
            return replace(row, party_id=TWINS[0])
        case Conversation(id="v-one"):
            return replace(row, party_id=TWINS[1])
        case Activity(id="a-other"):
            return replace(row, result="not paid")
        case FollowUp(id="f-other"):
            return replace(row, status="cancelled")
        case Observation(id="b-other"):
            return replace(row, state="failed", detail="Reported as not carried out.")
        case KnowledgeArticle(id="k-other"):
            return replace(row, answer="A return is possible for 14 days.")
    return row
