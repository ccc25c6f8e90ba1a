"""Expressions: what has a value in a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Literal as Choice

from lens_dsl.ast.base import Node, Scalar

if TYPE_CHECKING:
    from lens_dsl.ast.clauses import Query
    from lens_dsl.ast.patterns import PathPattern


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Node):
    """A value as written: null, a Boolean, a number or a string. 1, 1.0 and true are three literals."""

    value: Scalar

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and (type(self.value), self.value) == (
            type(other.value),
            other.value,
        )

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """``$name``."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """A variable by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Property(Node):
    """``subject.name``."""

    subject: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    """``subject[index]``."""

    subject: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """``subject[start..end]``; a bound that is not written is None."""

    subject: Expression
    start: Expression | None
    end: Expression | None


@dataclass(frozen=True, slots=True)
class ListLiteral(Node):
    """``[a, b]``."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class MapLiteral(Node):
    """``{key: value}``, in the order written."""

    entries: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """``-x`` or ``+x``."""

    operator: Choice["-", "+"]
    operand: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """``left operator right``."""

    operator: Choice["+", "-", "*", "/", "%", "^"]
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """A chain ``a < b <= c``: ``rest`` holds (operator, operand) pairs and means AND."""

    first: Expression
    rest: tuple[tuple[Choice["=", "<>", "<", "<=", ">", ">="], Expression], ...]


@dataclass(frozen=True, slots=True)
class Logical(Node):
    """An n-ary AND, OR or XOR; nested ones of the same operator are flattened."""

    operator: Choice["AND", "OR", "XOR"]
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    """``NOT operand``."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class IsNull(Node):
    """``operand IS NULL``, or ``IS NOT NULL`` where ``negated``."""

    operand: Expression
    negated: bool


@dataclass(frozen=True, slots=True)
class In(Node):
    """``item IN container``."""

    item: Expression
    container: Expression


@dataclass(frozen=True, slots=True)
class StringTest(Node):
    """``left STARTS WITH right`` and its like."""

    operator: Choice["STARTS WITH", "ENDS WITH", "CONTAINS", "=~"]
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class HasLabels(Node):
    """``x:A:B`` in an expression: has all of them."""

    subject: Expression
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    """``name(args)``; ``star`` for ``count(*)``. Names keep the case they were written in."""

    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False
    star: bool = False


@dataclass(frozen=True, slots=True)
class Case(Node):
    """``CASE [subject] WHEN .. THEN .. ELSE .. END``; ``subject`` is None in the searched form."""

    subject: Expression | None
    branches: tuple[tuple[Expression, Expression], ...]
    default: Expression | None


@dataclass(frozen=True, slots=True)
class ListComprehension(Node):
    """``[variable IN source WHERE where | result]``."""

    variable: str
    source: Expression
    where: Expression | None
    result: Expression | None


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """``all(variable IN source WHERE where)`` and its like."""

    kind: Choice["all", "any", "none", "single"]
    variable: str
    source: Expression
    where: Expression


@dataclass(frozen=True, slots=True)
class Reduce(Node):
    """``reduce(accumulator = initial, variable IN source | result)``."""

    accumulator: str
    initial: Expression
    variable: str
    source: Expression
    result: Expression


@dataclass(frozen=True, slots=True)
class MapProjection(Node):
    """``v {.a, .*, b: 1, c}``: items are ("property", a), ("all",), ("entry", b, expr), ("variable", Variable(c))."""

    subject: Variable
    items: tuple[tuple[object, ...], ...]


@dataclass(frozen=True, slots=True)
class PatternPredicate(Node):
    """A pattern standing where a boolean stands: ``(a)-->(b)``."""

    pattern: PathPattern


@dataclass(frozen=True, slots=True)
class PatternComprehension(Node):
    """``[pattern WHERE where | result]``."""

    pattern: PathPattern
    where: Expression | None
    result: Expression


@dataclass(frozen=True, slots=True)
class Exists(Node):
    """``exists { pattern [WHERE ..] }`` or ``exists { full query }``."""

    body: tuple[PathPattern, ...] | Query
    where: Expression | None


Expression = (
    Literal
    | Parameter
    | Variable
    | Property
    | Index
    | Slice
    | ListLiteral
    | MapLiteral
    | Unary
    | Arithmetic
    | Comparison
    | Logical
    | Not
    | IsNull
    | In
    | StringTest
    | HasLabels
    | Call
    | Case
    | ListComprehension
    | Quantifier
    | Reduce
    | MapProjection
    | PatternPredicate
    | PatternComprehension
    | Exists
)
