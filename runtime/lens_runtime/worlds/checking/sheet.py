"""A file of a world while it is checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lens_dsl.ontology import did_you_mean
from lens_runtime.worlds.document import Document, Location
from lens_runtime.worlds.templates import Template, TemplateFault, is_template


@dataclass(frozen=True, slots=True)
class Sheet:
    """A document and what is sound of it (``shape``; None where nothing is)."""

    document: Document
    shape: Any

    def names(self, *where: str) -> frozenset[str] | None:
        """The names written under a place, sound or not; None where there is no telling."""
        value = self.document.value
        for part in where:
            value = value.get(part) if isinstance(value, dict) else None
        return frozenset(value) if isinstance(value, dict) else None

    def entry(self, table: str, name: str) -> Any | None:
        """A sound entry of one of the shape's tables."""
        return getattr(self.shape, table).get(name) if self.shape is not None else None

    def within(self, where: Location, position: int) -> Location:
        """The place of an entry of a list that may also be written as the entry alone."""
        return (*where, position) if (*where, position) in self.document.lines else where

    def report(self, where: Location, message: str) -> None:
        """Note a fault of this file."""
        self.document.report(where, message)

    def known(
        self, where: Location, name: str, names: Iterable[str] | None, what: str, file: str | None = None
    ) -> bool:
        """Whether a name is among the known ones, noting a fault if not; True where nobody can tell."""
        if names is None or name in names:
            return True
        place = f" in {file}" if file is not None else ""
        self.report(where, f"there is no {what} {name!r}{place}; {did_you_mean(name, names)}")
        return False

    def template(self, where: Location, text: str) -> Template | None:
        """The template, None for plain text and, with a fault noted, for one that does not compile."""
        if not is_template(text):
            return None
        try:
            return Template(text)
        except TemplateFault as fault:
            self.report(where, str(fault))
            return None
