"""``lens context``: ask a lens about a subject."""

from __future__ import annotations

import argparse

from lens_kernel.output import write
from lens_kernel.workspace import workspace_text
from lens_runtime.assembly import open_session
from lens_runtime.graph import Coordinate

EXAMPLES = """\
examples:
  lens context able --subject helpdesk:Case:c-1501 --lens support_decision
  lens context able --subject directory:Party:p-0042 --lens customer_history --as lead:mia --format json
  lens context able --subject directory:Party:p-0042 --lens support_decision --focus 'broken frame' --max-nodes 20
"""


def add_context(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser's commands."""
    parser = commands.add_parser(
        "context",
        help="ask a lens about a subject",
        description="Ask a lens about a subject: what it may show this actor, as an envelope.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("world", metavar="WORLD", help="a world's name, or the path of its folder")
    parser.add_argument(
        "--subject", metavar="MODULE:TYPE:ID", type=_coordinate, required=True, help="what it is about"
    )
    parser.add_argument(
        "--lens", metavar="NAME", required=True, help="a lens of the world (lens world check)"
    )
    parser.add_argument("--focus", metavar="TEXT", help="words that rank what is near to them first")
    parser.add_argument(
        "--max-nodes", metavar="N", type=int, help="records at most; never more than the lens allows"
    )
    parser.add_argument(
        "--as", dest="actor", metavar="ACTOR", help="who asks (default: the first of may_act_as)"
    )
    parser.add_argument("--context", metavar="C", default="main", help="the context to ask in (default main)")
    parser.add_argument("--store", metavar="S", help="sqlite:PATH or d1:GATEWAY_URL (default: in LENS_HOME)")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="what to write (default text)"
    )
    parser.set_defaults(run=run_context, parser=parser)


def _coordinate(text: str) -> Coordinate:
    try:
        return Coordinate.parse(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not MODULE:TYPE:ID") from None


def run_context(options: argparse.Namespace) -> int:
    """Write the envelope to standard output."""
    with open_session(
        options.world, actor=options.actor, context=options.context, store=options.store
    ) as session:
        envelope = session.context(
            options.lens, options.subject, focus=options.focus, max_nodes=options.max_nodes
        )
    text = envelope.model_dump_json(indent=2) if options.format == "json" else workspace_text(envelope)
    write(text + "\n")
    return 0
