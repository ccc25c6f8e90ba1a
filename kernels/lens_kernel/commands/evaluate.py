"""``lens evaluate``: measure a lens on cases, beside two baselines."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from lens_kernel.evaluations import evaluation_text
from lens_kernel.output import write
from lens_runtime.assembly import open_session
from lens_runtime.evidence.cases import read_cases
from lens_runtime.evidence.measuring import evaluate
from lens_runtime.evidence.report import figures, report
from lens_runtime.session import Session
from lens_runtime.settings import load_settings
from lens_runtime.worlds.address import find_world
from lens_runtime.worlds.folder import load_world
from lens_runtime.worlds.lenses import WorldLenses

EXAMPLES = """\
examples:
  lens evaluate able support_decision --cases cases.yml
  lens evaluate able support_decision --cases cases.jsonl --max-nodes 25 --json

exit code 1: a case is malformed, or an answer held something that its actor may not learn of
"""


def add_evaluate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser's commands."""
    parser = commands.add_parser(
        "evaluate",
        help="measure a lens on cases",
        description="Measure a lens on cases, each as its own actor, beside two baselines on the same cases: "
        "the subject's module alone, and its neighbourhood.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("world", metavar="WORLD", help="a world's name, or the path of its folder")
    parser.add_argument("lens", metavar="LENS", help="a lens of the world (lens world check)")
    parser.add_argument(
        "--cases",
        metavar="FILE",
        type=Path,
        required=True,
        help="YAML, JSON or JSON Lines (docs/evaluation.md)",
    )
    parser.add_argument("--json", action="store_true", help="write figures and cases as JSON")
    parser.add_argument(
        "--max-nodes", metavar="N", type=int, help="records at most; never more than the lens allows"
    )
    parser.add_argument("--store", metavar="S", help="sqlite:PATH or d1:GATEWAY_URL (default: in LENS_HOME)")
    parser.set_defaults(run=run_evaluate, parser=parser)


def run_evaluate(options: argparse.Namespace) -> int:
    """Write the figures to standard output; 1 where anything was told that may not be."""
    settings = load_settings()
    world = load_world(find_world(options.world, settings))
    lens = WorldLenses(world.id, world.lenses).find(options.lens)
    cases = read_cases(options.cases, world, lens)

    def opened(actor: str, context: str) -> Session:
        return open_session(
            options.world, actor=actor, context=context, store=options.store, settings=settings
        )

    evaluation = evaluate(options.lens, cases, opened, options.max_nodes)
    text = json.dumps(report(evaluation), indent=2) if options.json else evaluation_text(evaluation)
    write(text + "\n")
    return int(any(each.authorization_failures for each in figures(evaluation).values()))
