"""``lens query``: one query, answered on standard output."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from lens_dsl.explain import explain
from lens_kernel.ceilings import CEILINGS, SCAN_HELP, budget_from, described
from lens_kernel.formats import csv_text, envelope_text, explanation_json, json_text
from lens_kernel.notes import notes
from lens_kernel.output import say, write
from lens_kernel.plans import plan_text
from lens_kernel.tables import text_table
from lens_runtime.assembly import open_session
from lens_runtime.result import Result
from lens_runtime.session import Session

MAX_NESTING = 50
EXAMPLES = """\
examples:
  lens query able 'MATCH (c:Case {id: "c-1501"})-[:INVOLVES_PARTY]->(p:Party) RETURN c.subject, p.name'
  lens query able 'MATCH (c:Case {status: $s}) RETURN c.id, c.priority LIMIT 5' --param s=open --as agent:ben
  lens query able 'MATCH (c:Case {status: "open"}) RETURN count(*)' --explain
  lens query able -f open_cases.lens --format csv

A pattern starts from a key or an index: {id: ...}, {status: ...}; lens world check WORLD names them.
Exit codes: 0 fine, 1 the query or the configuration, 2 the command line, 3 something is unavailable.
"""

_FORMATS: Mapping[str, Callable[[Result], str]] = {
    "table": lambda result: text_table(result) + "\n",
    "json": json_text,
    "csv": csv_text,
    "envelope": envelope_text,
}


def add_query(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser's commands."""
    parser = commands.add_parser(
        "query",
        help="ask a world a question",
        description="Ask a world a question, as one actor, within ceilings.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("world", metavar="WORLD", help="a world's name, or the path of its folder")
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the query")
    parser.add_argument(
        "-f", "--file", metavar="FILE", help="read the query from a file; - is standard input"
    )
    parser.add_argument(
        "--param", metavar="K=V", action="append", default=[], type=_parameter,
        help="a value for $K: JSON if V reads as JSON, else text",
    )  # fmt: skip
    _add_session_options(parser)
    parser.add_argument("--format", choices=_FORMATS, default="table", help="what to write (default table)")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--explain", action="store_true", help="show the plan; nothing is read")
    instead.add_argument(
        "--profile", action="store_true", help="show the plan and what it cost, below the answer"
    )
    ceilings = parser.add_argument_group("ceilings")
    for one in CEILINGS:
        ceilings.add_argument(
            one.flag, dest=one.field, type=one.kind, metavar=one.metavar, help=described(one)
        )
    ceilings.add_argument("--allow-scan", action="store_true", help=SCAN_HELP)
    parser.set_defaults(run=run_query, parser=parser)


def _add_session_options(parser: argparse.ArgumentParser) -> None:
    """Who asks, and where."""
    parser.add_argument(
        "--as", dest="actor", metavar="ACTOR", help="who asks (default: the first of may_act_as)"
    )
    parser.add_argument("--context", metavar="C", default="main", help="the context to ask in (default main)")
    parser.add_argument("--store", metavar="S", help="sqlite:PATH or d1:GATEWAY_URL (default: in LENS_HOME)")


def run_query(options: argparse.Namespace) -> int:
    """Answer the query on standard output."""
    text, parameters = _text(options), _parameters(options)
    if (options.explain or options.profile) and options.format not in ("table", "json"):
        options.parser.error("--explain and --profile go with --format table or json")
    budget = budget_from(vars(options))
    with open_session(
        options.world, actor=options.actor, context=options.context, store=options.store, budget=budget
    ) as session:
        if options.explain:
            _explain(session, text, options.format)
            return 0
        if options.profile:
            session.require("profile")
        result = session.query(text, parameters)
        if options.profile:
            _profile(session, result, options.format)
        else:
            write(_FORMATS[options.format](result), newline="" if options.format == "csv" else None)
            if options.format == "csv":
                say(*notes(result))
    return 0


def _explain(session: Session, text: str, form: str) -> None:
    explanation = explain(session.plan(text), session.world.ontology)
    write(explanation_json(explanation) if form == "json" else plan_text(explanation) + "\n")


def _profile(session: Session, result: Result, form: str) -> None:
    explanation = explain(result.plan, session.world.ontology)
    if form == "json":
        write(json_text(result, explanation))
    else:
        write(f"{text_table(result)}\n\n{plan_text(explanation, result.usage)}\n")


def _text(options: argparse.Namespace) -> str:
    parser: argparse.ArgumentParser = options.parser
    if (options.text is None) == (options.file is None):
        parser.error("give the query either as TEXT or with -f FILE")
    if options.file is None:
        return str(options.text)
    try:
        if options.file == "-" and sys.stdin is None:
            parser.error("-f - reads standard input, which is closed")
        raw = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as problem:
        parser.error(f"{options.file} cannot be read: {problem.strerror}")
    except UnicodeDecodeError as problem:
        parser.error(f"{options.file} is not UTF-8: byte {problem.start} cannot be read")


def _parameters(options: argparse.Namespace) -> dict[str, object]:
    names = [name for name, _ in options.param]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        options.parser.error(f"argument --param: {twice} is given twice")
    return dict(options.param)


def _parameter(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name.removeprefix("$"), _value(value)


def _value(text: str) -> object:
    try:
        value: object = json.loads(text, parse_constant=_no_constant)
        too_deep = _nesting(value) > MAX_NESTING
    except RecursionError:
        too_deep = True
    except ValueError:
        return text
    if too_deep:
        raise argparse.ArgumentTypeError(f"a value is nested more than {MAX_NESTING} deep")
    return value


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _nesting(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_nesting, inner), default=0)
