"""What was set in motion for Jana Novak's cases: one operation for each way in which an outcome can stand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from lens_library.able.rows import (
    Activity,
    CaseEvidence,
    FollowUp,
    Recording,
    Row,
    Schedule,
    Suggestion,
    Tracking,
    case_id,
    conversation_id,
)
from lens_library.able.story import STORY
from lens_library.able.work import operated

FIRST_CASE, FIRST_CONVERSATION = 1_501, 901

OPERATIONS = {
    "o-receipt": (0, "refund", "receipt", "2026-06-24"),
    "o-late": (1, "pickup", "late", "2026-06-14"),
    "o-refunded": (2, "refund", "succeeded", "2026-06-17"),
    "o-hearsay": (3, "second invoice", "hearsay", "2026-06-15"),
    "o-conflict": (4, "replacement", "conflict", "2026-06-23"),
}
"""By id: which of her cases it is for, what was asked for, the course it takes, and when it was asked for.

On 2026-07-01 their outcomes are open (there is a receipt, and nothing else yet), not_observable (the observation
came after the window), succeeded, not_observable (only the customer says so) and indeterminate.
"""


def followed() -> Iterator[Row]:
    """Operations, activities, follow-ups, evidence and suggested articles of her cases."""
    for operation, (case, action, course, day) in OPERATIONS.items():
        requested = datetime.fromisoformat(day).replace(hour=10, tzinfo=UTC)
        yield from operated(operation, action, course, requested)
        yield Tracking(operation, f"{day}T10:00:00Z", case_id=case_id(FIRST_CASE + case))
    relationship = f"r{STORY[1:]}"
    visit = Activity(
        id="a-jana",
        action="call",
        result="reached",
        note="Will send photographs of the frame by email.",
        happened_at="2026-06-12T11:00:00Z",
        conversation_id=conversation_id(FIRST_CONVERSATION),
        document_id=None,
        visibility="internal",
        revision=1,
    )
    yield visit
    yield Recording(relationship, visit.id, visit.happened_at)
    yield FollowUp(
        id="f-jana",
        purpose="check that the refund arrived",
        status="open",
        due_at="2026-07-03T09:00:00Z",
        visibility="internal",
        revision=1,
        changed_at="2026-06-24T10:05:00Z",
    )
    yield Schedule("f-jana", "2026-06-24T10:05:00Z", relationship_id=relationship)
    yield Tracking("o-receipt", "2026-06-24T10:05:00Z", followup_id="f-jana")
    first = case_id(FIRST_CASE)
    yield CaseEvidence(first, "2026-06-12T11:05:00Z", activity_id=visit.id)
    yield CaseEvidence(first, "2026-06-12T11:05:00Z", document_id="d-0002")
    yield CaseEvidence(first, "2026-06-10T09:40:00Z", conversation_id=conversation_id(FIRST_CONVERSATION))
    for case, article in ((0, "k-0003"), (2, "k-0006"), (4, "k-0011")):
        yield Suggestion(case_id(FIRST_CASE + case), article, "2026-06-25T08:00:00Z")
