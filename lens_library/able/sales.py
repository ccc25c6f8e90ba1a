"""What crm has: relationships, sales leads, what was done in them, and what was promised."""

from __future__ import annotations

from collections.abc import Iterator

from lens_library.able import texts
from lens_library.able.business import DAYS, Business, draw_of
from lens_library.able.draw import Draw, iso
from lens_library.able.rows import (
    Activity,
    FollowUp,
    LeadOrigin,
    LeadRoute,
    Recording,
    Relationship,
    Row,
    SalesLead,
    Schedule,
    numbered,
)
from lens_library.able.story import HUB, STORY

RELATIONSHIPS, LEADS, ACTIVITIES, FOLLOWUPS = 240, 160, 480, 280
HUB_SHARE = 0.15
RESTRICTED_SHARE = 0.04


def sales(business: Business) -> Iterator[Row]:
    """The lines of crm in this block, and the lines of communications that lead to its sales leads."""
    draw = draw_of(business.number, "crm")
    relationships = [
        _relationship(draw, RELATIONSHIPS * business.number + position, party.id)
        for position, party in enumerate(business.parties[:RELATIONSHIPS], start=1)
    ]
    yield from relationships
    leads = []
    for position in range(1, LEADS + 1):
        conversation = draw.one(business.conversations)
        lead = _lead(draw, LEADS * business.number + position, conversation.party_id, conversation.started_at)
        leads.append(lead)
        yield lead
        if draw.chance(0.7):
            yield LeadOrigin(lead.id, conversation.id, lead.opened_at)
            yield LeadRoute(conversation.id, lead.id, lead.opened_at)
    yield from _activities(draw, business, [each.id for each in relationships])
    yield from _followups(draw, business, [each.id for each in relationships], [each.id for each in leads])


def _relationship(draw: Draw, number: int, party: str) -> Relationship:
    known = {HUB: ("customer", "key account"), STORY: ("customer", "standard")}
    drawn = (draw.one(("customer", "customer", "supplier", "partner")), draw.one(("standard", "plus")))
    role, tier = known.get(party, drawn)
    return Relationship(
        id=numbered("r", number),
        party_id=party,
        role=role,
        tier=tier,
        since=iso(draw.moment(1_500))[:10],
        visibility=_visibility(draw),
        revision=1 + draw.below(4),
        changed_at=iso(draw.moment(DAYS)),
    )


def _lead(draw: Draw, number: int, party: str, opened_at: str) -> SalesLead:
    return SalesLead(
        id=numbered("l", number),
        party_id=party,
        stage=draw.one(("new", "qualified", "offered", "won", "lost")),
        product=draw.one(texts.PRODUCTS),
        amount=50 + draw.below(4_950),
        opened_at=opened_at,
        visibility=_visibility(draw),
        revision=1 + draw.below(3),
        changed_at=opened_at,
    )


def _activities(draw: Draw, business: Business, relationships: list[str]) -> Iterator[Row]:
    """A twentieth of them names a relationship's activity that was removed again."""
    for position in range(1, ACTIVITIES + 1):
        number = ACTIVITIES * business.number + position
        happened = iso(draw.moment(DAYS))
        action = draw.one(tuple(texts.ACTIVITY_RESULTS))
        conversation = draw.one(business.conversations).id if draw.chance(0.5) else None
        activity = Activity(
            id=numbered("a", number),
            action=action,
            result=draw.one(texts.ACTIVITY_RESULTS[action]),
            note=draw.one(texts.ACTIVITY_NOTES),
            happened_at=happened,
            conversation_id=conversation,
            document_id=None,
            visibility=_visibility(draw),
            revision=1,
        )
        if position % 20:
            yield activity
        yield Recording(_holder(draw, relationships), activity.id, happened)


def _followups(draw: Draw, business: Business, relationships: list[str], leads: list[str]) -> Iterator[Row]:
    for position in range(1, FOLLOWUPS + 1):
        due = iso(draw.moment(DAYS))
        followup = FollowUp(
            id=numbered("f", FOLLOWUPS * business.number + position),
            purpose=draw.one(texts.FOLLOWUP_PURPOSES),
            status=draw.one(("open", "open", "done", "done", "cancelled")),
            due_at=due,
            visibility=_visibility(draw),
            revision=1 + draw.below(3),
            changed_at=due,
        )
        yield followup
        if draw.chance(0.6):
            yield Schedule(followup.id, due, relationship_id=_holder(draw, relationships))
        else:
            yield Schedule(followup.id, due, lead_id=draw.one(leads))


def _holder(draw: Draw, relationships: list[str]) -> str:
    # The hub is the seventh party of the first block; later blocks have one of their own.
    return relationships[6] if draw.chance(HUB_SHARE) else draw.one(relationships)


def _visibility(draw: Draw) -> str:
    return "restricted" if draw.chance(RESTRICTED_SHARE) else "internal"
