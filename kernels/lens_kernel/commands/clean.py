"""``lens clean``: remove what was built on this machine."""

from __future__ import annotations

import argparse
import sys

from lens_kernel.output import say, write
from lens_kernel.text import clean as shown
from lens_runtime.assembly import clean
from lens_runtime.settings import load_settings
from lens_runtime.worlds.removal import built_places

EXAMPLES = """\
example:
  lens clean --yes

Worlds' folders and the modules' own records are never touched; lens world build brings a graph back.
"""


def add_clean(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser's commands."""
    parser = commands.add_parser(
        "clean",
        help="remove what lens built in LENS_HOME, and nothing else",
        description="Remove every built graph and generated database in LENS_HOME, and nothing else.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.set_defaults(run=run_clean, parser=parser)


def run_clean(options: argparse.Namespace) -> int:
    """Say what would be removed, ask, remove it, and say what was."""
    settings = load_settings()
    places = built_places(settings)
    if not places:
        write(f"nothing was built in {shown(str(settings.home))}\n")
        return 0
    if not options.yes and not _agreed([str(place.folder) for place in places]):
        say("nothing was removed")
        return 0 if sys.stdin.isatty() else 2
    removed = clean(settings)
    for folder in removed:
        write(f"removed {shown(str(folder))}\n")
    for place in places:
        if place.folder not in removed:
            write(f"emptied {shown(str(place.folder))}, but for files that lens did not write\n")
    return 0


def _agreed(folders: list[str]) -> bool:
    say("this would remove", *(f"  {folder}" for folder in folders))
    if not sys.stdin.isatty():
        say("add --yes to remove them")
        return False
    say("remove them? [y/N]")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
