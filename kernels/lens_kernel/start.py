"""Where the command ``lens`` starts: ready to be interrupted before anything else is imported."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; an interrupt while it still loads ends as quietly as a later one."""
    try:
        from lens_kernel.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
