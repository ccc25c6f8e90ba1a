"""A compiler in a process of its own that is killed between two of its writes."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from lens_runtime.ports import Store

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import importlib, os, signal, sys
from tests.stores import workerd
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.adapters.d1 import D1GatewayStore
import lens_runtime.projection.compiler as compiler
kind, where, after, size, value, module, build = sys.argv[1:]
setattr(compiler, size, int(value))
key = {"writer_key": workerd.WRITER_KEY}
store = SqliteStore(where, world="toy") if kind == "sqlite" else D1GatewayStore(where, **key, lease_seconds=1)
write, left = store.write, [int(after)]
def counted(statements):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    write(statements)
store.write = counted
getattr(importlib.import_module(module), build)(store)
"""


def killed_after(place, writes: int, build: Callable[[Store], object], **size: int) -> None:
    """Carry out ``build`` on the place, and be killed after so many writes; ``size`` is one of the compiler's."""
    ((name, value),) = size.items()
    given = [place.kind, place.where, str(writes), name, str(value), build.__module__, build.__name__]
    command = [sys.executable, "-c", SCRIPT, *given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
