"""``lens graph``: the records and relationships of an answer, as a picture to explore."""

from __future__ import annotations

import argparse
from pathlib import Path

from lens_kernel.commands.asking import add_ceilings, add_question, parameters_of, session_for, text_of
from lens_kernel.explorer.page import page
from lens_kernel.network import network_of
from lens_kernel.notes import notes
from lens_kernel.output import say, write
from lens_kernel.text import clean, counted

EXAMPLES = """\
examples:
  lens graph able 'MATCH path = (p:Party {name: "Jana Novak"})<-[:INVOLVES_PARTY]-(:Case) RETURN path' --out jana.html
  lens graph able -f cases.lens --out cases.html --as agent:ben

The file fetches nothing and runs nothing but its own two scripts. It holds what this actor was given: keep it as you
would keep the records. What is drawn are the records, relationships and paths that the query returns.
"""


def add_graph(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser's commands."""
    parser = commands.add_parser(
        "graph",
        help="draw an answer's records and relationships",
        description="Write the records and relationships of an answer as one HTML file, to open in a browser.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_question(parser)
    parser.add_argument("--out", metavar="FILE.html", type=Path, required=True, help="the file to write")
    add_ceilings(parser)
    parser.set_defaults(run=run_graph, parser=parser)


def run_graph(options: argparse.Namespace) -> int:
    """Write the picture; a usage error where there is nothing to draw, or nowhere to write it."""
    text = text_of(options)
    with session_for(options) as session:
        result = session.query(text, parameters_of(options))
        title, actor = session.world.title, session.engine.scope.actor.id
    network = network_of(result)
    if network.records == 0:
        say(*notes(result), "there is nothing to draw: the query must RETURN records, relationships or paths")
        return 1
    html = page(network, heading=f"{title}, as {actor}", query=text)
    try:
        options.out.write_text(html, encoding="utf-8")
    except OSError as problem:
        options.parser.error(f"{options.out} cannot be written: {problem.strerror}")
    drawn = f"{counted(len(network.dots), 'record')}, {counted(len(network.lines), 'relationship')}"
    write(f"{clean(str(options.out))}: {drawn}\n")
    say(*network.notes, *notes(result))
    return 0
