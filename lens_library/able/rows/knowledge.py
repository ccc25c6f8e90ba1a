"""The tables of knowledge.db."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnowledgeArticle:
    """knowledge.articles: what the shop answers to a question."""

    id: str
    topic: str
    title: str
    answer: str
    body: str
    status: str
    visibility: str
    revision: int
    changed_at: str


@dataclass(frozen=True, slots=True)
class Document:
    """knowledge.documents; their text is in their chunks."""

    id: str
    uri: str
    party_id: str | None
    form: str
    title: str
    received_at: str
    visibility: str
    revision: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """knowledge.chunks: a passage of a document, ``position`` counting from 1."""

    id: str
    document_id: str
    position: int
    text: str
    visibility: str
    revision: int
    changed_at: str


@dataclass(frozen=True, slots=True)
class ChunkClaim:
    """knowledge.chunk_claims: a second document that claims a passage as its own."""

    chunk_id: str
    document_id: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """knowledge.suggestions: an article that may answer a case."""

    case_id: str
    article_id: str
    noted_at: str
