"""``lens serve``: a world's lenses for agents and programs."""

from __future__ import annotations

import argparse
import sys

from lens_dsl.errors import ConfigurationError
from lens_kernel.output import write

LOOPBACK = "127.0.0.1"
MOST_PORT = 65_535
EXAMPLES = """\
examples:
  lens serve able --port 8800                    MCP at /mcp, POST /context; who asks needs a token
  lens serve able --stdio --as agent:ana         MCP on standard input and output, as one actor
"""


def add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser's commands."""
    parser = commands.add_parser(
        "serve",
        help="answer lenses over MCP and HTTP",
        description="Answer a world's lenses: one MCP tool, and the same over HTTP. Nothing is written.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("world", metavar="WORLD", help="a world's name, or the path of its folder")
    parser.add_argument("--host", metavar="H", help=f"the address to listen on (default {LOOPBACK})")
    parser.add_argument(
        "--port", metavar="N", type=port_number, help="the port to listen on (default 0: a free one)"
    )
    parser.add_argument("--stdio", action="store_true", help="speak MCP on standard input and output instead")
    parser.add_argument(
        "--as",
        dest="actor",
        metavar="ACTOR",
        help="with --stdio: who asks (default: the first of may_act_as)",
    )
    parser.add_argument(
        "--context", metavar="C", default="main", help="the context to answer in (default main)"
    )
    parser.add_argument("--store", metavar="S", help="sqlite:PATH or d1:GATEWAY_URL (default: in LENS_HOME)")
    parser.set_defaults(run=run_serve, parser=parser)


def run_serve(options: argparse.Namespace) -> int:
    """Serve until interrupted; over HTTP the first line of output is the URL."""
    if options.stdio and (options.host is not None or options.port is not None):
        options.parser.error("--host and --port are for HTTP, not for --stdio")
    if not options.stdio and options.actor is not None:
        options.parser.error("--as is for --stdio: over HTTP a token says who asks (lens token)")
    try:
        from lens_runtime.service import context_serving
    except ModuleNotFoundError as fault:
        raise missing_extra(fault) from fault
    at = {"context": options.context, "store": options.store}
    if options.stdio:
        context_serving.serve_stdio(options.world, actor=options.actor, **at)
    else:
        host, port = options.host or LOOPBACK, options.port or 0
        context_serving.serve(options.world, host=host, port=port, ready=_tell, **at)
    return 0


def port_number(text: str) -> int:
    """A port as it is typed; argparse's own error for what is none."""
    if text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= MOST_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port: a whole number from 0 to {MOST_PORT}")


def missing_extra(fault: ModuleNotFoundError) -> ConfigurationError:
    """The error of a command that needs what the extra brings."""
    return ConfigurationError(
        "MissingExtra",
        f"this needs {fault.name}, which is not installed",
        hint="pip install 'lensmith[service]'",
    )


def _tell(url: str) -> None:
    write(f"{url}\n")
    sys.stdout.flush()
