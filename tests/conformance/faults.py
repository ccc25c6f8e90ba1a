"""Faults reported against other engines, as data: how one is asked, and whether the answer is the right one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from lens_dsl.budget import Budget
from lens_dsl.errors import LensError, UnsupportedFeature
from tests.conformance.graphs import Asked, Graph, Graphs
from tests.conformance.report import PASSED, REFUSED
from tests.conformance.scenarios import same, shown

Fault = Mapping[str, Any]
PHASES = {"compile": "compile time", "run": "runtime"}
LIMITS = {"max_ms": ("seconds", 1_000)}
CATEGORIES: Mapping[str, list[str]] = yaml.safe_load(
    Path(__file__).with_name("categories.yml").read_text(encoding="utf-8")
)
_REPEATED = re.compile(r"<(\d+) x '([^']*)'>")


def read(path: Path) -> list[Fault]:
    """The faults of a file."""
    found: list[Fault] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def asked(fault: Fault) -> Asked:
    """The query under the ceilings of any session that may scan, but for those that the fault sets."""
    limits = {}
    for name, value in fault.get("budget", {}).items():
        ours, factor = LIMITS.get(name, (name.removeprefix("max_"), 1))
        limits[ours] = value / factor if factor > 1 else value
    scope = fault.get("scope", {}).get("visibility")
    query = _REPEATED.sub(_repeated, fault["query"])
    budget = Budget(allow_scan=True, **limits)
    return Asked(_graph(fault["graph"]), query, fault["params"], budget, scope and tuple(scope))


def outcome(graphs: Graphs, fault: Fault) -> str:
    """``passed``, ``refused: ...`` or ``wrong: ...``."""
    wanted = fault.get("expect_error")
    try:
        result = graphs.run(asked(fault))
    except LensError as error:
        if wanted and _fits(error, wanted):
            return PASSED
        kind = REFUSED if isinstance(error, UnsupportedFeature) else "wrong"
        return f"{kind}: {error.type} at {error.phase}, {error.code}: {error.message} (expected {wanted})"
    if wanted:
        return f"wrong: no error, but {shown(result)} (expected {wanted})"
    return PASSED if same(result, fault["expect"]) else f"wrong: {shown(result)}"


def _fits(error: LensError, wanted: Mapping[str, str]) -> bool:
    codes, phase = CATEGORIES[wanted["category"]], PHASES[wanted["phase"]]
    at_planning = wanted["category"] == "budget_exceeded" and error.phase == "compile time"
    return error.code in codes and (error.phase == phase or at_planning)


def _repeated(match: re.Match[str]) -> str:
    """``<30 x '-[:I]->(nK)'>``: the text so many times, with the number for K."""
    return "".join(match[2].replace("K", str(number)) for number in range(1, int(match[1]) + 1))


def _graph(graph: Graph) -> Graph:
    made = graph.get("generate")
    return graph if made is None else _SHAPES[made["shape"]](made)


def _complete(made: Mapping[str, Any]) -> Graph:
    """Every node with a relationship to every other one."""
    size = range(made["nodes"])
    return _made(made, [(a, b) for a in size for b in size if a != b])


def _ring(made: Mapping[str, Any]) -> Graph:
    """A ring, and chords that leap over ever more of its nodes, until there are enough edges."""
    size = made["nodes"]
    return _made(made, [(i % size, (i + 1 + i // size) % size) for i in range(made["edges"])])


def _made(made: Mapping[str, Any], pairs: list[tuple[int, int]]) -> Graph:
    return {
        "nodes": [
            {"id": f"n{i}", "labels": [made["label"]], "props": {"key": f"n{i}"}}
            for i in range(made["nodes"])
        ],
        "edges": [
            {"id": f"e{i}", "from": f"n{a}", "to": f"n{b}", "type": made["type"], "props": {}}
            for i, (a, b) in enumerate(pairs)
        ],
    }


_SHAPES = {"complete_directed": _complete, "ring_with_chords": _ring}
