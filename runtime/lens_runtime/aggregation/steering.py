"""What a query asks of a producer: the values of its directives, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lens_dsl.ast import Expression
from lens_dsl.errors import EvaluationProblem, Span
from lens_dsl.ontology import did_you_mean
from lens_dsl.pattern import Directives
from lens_runtime.aggregation.bands import STANDARD, Band, band_of
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.graph import Value


@dataclass(frozen=True, slots=True)
class Steering:
    """The directives' values. A null, or an empty text, is as if it were not written."""

    band: Band = STANDARD
    hint: str | None = None
    voice: str | None = None
    model: str | None = None
    fresh: bool = False
    realm: Mapping[str, Value] = field(default_factory=dict)

    @property
    def transient(self) -> bool:
        """Whether the meaning is steered: what comes of it is for this query alone."""
        return bool(self.hint or self.voice or self.model or self.realm)

    def plain(self) -> dict[str, object]:
        """What steers the meaning, as plain data: two steerings are the same where this is."""
        return {"hint": self.hint, "voice": self.voice, "model": self.model, "realm": dict(self.realm)}


def steering_of(directives: Directives, evaluator: Evaluator, roles: Iterable[str]) -> Steering:
    """The steering. EvaluationProblem (InvalidDirectiveValue) where a value does not fit its directive."""
    ai = {key: (evaluator.value(value, {}), value.span) for key, value in directives.ai}
    realm = {key: (evaluator.value(value, {}), value) for key, value in directives.realm}
    words = ai.get("wordcount")
    return Steering(
        STANDARD if words is None or words[0] is None else band_of(_words(*words)),
        _text("hint", ai),
        _text("voice", ai),
        _model(ai, roles),
        _flag("fresh", ai),
        {
            key: _plain(key, value, expression)
            for key, (value, expression) in realm.items()
            if value is not None
        },
    )


def _words(value: Value, span: Span) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _unfit("wordcount", "a whole number of at least 1", span)
    return value


def _text(name: str, ai: Mapping[str, tuple[Value, Span]]) -> str | None:
    value, span = ai.get(name, (None, None))
    if value is None or isinstance(value, str):
        return value or None
    raise _unfit(name, "a text", span)


def _model(ai: Mapping[str, tuple[Value, Span]], roles: Iterable[str]) -> str | None:
    role = _text("model", ai)
    if role is None or role in (known := sorted(roles)):
        return role
    raise EvaluationProblem(
        "InvalidDirectiveValue",
        f"there is no role {role}",
        span=ai["model"][1],
        hint=did_you_mean(role, known),
    )


def _flag(name: str, ai: Mapping[str, tuple[Value, Span]]) -> bool:
    value, span = ai.get(name, (None, None))
    if value is None or isinstance(value, bool):
        return bool(value)
    raise _unfit(name, "true or false", span)


def _plain(name: str, value: Value, expression: Expression) -> Value:
    if isinstance(value, (bool, int, float, str)):
        return value
    raise _unfit(f"realm.{name}", "a text, a number or a Boolean", expression.span)


def _unfit(name: str, wanted: str, span: Span | None) -> EvaluationProblem:
    return EvaluationProblem("InvalidDirectiveValue", f"the directive {name} takes {wanted}", span=span)
