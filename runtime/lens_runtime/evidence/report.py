"""The figures of an evaluation: one set for the lens, one for each baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median

from lens_runtime.evidence.measuring import Evaluation
from lens_runtime.evidence.scoring import Score


@dataclass(frozen=True, slots=True)
class Figures:
    """What a way of gathering context came to over all cases. A share is None where no case can tell it.

    ``tokens`` and ``source_reads`` are medians a case, latencies milliseconds; ``tokens_of_everything`` is the
    share of all tokens that everything within the lens's reach would take.
    """

    cases: int
    complete_cases: int
    completeness: float | None
    tokens: float
    tokens_of_everything: float
    latency_p50_ms: float
    latency_p95_ms: float
    source_reads: float
    stale_as_fresh: int
    authorization_failures: int
    unknown_honesty: float | None
    action_precision: float | None
    action_recall: float | None


def figures(evaluation: Evaluation) -> dict[str, Figures]:
    """The figures by name: ``lens``, ``workspace``, ``neighbourhood``."""
    everything = sum(evaluation.everything_tokens)
    return {name: _figures(scores, everything) for name, scores in evaluation.scores.items()}


def _figures(scores: Sequence[Score], everything: int) -> Figures:
    needed = sum(len(each.case.needed) for each in scores)
    expected = sum(len(each.case.unknowns) for each in scores)
    judged = [(set(each.case.actions), set(each.offered)) for each in scores if each.case.actions is not None]
    right = sum(len(wanted & offered) for wanted, offered in judged)
    tokens = [each.cost.tokens for each in scores]
    times = sorted(each.cost.seconds * 1_000 for each in scores)
    return Figures(
        cases=len(scores),
        complete_cases=sum(each.complete for each in scores),
        completeness=_share(needed - sum(len(each.absent) for each in scores), needed),
        tokens=median(tokens),
        tokens_of_everything=sum(tokens) / everything,
        latency_p50_ms=percentile(times, 50),
        latency_p95_ms=percentile(times, 95),
        source_reads=median(each.cost.source_reads for each in scores),
        stale_as_fresh=sum(len(each.audit.stale_as_fresh) for each in scores),
        authorization_failures=sum(len(each.audit.leaked) for each in scores),
        unknown_honesty=_share(expected - sum(len(each.unnamed) for each in scores), expected),
        action_precision=_share(right, sum(len(offered) for _, offered in judged)),
        action_recall=_share(right, sum(len(wanted) for wanted, _ in judged)),
    )


def _share(part: int, whole: int) -> float | None:
    return None if whole == 0 else part / whole


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest of the sorted values that this percentage of them does not exceed."""
    return values[max(0, math.ceil(len(values) * percent / 100) - 1)]


def report(evaluation: Evaluation) -> dict[str, object]:
    """Figures and cases as plain values, for JSON."""
    return {
        "lens": {"name": evaluation.lens.name, "version": evaluation.lens.version},
        "max_nodes": evaluation.max_nodes,
        "everything_tokens": median(evaluation.everything_tokens),
        "figures": {name: asdict(found) for name, found in figures(evaluation).items()},
        "cases": [
            {
                "id": case.id,
                "everything_tokens": evaluation.everything_tokens[position],
                **{name: _told(scores[position]) for name, scores in evaluation.scores.items()},
            }
            for position, case in enumerate(evaluation.cases)
        ],
    }


def _told(score: Score) -> dict[str, object]:
    return {
        "complete": score.complete,
        "facts": score.facts,
        "tokens": score.cost.tokens,
        "latency_ms": round(score.cost.seconds * 1_000, 2),
        "source_reads": score.cost.source_reads,
        "absent": list(map(str, score.absent)),
        "unnamed": list(map(str, score.unnamed)),
        "authorization_failures": list(map(str, score.audit.leaked)),
        "stale_as_fresh": list(map(str, score.audit.stale_as_fresh)),
        "actions": list(score.offered),
    }
