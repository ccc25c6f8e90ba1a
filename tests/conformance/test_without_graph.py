"""The openCypher scenarios that need no graph: the right rows, the right error, or a refusal by name."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lens_dsl.errors import QueryError, UnsupportedFeature
from lens_runtime.encoding import Encoder
from lens_runtime.result import Result
from tests.oracle.budgets import AMPLE
from tests.oracle.building import Built
from tests.oracle.test_regressions import place, record

ENCODER = Encoder()
Scenario = Mapping[str, Any]


def scenarios(folder: Path) -> list[Scenario]:
    lines = (folder / "cases" / "tck_read.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [one for one in found if not one["graph"].get("nodes") and "MATCH" not in one["query"].upper()]


def outcome(found: Built, scenario: Scenario) -> str:
    """``passed``, ``refused``, or what is wrong."""
    try:
        result = found.ask("ann", scenario["query"], AMPLE, scenario["params"])
    except UnsupportedFeature:
        return "refused"
    except QueryError as error:
        wanted = scenario.get("error", {})
        phases = (error.phase, "any time")
        right = error.type == wanted.get("type") and wanted.get("phase") in phases
        return "passed" if right else f"{error.type} at {error.phase}: {error.message}"
    if "error" in scenario:
        return f"no error, but {result.rows}"
    return "passed" if same(result, scenario["expect"]) else f"{result.columns} {result.rows}"


def same(result: Result, wanted: Scenario) -> bool:
    loose = wanted["ignore_list_order"]
    got = [plain([ENCODER.encode(value) for value in row], loose) for row in result.rows]
    want = [plain(row, loose) for row in wanted["rows"]]
    if not wanted["ordered"]:
        got, want = sorted(got, key=repr), sorted(want, key=repr)
    return list(result.columns) == wanted["columns"] and got == want


def plain(value: Any, loose: bool, depth: int = 0) -> Any:
    """A value as the scenarios compare it: NaN is itself, the zeros are one, lists have an order unless ``loose``."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else value + 0.0
    if isinstance(value, list):
        items = [plain(item, loose, depth + 1) for item in value]
        return sorted(items, key=repr) if loose and depth else items
    return (
        {key: plain(value[key], loose, depth) for key in sorted(value)} if isinstance(value, dict) else value
    )


def test_nothing_is_wrong(shared):
    with place([record("Ant", "a")], []) as found:
        outcomes = {one["id"]: outcome(found, one) for one in scenarios(shared)}
    wrong = {name: what for name, what in outcomes.items() if what not in ("passed", "refused")}
    assert wrong == {}
    counts = Counter(outcomes.values())
    assert counts["passed"] >= 499
    assert counts.total() == 1_062
