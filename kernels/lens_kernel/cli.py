"""The command ``lens``."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version

from lens_dsl.errors import ExecutionError, LensError
from lens_kernel.commands.clean import add_clean
from lens_kernel.commands.context import add_context
from lens_kernel.commands.doctor import add_doctor
from lens_kernel.commands.evaluate import add_evaluate
from lens_kernel.commands.graph import add_graph
from lens_kernel.commands.query import add_query
from lens_kernel.commands.serve import add_serve
from lens_kernel.commands.token import add_token
from lens_kernel.commands.world import add_world
from lens_kernel.output import say, take_any_character
from lens_runtime.session import addressed

FINE, AT_FAULT, USAGE, UNAVAILABLE, BUG, INTERRUPTED, NO_READER = 0, 1, 2, 3, 70, 130, 141
EPILOG = """\
start here:
  lens world build able                     build the demo world
  lens query able 'MATCH (c:Case {status: "open"}) RETURN c.id, c.subject LIMIT 5'
  lens world new ./mine                     a world of your own

settings, from the environment:
  LENS_HOME            where built worlds live (default: the platform's folder for user data)
  LENS_WORLDS          more folders in which a world is looked up by its name
  LENS_NOW             a fixed time (ISO 8601), for repeatable runs
  LENS_GATEWAY_TOKEN   the bearer token for the D1 gateway
  LENS_MODULE_TOKEN    the token that a module served over HTTP shares with its readers
  LENS_TOKEN_KEY       the key that signs the tokens of the service's callers
  LENS_TOKEN_JWKS      the URL of the public keys that verify them instead
  LENS_TOKEN_ISSUER    who issues them (default lensmith)
  LENS_SERVICE_CONCURRENCY, LENS_SERVICE_RATE   requests at one time, and of an actor a minute
  LENS_WRITER_KEY      the key of the compiler's writes to the D1 gateway

exit codes: 0 fine, 1 the query or the configuration, 2 the command line, 3 something is unavailable
"""


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="lens",
        description="Ask a bounded, permission-aware context graph.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"lens {version('lensmith')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    add_query(commands)
    add_context(commands)
    add_evaluate(commands)
    add_graph(commands)
    add_world(commands)
    add_doctor(commands)
    add_serve(commands)
    add_token(commands)
    add_clean(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code. Errors go to standard error, without a traceback."""
    take_any_character()
    options = _parsed(arguments)
    try:
        code: int = options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except LensError as error:
        addressed(error, getattr(options, "world", None))
        say(str(error))
        return UNAVAILABLE if isinstance(error, ExecutionError) else AT_FAULT
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_output()
        return NO_READER
    except OSError as problem:
        say(f"lens: {problem.filename or 'standard output'}: {problem.strerror or 'it cannot be used'}")
        _let_go_of_output()
        return UNAVAILABLE
    except Exception as fault:
        say(_bug(fault))
        return BUG


def _let_go_of_output() -> None:
    """Whatever still waits to be written reaches nobody: let it go where nobody looks."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options. A TEXT that options part from its WORLD is taken too, which argparse alone would not."""
    parser = build_parser()
    options, left = parser.parse_known_args(arguments)
    if len(left) == 1 and not left[0].startswith("-") and getattr(options, "text", "") is None:
        options.text, left = left[0], []
    if left:
        getattr(options, "parser", parser).error(f"unrecognized arguments: {' '.join(left)}")
    return options


def _bug(fault: Exception) -> str:
    """Names a fault of ours by kind and place; its message could hold data, and stays out."""
    frames = traceback.extract_tb(fault.__traceback__)
    place = next((frame for frame in reversed(frames) if f"{os.sep}lens_" in frame.filename), frames[-1])
    where = f"{os.path.basename(place.filename)}:{place.lineno}"
    return f"lens: a fault of this program: {type(fault).__name__} in {where}; please report it"


if __name__ == "__main__":
    sys.exit(main())
