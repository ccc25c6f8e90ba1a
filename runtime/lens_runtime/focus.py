"""What a focus asks for that the answer does not hold: a record that it names, or what no answer of the lens holds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lens_dsl.lens import Lens, Naming
from lens_runtime.envelope import parts
from lens_runtime.envelope.shape import Unknown
from lens_runtime.graph import Coordinate
from lens_runtime.result import Result

MAX_NAMED = 20
"""Ids of a focus that are looked at, the first ones."""


def unanswered(lens: Lens, focus: str | None, found: Result) -> Iterator[Unknown]:
    """An unknown for each named record that was not found, and for each thing that is beyond the lens.

    A record that is not there, one that this actor may not see and one of somebody else give the same.
    """
    if not focus:
        return
    ids = {node.coordinate for node in found.nodes}
    named = list(dict.fromkeys(at for naming in lens.names for at in _named(naming, focus, found)))
    for at in named[:MAX_NAMED]:
        if at not in ids:
            yield Unknown(
                code="not_found_or_not_visible",
                message=f"the focus names {at}, which was not found around the subject, or may not be seen",
                about=parts.coordinate_part(at),
            )
    words = frozenset(re.findall(r"\w+", focus.lower()))
    for beyond in lens.beyond:
        if words.intersection(beyond.words):
            yield Unknown(code="out_of_lens", message=f"beyond the lens {lens.name}: {beyond.says}")


def _named(naming: Naming, focus: str, found: Result) -> Iterator[Coordinate]:
    pattern = "".join(r"[0-9]" if character == "0" else re.escape(character) for character in naming.like)
    module = found.ontology.kinds[naming.kind].module
    for match in re.finditer(rf"(?<![\w#]){pattern}(?!\w)", focus):
        yield Coordinate(module, naming.kind, match.group())
