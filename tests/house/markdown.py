"""Reading what the documentation says, to hold the code to it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import product_files

FENCE = re.compile(r"^```(?P<language>\w*)[^\n]*\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
SHELLS = {"sh", "bash", "console"}


def pages() -> tuple[Path, ...]:
    """Every page of the documentation, the README among them."""
    return tuple(path for path in product_files() if path.suffix == ".md" and "tests" not in path.parts)


def commands(page: Path) -> Iterator[list[str]]:
    """The commands in a page's shell blocks, each as its words; output lines of a console are left out."""
    for block in FENCE.finditer(page.read_text("utf-8")):
        if block["language"] in SHELLS:
            yield from words(block["body"], prompt=block["language"] == "console")


def words(body: str, *, prompt: bool) -> Iterator[list[str]]:
    """The commands of one block; with ``prompt`` those behind ``$`` alone."""
    for line in body.replace("\\\n", " ").splitlines():
        if not prompt or line.startswith("$ "):
            command = shlex.split(line.removeprefix("$ "), comments=True)
            if command:
                yield command


def links(page: Path) -> Iterator[Path]:
    """The files that a page's relative links lead to."""
    for match in LINK.finditer(page.read_text("utf-8")):
        target = match["target"].split("#", 1)[0]
        if target and "://" not in target:
            yield (page.parent / target).resolve()


def rows(page: Path, heading: str | None = None) -> dict[str, str]:
    """The rows of a page's tables, or of those under one heading: the code in the first column -> the rest."""
    text = page.read_text("utf-8")
    if heading is not None:
        text = text.split(f"{heading}\n", 1)[1].split("\n## ", 1)[0]
    return dict(re.findall(r"^\| `([^`]+)` \|(.*)\|$", text, re.MULTILINE))
