"""The plans of the queries asked last, so that a query asked again is neither read nor planned again."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from lens_dsl.budget import Budget
from lens_dsl.ontology import Ontology
from lens_dsl.parser import parse
from lens_dsl.plan import Plan
from lens_dsl.planner import plan_query
from lens_dsl.validator import validate

MAX_PLANS = 128
MAX_CHARACTERS = 2_000
"""A longer text is planned anew each time: so a full cache stays below 50 MB, whatever is asked."""


class PlanCache:
    """At most MAX_PLANS plans; the one not asked for the longest goes first. Threads may share it.

    An engine has one of its own, since how fast an answer comes must not tell an actor what another one asks.
    A plan depends on the text, the vocabulary and the budget alone: parameters are no part of it, and an error
    is never kept.
    """

    def __init__(self) -> None:
        self._kept = lru_cache(maxsize=MAX_PLANS)(_planned)

    def plan(self, text: str, ontology: Ontology, budget: Budget) -> Plan:
        """What the query would do. Raises the QueryError of reading, validating or planning it."""
        vocabulary = _Vocabulary(ontology.digest, ontology)
        if len(text) > MAX_CHARACTERS:
            return _planned(text, vocabulary, budget)
        return self._kept(text, vocabulary, budget)

    def __len__(self) -> int:
        return self._kept.cache_info().currsize


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """An ontology, told from others by its digest."""

    digest: str
    ontology: Ontology = field(compare=False)


def _planned(text: str, vocabulary: _Vocabulary, budget: Budget) -> Plan:
    query = parse(text)
    clamp = budget.depth if budget.clamp_unbounded else None
    pattern = validate(query, vocabulary.ontology, text, clamp=clamp)
    return plan_query(pattern, vocabulary.ontology, budget)
