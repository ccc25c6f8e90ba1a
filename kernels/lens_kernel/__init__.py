"""Where people meet it: the command line, the notebook magics, the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["load_ipython_extension"]


def load_ipython_extension(shell: InteractiveShell) -> None:
    """``%load_ext lens_kernel``: the magics, and results that show as tables."""
    from lens_kernel.displays import register_displays
    from lens_kernel.magics import LensMagics

    register_displays(shell)
    shell.register_magics(LensMagics(shell))
