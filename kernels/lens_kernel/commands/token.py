"""``lens token``: a bearer token for development."""

from __future__ import annotations

import argparse

from lens_kernel.commands.serve import missing_extra
from lens_kernel.output import write
from lens_runtime.settings import load_settings
from lens_runtime.worlds.address import find_world
from lens_runtime.worlds.folder import load_world

MAX_HOURS = 720
EXAMPLES = """\
examples:
  lens token able --as agent:ana
  curl -H "Authorization: Bearer $(lens token able --as agent:ana)" http://127.0.0.1:8800/lenses

The key is that of LENS_TOKEN_KEY, else of a file in LENS_HOME/keys, which lens serve reads too.
With LENS_TOKEN_JWKS there is none to make: the identity provider does.
"""


def add_token(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser's commands."""
    parser = commands.add_parser(
        "token",
        help="make a bearer token for development",
        description="Make a bearer token that lens serve, and the gateway in front of D1, take from one actor.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("world", metavar="WORLD", help="a world's name, or the path of its folder")
    parser.add_argument(
        "--as", dest="actor", metavar="ACTOR", help="whom it names (default: the first of may_act_as)"
    )
    parser.add_argument(
        "--hours", metavar="N", type=_hours, default=8, help="how long it is valid (default 8)"
    )
    parser.add_argument(
        "--may", choices=("commit",), action="append", default=[],
        help="what it allows besides reading: to keep what producers make",
    )  # fmt: skip
    parser.set_defaults(run=run_token, parser=parser)


def _hours(text: str) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 5 and 1 <= int(text) <= MAX_HOURS:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to {MAX_HOURS}")


def run_token(options: argparse.Namespace) -> int:
    """Write the token to standard output, and nothing else."""
    try:
        from lens_runtime.service.token_making import make_token
    except ModuleNotFoundError as fault:
        raise missing_extra(fault) from fault
    settings = load_settings()
    world = load_world(find_world(options.world, settings))
    write(make_token(world, settings, actor=options.actor, hours=options.hours, may=options.may) + "\n")
    return 0
