"""The made-up business: parties, their conversations, and the cases that come out of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from lens_library.able import texts
from lens_library.able.draw import LAST_DAY, Draw, iso
from lens_library.able.rows import (
    Business,
    Case,
    Conversation,
    Origin,
    Party,
    case_id,
    conversation_id,
    party_id,
)
from lens_library.able.story import HUB, PLANTED, planted_party, story

PARTIES, CONVERSATIONS, CASES = 400, 900, 1_500
"""How many of each there are at size 1; the planted ones come on top."""
HUB_SHARE = 0.22
DELETED_EVERY = 97
DAYS = 180


def make_business(seed: str, factor: int) -> Business:
    """Everything, drawn from the seed, ``factor`` times the small size."""
    draw = Draw(seed)
    parties = tuple(_party(draw, number) for number in range(1, PARTIES * factor + 1))
    ordinary = [party.id for party in parties if party.id not in PLANTED]
    topics = [draw.one(texts.TOPICS) for _ in range(CONVERSATIONS * factor)]
    conversations = [_conversation(draw, n, topic, ordinary) for n, topic in enumerate(topics, start=1)]
    cases: list[Case] = []
    origins: list[Origin] = []
    for position, topic in enumerate(topics):
        if draw.chance(0.8):
            case = _case_of(draw, len(cases) + 1, conversations[position], topic)
            cases.append(case)
            origins.append(Origin(case.id, conversations[position].id, case.opened_at))
            conversations[position] = replace(conversations[position], case_id=case.id)
    while len(cases) < CASES * factor:
        cases.append(_case(draw, len(cases) + 1, _holder(draw, ordinary), draw.one(texts.TOPICS)))
    kept = [each for n, each in enumerate(conversations, start=1) if n % DELETED_EVERY]
    planted = story(len(conversations) + 1, len(cases) + 1)
    return Business(
        parties,
        (*kept, *planted[0]),
        (*origins, *planted[1]),
        (*cases, *planted[2]),
    )


def _party(draw: Draw, number: int) -> Party:
    first, last = draw.one(texts.FIRST_NAMES), draw.one(texts.LAST_NAMES)
    drawn = Party(
        id=party_id(number),
        name=f"{first} {last}",
        email=f"{first}.{last}{number}@example.com".lower(),
        phone=f"+49 731 555 {draw.below(10_000):04d}",
        city=draw.one(texts.CITIES),
        segment=draw.one(texts.SEGMENTS),
        since=iso(draw.moment(1_500))[:10],
        visibility="internal",
        revision=1 + draw.below(4),
        changed_at=iso(draw.moment(DAYS)),
    )
    return planted_party(number, drawn)


def _holder(draw: Draw, ordinary: list[str]) -> str:
    return HUB if draw.chance(HUB_SHARE) else draw.one(ordinary)


def _conversation(draw: Draw, number: int, topic: texts.Topic, ordinary: list[str]) -> Conversation:
    subject, body = draw.words(topic)
    channel = draw.one(texts.CHANNELS)
    restricted = channel != "forum" and draw.chance(0.07)
    return Conversation(
        id=conversation_id(number),
        party_id=_holder(draw, ordinary),
        case_id=None,
        channel=channel,
        subject=subject,
        body=f"{body} {draw.one(texts.ORDERS_TO_THE_READER)}" if draw.chance(0.02) else body,
        started_at=iso(draw.moment(DAYS)),
        visibility="public" if channel == "forum" else "restricted" if restricted else "internal",
        revision=1 + draw.below(3),
    )


def _case_of(draw: Draw, number: int, conversation: Conversation, topic: texts.Topic) -> Case:
    case = _case(draw, number, conversation.party_id, topic, conversation.started_at)
    hidden = conversation.visibility == "restricted"
    return replace(
        case,
        subject=conversation.subject,
        description=conversation.body,
        visibility="restricted" if hidden else case.visibility,
    )


def _case(draw: Draw, number: int, party: str, topic: texts.Topic, opened_at: str | None = None) -> Case:
    subject, description = draw.words(topic)
    opened = draw.moment(DAYS) if opened_at is None else datetime.fromisoformat(opened_at)
    changed = min(opened + timedelta(minutes=30 + draw.below(20 * 24 * 60)), LAST_DAY)
    return Case(
        id=case_id(number),
        party_id=party,
        team=topic.team,
        status=draw.one(texts.STATUSES),
        priority=draw.one(texts.PRIORITIES),
        subject=subject,
        description=description,
        opened_at=iso(opened),
        visibility="restricted" if draw.chance(0.03) else "internal",
        revision=1 + draw.below(6),
        changed_at=iso(changed),
    )
