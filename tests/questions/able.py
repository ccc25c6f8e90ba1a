"""Ten questions that a clerk of the demo shop asks, as queries."""

from __future__ import annotations

QUESTIONS = (
    "MATCH (p:Party {id: 'p-0042'})<-[:INVOLVES_PARTY]-(c:Case) RETURN c.id, c.subject, c.status",
    "MATCH (p:Party {id: 'p-0042'})<-[:INVOLVES_PARTY]-(t:Conversation) RETURN t.id",
    "MATCH (p:Party {id: 'p-0042'})<-[:INVOLVES_PARTY]-(c:Case)-[:TRACKED_BY_OPERATION]->(o) RETURN c.id, o.outcome",
    "MATCH (p:Party {id: 'p-0042'})<-[:INVOLVES_PARTY]-(c:Case {status: 'open'}) RETURN count(c) AS n",
    "MATCH (c:Case {id: 'c-1501'})-[:INVOLVES_PARTY]->(p:Party) RETURN p.id, p.name",
    "MATCH (c:Case {id: 'c-1501'})-[:ORIGINATED_FROM_CONVERSATION]->(t) RETURN t.id",
    "MATCH (c:Case {id: 'c-1501'})-[:INVOLVES_PARTY]->(p:Party)<-[:INVOLVES_PARTY]-(o:Case) RETURN o.id",
    "MATCH (c:Case) WHERE c.id IN ['c-1501', 'c-1502'] OPTIONAL MATCH (c)-[:TRACKED_BY_OPERATION]->(k) RETURN c, k",
    "MATCH (p:Party {id: 'p-0007'})<-[:INVOLVES_PARTY]-(t:Conversation) RETURN count(t) AS n",
    "MATCH (d:Document {id: 'd-0001'})<-[:PART_OF]-(k:Chunk) RETURN count(k) AS n",
)
