"""The product's own files, as git has them: what is committed and what is about to be."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "lens_dsl": ROOT / "dsl" / "lens_dsl",
    "lens_runtime": ROOT / "runtime" / "lens_runtime",
    "lens_library": ROOT / "lens_library",
    "lens_kernel": ROOT / "kernels" / "lens_kernel",
}


@cache
def product_files() -> tuple[Path, ...]:
    """Every file that git tracks or would add, by its absolute path."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = (ROOT / name for name in sorted(set(listing.split("\0"))) if name)
    return tuple(path for path in paths if path.is_file())


def package_files(suffix: str = "") -> tuple[Path, ...]:
    """The files of the four packages, all or those of one suffix."""
    roots = tuple(PACKAGES.values())
    return tuple(
        path
        for path in product_files()
        if path.name.endswith(suffix) and any(path.is_relative_to(root) for root in roots)
    )


def named(path: Path) -> str:
    """A file as a reader would name it: relative to the root of the checkout."""
    return path.relative_to(ROOT).as_posix()
