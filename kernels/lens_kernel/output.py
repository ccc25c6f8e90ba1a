"""Answers go to standard output, everything else to standard error; progress only where that is a terminal."""

from __future__ import annotations

import errno
import io
import sys

from lens_kernel.text import clean, shorten

LINE = 78


def write(text: str, *, newline: str | None = None) -> None:
    """Write a part of the answer; ``newline=""`` leaves line ends as they are, as CSV needs."""
    if newline is not None and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(newline=newline)
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed")
    sys.stdout.write(text)


def say(*lines: str) -> None:
    """Tell the user something that is no part of the answer; what a terminal would obey is made visible."""
    for line in lines:
        print("\n".join(map(clean, line.split("\n"))), file=sys.stderr)


def take_any_character() -> None:
    """Let an output that cannot show a character show a mark instead of failing, as standard error does anyway."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


class ProgressLine:
    """One line on standard error that is written over, if a terminal reads it; else nothing."""

    def __init__(self) -> None:
        self._used = False

    def __call__(self, what: str, count: int) -> None:
        """Show what is being done and how far it has come."""
        if sys.stderr.isatty():
            text = f"{what} {count:,}" if count else f"{what} ..."
            sys.stderr.write(f"\r{shorten(clean(text), LINE):<{LINE}}")
            sys.stderr.flush()
            self._used = True

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *problem: object) -> None:
        if self._used:
            sys.stderr.write(f"\r{'':{LINE}}\r")
            sys.stderr.flush()
