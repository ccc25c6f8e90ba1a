"""What may be asked about: kinds, relationship types and their properties, as declared by a world."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TypeVar

T = TypeVar("T")

ANYTHING = "*"
"""In an open world the kind of every record, and the type under which every relationship is followed."""


def label_key(label: str) -> str:
    """The property under which the records of an open world are entered that have this label."""
    return ":" + label


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record. The same name is its label in a query and ``entityType`` in a coordinate."""

    name: str
    module: str
    keys: tuple[str, ...] = ("id",)
    indexed: tuple[str, ...] = ()
    projected: tuple[str, ...] = ()
    hydrated: tuple[str, ...] = ()
    untrusted: tuple[str, ...] = ()
    label: str = "{{ id }}"
    summary: str | None = None

    @property
    def properties(self) -> tuple[str, ...]:
        """Every property a query may name, in declared order."""
        return tuple(dict.fromkeys((*self.keys, *self.indexed, *self.projected, *self.hydrated)))

    @property
    def stored(self) -> tuple[str, ...]:
        """The properties the projection keeps, on which a predicate can prune."""
        return tuple(dict.fromkeys((*self.keys, *self.indexed, *self.projected)))

    @property
    def anchors(self) -> tuple[str, ...]:
        """The properties a pattern can start from."""
        return tuple(dict.fromkeys((*self.keys, *self.indexed)))


@dataclass(frozen=True, slots=True)
class RelationshipType:
    """A relationship type; ``sources`` and ``targets`` are the kinds it may join."""

    name: str
    owner: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    visibility: str = "internal"
    functional: bool = False
    properties: tuple[str, ...] = ()
    producer: str | None = None


@dataclass(frozen=True)
class Ontology:
    """A world's vocabulary.

    An ``open`` world takes any label, type and property. Its records have any number of labels; they all are of the
    kind ``ANYTHING``, which no query can name.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    relationships: Mapping[str, RelationshipType] = field(default_factory=dict)
    open: bool = False

    @cached_property
    def made(self) -> Mapping[str, str]:
        """The kinds that no module has, since a producer makes their records, each with its relationship type."""
        return {
            kind: r.name for r in self.relationships.values() if r.producer is not None for kind in r.targets
        }

    def kind(self, name: str) -> Kind | None:
        """The kind of that name: exactly, then by the upper-case spelling of a stored name."""
        return self.kinds.get(name) or self._spelled(self.kinds, name)

    def relationship(self, name: str) -> RelationshipType | None:
        """The relationship type of that name: exactly, then by the upper-case spelling of a stored name."""
        return self.relationships.get(name) or self._spelled(self.relationships, name)

    @staticmethod
    def _spelled(table: Mapping[str, T], name: str) -> T | None:
        return next((value for stored, value in table.items() if stored.upper() == name), None)

    @cached_property
    def digest(self) -> str:
        """A hash of the whole vocabulary: plans and bundles made for another one do not fit."""
        plain = {
            "kinds": {name: asdict(kind) for name, kind in sorted(self.kinds.items())},
            "relationships": {n: asdict(r) for n, r in sorted(self.relationships.items())},
            "open": self.open,
        }
        return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint: the nearest known names, else all of them."""
    names = sorted(set(known))
    folded = {n.lower(): n for n in names}
    near = difflib.get_close_matches(name.lower(), folded, n=3, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(folded[n] for n in near) + "?"
    return "known are: " + ", ".join(names) if names else "none is declared"
