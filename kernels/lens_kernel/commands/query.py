"""``lens query``: one query, answered on standard output."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from lens_dsl.explain import explain
from lens_kernel.commands.asking import add_ceilings, add_question, parameters_of, session_for, text_of
from lens_kernel.formats import csv_text, envelope_text, explanation_json, json_text
from lens_kernel.notes import notes
from lens_kernel.output import say, write
from lens_kernel.plans import plan_text
from lens_kernel.tables import text_table
from lens_runtime.result import Result
from lens_runtime.session import Session

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
    add_question(parser)
    parser.add_argument("--format", choices=_FORMATS, default="table", help="what to write (default table)")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--explain", action="store_true", help="show the plan; nothing is read")
    instead.add_argument(
        "--profile", action="store_true", help="show the plan and what it cost, below the answer"
    )
    add_ceilings(parser)
    parser.set_defaults(run=run_query, parser=parser)


def run_query(options: argparse.Namespace) -> int:
    """Answer the query on standard output."""
    text, parameters = text_of(options), parameters_of(options)
    if (options.explain or options.profile) and options.format not in ("table", "json"):
        options.parser.error("--explain and --profile go with --format table or json")
    with session_for(options) as session:
        if options.explain:
            _explain(session, text, options.format)
            return 0
        if options.profile:
            session.require("profile")
        result = session.query(text, parameters, verify=options.format == "envelope")
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
        write(f"{text_table(result)}\n\n{plan_text(explanation, result.usage, result.aggregates)}\n")
