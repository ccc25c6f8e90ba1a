"""Everything that comes out of a query, as one text: what two worlds that look alike must agree in to the byte."""

from __future__ import annotations

from collections.abc import Sequence

from lens_dsl.budget import Budget
from lens_dsl.errors import LensError
from lens_runtime.envelope import seal
from lens_runtime.result import Result
from tests.oracle.building import Built


def said(place: Built, actor: str, text: str, budget: Budget) -> str:
    """The answer, or the error, with every mark and count."""
    try:
        result = place.ask(actor, text, budget)
    except LensError as error:
        return repr((type(error).__name__, error.code, error.message, error.hint, str(error)))
    return "\n".join(parts(result))


def parts(result: Result) -> Sequence[str]:
    """Rows with all their values, marks in words and in data, freshness, cost, plan and envelope."""
    return (
        repr(result.rows),
        repr(
            (
                result.columns,
                result.complete,
                result.cuts,
                dict(result.bounds),
                result.withheld,
                result.warnings,
            )
        ),
        repr([str(cut) for cut in result.cuts]),
        repr((result.freshness, result.usage, result.scope)),
        repr((result.nodes, result.relationships)),
        repr(result.plan),
        seal(result).model_dump_json(),
    )
