"""Scenarios as data: how one is asked, and whether an answer is what it expects."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lens_dsl.budget import LARGEST, MAX_EDGES_A_STEP, Budget
from lens_dsl.errors import LensError, UnsupportedFeature
from lens_runtime.graph import Node, Relationship
from lens_runtime.graph import Path as Walk
from lens_runtime.result import Result
from tests.conformance.graphs import Asked, Graphs, most_at_a_node
from tests.conformance.report import PASSED, REFUSED

Scenario = Mapping[str, Any]
SECONDS = 30
DEPTH = 20


def read(path: Path) -> list[Scenario]:
    """The scenarios of a file, one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def asked(scenario: Scenario) -> Asked:
    """The query under ceilings that leave nothing of its graph out."""
    graph, unbounded = scenario["graph"], any(high is None for _, high in scenario["var_length"])
    nodes, edges = max(1, len(graph["nodes"])), len(graph["edges"])
    budget = Budget(
        depth=max(1, edges) if unbounded else DEPTH,
        fanout=max(1, min(most_at_a_node(graph), MAX_EDGES_A_STEP // nodes)),
        window=LARGEST["window"],
        examined=LARGEST["examined"],
        rows_read=LARGEST["rows_read"],
        nodes=nodes,
        edges=LARGEST["edges"],
        rows=LARGEST["rows"],
        steps=LARGEST["steps"],
        seconds=SECONDS,
        allow_scan=True,
        clamp_unbounded=unbounded,
    )
    return Asked(graph, scenario["query"], scenario["params"], budget)


def outcome(graphs: Graphs, scenario: Scenario) -> str:
    """``passed``, ``refused: ...`` or ``wrong: ...``."""
    wanted = scenario.get("error")
    try:
        result = graphs.run(asked(scenario))
    except UnsupportedFeature as refusal:
        return f"{REFUSED}: {refusal.message}"
    except LensError as error:
        if wanted and wanted["type"] == error.type and wanted["phase"] in (error.phase, "any time"):
            return PASSED
        return f"wrong: {error.type} at {error.phase}, {error.code}: {error.message} (expected {wanted})"
    except Exception as crash:  # the rest of the file still tells something
        return f"wrong: crashed by {crash!r}"
    if wanted:
        return f"wrong: no error, but {result.columns} {result.rows} (expected {wanted})"
    return PASSED if same(result, scenario["expect"]) else f"wrong: {shown(result)}"


def shown(result: Result) -> str:
    """A result that was not expected, with its marks."""
    rows = [[plain(value) for value in row] for row in result.rows[:5]]
    return f"{result.columns} {rows} cuts {result.cuts} bounds {result.bounds} withheld {result.withheld}"


def same(result: Result, wanted: Scenario) -> bool:
    """Whether a result has the expected rows, by column name, and nothing of it is missing."""
    if sorted(result.columns) != sorted(wanted["columns"]) or not result.complete:
        return False
    loose = wanted.get("ignore_list_order", False)
    positions = [result.columns.index(name) for name in wanted["columns"]]
    got = [_key([plain(row[position]) for position in positions], loose) for row in result.rows]
    want = [_key(row, loose) for row in wanted["rows"]]
    return got == want if wanted["ordered"] else sorted(got, key=repr) == sorted(want, key=repr)


def plain(value: Any) -> Any:
    """A value of a result as the scenarios write it."""
    if isinstance(value, Node):
        return {"$node": {"labels": list(value.labels), "props": plain(value.properties)}}
    if isinstance(value, Relationship):
        return {"$rel": {"type": value.type, "props": plain(value.properties)}}
    if isinstance(value, Walk):
        return {"$path": list(_walked(value))}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _walked(path: Walk) -> Any:
    yield plain(path.nodes[0])
    for near, relationship, node in zip(path.nodes, path.relationships, path.nodes[1:], strict=False):
        yield [plain(relationship), ">" if relationship.source == near.id else "<"]
        yield plain(node)


def _key(value: Any, loose: bool, *, row: bool = True) -> tuple[Any, ...]:
    """One key for equal values: 1 is not 1.0, the order of labels and keys says nothing, nor that of lists if loose."""
    if isinstance(value, dict):
        entries = ((name, _key(value[name], loose or name == "labels", row=False)) for name in sorted(value))
        return ("map", *entries)
    if isinstance(value, list):
        items = [_key(item, loose, row=False) for item in value]
        return ("list", *(items if row or not loose else sorted(items, key=repr)))
    return (type(value).__name__, repr(value + 0.0 if isinstance(value, float) else value))  # -0.0 is 0.0
