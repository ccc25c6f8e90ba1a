"""The graph as the cache: what is sought for an anchor, and what is committed for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from lens_dsl.plan import Statement
from lens_runtime.aggregation.fingerprint import canonical
from lens_runtime.aggregation.production import Made
from lens_runtime.ports import Cell
from lens_runtime.projection.identity import aggregate_id

PROMOTED = ""
"""The context of what the policy shares with every context of the world."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a leaf is kept under, but for its audience. ``context`` is ``PROMOTED`` where the policy promotes it."""

    world: str
    context: str
    policy: str
    producer: str
    owner: str
    anchor: str
    band: str

    def node_id(self, audience: str) -> str:
        """The id of the committed node."""
        parts = (self.world, self.context, self.policy, self.producer, self.owner, self.anchor, self.band)
        return aggregate_id(*parts, audience)


@dataclass(frozen=True, slots=True)
class Kept:
    """A committed leaf as the store has it."""

    audience: str
    input_hash: str
    fingerprint: str
    made: Made


@dataclass(frozen=True, slots=True)
class Entry:
    """A leaf to commit, and the ids of the nodes it was made from."""

    key: Key
    kept: Kept
    inputs: tuple[str, ...]


def seek(keys: Sequence[Key], world: str) -> Statement:
    """The statement that reads what is kept under these keys, as far as the actor may see all it was made from."""
    plain = [[key.context, key.producer, key.owner, key.anchor, key.band] for key in keys]
    return Statement("aggregates", (canonical(plain), world))


def sought(rows: Sequence[Sequence[Cell]], keys: Sequence[Key]) -> dict[Key, list[Kept]]:
    """What was found, by key: one leaf an audience."""
    found: dict[Key, list[Kept]] = {key: [] for key in keys}
    for position, audience, hashed, made_by, value, count, model, untrusted, when in rows:
        made = Made(json.loads(str(value)), int(count or 0), str(model), bool(untrusted), int(when or 0))
        found[keys[int(position or 0)]].append(Kept(str(audience), str(hashed), str(made_by), made))
    return found


def commit_statements(entry: Entry, *, fresh: bool) -> tuple[Statement, Statement]:
    """What keeps a leaf; an equal one that another process kept meanwhile stays, unless ``fresh``."""
    key, kept, made = entry.key, entry.kept, entry.kept.made
    row = [
        key.node_id(kept.audience), key.producer, key.owner, key.anchor, key.band, kept.audience, kept.input_hash,
        kept.fingerprint, canonical(made.value), made.count, made.model, int(made.untrusted), made.generated_at,
        list(entry.inputs), int(key.context == PROMOTED),
    ]  # fmt: skip
    rows = canonical([row])
    return Statement("sweep_aggregates", (rows,)), Statement("put_aggregates", (rows, key.policy, int(fresh)))
