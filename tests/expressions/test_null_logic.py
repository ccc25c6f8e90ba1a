"""What is unknown stays unknown, and what is decided without it is decided: near cases of reported faults."""

from __future__ import annotations

import pytest

from tests.expressions.conftest import written

CASES = [
    # IN: a null decides nothing, a match decides, an empty list holds nothing
    ("null IN []", False),
    ("null IN [null]", None),
    ("1 IN null", None),
    ("3 IN [1, null, 3]", True),
    ("7 IN [1, null]", None),
    ("[1] IN [[1, null]]", False),
    ("[1, 2] IN [[1, null]]", None),
    ("[1, 2] IN [[null, 9], [1, 2]]", True),
    ("1 IN [1.0]", True),
    ("true IN [1]", False),
    ("'1' IN [1]", False),
    ("NOT 7 IN [1, null]", None),
    # equality of what holds nulls: a known difference wins
    ("null = null", None),
    ("null <> null", None),
    ("[4, null] = [4, 5]", None),
    ("[4, null] = [6, 5]", False),
    ("[4] = [4, null]", False),
    ("[[null]] = [[null]]", None),
    ("[[null, 1]] = [[null, 2]]", False),
    ("{k: null} = {k: 1}", None),
    ("{k: null, l: 1} = {k: 1, l: 2}", False),
    ("{k: 1} = {k: 1, l: null}", False),
    ("{} = {}", True),
    ("{a: 1, b: 2} = {b: 2, a: 1}", True),
    # equality between types, and of what equals nothing
    ("1 = '1'", False),
    ("true = 1", False),
    ("0 = false", False),
    ("0.0 / 0 = 0.0 / 0", False),
    ("[0.0 / 0] = [0.0 / 0]", False),
    ("0.0 / 0 <> 1", True),
    ("0.0 / 0 < 1", False),
    ("NOT (0.0 / 0 < 1)", True),
    # order: none between types, so that NOT keeps nothing
    ("1 < 'a'", None),
    ("NOT (1 < 'a')", None),
    ("'5' < 10", None),
    ("true > 0", None),
    ("{} < {a: 1}", None),
    ("null > 1", None),
    ("[1, 2] < [1, 3]", True),
    ("[1] < [1, null]", True),
    ("[1, null] < [1, 2]", None),
    ("[1, 'a'] < [1, 2]", None),
    ("[1, 2] >= [1]", True),
    ("[1, 2] <= [1, 2]", True),
    ("'A' < 'a'", True),
    ("false < true", True),
    ("1 < 2 < 3", True),
    ("1 < 3 < 2", False),
    ("1 < null < 0", None),
    ("2 < 1 < null", False),
    # Kleene's logic
    ("false AND null", False),
    ("null AND false", False),
    ("true AND null", None),
    ("true OR null", True),
    ("null OR true", True),
    ("false OR null", None),
    ("true XOR null", None),
    ("NOT null", None),
    ("null XOR null", None),
    # what is null passes through
    ("null.a", None),
    ("{a: 1}.b", None),
    ("{a: 1}[null]", None),
    ("[1, 2][null]", None),
    ("[1, 2, 3][null..2]", None),
    ("[1, 2, 3][1..null]", None),
    ("null[0]", None),
    ("null STARTS WITH 'a'", None),
    ("'a' CONTAINS null", None),
    ("1 CONTAINS 1", None),
    ("null =~ '.*'", None),
    ("size(null)", None),
    ("null + [1]", None),
    ("[1] + null", None),
    ("null IS NULL = true", True),
    ("NOT null IS NULL", False),
    ("null IS NOT NULL OR true", True),
    # CASE compares as = does
    ("CASE null WHEN null THEN 1 ELSE 2 END", 2),
    ("CASE 1 WHEN 1.0 THEN 'same' END", "same"),
    ("CASE 1 WHEN '1' THEN 'same' END", None),
    ("CASE WHEN null THEN 1 ELSE 2 END", 2),
    ("CASE WHEN false THEN 1 END", None),
    ("CASE WHEN true THEN 1 ELSE 1 / 0 END", 1),
    # quantifiers and comprehensions
    ("all(x IN [] WHERE false)", True),
    ("any(x IN [] WHERE true)", False),
    ("none(x IN [] WHERE true)", True),
    ("single(x IN [] WHERE true)", False),
    ("all(x IN [1, null] WHERE x = 1)", None),
    ("all(x IN [2, null] WHERE x = 1)", False),
    ("any(x IN [1, null] WHERE x = 1)", True),
    ("any(x IN [2, null] WHERE x = 1)", None),
    ("none(x IN [2, null] WHERE x = 1)", None),
    ("none(x IN [1, null] WHERE x = 1)", False),
    ("single(x IN [1, null] WHERE x = 1)", None),
    ("single(x IN [1, 1, null] WHERE x = 1)", False),
    ("any(x IN null WHERE true)", None),
    ("[x IN null | x]", None),
    ("[x IN [null, 1, 2] WHERE x > 1]", [2]),
    ("[x IN [null, 1] WHERE x IS NULL]", [None]),
    ("[x IN [1, null] | x + 1]", [2, None]),
    ("reduce(t = 0, x IN null | t + x)", None),
    ("reduce(t = 0, x IN [1, null] | t + x)", None),
    ("coalesce(null, null)", None),
    ("exists({a: null}.a)", False),
]


@pytest.mark.parametrize(("expression", "wanted"), CASES)
def test_null_decides_nothing(value, expression, wanted):
    assert value(expression) == written(wanted)


@pytest.mark.parametrize(("expression", "wanted"), CASES)
def test_a_value_that_is_only_known_when_it_runs_is_the_same(value, expression, wanted):
    """The same expressions with their literals behind a variable of unknown type."""
    assert value(f"[y IN [{expression}, 'other'] | y][0]") == written(wanted)


def test_distinct_and_grouping_take_null_and_nan_for_themselves(built, value):
    assert value("collect(y)", "UNWIND [null, null, 1, 1.0] AS x WITH DISTINCT x AS y") == "[1]"
    counted = "UNWIND [0.0 / 0, 0.0 / 0, null, null, [null], [null]] AS x WITH x, count(*) AS n"
    assert value("collect(n)", counted) == "[2, 2, 2]"
