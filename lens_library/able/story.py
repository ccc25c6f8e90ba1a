"""What is planted in the demo world, so that there is something to see: see ``STORY``, ``HUB`` and ``TWINS``."""

from __future__ import annotations

from lens_library.able.rows import Case, Conversation, Origin, Party, case_id, conversation_id, party_id
from lens_library.able.texts import ORDERS_TO_THE_READER

HUB = party_id(7)
"""A reseller with several hundred conversations and cases: any fan-out ceiling cuts here."""

STORY = party_id(42)
"""Jana Novak, whose cases belong to two teams, who has one restricted case and conversation, and one case
whose conversation was deleted."""

TWINS = (party_id(118), party_id(119))
"""Two people called Maria Keller, who are not the same."""

PLANTED = (STORY, *TWINS)


def planted_party(number: int, plain: Party) -> Party:
    """The party as the story has it, else as it was drawn."""
    return _PARTIES.get(party_id(number), plain)


def _party(party: str, name: str, email: str, city: str, segment: str) -> Party:
    return Party(
        id=party,
        name=name,
        email=email,
        phone="+49 731 555 0100",
        city=city,
        segment=segment,
        since="2023-04-17",
        visibility="internal",
        revision=2,
        changed_at="2026-05-02T08:15:00Z",
    )


_PARTIES = {
    HUB: _party(HUB, "Northgate Cycles Ltd", "orders@northgate.example", "Cork", "reseller"),
    STORY: _party(STORY, "Jana Novak", "jana.novak@example.com", "Brno", "private"),
    TWINS[0]: _party(TWINS[0], "Maria Keller", "maria.keller@example.com", "Ulm", "private"),
    TWINS[1]: _party(TWINS[1], "Maria Keller", "m.keller@example.org", "Graz", "business"),
}

_CASES = (
    (
        "returns",
        "open",
        "high",
        "Damaged trail bike",
        "internal",
        "The frame of order #48213 arrived cracked.",
    ),
    (
        "returns",
        "waiting",
        "normal",
        "Return of a helmet",
        "internal",
        "The helmet of order #48213 is too small.",
    ),
    (
        "billing",
        "open",
        "urgent",
        "Charged twice for a trail bike",
        "internal",
        "My card shows 1,249.00 EUR twice.",
    ),
    (
        "billing",
        "closed",
        "normal",
        "Invoice for order #48213",
        "internal",
        "The invoice has my old address on it.",
    ),
    (
        "logistics",
        "open",
        "high",
        "Where is my wheel set?",
        "internal",
        "Tracking has said 'in transit' for 16 days.",
    ),
    (
        "returns",
        "open",
        "urgent",
        "Injury after a fall",
        "restricted",
        "I fell when the frame broke; my lawyer asks.",
    ),
)
CASES_TOLD = len(_CASES)
"""How many cases, and numbers of conversations, the story takes up."""
_CHANNELS = ("email", "chat", "phone", "email", "web form", "email")
_DELETED = 3
"""The conversation of the fourth case was deleted; the line that names it stayed."""


def story(first_conversation: int, first_case: int) -> tuple[list[Conversation], list[Origin], list[Case]]:
    """Jana Novak's conversations and cases, numbered from these two numbers on."""
    conversations, origins, cases = [], [], []
    for offset, (team, status, priority, subject, visibility, text) in enumerate(_CASES):
        conversation, case = conversation_id(first_conversation + offset), case_id(first_case + offset)
        day = f"2026-06-{10 + 3 * offset:02d}"
        body = f"{text} {ORDERS_TO_THE_READER[0]}" if offset == 0 else text
        origins.append(Origin(case, conversation, f"{day}T09:40:00Z"))
        cases.append(
            Case(
                id=case,
                party_id=STORY,
                team=team,
                status=status,
                priority=priority,
                subject=subject,
                description=body,
                opened_at=f"{day}T09:40:00Z",
                visibility=visibility,
                revision=3,
                changed_at=f"{day}T16:05:00Z",
            )
        )
        if offset != _DELETED:
            conversations.append(
                Conversation(
                    id=conversation,
                    party_id=STORY,
                    case_id=case,
                    channel=_CHANNELS[offset],
                    subject=subject,
                    body=body,
                    started_at=f"{day}T09:12:00Z",
                    visibility=visibility,
                    revision=1,
                )
            )
    return conversations, origins, cases
