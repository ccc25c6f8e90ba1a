"""What every command that asks a query takes: its text, its parameters, who asks, and within which ceilings."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from lens_kernel.ceilings import CEILINGS, SCAN_HELP, budget_from, described
from lens_runtime.assembly import open_session
from lens_runtime.session import Session

MAX_NESTING = 50


def add_question(parser: argparse.ArgumentParser) -> None:
    """Take a world, a query, its parameters, and who asks."""
    parser.add_argument("world", metavar="WORLD", help="a world's name, or the path of its folder")
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the query")
    parser.add_argument(
        "-f", "--file", metavar="FILE", help="read the query from a file; - is standard input"
    )
    parser.add_argument(
        "--param", metavar="K=V", action="append", default=[], type=_parameter,
        help="a value for $K: JSON if V reads as JSON, else text",
    )  # fmt: skip
    parser.add_argument(
        "--as", dest="actor", metavar="ACTOR", help="who asks (default: the first of may_act_as)"
    )
    parser.add_argument("--context", metavar="C", default="main", help="the context to ask in (default main)")
    parser.add_argument("--store", metavar="S", help="sqlite:PATH or d1:GATEWAY_URL (default: in LENS_HOME)")


def add_ceilings(parser: argparse.ArgumentParser) -> None:
    """Take the ceilings of a query."""
    ceilings = parser.add_argument_group("ceilings")
    for one in CEILINGS:
        ceilings.add_argument(
            one.flag, dest=one.field, type=one.kind, metavar=one.metavar, help=described(one)
        )
    ceilings.add_argument("--allow-scan", action="store_true", help=SCAN_HELP)


def session_for(options: argparse.Namespace) -> Session:
    """The session that the options name."""
    budget = budget_from(vars(options))
    return open_session(
        options.world, actor=options.actor, context=options.context, store=options.store, budget=budget
    )


def text_of(options: argparse.Namespace) -> str:
    """The query's text; a usage error where there is none, two, or one that cannot be read."""
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


def parameters_of(options: argparse.Namespace) -> dict[str, object]:
    """The values of the query's parameters, by name; a usage error where one is given twice."""
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
