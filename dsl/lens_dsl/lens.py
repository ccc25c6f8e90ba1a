"""A lens as plain data: a named question about a subject, and all that bounds its answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property

from lens_dsl.ast import Direction
from lens_dsl.budget import LARGEST, MAX_EDGES_A_STEP, Budget

SUBJECT, FOCUS = "subject", "focus"
"""The node a lens starts from, and the two parameters its query may name: ``$subject`` and ``$focus``."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A relationship type, and the way it may be walked from the subject outwards."""

    type: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class Expectation:
    """A pattern around ``subject`` that should be there; where it is not, the envelope says ``code``."""

    pattern: str
    code: str


@dataclass(frozen=True, slots=True)
class NextAction:
    """A module's tool, named where ``when`` holds of the subject's own, authoritative fields."""

    name: str
    when: str = "true"


@dataclass(frozen=True, slots=True)
class Naming:
    """How a focus names a record of a kind: by an id like this one, in which each ``0`` stands for a digit."""

    kind: str
    like: str


@dataclass(frozen=True, slots=True)
class Beyond:
    """What the lens does not know by design, and the words of a focus, any of them, that ask for it."""

    words: tuple[str, ...]
    says: str


@dataclass(frozen=True)
class Lens:
    """What a lens asks and within what. ``query`` is the text of its query.lens.

    ``weights`` rank kinds at one distance from the subject, the higher the earlier; a kind without one has 1.
    ``max_age_s`` is how long a module's change may stay unprojected before its facts are stale. ``names`` and
    ``beyond`` say which parts of a focus have to be answered by a record, or cannot be.
    """

    name: str
    purpose: str
    owner: str
    subject_kinds: tuple[str, ...]
    allow: tuple[Allowed, ...]
    query: str
    depth: int = 3
    max_nodes: int = 60
    fanout: int = 25
    max_tokens: int = 2_400
    deadline_ms: int = 1_500
    max_age_s: int = 86_400
    weights: Mapping[str, float] = field(default_factory=dict)
    expect: tuple[Expectation, ...] = ()
    next_actions: tuple[NextAction, ...] = ()
    names: tuple[Naming, ...] = ()
    beyond: tuple[Beyond, ...] = ()

    @cached_property
    def version(self) -> str:
        """The hash of everything above: another text, bound or rule is another version."""
        text = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def allows(self, relationship: str, direction: Direction) -> bool:
        """Whether that type may be walked that way from the subject outwards."""
        return any(each.type == relationship and each.direction in (direction, "both") for each in self.allow)

    def nodes(self, asked: int | None) -> int:
        """The ceiling of nodes for a caller who asked for so many: never above the lens's, never below 1."""
        return self.max_nodes if asked is None else max(1, min(asked, self.max_nodes))

    def budget(self, max_nodes: int | None = None) -> Budget:
        """The ceilings of one request. What the lens does not bound itself is far above what its nodes need."""
        nodes = self.nodes(max_nodes)
        return Budget(
            depth=self.depth,
            fanout=min(self.fanout, MAX_EDGES_A_STEP // nodes),
            nodes=nodes,
            edges=min(LARGEST["edges"], max(nodes * self.fanout, self.fanout)),
            examined=min(LARGEST["examined"], max(Budget().window, nodes * (self.fanout + 1))),
            seconds=self.deadline_ms / 1_000,
        )
