"""Queries of every shape, as ASTs that some text writes."""

from __future__ import annotations

from hypothesis import strategies as st

from lens_dsl import ast

# fmt: off
WORDS = [
    "ALL", "AND", "AS", "ASC", "BY", "CASE", "CONTAINS", "CREATE", "DESC", "DISTINCT", "ELSE", "END",
    "ENDS", "EXISTS", "FALSE", "IN", "IS", "LIMIT", "MATCH", "NOT", "NULL", "OFFSET", "OPTIONAL", "OR",
    "ORDER", "RETURN", "SET", "SKIP", "STARTS", "THEN", "TRUE", "UNION", "UNWIND", "WHEN", "WHERE",
    "WITH", "XOR", "any", "all", "reduce", "count",
]
# fmt: on
CHARACTERS = st.characters(exclude_categories=["Cs"])
VISIBLE = st.characters(exclude_categories=["Cs", "Cf"], exclude_characters="\0")

names = st.one_of(
    st.sampled_from(["a", "b", "n", "r", "x", "name", "Case", "größe", "e5"]),
    st.sampled_from(WORDS),
    st.text(VISIBLE, max_size=6),
)
functions = names.filter(
    lambda name: (
        name.lower() not in ("all", "any", "none", "single", "reduce", "shortestpath", "allshortestpaths")
    )
)
variables = st.builds(ast.Variable, names)
parameters = st.builds(ast.Parameter, st.one_of(names, st.integers(0, 999).map(str)))
literals = st.builds(
    ast.Literal,
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(CHARACTERS, max_size=8),
    ),
)


def tuples_of(items, min_size=0, max_size=3):
    return st.lists(items, min_size=min_size, max_size=max_size).map(tuple)


def logical(operator, terms):
    """An n-ary node whose operands are never of the same operator: nested ones are flattened."""
    flat: list[ast.Expression] = []
    for term in terms:
        same = isinstance(term, ast.Logical) and term.operator == operator
        flat.extend(term.operands if same else [term])
    return ast.Logical(operator, tuple(flat))


def operators(inner):
    pairs = st.tuples(st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), inner)
    return st.one_of(
        st.builds(ast.Property, inner, names),
        st.builds(ast.Index, inner, inner),
        st.builds(ast.Slice, inner, st.none() | inner, st.none() | inner),
        st.builds(ast.Unary, st.sampled_from("-+"), inner),
        st.builds(ast.Arithmetic, st.sampled_from("+-*/%^"), inner, inner),
        st.builds(ast.Comparison, inner, tuples_of(pairs, 1)),
        st.builds(logical, st.sampled_from(["AND", "OR", "XOR"]), tuples_of(inner, 2)),
        st.builds(ast.Not, inner),
        st.builds(ast.IsNull, inner, st.booleans()),
        st.builds(ast.In, inner, inner),
        st.builds(
            ast.StringTest, st.sampled_from(["STARTS WITH", "ENDS WITH", "CONTAINS", "=~"]), inner, inner
        ),
        st.builds(ast.HasLabels, inner, tuples_of(names, 1)),
    )


def composites(inner):
    entries = st.tuples(names, inner)
    projected = st.one_of(
        st.tuples(st.just("property"), names),
        st.just(("all",)),
        st.tuples(st.just("entry"), names, inner),
        st.tuples(st.just("variable"), st.builds(ast.Variable, names)),
    )
    optional = st.none() | inner
    return st.one_of(
        st.builds(ast.ListLiteral, tuples_of(inner)),
        st.builds(ast.MapLiteral, tuples_of(entries)),
        st.builds(ast.Call, functions, tuples_of(inner, 1), st.booleans()),
        st.builds(ast.Call, functions, st.just(())),
        st.builds(ast.Call, st.sampled_from(["count", "COUNT"]), st.just(()), star=st.just(True)),
        st.builds(ast.Case, optional, tuples_of(st.tuples(inner, inner), 1, 2), optional),
        st.builds(ast.ListComprehension, names, inner, optional, optional),
        st.builds(ast.Quantifier, st.sampled_from(["all", "any", "none", "single"]), names, inner, inner),
        st.builds(ast.Reduce, names, inner, names, inner, inner),
        st.builds(ast.MapProjection, variables, tuples_of(projected)),
        st.builds(ast.PatternPredicate, paths(inner, named=False, hops=1)),
        st.builds(ast.PatternComprehension, paths(inner, hops=1), optional, inner),
        st.builds(ast.Exists, tuples_of(paths(inner), 1, 2), optional),
        st.builds(ast.Exists, queries(inner), st.none()),
    )


def paths(inner, *, named=True, hops=0):
    """Paths of ``hops`` relationships at least."""
    properties = st.none() | parameters | st.builds(ast.MapLiteral, tuples_of(st.tuples(names, inner), 0, 2))
    nodes = st.builds(ast.NodePattern, st.none() | names, tuples_of(tuples_of(names, 1, 2), 0, 2), properties)
    bound = st.none() | st.integers(0, 9)
    relationships = st.builds(
        ast.RelationshipPattern,
        st.none() | names,
        tuples_of(names, 0, 2),
        st.sampled_from(["in", "out", "both"]),
        st.none() | st.tuples(bound, bound),
        properties,
    )
    steps = st.lists(st.tuples(relationships, nodes), min_size=hops, max_size=2)
    elements = st.builds(lambda first, rest: (first, *(part for step in rest for part in step)), nodes, steps)
    return st.builds(ast.PathPattern, st.none() | names if named else st.none(), elements)


def projections(inner):
    items = st.builds(ast.Item, inner, st.none() | names)
    sort = st.builds(ast.SortItem, inner, st.booleans())
    rest = (st.booleans(), tuples_of(sort, 0, 2), st.none() | inner, st.none() | inner)
    return st.one_of(
        st.builds(ast.Projection, tuples_of(items, 1), st.just(False), *rest),
        st.builds(ast.Projection, tuples_of(items, 0, 2), st.just(True), *rest),
    )


def queries(inner):
    optional = st.none() | inner
    clauses = st.one_of(
        st.builds(ast.Match, st.booleans(), tuples_of(paths(inner), 1, 2), optional),
        st.builds(ast.Unwind, inner, names),
        st.builds(ast.With, projections(inner), optional),
    )
    last = st.builds(ast.Return, projections(inner))
    singles = st.builds(lambda before, end: ast.SingleQuery((*before, end)), tuples_of(clauses, 0, 2), last)
    more = st.lists(st.tuples(st.booleans(), singles), max_size=1)
    return st.builds(
        lambda first, rest: ast.Query(
            (first, *(part for _, part in rest)), tuple(every for every, _ in rest)
        ),
        singles,
        more,
    )


leaves = st.one_of(literals, variables, parameters)
expressions = st.recursive(leaves, lambda inner: operators(inner) | composites(inner), max_leaves=8)
whole_queries = queries(expressions)
