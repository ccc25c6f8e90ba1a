"""``lens doctor``: whether a world's graph is in order, and what to do where it is not."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from lens_kernel.output import write
from lens_kernel.text import clean, columns, counted
from lens_runtime.assembly import examined
from lens_runtime.doctor.diagnosis import Diagnosis
from lens_runtime.doctor.outcome import Finding, Outcome, Passed

EXAMPLES = """\
examples:
  lens doctor able
  lens doctor able --json

It only reads, and takes a while on a large graph: it looks at every row. Exit code 1 where it found something.
"""


def add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser's commands."""
    parser = commands.add_parser(
        "doctor",
        help="look for what is wrong with a world's graph",
        description="Look at a world's graph as a whole: engine, schema, plans, policy, and how its rows fit.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("world", metavar="WORLD", help="a world's name, or the path of its folder")
    parser.add_argument("--store", metavar="S", help="sqlite:PATH or d1:GATEWAY_URL (default: in LENS_HOME)")
    parser.add_argument("--json", action="store_true", help="write JSON instead of a table")
    parser.set_defaults(run=run_doctor, parser=parser)


def run_doctor(options: argparse.Namespace) -> int:
    """Show what every check says; 1 where one found something."""
    found = examined(options.world, store=options.store)
    write((_json(found) if options.json else _table(found)) + "\n")
    return 1 if found.findings else 0


def _json(found: Diagnosis) -> str:
    checks = [{"result": _result(one), **asdict(one)} for one in found.outcomes]
    answer = {"world": found.world, "healthy": not found.findings, "checks": checks}
    return json.dumps(answer, ensure_ascii=False, indent=2)


def _table(found: Diagnosis) -> str:
    rows = [(one.check, _result(one), _said(one)) for one in found.outcomes]
    count = counted(len(found.findings), "finding") if found.findings else "nothing amiss"
    mends = [f"{one.check}: {one.mend}" for one in found.findings]
    lines = [f"{found.world}: {count}", "", *columns(("check", "result", "what"), rows)]
    return "\n".join(map(clean, [*lines, *(["", "what to do", *mends] if mends else [])]))


def _result(outcome: Outcome) -> str:
    if isinstance(outcome, Finding):
        return "finding"
    return "fine" if isinstance(outcome, Passed) else "untold"


def _said(outcome: Outcome) -> str:
    if isinstance(outcome, Finding):
        return outcome.what
    return outcome.measured if isinstance(outcome, Passed) else outcome.why
