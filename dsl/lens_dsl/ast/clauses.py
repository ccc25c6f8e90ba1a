"""Clauses, and the query they make up."""

from __future__ import annotations

from dataclasses import dataclass, field

from lens_dsl.ast.base import Node
from lens_dsl.ast.expressions import Expression
from lens_dsl.ast.patterns import PathPattern


@dataclass(frozen=True, slots=True)
class Match(Node):
    """``[OPTIONAL] MATCH patterns WHERE where``."""

    optional: bool
    patterns: tuple[PathPattern, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Unwind(Node):
    """``UNWIND source AS variable``."""

    source: Expression
    variable: str


@dataclass(frozen=True, slots=True)
class Item(Node):
    """``expression [AS alias]``; ``text`` is the expression as written, the column's name without an alias."""

    expression: Expression
    alias: str | None
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class SortItem(Node):
    """``expression [DESC]``."""

    expression: Expression
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Projection(Node):
    """What WITH and RETURN have in common."""

    items: tuple[Item, ...]
    star: bool = False
    distinct: bool = False
    order: tuple[SortItem, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None


@dataclass(frozen=True, slots=True)
class With(Node):
    """``WITH projection WHERE where``."""

    projection: Projection
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Return(Node):
    """``RETURN projection``."""

    projection: Projection


Clause = Match | Unwind | With | Return


@dataclass(frozen=True, slots=True)
class SingleQuery(Node):
    """Clauses in order."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Query(Node):
    """One or more single queries joined by UNION; ``union_all[i]`` stands before ``parts[i + 1]``."""

    parts: tuple[SingleQuery, ...]
    union_all: tuple[bool, ...] = ()
