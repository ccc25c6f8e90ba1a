"""Records and edges as their tables hold them, and how a module's states become them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from json.encoder import encode_basestring
from typing import NamedTuple

from lens_dsl.errors import ConfigurationError
from lens_runtime.graph import Coordinate
from lens_runtime.ports import Cell
from lens_runtime.projection.identity import digest, edge_id, node_id
from lens_runtime.projection.states import EdgeState, NodeState

MAX_LABEL = 256
MAX_SUMMARY = 2_000
MAX_KEY = 1_000
MAX_PROPERTIES = 16_000
EXACT = 2**53  # D1 hands numbers out as JSON: larger ones would be rounded
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


class NodeRecord(NamedTuple):
    """A row of ``context_nodes``, in the order it is read and written; ``keys`` and ``properties`` are JSON."""

    nid: int
    id: str
    context: str
    module: str
    kind: str
    entity_id: str
    revision: str
    label: str
    summary: str | None
    visibility: str
    guard: str | None
    observed_at: int | None
    keys: str
    properties: str
    digest: str

    @property
    def face(self) -> tuple[str, str | None]:
        """What adjacency rows pointing here depend on."""
        return (self.visibility, self.guard)


class EdgeRecord(NamedTuple):
    """A row of ``context_edges``; ``src`` and ``dst`` are its ends' surrogates, None while an end is missing."""

    eid: int
    id: str
    source_id: str
    type: str
    target_id: str
    module: str
    entity_id: str
    revision: str
    event_id: str | None
    visibility: str
    observed_at: int | None
    properties: str
    digest: str
    src: int | None = None
    dst: int | None = None


def node_record(world: str, state: NodeState) -> NodeRecord:
    """The record of a state, without its surrogate (nid 0). ConfigurationError where it is over a bound."""
    at = state.coordinate
    keys, properties = _encode_keys(state.keys), _properties(state.properties, state)
    _check_bounds(state)
    texts = {
        "id": at.entity_id,
        "context": state.context,
        "revision": state.revision,
        "label": state.label,
        "summary": state.summary,
        "guard": state.guard,
        "keys": keys,
        "properties": properties,
    }
    _clean(state, {"coordinate": at.module + at.entity_type, **texts})
    record = NodeRecord(
        nid=0,
        id=node_id(world, state.context, at),
        context=state.context,
        module=at.module,
        kind=at.entity_type,
        entity_id=at.entity_id,
        revision=state.revision,
        label=state.label,
        summary=state.summary,
        visibility=state.visibility,
        guard=state.guard,
        observed_at=state.observed_at,
        keys=keys,
        properties=properties,
        digest="",
    )
    return record._replace(digest=_digest(*record[6:-1]))


def _check_bounds(state: NodeState) -> None:
    _bounded(state.label, MAX_LABEL, "label", state)
    _bounded(state.summary or "", MAX_SUMMARY, "summary", state)
    for name in state.keys:
        value = state.properties.get(name)
        _bounded(value if isinstance(value, str) else "", MAX_KEY, f"key {name}", state)
    _exact(state.observed_at, state)


def edge_record(world: str, state: EdgeState) -> EdgeRecord:
    """The record of a state, without surrogates. Its digest leaves out what is immutable (P9)."""
    properties = _properties(state.properties, state)
    _exact(state.observed_at, state)
    asserted = (
        state.provenance_module,
        state.provenance_entity_id,
        state.provenance_revision,
        state.provenance_event_id,
    )
    texts = {
        "type": state.type,
        "source": "".join(_parts(state.source)),
        "target": "".join(_parts(state.target)),
        "provenance": "".join(part or "" for part in asserted),
        "context": state.context,
        "properties": properties,
    }
    _clean(state, texts)
    source = node_id(world, state.context, state.source)
    target = node_id(world, state.context, state.target)
    return EdgeRecord(
        0,
        edge_id(state.type, source, target, *asserted[:2]),
        source,
        state.type,
        target,
        *asserted,
        state.visibility,
        state.observed_at,
        properties,
        _edge_digest(state.visibility, state.observed_at, properties),
    )


def differs(stored: NodeRecord | EdgeRecord | None, said: NodeRecord | EdgeRecord) -> bool:
    """Whether what a module says is new, or has another content than what is stored."""
    return stored is None or stored.digest != said.digest


def reasserted(stored: EdgeRecord, said: EdgeRecord) -> bool:
    """Whether a module withdrew the edge meanwhile and asserted it again, in another event."""
    return None not in (stored.event_id, said.event_id) and stored.event_id != said.event_id


def _properties(values: Mapping[str, object], state: NodeState | EdgeState) -> str:
    if not values:
        return "{}"
    try:
        text = _encode(dict(values))
    except (TypeError, ValueError) as problem:
        raise ConfigurationError("BadValue", f"{state}: its properties are no JSON: {problem}") from problem
    _bounded(text, MAX_PROPERTIES, "properties", state)
    return text


def _bounded(text: str, limit: int, name: str, state: NodeState | EdgeState) -> None:
    if len(text) > limit:
        raise ConfigurationError(
            "TooLong",
            f"{state}: its {name} has {len(text)} characters, at most {limit} may be projected",
            hint="shorten it in the module's rule, or leave it to be hydrated",
        )


def _exact(observed_at: int | None, state: NodeState | EdgeState) -> None:
    if observed_at is not None and not -EXACT < observed_at < EXACT:
        raise ConfigurationError("BadValue", f"{state}: observed_at {observed_at} is no time in milliseconds")


def _parts(at: Coordinate) -> tuple[str, str, str]:
    return (at.module, at.entity_type, at.entity_id)


def _clean(state: NodeState | EdgeState, texts: Mapping[str, str | None]) -> None:
    joined = "".join([text or "" for text in texts.values()])
    if joined.isascii() and "\x00" not in joined and "\\u0000" not in joined:
        return
    for name, text in texts.items():
        fault = _unclean(text or "")
        if fault is not None:
            shown = str(state).encode("utf-8", "backslashreplace").decode().replace("\x00", "\\x00")
            raise ConfigurationError(
                "BadText", f"{shown}: {fault} in its {name}", hint="correct the record in its module"
            )


def _unclean(text: str) -> str | None:
    if "\x00" in text or ("\\u0000" in text and _ESCAPED_NUL.search(text)):
        return "a NUL character, which no store keeps,"
    if not text.isascii() and _SURROGATE.search(text):
        return "half a surrogate pair, which is no text,"
    return None


def _digest(*content: Cell) -> str:
    """The digest of these cells as JSON, put together here: an encoder made anew for a row costs ten times as much."""
    return digest(f"[{','.join(map(_cell, content))}]")


def _cell(value: Cell) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    return "null" if value is None else repr(value)


def _edge_digest(visibility: str, observed_at: int | None, properties: str) -> str:
    return _digest(visibility, observed_at, properties)


@lru_cache(maxsize=256)
def _encode_keys(keys: tuple[str, ...]) -> str:
    return _encode(keys)
