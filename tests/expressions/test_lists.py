"""Lists, maps and strings: elements, slices, comprehensions, and what functions make of them."""

from __future__ import annotations

import pytest

from lens_dsl.errors import OverBudget
from tests.expressions.conftest import written
from tests.oracle.budgets import AMPLE

LISTS = [
    ("[0, 1][5]", None),
    ("[0, 1][-3]", None),
    ("[0, 1][-1]", 1),
    ("[1, 2, 3][1..]", [2, 3]),
    ("[1, 2, 3][..-1]", [1, 2]),
    ("[1, 2, 3][-2..9]", [2, 3]),
    ("[1, 2, 3][2..1]", []),
    ("[1, 2, 3][0..9223372036854775807]", [1, 2, 3]),
    ("[[1, 2], [3]][0][1]", 2),
    ("[1] + 2 + [3]", [1, 2, 3]),
    ("1 + [2]", [1, 2]),
    ("[1] + [[2]]", [1, [2]]),
    ("[1] + true", [1, True]),
    ("range(1, 3)", [1, 2, 3]),
    ("range(3, 1)", []),
    ("range(3, 1, -1)", [3, 2, 1]),
    ("range(0, 10, 4)", [0, 4, 8]),
    ("range(-2, -2)", [-2]),
    ("range(9223372036854775806, 9223372036854775807)", [2**63 - 2, 2**63 - 1]),
    ("size(range(0, 1000000))", 1_000_001),
    ("head([])", None),
    ("last([])", None),
    ("tail([])", []),
    ("reverse([])", []),
    ("[x IN [1, 2, 3] WHERE x % 2 = 1 | x * 10]", [10, 30]),
    ("[x IN [1, 2]]", [1, 2]),
    ("[x IN [1, 2] | [x IN [3, 4] | x]]", [[3, 4], [3, 4]]),
    ("[x IN [[1], [2, 3]] | [y IN x | y + size(x)]]", [[2], [4, 5]]),
    ("reduce(t = '', x IN ['a', 'b'] | t + x)", "ab"),
    ("reduce(t = 0, x IN [1, 2, 3] | t + x * 2)", 12),
    ("single(x IN [1, 2, 3] WHERE x = 2)", True),
    ("keys({a: 1, b: null})", ["a", "b"]),
    ("properties({a: null})", {"a": None}),
    ("{a: 1, b: {c: [2]}}.b.c[0]", 2),
    ("{a: 1}['a']", 1),
    ("{A: 1}.a", None),
]
STRINGS = [
    ("'5%' STARTS WITH '5%'", True),
    ("'50' STARTS WITH '5%'", False),
    ("'a_b' CONTAINS '_'", True),
    ("'ab' CONTAINS '_'", False),
    ("'x' ENDS WITH 'X'", False),
    ("'' STARTS WITH ''", True),
    ("toLower('ÄÉ')", "äé"),
    ("toUpper('straße é')", "STRASSE É"),
    ("size('🦄')", 1),
    ("reverse('ab🦄')", "🦄ba"),
    ("substring('hello', 5)", ""),
    ("substring('hello', 9)", ""),
    ("substring('hello', 1, 100)", "ello"),
    ("left('abc', 9)", "abc"),
    ("right('abc', 9)", "abc"),
    ("right('abc', 0)", ""),
    ("split('', ',')", [""]),
    ("split('abc', '')", ["a", "b", "c"]),
    ("replace('aaa', 'aa', 'b')", "ba"),
    ("replace('abc', '', '-')", "-a-b-c-"),
    ("lTrim('\\t a ')", "a "),
    ("'a' + 1", "a1"),
    ("'abc' =~ 'b'", False),
    ("'abc' =~ '.b.'", True),
    ("'ABC' =~ '(?i)abc'", True),
    ("'a\\nb' =~ 'a.b'", False),
    ("'Åä' =~ '\\\\p{L}+'", True),
    ("('a' + 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!') =~ '(a+)+'", False),
]


@pytest.mark.parametrize(("expression", "wanted"), [*LISTS, *STRINGS])
def test_what_a_list_or_string_gives(value, expression, wanted):
    assert value(expression) == written(wanted)


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("m {.a}", {"a": 1}),
        ("m {.a, .z}", {"a": 1, "z": None}),
        ("m {.*, b: 3}", {"a": 1, "b": 3}),
        ("m {b: 5, .*}", {"b": 2, "a": 1}),
        ("m {n, c: m.a + n}", {"n": 7, "c": 8}),
        ("m {}", {}),
        ("[k IN keys(m) | m[k]]", [1, 2]),
        ("nothing {.a}", None),
    ],
)
def test_a_map_projection(value, expression, wanted):
    assert value(expression, "WITH {a: 1, b: 2} AS m, 7 AS n, null AS nothing") == written(wanted)


def test_a_variable_of_a_comprehension_hides_the_one_outside_and_ends_with_it(value, fault):
    assert value("[x IN [1, 2] | x] + x", "WITH 9 AS x") == "[1, 2, 9]"
    assert fault("[x IN [1] | x] + x")[2] == "UndefinedVariable"
    assert fault("reduce(t = 0, x IN [1] | t) + t")[2] == "UndefinedVariable"
    assert value("[x IN collect(y) | x + size([y IN [1] | y])]", "UNWIND [1, 2] AS y") == "[2, 3]"


@pytest.mark.parametrize(
    ("beside", "wanted"),
    [
        ("[x IN collect(7) | x]", [7]),
        ("[y IN collect(7) | x + y]", [12]),
        ("[x IN collect({a: 7}) | x {.a, x}]", [{"a": 7, "x": {"a": 7}}]),
        ("reduce(x = 0, y IN collect(7) | x + y) + x", 12),
        ("[x IN collect(7) | [x IN [x, 8] | x]]", [[7, 8]]),
        ("[`x'` IN collect(7) | [x IN [8] | x + `x'`]]", [[15]]),
    ],
)
def test_what_an_expression_binds_is_no_grouping_key(value, beside, wanted):
    assert value("l", f"UNWIND [5] AS x WITH x AS y, {beside} AS l") == written(wanted)


def test_what_an_expression_binds_is_no_column_to_sort_by(value):
    before = "UNWIND [3, 1, 2] AS x WITH DISTINCT [x IN [x] | x] AS l ORDER BY "
    assert value("collect(l)", before + "[x IN [x] | x]") == "[[1], [2], [3]]"
    assert value("collect(l)", before + "size([x IN [x] | x]), l DESC") == "[[3], [2], [1]]"


COMPILED = ("SyntaxError", "compile time", "InvalidArgumentType")
RUN = ("TypeError", "runtime", "InvalidArgumentType")
VALUE = ("TypeError", "runtime", "InvalidArgumentValue")


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("1 IN 1", COMPILED),
        ("1 IN {a: 1}", COMPILED),
        ("NOT 'a'", COMPILED),
        ("1 AND true", COMPILED),
        ("true + 1", COMPILED),
        ("{} - 1", COMPILED),
        ("-'a'", COMPILED),
        ("size(5)", COMPILED),
        ("toLower(1)", COMPILED),
        ("any(x IN ['a', 'b'] WHERE x % 2 = 0)", COMPILED),
        ("[x IN [true] | x + 1]", COMPILED),
        ("[x IN 'abc' | x]", COMPILED),
        ("all(x IN [1] WHERE x)", COMPILED),
        ("toLower(head([1]))", COMPILED),
        ("range(1, 2.5)", ("ArgumentError", "runtime", "InvalidArgumentType")),
        ("percentileCont('a', 0.5)", COMPILED),
        ("1[0]", RUN),
        ("[1]['a']", RUN),
        ("[1][1.0]", RUN),
        ("[1]['a'..2]", RUN),
        ("[1, 2][true..]", RUN),
        ("{a: 1}[1]", ("TypeError", "runtime", "MapElementAccessByNonString")),
        ("[x IN [1, 'a'] | x * 2]", RUN),
        ("[x IN [1, 'a'] | toLower(x)]", VALUE),
        ("[x IN [1, true] | toInteger(x)]", VALUE),
        ("[x IN [1, []] | toString(x)]", VALUE),
        ("[x IN [1, 'a'] WHERE x | x]", RUN),
        ("head([x IN [1, [2]] | reverse(x)])", VALUE),
        ("range(1, 2, 0)", ("ArgumentError", "runtime", "NumberOutOfRange")),
        ("substring('a', -1)", ("ArgumentError", "runtime", "NumberOutOfRange")),
        ("left('a', -1)", ("ArgumentError", "runtime", "NumberOutOfRange")),
        ("'a' =~ '('", ("ArgumentError", "runtime", "InvalidRegularExpression")),
        ("'a' =~ '(?=a)a'", ("ArgumentError", "runtime", "InvalidRegularExpression")),
        ("count(rand())", ("SyntaxError", "compile time", "NonConstantExpression")),
        ("[x IN [1] | count(x)]", ("SyntaxError", "compile time", "InvalidAggregation")),
        ("count(count(*))", ("SyntaxError", "compile time", "NestedAggregation")),
        ("nosuch(1)", ("SyntaxError", "compile time", "UnknownFunction")),
        ("left('a')", ("SyntaxError", "compile time", "InvalidNumberOfArguments")),
    ],
)
def test_a_wrong_type_is_noticed_as_soon_as_it_is_sure(fault, expression, wanted):
    assert fault(expression) == wanted


@pytest.mark.parametrize(
    "expression",
    [
        "size(range(0, 9223372036854775807))",
        "[x IN range(1, 100000) | range(1, 100000)]",
        "reduce(s = 'ab', x IN range(1, 60) | s + s)",
        "reduce(l = [1], x IN range(1, 60) | l + l)",
        "reduce(l = [1], x IN range(1, 60) | [l, l, l])",
        "reduce(s = 'a', x IN range(1, 60) | replace(s, 'a', 'aa'))",
        "[x IN range(1, 3000) | [y IN range(1, 3000) | 1]]",
        "reduce(s = 'ab', x IN range(1, 18) | s + s) =~ '(a|b)*a(a|b){900}c'",
        "reduce(n = 0, x IN range(1, 1000) | n + size(range(1, 100000)[1..]))",
        "reduce(n = 0, x IN range(1, 1000) | n + size(toUpper(reduce(s = 'abcd', y IN range(1, 17) | s + s))))",
    ],
)
def test_what_a_query_builds_is_bounded(built, expression):
    with pytest.raises(OverBudget) as caught:
        built.ask("ann", f"RETURN {expression} AS x", AMPLE)
    assert caught.value.code == "ValueTooLarge"


def test_the_order_of_everything(value):
    ordered = "UNWIND {values} AS v WITH v ORDER BY v {way}"
    values = (
        "[1, true, '', 3.5, {a: 1}, [2], null, false, 0.0 / 0, date('2020-01-01'), [], [null], 'A', [1, 2]]"
    )
    wanted = [
        {"a": 1},
        [],
        [1, 2],
        [2],
        [None],
        "2020-01-01",
        "",
        "A",
        False,
        True,
        1,
        3.5,
        {"$float": "NaN"},
        None,
    ]
    up, down = (value("collect([v])", ordered.format(values=values, way=way)) for way in ("ASC", "DESC"))
    assert up == written([[one] for one in wanted])
    assert down == written([[one] for one in reversed(wanted)])
