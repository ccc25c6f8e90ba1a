"""Processes that Ctrl-C ends, wherever the tests were started."""

from __future__ import annotations

import signal


def heeds_interrupts() -> None:
    """A shell starts what runs in the background deaf to Ctrl-C, and its children with it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
