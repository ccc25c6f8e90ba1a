"""The ids of nodes and edges: hashes of what they are, so that every build gives the same."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from lens_runtime.graph import Coordinate

BYTES = 20  # 32 base32 characters
_SHIFTS = range(8 * BYTES - 10, -1, -10)
TIE_CHARACTERS = 9  # of an id, five bits each
TEXT_CHARACTERS = 16
_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = [first + second for first in _BASE32 for second in _BASE32]  # by ten bits
_DIGITS = str.maketrans(_BASE32, "0123456789abcdefghijklmnopqrstuv")  # as int() reads base 32
REMEMBERED = 50_000  # of a record's relationships, and of hubs, the ids are asked for again and again


def node_id(world: str, context: str, coordinate: Coordinate) -> str:
    """The id of a record's node: 32 characters, the same in every build."""
    return _node_hash(world, context, coordinate.module, coordinate.entity_type, coordinate.entity_id)


def edge_id(type_: str, source_id: str, target_id: str, module: str, entity_id: str) -> str:
    """The id of an edge: its type, its ends, and the record that asserts it."""
    return _hash(type_, source_id, target_id, module, entity_id)


def aggregate_id(*key: str) -> str:
    """The id of what a producer made: its world, context, policy, producer, owner, anchor, band and audience."""
    return _hash("aggregate", *key)


@lru_cache(maxsize=REMEMBERED)
def _node_hash(world: str, context: str, module: str, entity_type: str, entity_id: str) -> str:
    return _hash(world, context, module, entity_type, entity_id)


def _hash(*parts: str) -> str:
    """32 base32 characters of sha256 over the parts, each with its length before it."""
    content = "".join([f"{len(part)}:{part}" for part in parts]).encode()
    if not content.isascii():  # a length is one of bytes
        content = b"".join([b"%d:%b" % (len(data), data) for data in map(str.encode, parts)])
    number = int.from_bytes(hashlib.sha256(content).digest()[:BYTES])
    return "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])


def tie_of(id_: str) -> int:
    """Where an id stands among others of the same time: 45 bits of its hash, the same in every build."""
    return int(id_[:TIE_CHARACTERS].translate(_DIGITS), 32)


def text_row_of(generation: int, id_: str) -> int:
    """The row of a node in the full-text index: 57 bits of its id's hash, under 6 of its generation.

    Rows of one generation stand in the same order in every build, whatever else there is.
    """
    return (generation % 64) << 57 | int(id_[:TEXT_CHARACTERS].translate(_DIGITS), 32) >> 23


def digest(content: str) -> str:
    """What tells one content from another: 32 hexadecimal characters."""
    return hashlib.sha256(content.encode()).hexdigest()[:32]
