"""The shop's customer service: parties, their conversations, and the cases that come out of them, block by block.

The world is made of blocks of the small size, so that a large one is written as it is drawn. The first block
is the small world, in every size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from lens_library.able import texts
from lens_library.able.draw import LAST_DAY, Draw, iso
from lens_library.able.rows import Case, Conversation, Origin, Party, case_id, conversation_id, party_id
from lens_library.able.story import CASES_TOLD, HUB, PLANTED, planted_party, story

PARTIES, CONVERSATIONS, CASES = 400, 900, 1_500
"""How many of each a block has; the planted ones of the first block come on top."""
HUB_SHARE = 0.22
DELETED_EVERY = 97
DAYS = 180


@dataclass(frozen=True, slots=True)
class Business:
    """One block of customer service. ``number`` counts from 0."""

    number: int
    parties: tuple[Party, ...]
    conversations: tuple[Conversation, ...]
    origins: tuple[Origin, ...]
    cases: tuple[Case, ...]

    def rows(self) -> Iterator[Party | Conversation | Origin | Case]:
        """Every line of its tables."""
        yield from self.parties
        yield from self.conversations
        yield from self.origins
        yield from self.cases


def draw_of(block: int, part: str = "") -> Draw:
    """The draws of one part of a block, the same whatever is drawn elsewhere."""
    return Draw(" ".join(filter(None, ("able", str(block) if block else "small", part))))


def make_business(block: int) -> Business:
    """The customer service of one block, numbered after the blocks before it."""
    draw = draw_of(block)
    told = CASES_TOLD if block else 0
    first_party = PARTIES * block + 1
    first_conversation = CONVERSATIONS * block + told + 1
    first_case = CASES * block + told + 1
    parties = tuple(_party(draw, number) for number in range(first_party, first_party + PARTIES))
    ordinary = [party.id for party in parties if party.id not in PLANTED]
    topics = [draw.one(texts.TOPICS) for _ in range(CONVERSATIONS)]
    conversations = [
        _conversation(draw, n, topic, ordinary) for n, topic in enumerate(topics, start=first_conversation)
    ]
    cases: list[Case] = []
    origins: list[Origin] = []
    for position, topic in enumerate(topics):
        if draw.chance(0.8):
            case = _case_of(draw, first_case + len(cases), conversations[position], topic)
            cases.append(case)
            origins.append(Origin(case.id, conversations[position].id, case.opened_at))
            conversations[position] = replace(conversations[position], case_id=case.id)
    while len(cases) < CASES:
        holder, topic = _holder(draw, ordinary), draw.one(texts.TOPICS)
        cases.append(_case(draw, first_case + len(cases), holder, topic))
    kept = [each for n, each in enumerate(conversations, start=1) if n % DELETED_EVERY]
    if block:
        return Business(block, parties, tuple(kept), tuple(origins), tuple(cases))
    planted = story(CONVERSATIONS + 1, CASES + 1)
    return Business(block, parties, (*kept, *planted[0]), (*origins, *planted[1]), (*cases, *planted[2]))


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
