"""``lens world serve-module``: one module of a world as a service."""

from __future__ import annotations

import argparse
import sys

from lens_kernel.commands.serve import LOOPBACK, missing_extra, port_number
from lens_kernel.output import write


def describe_serve_module(parser: argparse.ArgumentParser) -> None:
    """Give the verb its arguments."""
    parser.add_argument("world", metavar="WORLD", help="a world's name, or the path of its folder")
    parser.add_argument("module", metavar="MODULE", help="the module of modules.yml to serve")
    parser.add_argument(
        "--host", metavar="H", default=LOOPBACK, help=f"the address to listen on (default {LOOPBACK})"
    )
    parser.add_argument(
        "--port",
        metavar="N",
        type=port_number,
        default=0,
        help="the port to listen on (default 0: a free one)",
    )


def run_serve_module(options: argparse.Namespace) -> int:
    """Serve until interrupted; the first line of output is the URL for ``source: {http: URL}``."""
    try:
        from lens_runtime.service.module_serving import serve_module
    except ModuleNotFoundError as fault:
        raise missing_extra(fault) from fault
    serve_module(options.world, options.module, host=options.host, port=options.port, ready=_tell)
    return 0


def _tell(url: str) -> None:
    write(f"{url}\n")
    sys.stdout.flush()
