"""Expressions are evaluated as every query is: by the engine, on a store, here of one record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from lens_dsl.errors import QueryError
from lens_runtime.encoding import Encoder
from tests.oracle.budgets import AMPLE
from tests.oracle.building import Built
from tests.oracle.test_regressions import place, record

Value = Callable[..., str]
Fault = Callable[..., tuple[str, str, str]]


@pytest.fixture(scope="package")
def built() -> Iterator[Built]:
    with place([record("Ant", "a")], []) as found:
        yield found


@pytest.fixture(scope="package")
def value(built: Built) -> Value:
    """An expression's value as JSON, in which 1, 1.0 and true differ; ``before`` are clauses it stands behind."""

    def evaluate(expression: str, before: str = "", **parameters: object) -> str:
        ((found,),) = built.ask("ann", f"{before} RETURN {expression} AS x", AMPLE, parameters).rows
        return written(Encoder().encode(found))

    return evaluate


@pytest.fixture(scope="package")
def fault(built: Built) -> Fault:
    """The type, phase and code of the error that an expression gives."""

    def evaluate(expression: str, before: str = "", **parameters: object) -> tuple[str, str, str]:
        with pytest.raises(QueryError) as caught:
            built.ask("ann", f"{before} RETURN {expression} AS x", AMPLE, parameters)
        assert caught.value.span is not None
        return caught.value.type, caught.value.phase, caught.value.code

    return evaluate


def written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
