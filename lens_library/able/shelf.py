"""What knowledge has: articles, and documents in passages, some of them several thousand words long."""

from __future__ import annotations

from collections.abc import Iterator

from lens_library.able import prose
from lens_library.able.business import DAYS, Business, draw_of
from lens_library.able.draw import Draw, iso
from lens_library.able.rows import (
    CaseEvidence,
    Chunk,
    Document,
    KnowledgeArticle,
    Row,
    Suggestion,
    numbered,
)
from lens_library.able.story import HUB, STORY
from lens_library.able.texts import ORDERS_TO_THE_READER

DOCUMENTS, LONG = 24, 4
LONG_CHUNKS, SENTENCES = 64, 6
OWNERS = (HUB, STORY)
"""Whose the first documents of the first block are; both are long."""
ORDER_IN = 3
"""Every so many documents, a passage gives orders to whoever reads it."""


def shelf(business: Business) -> Iterator[Row]:
    """The lines of knowledge in this block, and the documents that helpdesk's cases rest on."""
    draw = draw_of(business.number, "knowledge")
    articles = list(_articles(draw, business.number))
    yield from articles
    documents = []
    for position in range(1, DOCUMENTS + 1):
        document = _document(draw, business, position)
        documents.append(document)
        yield document
        yield from _chunks(draw, document, position)
    for case in business.cases[::5]:
        fitting = [article for article in articles if article.topic == case.team]
        yield Suggestion(case.id, draw.one(fitting).id, case.changed_at)
    for case in business.cases[::7]:
        yield CaseEvidence(case.id, case.changed_at, document_id=draw.one(documents).id)


def _articles(draw: Draw, block: int) -> Iterator[KnowledgeArticle]:
    for position, (topic, title, answer) in enumerate(prose.ARTICLES, start=1):
        yield KnowledgeArticle(
            id=numbered("k", len(prose.ARTICLES) * block + position),
            topic=topic,
            title=title,
            answer=answer,
            body=f"{answer} {prose.passage(draw, SENTENCES)}",
            status="withdrawn" if draw.chance(0.1) else "published",
            visibility="public" if draw.chance(0.5) else "internal",
            revision=1 + draw.below(5),
            changed_at=iso(draw.moment(DAYS)),
        )


def _document(draw: Draw, business: Business, position: int) -> Document:
    number = DOCUMENTS * business.number + position
    form = draw.one(prose.FORMS)
    party = draw.one(business.parties).id if draw.chance(0.7) else None
    if not business.number and position <= len(OWNERS):
        party = OWNERS[position - 1]
    restricted = position > LONG and draw.chance(0.1)
    return Document(
        id=numbered("d", number),
        uri=f"https://able.example/documents/{number}",
        party_id=party,
        form=form,
        title=f"{form.capitalize()} {number}",
        received_at=iso(draw.moment(DAYS)),
        visibility="restricted" if restricted else "internal",
        revision=1 + draw.below(3),
    )


def _chunks(draw: Draw, document: Document, position: int) -> Iterator[Chunk]:
    count = LONG_CHUNKS if position <= LONG else 4 + draw.below(5)
    for place in range(1, count + 1):
        text = prose.passage(draw, SENTENCES)
        if position % ORDER_IN == 0 and place == 2:
            text = f"{text} {draw.one(ORDERS_TO_THE_READER)}"
        yield Chunk(
            id=f"h{document.id[1:]}-{place:02d}",
            document_id=document.id,
            position=place,
            text=text,
            visibility=document.visibility,
            revision=1 + draw.below(2),
            changed_at=document.received_at,
        )
