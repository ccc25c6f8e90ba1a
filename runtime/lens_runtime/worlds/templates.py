"""Sandboxed templates over plain values: no globals, nothing random, undefined names are errors."""

from __future__ import annotations

import re
from collections.abc import Mapping

import jinja2
from jinja2 import StrictUndefined, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        finalize=lambda value: "" if value is None else value,
    )
    environment.globals.clear()
    del environment.filters["random"]
    return environment


_ENVIRONMENT = _environment()
_NAME = re.compile(r"\{\{ *([A-Za-z_]\w*) *\}\}", re.ASCII)


class TemplateFault(ValueError):
    """A template that does not compile, or that a record makes fail; the message names no value of a record."""


class Template:
    """A compiled template. ``names`` are the variables it reads."""

    __slots__ = ("_plain", "_template", "names", "text")

    def __init__(self, text: str) -> None:
        try:
            self.names = frozenset(meta.find_undeclared_variables(_ENVIRONMENT.parse(text)))
            self._template = _ENVIRONMENT.from_string(text)
        except jinja2.TemplateError as fault:
            raise TemplateFault(f"the template does not compile: {fault.message}") from None
        self.text = text
        self._plain = _plain(text, self.names)

    def render(self, values: Mapping[str, object]) -> str:
        """The text for these values; TemplateFault where it needs one that is not there."""
        if self._plain is not None:
            form, names = self._plain
            try:
                return form % tuple(["" if (value := values[name]) is None else value for name in names])
            except KeyError:
                raise self._fault("UndefinedError") from None
        try:
            return self._template.render(values)
        except (
            jinja2.TemplateError,
            ArithmeticError,
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
        ) as fault:
            # The cause is not quoted: a subscript by a value would show that value.
            raise self._fault(type(fault).__name__) from None

    def _fault(self, reason: str) -> TemplateFault:
        return TemplateFault(f"the template {self.text!r} fails on a record: {reason}")


def _plain(text: str, names: frozenset[str]) -> tuple[str, tuple[str, ...]] | None:
    """A template of plain names alone as a format and its names, ten times as fast; None for any other."""
    parts = _NAME.split(text)
    literals, used = parts[::2], tuple(parts[1::2])
    if set(used) != names or any(mark in part for part in literals for mark in ("{", "}", "\n", "\r")):
        return None
    return "%s".join(part.replace("%", "%%") for part in literals), used


def is_template(text: str) -> bool:
    """Whether a text of a mapping is a template and not a path or a plain word."""
    return "{{" in text or "{%" in text
