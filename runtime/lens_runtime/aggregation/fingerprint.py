"""What tells whether a kept value still stands: how it was made, and from what."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from lens_runtime.aggregation.bands import Band
from lens_runtime.aggregation.producer import Producer, Role
from lens_runtime.aggregation.steering import Steering
from lens_runtime.projection.identity import digest

TEMPLATE_VERSION = 1
"""Of the wording below; a change of it has everything made anew."""


def canonical(value: object) -> str:
    """One text for equal plain values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def instruction(producer: Producer, steering: Steering) -> str:
    """The effective instruction: the producer's own, the band's target, and what the query steers by."""
    lines = [*producer.reduce.args, f"Write about {steering.band.words} words."]
    lines += [f"{name}: {value}" for name, value in sorted(steering.realm.items())]
    lines += [f"Attend to this: {steering.hint}"] if steering.hint else []
    lines += [f"Write in this voice: {steering.voice}"] if steering.voice else []
    return "\n".join(lines)


def fingerprint(producer: Producer, role: Role, effective: str, band: Band) -> str:
    """How a value is made. The model that a role resolves to is provenance, not part of it."""
    parts = {
        "function": producer.reduce.using,
        "instruction": effective,
        "role": [role.name, role.revision],
        "band": band.name,
        "template": TEMPLATE_VERSION,
    }
    return digest(canonical(parts))


def input_hash(items: Iterable[tuple[str, str]]) -> str:
    """From what a value is made: the ids and rendered texts in order, each with its length before it."""
    content = hashlib.sha256()
    for part in (part.encode() for item in items for part in item):
        content.update(b"%d:%b" % (len(part), part))
    return content.hexdigest()[:32]
