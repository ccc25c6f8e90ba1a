"""Packing an envelope to its ceiling of tokens: by rank, always the same way, saying what is left out (P41, P42)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lens_runtime.aggregation.part import AggregatePart
from lens_runtime.envelope.parts import evidence
from lens_runtime.envelope.shape import ContextEnvelope, CoordinatePart, CutPart, Fact, Link, Unknown
from lens_runtime.ports import TokenCounter

Part = Fact | Link | Unknown | AggregatePart
SLACK = 80
"""Tokens kept free for the mark of what is left out, and for figures that grow with what is packed."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is to pack: facts by rank, the subject first, and whatever else stands in an envelope's lists."""

    facts: Sequence[Fact] = ()
    links: Sequence[Link] = ()
    unknowns: Sequence[Unknown] = ()
    aggregates: Sequence[AggregatePart] = ()


@dataclass
class Packed:
    """What is in so far, in the order it was taken."""

    taken: list[Part] = field(default_factory=list)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts among it."""
        return tuple(part for part in self.taken if isinstance(part, Fact))

    @property
    def links(self) -> tuple[Link, ...]:
        """The relationships among it."""
        return tuple(part for part in self.taken if isinstance(part, Link))

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """The unknowns among it."""
        return tuple(part for part in self.taken if isinstance(part, Unknown))

    @property
    def aggregates(self) -> tuple[AggregatePart, ...]:
        """What producers made, among it."""
        return tuple(part for part in self.taken if isinstance(part, AggregatePart))


def pack(empty: ContextEnvelope, offer: Offer, ceiling: int, counter: TokenCounter) -> ContextEnvelope:
    """The envelope with as much as fits: the first fact, what is unknown, what producers made, then facts by rank,
    each with its links.
    """
    packed = Packed()
    room = ceiling - SLACK - counter.count(empty.model_dump_json())
    facts = {fact.coordinate: fact for fact in offer.facts}
    lost: set[object] = set(facts)
    for group in _offered(offer):
        here = {part.coordinate for part in group if isinstance(part, Fact)}
        kept = [
            part
            for part in group
            if not isinstance(part, Link) or not {part.source, part.target} & (lost - here)
        ]
        cost = sum(counter.count(_told(part, facts)) for part in kept)
        if cost <= room:
            room -= cost
            packed.taken += kept
            lost -= here
    sealed = _counted(_sealed(empty, packed, offer, ceiling), counter)
    while (sealed.usage.tokens or 0) > ceiling and packed.taken:
        packed.taken.pop()
        sealed = _counted(_sealed(empty, packed, offer, ceiling), counter)
    return sealed


def _offered(offer: Offer) -> Iterator[list[Part]]:
    """What is taken together or not at all: a fact, with the relationships that join it to facts before it."""
    facts = offer.facts
    place = {fact.coordinate: position for position, fact in enumerate(facts)}
    after: dict[int, list[Link]] = {}
    for link in offer.links:
        after.setdefault(max(place.get(link.source, 0), place.get(link.target, 0)), []).append(link)
    if facts:
        yield [facts[0], *after.get(0, ())]
    for unknown in offer.unknowns:
        yield [unknown]
    for aggregate in offer.aggregates:
        yield [aggregate]
    for position, fact in enumerate(facts[1:], start=1):
        yield [fact, *after.get(position, ())]


def _told(part: Part, facts: Mapping[CoordinatePart, Fact]) -> str:
    """The part, with the evidence it brings along and the comma before it, as it stands in the envelope."""
    brought: Iterable[object] = ()
    if isinstance(part, Link):
        ends = [facts[end] for end in (part.source, part.target) if end in facts]
        brought = evidence(ends, (part,))
    return part.model_dump_json() + "," + "".join(f"{each.model_dump_json()}," for each in brought)  # type: ignore[attr-defined]


def _sealed(empty: ContextEnvelope, packed: Packed, offer: Offer, ceiling: int) -> ContextEnvelope:
    facts, links, unknowns, aggregates = packed.facts, packed.links, packed.unknowns, packed.aggregates
    lists: tuple[tuple[Sequence[Part], Sequence[Part], str], ...] = (
        (offer.facts, facts, "facts"),
        (offer.links, links, "relationships"),
        (offer.unknowns, unknowns, "unknowns"),
        (offer.aggregates, aggregates, "aggregates"),
    )
    left = [(len(there) - len(kept), name) for there, kept, name in lists if len(there) > len(kept)]
    truncation = empty.truncation
    if left:
        words = ", ".join(f"{count} {name}" for count, name in left)
        cut = CutPart(
            ceiling="tokens",
            limit=ceiling,
            where="",
            visible=sum(count for count, _ in left),
            message=f"the ceiling tokens cut: {words} left out, the least important first",
        )
        truncation = truncation.model_copy(update={"complete": False, "cuts": (*truncation.cuts, cut)})
    usage = empty.usage.model_copy(update={"nodes": len(facts), "relationships": len(links)})
    return empty.model_copy(
        update={
            "facts": facts,
            "relationships": links,
            "evidence": evidence(facts, links),
            "unknowns": unknowns,
            "aggregates": aggregates,
            "truncation": truncation,
            "usage": usage,
        }
    )


def _counted(envelope: ContextEnvelope, counter: TokenCounter) -> ContextEnvelope:
    """The envelope that says its own size; the figure counts itself."""
    told: Callable[[int], ContextEnvelope] = lambda tokens: envelope.model_copy(  # noqa: E731
        update={"usage": envelope.usage.model_copy(update={"tokens": tokens})}
    )
    tokens = counter.count(told(0).model_dump_json())
    return told(max(tokens, counter.count(told(tokens).model_dump_json())))
