"""Every error of the product: one tree, plain data.

LensError
├── QueryError            the query is at fault (exit code 1)
│   ├── SyntaxProblem         it cannot be read
│   ├── SemanticProblem       it reads, and means nothing
│   ├── UnsupportedFeature    valid openCypher that this language refuses by name
│   ├── LensViolation         outside what the lens allows
│   ├── OverBudget            its worst case, or what it turned out to need, is over a ceiling
│   └── EvaluationProblem     it failed on a value, at run time
├── AccessDenied          this actor may not act here (exit code 1)
├── ExecutionError        something else is unavailable or broken (exit code 3)
│   ├── StoreError
│   ├── ReaderError
│   └── ReducerError
└── ConfigurationError    a world, policy or setting is wrong (exit code 1)

``code`` and ``type`` are the DETAIL and TYPE names of the openCypher TCK where it has one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

Phase = Literal["compile time", "runtime"]


@dataclass(frozen=True, slots=True)
class Span:
    """Where in a text something stands: 0-based offsets, 1-based line and column."""

    start: int
    end: int
    line: int
    column: int


class LensError(Exception):
    """What went wrong, where, and what to do about it."""

    type: str = "Error"
    default_phase: ClassVar[Phase] = "runtime"

    def __init__(
        self,
        code: str,
        message: str,
        *,
        span: Span | None = None,
        hint: str | None = None,
        text: str | None = None,
        phase: Phase | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.hint = hint
        self.text = text
        self.phase: Phase = phase or self.default_phase

    def __str__(self) -> str:
        """The message; then, where they are known, the line with a caret, and the hint."""
        parts = [f"{self.code}: {self.message}"]
        if self.span is not None and self.text is not None:
            parts.append(excerpt(self.text, self.span))
        if self.hint:
            parts.append(f"hint: {self.hint}")
        return "\n".join(parts)

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows in place of Python's traceback: the same lines."""
        return str(self).split("\n")


class QueryError(LensError):
    """The query is at fault."""

    type = "SyntaxError"
    default_phase: ClassVar[Phase] = "compile time"
    about: str | None = None
    """The name that is at fault, where the span holds more than it."""


class SyntaxProblem(QueryError):
    """The text cannot be read as a query."""


class SemanticProblem(QueryError):
    """The text reads as a query, but means nothing: an unknown name, a wrong kind of variable."""


class UnsupportedFeature(QueryError):
    """Valid openCypher that this language refuses by name."""


class LensViolation(QueryError):
    """The query leaves what the lens allows."""


class OverBudget(QueryError):
    """A ceiling of the budget would be, or was, passed."""

    type = "BudgetError"


class EvaluationProblem(QueryError):
    """A value made the query fail: division by zero, a wrong type, an overflow."""

    type = "TypeError"
    default_phase = "runtime"

    def __init__(
        self,
        code: str,
        message: str,
        *,
        type: str = "TypeError",
        span: Span | None = None,
        hint: str | None = None,
        text: str | None = None,
    ) -> None:
        super().__init__(code, message, span=span, hint=hint, text=text)
        self.type = type


class AccessDenied(LensError):
    """The actor is unknown, unauthenticated, or may not act here. Says nothing of what exists."""

    type = "AccessDenied"


class ExecutionError(LensError):
    """Something the query needs is unavailable or broken; ``retryable`` says whether to try again."""

    type = "ExecutionError"

    def __init__(self, code: str, message: str, *, retryable: bool = False, hint: str | None = None) -> None:
        super().__init__(code, message, hint=hint)
        self.retryable = retryable


class StoreError(ExecutionError):
    """The graph's store."""


class ReaderError(ExecutionError):
    """A module's reader."""


class ReducerError(ExecutionError):
    """A reducer (extractive or a model)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a configuration file: where it stands and what to do."""

    file: str
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.field}: {self.message}"


class ConfigurationError(LensError):
    """A world's folder, a policy or a setting is wrong; ``findings`` lists every fault found."""

    type = "ConfigurationError"

    def __init__(
        self,
        code: str,
        message: str,
        *,
        findings: tuple[Finding, ...] = (),
        hint: str | None = None,
    ) -> None:
        super().__init__(code, message, hint=hint)
        self.findings = findings

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *map(str, self.findings)])


def excerpt(text: str, span: Span, width: int = 100) -> str:
    """The line a span begins in, with a caret line below it; long lines are cut around the span."""
    line = text.split("\n")[span.line - 1].replace("\t", " ")
    column = span.column - 1
    shift = max(0, column - width // 2)
    shown = line[shift : shift + width]
    length = max(1, min(span.end - span.start, len(shown) - (column - shift)))
    margin = f"{span.line:>4} | "
    return f"{margin}{shown}\n{' ' * len(margin)}{' ' * (column - shift)}{'^' * length}"
