"""What operations has: what was set in motion, and what was then observed of it, with authority or without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from lens_library.able.business import Business, draw_of
from lens_library.able.draw import LAST_DAY, Draw, iso
from lens_library.able.rows import CaseEvidence, Observation, Operation, Row, Sighting, Tracking, numbered
from lens_library.able.sales import FOLLOWUPS, LEADS

OPERATIONS = 320
WINDOW_DAYS = 10


@dataclass(frozen=True, slots=True)
class Sign:
    """One observation to be: who says what, and how many days after the operation was asked for."""

    source: str
    state: str
    day: int


PAYMENT, CARRIER, CUSTOMER = "payment provider", "carrier", "customer"
AUTHORITATIVE = frozenset({PAYMENT, CARRIER})
ACTIONS = {"refund": PAYMENT, "second invoice": PAYMENT, "replacement": CARRIER, "pickup": CARRIER}
"""What can be set in motion, and who has the authority to say how it ended."""
COURSES = {
    "succeeded": (("authority", "accepted", 1), ("authority", "succeeded", 4)),
    "failed": (("authority", "accepted", 1), ("authority", "failed", 5)),
    "receipt": (("authority", "accepted", 1),),
    "hearsay": (("authority", "accepted", 1), (CUSTOMER, "succeeded", 3)),
    "late": (("authority", "succeeded", WINDOW_DAYS + 4),),
    "conflict": (("authority", "succeeded", 3), ("authority", "failed", 6)),
    "nothing": (),
}
"""How operations go: the observations of each course."""
_DRAWN = (*["succeeded"] * 9, *["failed"] * 3, *["receipt"] * 3, "hearsay", "late", "conflict", "nothing")
_DETAILS = {
    "accepted": "The order was taken on; a reference number was given.",
    "succeeded": "Reported as carried out.",
    "failed": "Reported as not carried out.",
}


def signs(action: str, course: str) -> tuple[Sign, ...]:
    """The observations of a course, said by who has authority over this action unless the course says otherwise."""
    return tuple(
        Sign(ACTIONS[action] if source == "authority" else source, state, day)
        for source, state, day in COURSES[course]
    )


def work(business: Business) -> Iterator[Row]:
    """The lines of operations in this block, and the observations that helpdesk's cases rest on."""
    draw = draw_of(business.number, "operations")
    for position in range(1, OPERATIONS + 1):
        number = OPERATIONS * business.number + position
        action = draw.one(tuple(ACTIONS))
        requested = draw.moment(150)
        operation = numbered("o", number)
        restricted = draw.chance(0.04)
        yield from operated(
            operation, action, draw.one(_DRAWN), requested, "restricted" if restricted else "internal"
        )
        yield _tracking(draw, business, operation, iso(requested))
    for case in business.cases[::3]:
        if case.party_id and draw.chance(0.5):
            yield CaseEvidence(case.id, case.changed_at, conversation_id=draw.one(business.conversations).id)


def operated(
    operation: str, action: str, course: str, requested: datetime, visibility: str = "internal"
) -> Iterator[Row]:
    """An operation that goes this course, with its observations up to the demo's last day."""
    seen = [sign for sign in signs(action, course) if requested + timedelta(days=sign.day) <= LAST_DAY]
    yield Operation(
        id=operation,
        action=action,
        receipt=f"RC-{operation[2:].upper()}" if any(sign.state == "accepted" for sign in seen) else None,
        requested_at=iso(requested),
        opens_at=iso(requested),
        closes_at=iso(requested + timedelta(days=WINDOW_DAYS)),
        visibility=visibility,
        revision=1 + len(seen),
        changed_at=iso(requested + timedelta(days=seen[-1].day if seen else 0)),
    )
    for count, sign in enumerate(seen, start=1):
        observation = f"b{operation[1:]}-{count}"
        yield Observation(
            id=observation,
            source=sign.source,
            authoritative=int(sign.source in AUTHORITATIVE),
            state=sign.state,
            detail=_DETAILS[sign.state],
            observed_at=iso(requested + timedelta(days=sign.day)),
            conversation_id=None,
            document_id=None,
            activity_id=None,
            visibility=visibility,
            revision=1,
        )
        yield Sighting(operation, observation, iso(requested + timedelta(days=sign.day)))


def _tracking(draw: Draw, business: Business, operation: str, noted_at: str) -> Tracking:
    chosen = draw.below(10)
    if chosen < 7:
        return Tracking(operation, noted_at, case_id=draw.one(business.cases).id)
    if chosen < 9:
        followup = FOLLOWUPS * business.number + 1 + draw.below(FOLLOWUPS)
        return Tracking(operation, noted_at, followup_id=numbered("f", followup))
    return Tracking(
        operation, noted_at, lead_id=numbered("l", LEADS * business.number + 1 + draw.below(LEADS))
    )
