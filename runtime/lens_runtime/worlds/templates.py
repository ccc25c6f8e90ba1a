"""Sandboxed templates over plain values: no globals, nothing random, undefined names are errors."""

from __future__ import annotations

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


class TemplateFault(ValueError):
    """A template that does not compile, or that a record makes fail; the message names no value of a record."""


class Template:
    """A compiled template. ``names`` are the variables it reads."""

    __slots__ = ("_template", "names", "text")

    def __init__(self, text: str) -> None:
        try:
            self.names = frozenset(meta.find_undeclared_variables(_ENVIRONMENT.parse(text)))
            self._template = _ENVIRONMENT.from_string(text)
        except jinja2.TemplateError as fault:
            raise TemplateFault(f"the template does not compile: {fault.message}") from None
        self.text = text

    def render(self, values: Mapping[str, object]) -> str:
        """The text for these values; TemplateFault where it needs one that is not there."""
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
            raise TemplateFault(
                f"the template {self.text!r} fails on a record: {type(fault).__name__}"
            ) from None


def is_template(text: str) -> bool:
    """Whether a text of a mapping is a template and not a path or a plain word."""
    return "{{" in text or "{%" in text
