"""Integers of 64 bits, floats as IEEE 754 has them, and how both are written."""

from __future__ import annotations

import pytest

from tests.expressions.conftest import written
from tests.oracle.budgets import AMPLE

LEAST, MOST = -(2**63), 2**63 - 1
NAN, INFINITE, BELOW = ({"$float": name} for name in ("NaN", "Infinity", "-Infinity"))

ARITHMETIC = [
    ("7 / 2", 3),
    ("-7 / 2", -3),
    ("7 / -2", -3),
    ("-7 % 3", -1),
    ("7 % -3", 1),
    ("7 % 3.5", 0.0),
    ("-7.5 % 2", -1.5),
    ("1 / 3.0", 1 / 3),
    ("2 ^ 3", 8.0),
    ("2 ^ 3 ^ 2", 64.0),
    ("-2 ^ 2", 4.0),
    ("2 ^ -1", 0.5),
    ("(-8) ^ (1.0 / 3)", NAN),
    ("0 ^ -1", INFINITE),
    ("10 ^ 400", INFINITE),
    ("1.0 / 0", INFINITE),
    ("-1 / 0.0", BELOW),
    ("1 / -0.0", BELOW),
    ("0.0 / 0", NAN),
    ("5 % 0.0", NAN),
    ("9223372036854775807 + 0", MOST),
    ("-9223372036854775807 - 1", LEAST),
    ("-9223372036854775808", LEAST),
    ("9223372036854775807 + 0.0", float(2**63)),
    ("9007199254740993 + 0", 9007199254740993),
    ("4611686018427387904 * -2", LEAST),
    ("(-9223372036854775807 - 1) % -1", 0),
    ("0x7FFFFFFFFFFFFFFF", MOST),
    ("-0x8000000000000000", LEAST),
    ("0o17 + 0x1F", 46),
    (".5e1 + 5E-1", 5.5),
    ("1 + 2.0", 3.0),
    ("null + 1", None),
    ("null / 0", None),
    ("-(-5)", 5),
    ("+5.0", 5.0),
    ("1 = 1.0", True),
    ("9007199254740993 = 9007199254740992.0", False),
    ("0.0 = -0.0", True),
]
OVERFLOWS = [
    "9223372036854775807 + 1",
    "-9223372036854775807 - 2",
    "9223372036854775807 * 2",
    "4611686018427387904 * 2",
    "(-9223372036854775807 - 1) / -1",
    "-(-9223372036854775807 - 1)",
    "abs(-9223372036854775807 - 1)",
]
FUNCTIONS = [
    ("round(-1.5)", -1.0),
    ("round(-2.5)", -2.0),
    ("round(0.49999999999999994)", 0.0),
    ("round(4503599627370497.5)", 4503599627370498.0),
    ("ceil(-0.5)", -0.0),
    ("floor(3)", 3.0),
    ("sign(0)", 0),
    ("sign(-2.5)", -1),
    ("sqrt(-1)", NAN),
    ("log(0)", BELOW),
    ("log(-1)", NAN),
    ("exp(1000)", INFINITE),
    ("asin(2)", NAN),
    ("cot(0)", INFINITE),
    ("abs(-0.5)", 0.5),
    ("round(null)", None),
    ("atan2(null, 1)", None),
]
CONVERSIONS = [
    ("toInteger('  42 ')", 42),
    ("toInteger('-1.9e2')", -190),
    ("toInteger('9223372036854775808')", None),
    ("toInteger('9223372036854775807')", MOST),
    ("toInteger('1e300')", None),
    ("toInteger('0x1F')", None),
    ("toInteger('1_000')", None),
    ("toInteger('٣')", None),
    ("toInteger(1e300)", None),
    ("toFloat('.5')", 0.5),
    ("toFloat('1e999')", INFINITE),
    ("toFloat('NaN')", NAN),
    ("toFloat('nan')", None),
    ("toFloat(9223372036854775807)", float(2**63)),
    ("toFloat('')", None),
    ("toBoolean(' False ')", False),
    ("toBoolean('1')", None),
    ("toString(1.0)", "1.0"),
    ("toString(100000000.0)", "1.0E8"),
    ("toString(1234567.0)", "1234567.0"),
    ("toString(0.001)", "0.001"),
    ("toString(0.0001)", "1.0E-4"),
    ("toString(-0.0)", "-0.0"),
    ("toString(0.0 / 0)", "NaN"),
    ("toString(true)", "true"),
    ("'a' + 1.0", "a1.0"),
]


@pytest.mark.parametrize(("expression", "wanted"), [*ARITHMETIC, *FUNCTIONS, *CONVERSIONS])
def test_a_number_is_computed(value, expression, wanted):
    assert value(expression) == written(wanted)


@pytest.mark.parametrize("expression", OVERFLOWS)
def test_an_integer_never_wraps_around(fault, expression):
    assert fault(expression) == ("ArithmeticError", "runtime", "IntegerOverflow")


@pytest.mark.parametrize("expression", ["1 / 0", "1 % 0", "0 / 0", "x / (x - 1)"])
def test_an_integer_is_not_divided_by_zero(fault, expression):
    assert fault(expression, "UNWIND [1] AS x") == ("ArithmeticError", "runtime", "DivisionByZero")


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("9223372036854775808", "IntegerOverflow"),
        ("-9223372036854775809", "IntegerOverflow"),
        ("0x8000000000000000", "IntegerOverflow"),
        ("1.8e308", "FloatingPointOverflow"),
        ("12ab", "InvalidNumberLiteral"),
    ],
)
def test_a_literal_that_is_no_number_is_refused(fault, expression, code):
    assert fault(expression) == ("SyntaxError", "compile time", code)


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("sum(x)", 6.5),
        ("avg(x)", 6.5 / 3),
        ("count(DISTINCT x)", 3),
        ("min(x)", 1),
        ("max(x)", 3),
        ("percentileCont(x, 0)", 1.0),
        ("percentileCont(x, 1)", 3.0),
        ("percentileDisc(x, 0.0)", 1),
        ("percentileDisc(x, 0.5)", 2.5),
        ("percentileDisc(x, 1)", 3),
        ("stDev(x)", pytest.approx(1.0408, abs=1e-4)),
    ],
)
def test_an_aggregate_skips_nulls(built, value, expression, wanted):
    found = value(expression, "UNWIND [1, null, 2.5, 3] AS x")
    assert found == written(wanted) if not hasattr(wanted, "abs") else float(found) == wanted


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("sum(x)", 0),
        ("avg(x)", None),
        ("max(x)", None),
        ("collect(x)", []),
        ("count(x)", 0),
        ("stDev(x)", 0.0),
        ("stDevP(x)", 0.0),
        ("percentileCont(x, 0.5)", None),
        ("percentileDisc(x, 0.5)", None),
    ],
)
@pytest.mark.parametrize("before", ["UNWIND [] AS x", "UNWIND [null, null] AS x"])
def test_an_aggregate_of_nothing(value, expression, wanted, before):
    assert value(expression, before) == written(wanted)


@pytest.mark.parametrize("fraction", ["-0.1", "1.1", "1000", "0.0 / 0"])
@pytest.mark.parametrize("function", ["percentileCont", "percentileDisc"])
def test_a_percentile_is_a_part_of_one(fault, function, fraction):
    wanted = ("ArgumentError", "runtime", "NumberOutOfRange")
    assert fault(f"{function}(x, {fraction})", "UNWIND [1] AS x") == wanted


def test_rand_is_another_number_each_time_and_says_so(built):
    result = built.ask("ann", "UNWIND range(1, 50) AS x RETURN rand() AS r", AMPLE)
    numbers = {number for (number,) in result.rows}
    assert len(numbers) > 45
    assert all(isinstance(number, float) and 0 <= number < 1 for number in numbers)
    assert any("rand()" in warning for warning in result.warnings)


def test_a_sum_that_does_not_fit_is_an_error(fault):
    before = "UNWIND [9223372036854775807, 1] AS x"
    assert fault("sum(x)", before) == ("ArithmeticError", "runtime", "IntegerOverflow")
    assert fault("sum(x)", "UNWIND [1, 'a'] AS x") == ("TypeError", "runtime", "InvalidArgumentType")
