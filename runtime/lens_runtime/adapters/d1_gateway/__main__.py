"""``python -m lens_runtime.adapters.d1_gateway FOLDER``: write the Worker for ``wrangler deploy``."""

from __future__ import annotations

import sys
from pathlib import Path

from lens_runtime.adapters.d1_gateway import write_worker


def main(arguments: list[str]) -> int:
    """Write the Worker into the folder named; exit code 2 where none is."""
    if len(arguments) != 1:
        print("usage: python -m lens_runtime.adapters.d1_gateway FOLDER", file=sys.stderr)
        return 2
    write_worker(Path(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
