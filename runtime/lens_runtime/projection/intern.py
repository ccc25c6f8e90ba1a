"""Names that the store keeps as small integers: scopes and relationship types."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Generic, TypeVar

from lens_dsl.plan import Statement
from lens_runtime.ports import Store
from lens_runtime.projection.links import ScopeKey

MAX_CHARACTERS = 400_000  # four bytes a character at most
BLOCK = 1_000  # rows that are encoded at once

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
K = TypeVar("K", str, ScopeKey)


class Interned(Generic[K]):
    """A table of names and their numbers; new names wait to be written with the batch that uses them."""

    def __init__(self, known: Iterable[tuple[K, int]]) -> None:
        self._numbers: dict[K, int] = dict(known)
        self._next: int = max(self._numbers.values(), default=0) + 1
        self._fresh: list[tuple[int, K]] = []

    def __call__(self, name: K) -> int:
        """The number of this name, a new one if need be."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = self._next
            self._next += 1
            self._fresh.append((number, name))
        return number

    def take_fresh(self) -> list[tuple[int, K]]:
        """The names not yet written; the caller writes them."""
        fresh, self._fresh = self._fresh, []
        return fresh


def load_scopes(store: Store, world: str) -> Interned[ScopeKey]:
    """The scopes interned so far for this world."""
    rows = store.inspect([Statement("scopes", (world,))]).results[0]
    return Interned(((str(a), str(b), str(c), str(d), str(e)), int(vis or 0)) for a, b, c, d, e, vis in rows)


def load_types(store: Store) -> Interned[str]:
    """The relationship types interned so far."""
    return Interned(
        (str(name), int(number or 0)) for name, number in store.inspect([Statement("types")]).results[0]
    )


def chunks(name: str, rows: Iterable[object], *scalars: int | str) -> list[Statement]:
    """Statements that carry these rows as JSON, each well under D1's 2,000,000 bytes a value; none for no rows."""
    rest = iter(rows)
    statements: list[Statement] = []
    while block := list(islice(rest, BLOCK)):
        statements += [Statement(name, (text, *scalars)) for text in _texts(block)]
    return statements


def _texts(block: list[object]) -> Iterator[str]:
    """The rows as JSON lists of at most so many characters; a row that is longer by itself stays one."""
    text = _encode(block)
    if len(text) <= MAX_CHARACTERS or len(block) == 1:
        yield text
        return
    middle = len(block) // 2
    yield from _texts(block[:middle])
    yield from _texts(block[middle:])
