"""``%lens_connect``, ``%%lens`` and ``%lens``: the command line's queries in a notebook's cells."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from typing import Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from lens_dsl.budget import Budget
from lens_dsl.explain import Explanation, explain
from lens_kernel.ceilings import CEILINGS, SCAN_HELP, budget_from, described
from lens_kernel.displays import View, envelope_view, graph_view, plan_view, table_view, text_bundle
from lens_kernel.plans import dry_run_text
from lens_kernel.text import clean
from lens_runtime.assembly import build, open_session
from lens_runtime.parameters import check_parameters
from lens_runtime.result import Result
from lens_runtime.session import Session

VIEWS: Mapping[str, Callable[[Result], Result | View | None]] = {
    "auto": lambda result: result,
    "table": table_view,
    "graph": graph_view,
    "envelope": envelope_view,
    "plan": lambda result: plan_view(result, spent=False),
    "none": lambda result: None,
}
_OPTION = re.compile(r"\s*(?P<flag>-\w|--[a-z][\w-]*)(?P<joined>=\S+)?(?=\s|$)")
_WORD = re.compile(r"\s*\S+")


def ceilings(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a magic the options of all ceilings."""
    function = argument("--allow-scan", action="store_true", help=SCAN_HELP)(function)
    for one in reversed(CEILINGS):
        option = argument(one.flag, dest=one.field, type=one.kind, metavar=one.metavar, help=described(one))
        function = option(function)
    return function


@magics_class
class LensMagics(Magics):
    """The magics of one shell, and the session that they ask."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._variables = shell.user_ns
        self.session: Session | None = None

    @magic_arguments()
    @argument("world", help="a world's name, or the path of its folder")
    @argument("--store", help="sqlite:PATH or d1:GATEWAY_URL (default: in LENS_HOME)")
    @argument("--as", dest="actor", metavar="ACTOR", help="who asks (default: the first of may_act_as)")
    @argument("--context", default="main", help="the context to ask in (default main)")
    @argument("--build", action="store_true", help="build the world first, or bring its graph up to date")
    @line_magic
    def lens_connect(self, line: str) -> View:
        """Connect to a built world as one actor; the cells after it ask there."""
        options = parse_argstring(self.lens_connect, line)
        if options.build:
            build(options.world, store=options.store)
        session = open_session(
            options.world, actor=options.actor, context=options.context, store=options.store
        )
        session.ready()
        if self.session is not None:
            self.session.close()
        self.session = session
        return View(text_bundle(_connected(session)))

    @magic_arguments()
    @argument("-o", dest="keep", metavar="VAR", help="keep the result in this variable")
    @argument(
        "--param", metavar="NAME=PYTHON_NAME", action="append", default=[],
        help="bind $NAME to the value of a Python variable; may be given several times",
    )  # fmt: skip
    @ceilings
    @argument(
        "--view",
        choices=tuple(VIEWS),
        default="auto",
        help="what to show (default auto: table, picture, plan, envelope)",
    )
    @argument("--explain", action="store_true", help="show the plan; nothing is read")
    @argument("--profile", action="store_true", help="show the plan and what it cost, below the table")
    @argument("--dry-run", action="store_true", help="check query and parameters; nothing is read")
    @line_cell_magic
    @no_var_expand  # a {name: ...} or a $name of a query is the query's, never Python's
    def lens(self, line: str, cell: str | None = None) -> object:
        """Ask a query: a cell of its own under ``%%lens``, or on one line after ``%lens`` and its options."""
        if cell is None:
            line, cell = _split(line, self.lens.parser)
        options = parse_argstring(self.lens, line)
        if options.explain + options.profile + options.dry_run > 1:
            raise UsageError("--explain, --profile and --dry-run do not go together")
        session = self._connected_session()
        parameters = self._parameters(options.param)
        budget = budget_from(vars(options))
        if options.explain or options.dry_run:
            return _plan(session, cell, parameters, budget, dry=options.dry_run)
        if options.profile:
            session.require("profile")
        result = session.query(cell, parameters, budget=budget)
        if options.keep:
            self._variables[options.keep] = result
        return plan_view(result, spent=True) if options.profile else VIEWS[options.view](result)

    def _connected_session(self) -> Session:
        if self.session is None:
            raise UsageError(
                "not connected: %lens_connect WORLD first, for example %lens_connect able --build"
            )
        return self.session

    def _parameters(self, given: list[str]) -> dict[str, object]:
        bound: dict[str, object] = {}
        for text in given:
            name, equals, variable = text.partition("=")
            if not name or not equals:
                raise UsageError(f"--param {text}: write --param NAME=PYTHON_NAME")
            if variable not in self._variables:
                raise UsageError(f"--param {text}: there is no Python variable {variable}")
            if name in bound:
                raise UsageError(f"--param {text}: {name} is given twice")
            bound[name] = self._variables[variable]
        return bound


def _plan(
    session: Session, text: str, parameters: dict[str, object], budget: Budget, *, dry: bool
) -> Explanation | View:
    plan = session.plan(text, budget=budget)
    explanation = explain(plan, session.world.ontology)
    if not dry:
        return explanation
    check_parameters(plan.parameters, parameters)
    return View(text_bundle(dry_run_text(explanation)))


def _split(line: str, parser: argparse.ArgumentParser) -> tuple[str, str]:
    """The options at the start of a line, and the query after them."""
    actions = {flag: action for action in parser._actions for flag in action.option_strings}
    end = 0
    while found := _OPTION.match(line, end):
        end = found.end()
        action = actions.get(found["flag"])
        if action is not None and action.nargs != 0 and not found["joined"]:
            value = _WORD.match(line, end)
            end = value.end() if value else end
    return line[:end], line[end:].strip()


def _connected(session: Session) -> str:
    world, scope = session.world, session.engine.scope
    lines = [f"{world.title} ({world.id}), as {scope.actor.id}, context {scope.context}"]
    for kind in world.ontology.kinds.values():
        lines.append(f"  {kind.name}: starts from {', '.join(kind.anchors)}")
    lines.append("  relationships: " + ", ".join(world.ontology.relationships))
    return "\n".join(map(clean, lines))
