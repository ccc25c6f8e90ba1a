"""Values of the language as JSON: one encoding for the envelope, the JSON and the CSV output."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from lens_runtime.evaluation.temporal.text import iso_text
from lens_runtime.evaluation.temporal.values import TEMPORAL
from lens_runtime.graph import Coordinate, Node, Path, Relationship, Value


@dataclass(frozen=True, slots=True)
class Encoder:
    """Encodes what JSON has no word for as an object with one ``$`` key; null, texts, numbers and lists as such.

    Temporal values are their ISO 8601 texts.

    ``{"$node": coordinate}``, ``{"$relationship": {type, from, to}}``, ``{"$path": [node, relationship, ...]}``,
    ``{"$float": "NaN"}``; a map with a key that begins with ``$`` is ``{"$map": {...}}``. ``ends`` are the
    coordinates of the nodes that relationships join, by node id.
    """

    ends: Mapping[str, Coordinate] = field(default_factory=dict)

    def encode(self, value: Value) -> object:
        """The value as dicts, lists, texts, numbers, booleans and None."""
        if isinstance(value, Node):
            return {"$node": encode_coordinate(value.coordinate)}
        if isinstance(value, Relationship):
            return {"$relationship": self.relationship(value)}
        if isinstance(value, Path):
            return {"$path": self._path(value)}
        if isinstance(value, TEMPORAL):
            return iso_text(value)
        if isinstance(value, float) and not math.isfinite(value):
            return {"$float": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
        if isinstance(value, (list, tuple)):
            return [self.encode(item) for item in value]
        if isinstance(value, Mapping):
            encoded = {str(key): self.encode(item) for key, item in value.items()}
            return {"$map": encoded} if any(key.startswith("$") for key in encoded) else encoded
        return value

    def relationship(self, value: Relationship) -> dict[str, object]:
        """Its type, the coordinates it joins, and its properties if it has any."""
        joined: dict[str, object] = {"type": value.type}
        for name, end in (("from", value.source), ("to", value.target)):
            joined[name] = encode_coordinate(self.ends[end])
        if value.properties:
            joined["properties"] = {name: self.encode(item) for name, item in value.properties.items()}
        return joined

    def _path(self, path: Path) -> list[object]:
        walked: list[object] = [self.encode(path.nodes[0])]
        for relationship, node in zip(path.relationships, path.nodes[1:], strict=True):
            walked += [self.encode(relationship), self.encode(node)]
        return walked


def encode_coordinate(coordinate: Coordinate) -> dict[str, str]:
    """The coordinate as every output writes it."""
    return {
        "module": coordinate.module,
        "entityType": coordinate.entity_type,
        "entityId": coordinate.entity_id,
    }
