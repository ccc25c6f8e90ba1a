"""What makes the leaf of a virtual relationship, as ``producers/*.yml`` declares it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lens_runtime.worlds.templates import Template

Function = Literal[
    "summarize",
    "synthesize",
    "holds",
    "relevant",
    "classify",
    "score",
    "themes",
    "cluster",
    "extract",
    "argmax",
]
DEFAULT_ROLE = "summarizer"


@dataclass(frozen=True, slots=True)
class Collect:
    """Which neighbours are collected: along ``via``, pointing at the anchor where ``incoming``, each as one ``text``.

    With ``anchor_key`` every anchor's neighbours are reduced by themselves; without, one reduction serves the
    whole batch.
    """

    target: str
    via: tuple[str, ...]
    incoming: bool
    anchor: str
    anchor_key: str | None
    text: Template
    order_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reduce:
    """What is done with the collected items; the value is kept in the field ``into``."""

    using: Function
    into: str
    args: tuple[str, ...] = ()
    role: str = DEFAULT_ROLE


@dataclass(frozen=True, slots=True)
class Producer:
    """A producer of the virtual type ``edge_type``. ``kept``: what it makes is committed to the graph."""

    name: str
    edge_type: str
    collect: Collect
    reduce: Reduce
    identity_field: str
    anchor_key_field: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Role:
    """A role that producers and queries name; its owner bumps ``revision`` to have everything made anew."""

    name: str
    reducer: str = "extractive"
    revision: str = "1"
