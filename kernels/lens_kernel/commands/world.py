"""``lens world``: make, check, build, inspect, export and drop worlds."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import UTC, datetime

from lens_kernel.commands.serve_module import describe_serve_module, run_serve_module
from lens_kernel.output import ProgressLine, write
from lens_kernel.text import clean, columns, counted
from lens_runtime.assembly import build, module_lags, opened
from lens_runtime.projection.status import Status
from lens_runtime.settings import load_settings
from lens_runtime.worlds.address import find_world
from lens_runtime.worlds.build import drop_world, export_world, world_status
from lens_runtime.worlds.folder import load_world
from lens_runtime.worlds.new import new_world
from lens_runtime.worlds.world import World

EXAMPLES = """\
examples:
  lens world new ./shop            a small world to change
  lens world check ./shop          every fault, with its file, line and field; what queries can start from
  lens world build ./shop          read the modules, write the graph into LENS_HOME
  lens world status able           what is in the graph, and how old it is
  lens world export able           the graph as JSON lines
  lens world drop able             remove the graph; a build brings it back
"""

Run = Callable[[argparse.Namespace], int]


def add_world(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its verbs to a parser's commands."""
    parser = commands.add_parser(
        "world",
        help="make, check, build, inspect, export and drop worlds",
        description="A world is a folder: kinds and relationships, where the records live, who may see what.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    _add_folder_verbs(verbs)
    _add_graph_verbs(verbs)


def _add_folder_verbs(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    new = _verb(verbs, "new", "make a world's folder", run_new, "lens world new ./mine --example able")
    new.add_argument("folder", metavar="DIR", help="a folder that is not there yet, or empty")
    new.add_argument("--example", metavar="NAME", help="copy a packaged world, such as able")
    check = _verb(
        verbs, "check", "report every fault of a world's folder", run_check, "lens world check ./mine"
    )
    _world(check)
    make = _verb(
        verbs, "build", "build a world's graph, or bring it up to date", run_build, "lens world build able"
    )
    _world(make, store=True)
    make.add_argument(
        "--rebuild", action="store_true", help="build anew; queries see the old graph meanwhile"
    )
    make.add_argument(
        "--size", metavar="S", help="of a generated world: small, medium or large (default small)"
    )


def _add_graph_verbs(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    status = _verb(
        verbs, "status", "counts, dangling references, cursors", run_status, "lens world status able"
    )
    _world(status, store=True)
    status.add_argument(
        "--format", choices=("table", "json"), default="table", help="what to write (default table)"
    )
    export = _verb(
        verbs, "export", "write the graph as JSON lines", run_export, "lens world export able > able.jsonl"
    )
    _world(export, store=True)
    serve = _verb(
        verbs,
        "serve-module",
        "serve one module over HTTP, to readers with LENS_MODULE_TOKEN",
        run_serve_module,
        "lens world serve-module able helpdesk --port 8801",
    )
    describe_serve_module(serve)
    drop = _verb(verbs, "drop", "remove the graph; the modules stay", run_drop, "lens world drop able")
    _world(drop, store=True)


def _verb(
    verbs: argparse._SubParsersAction[argparse.ArgumentParser], name: str, what: str, run: Run, example: str
) -> argparse.ArgumentParser:
    parser = verbs.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run, parser=parser)
    return parser


def _world(parser: argparse.ArgumentParser, *, store: bool = False) -> None:
    parser.add_argument("world", metavar="WORLD", help="a world's name, or the path of its folder")
    if store:
        parser.add_argument(
            "--store", metavar="S", help="sqlite:PATH or d1:GATEWAY_URL (default: in LENS_HOME)"
        )


def run_new(options: argparse.Namespace) -> int:
    """Make a world's folder."""
    folder = new_world(options.folder, options.example)
    files = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    write(f"made {clean(str(folder))}: {clean(', '.join(files))}\n")
    return 0


def run_check(options: argparse.Namespace) -> int:
    """Report every fault of a world's folder, or what it declares."""
    write("\n".join(_declared(load_world(find_world(options.world, load_settings()), data=True))) + "\n")
    return 0


def run_build(options: argparse.Namespace) -> int:
    """Build a world's graph, and show what is in it."""
    with ProgressLine() as progress:
        built = build(
            options.world, store=options.store, rebuild=options.rebuild, size=options.size, progress=progress
        )
    changed = sum(changes.total for changes in built.modules)
    with opened(options.world, store=options.store) as (world, _, store):
        write(f"{clean(world.id)} is built: {counted(changed, 'change')} written\n\n")
        write("\n".join(_counts(world_status(world, store))) + "\n")
    return 0


def run_status(options: argparse.Namespace) -> int:
    """Show what a graph holds and how old it is."""
    with opened(options.world, store=options.store) as (world, place, store):
        status = world_status(world, store)
    behind = module_lags(world, place, status)
    if options.format == "json":
        told = {name: asdict(lag) for name, lag in behind.items()}
        answer = {"world": world.id, **asdict(status), "behind": told}
        write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")
        return 0
    live = status.live
    lines = [f"{world.id}: generation {live.generation}, built {_iso(live.built_at)}, policy {live.policy}"]
    if live.policy != world.policy.revision:
        lines.append("the policy has changed since: lens world build brings the graph up to date")
    if live.ontology != world.ontology.digest:
        lines.append("the ontology has changed since: lens world build brings the graph up to date")
    modules = [
        (name, c.cursor, _iso(c.updated_at), str(behind.get(name, "no longer a module")))
        for name, c in sorted(status.cursors.items())
    ]
    lines += ["", *_counts(status), "", *columns(("module", "cursor", "written", "behind"), modules)]
    write("\n".join(map(clean, lines)) + "\n")
    return 0


def run_export(options: argparse.Namespace) -> int:
    """Write the graph as JSON lines."""
    with opened(options.world, store=options.store) as (world, _, store):
        for line in export_world(world, store):
            write(line + "\n")
    return 0


def run_drop(options: argparse.Namespace) -> int:
    """Remove the graph's tables."""
    with opened(options.world, store=options.store) as (world, _, store):
        drop_world(store)
        write(f"the graph of {clean(world.id)} is gone; its modules are untouched\n")
    return 0


def _declared(world: World) -> Iterable[str]:
    yield clean(f"{world.id}: no faults")
    yield ""
    kinds = [
        (kind.name, kind.module, ", ".join(kind.anchors), ", ".join(kind.properties))
        for kind in world.ontology.kinds.values()
    ]
    yield from columns(("kind", "module", "queries start from", "properties"), kinds)
    yield ""
    types = [
        (each.name, f"{'|'.join(each.sources)} -> {'|'.join(each.targets)}")
        for each in world.ontology.relationships.values()
    ]
    yield from columns(("relationship", "joins"), types)
    yield ""
    yield clean("lenses: " + (", ".join(sorted(world.lenses)) or "none"))
    yield clean("you may act as: " + (", ".join(world.policy.may_act_as) or "nobody"))


def _counts(status: Status) -> list[str]:
    kinds = [(name, f"{count:,}") for name, count in sorted(status.nodes.items())]
    heads = ("relationship", "count", "dangling", "absent records", "null references")
    held = (status.edges, status.dangling, status.absent, status.null_references)
    types = [
        (name, *(f"{counts.get(name, 0):,}" for counts in held))
        for name in sorted({*status.edges, *status.null_references})
    ]
    return [*columns(("kind", "records"), kinds), "", *columns(heads, types)]


def _iso(moment: int) -> str:
    return datetime.fromtimestamp(moment // 1000, UTC).isoformat().replace("+00:00", "Z")
