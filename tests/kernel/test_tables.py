"""Values, tables and notes as text and as HTML."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens_kernel.formats import csv_text, json_text
from lens_kernel.notes import headline, notes
from lens_kernel.tables import CELL, html_table, html_text, text_table
from lens_kernel.text import clean, shorten, show, width
from lens_runtime.cuts import Cut
from lens_runtime.evaluation.temporal.values import Date
from lens_runtime.graph import Coordinate, Node, Path, Provenance, Relationship
from lens_runtime.hydration import Freshness

TAGS = {"div", "table", "thead", "tbody", "tr", "th", "td", "p", "ul", "li"}


def node(entity_id: str, label: str, kind: str = "Case") -> Node:
    return Node(entity_id, Coordinate("m", kind, entity_id), "1", label, "internal", None)


def relationship(source: str, target: str, **properties: object) -> Relationship:
    said = Provenance("m", source, "1")
    return Relationship(source + target, "joins", source, target, said, "internal", None, properties)


A, B = node("a", "a first"), node("b", "second", "Party")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (7, "7"),
        (1.0, "1.0"),
        (1e22, "1e+22"),
        (float("nan"), "NaN"),
        (Date.of(1984, 10, 11), "1984-10-11"),
        ([Date.of(1984, 10, 11)], "[1984-10-11]"),
        (float("-inf"), "-Infinity"),
        ("a 'text'", "a 'text'"),
        (["it's", None, 1], "['it\\'s', null, 1]"),
        ({"k": [1.5], "n": None}, "{k: [1.5], n: null}"),
        (A, 'Case a "first"'),
        (node("c", "c"), "Case c"),
        (relationship("a", "b"), "[:joins]"),
        (relationship("a", "b", price=2.5), "[:joins {price: 2.5}]"),
        (Path((A,)), '(Case a "first")'),
        (Path((A, B), (relationship("a", "b"),)), '(Case a "first")-[:joins]->(Party b "second")'),
        (Path((A, B), (relationship("b", "a"),)), '(Case a "first")<-[:joins]-(Party b "second")'),
    ],
)
def test_how_a_value_is_shown(value, shown):
    assert show(value) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, Žofie 你好", "plain, Žofie 你好"),
        ("\x1b]0;owned\x07", "\\x1b]0;owned\\x07"),
        ("\x9b31m", "\\u{9b}31m"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\u202egpj.exe", "\\u{202e}gpj.exe"),
        ("ad\u200bmin\ufeff", "ad\\u{200b}min\\u{feff}"),
        ("x\ufe0f\U000e0041\u3164", "x\\u{fe0f}\\u{e0041}\\u{3164}"),
        ("\u2028", "\\u{2028}"),
    ],
)
def test_what_hides_is_made_visible(text, shown):
    assert clean(text) == shown


@given(st.text())
def test_no_text_reaches_a_terminal_that_it_would_obey(text):
    shown = clean(text)
    assert all(character.isprintable() or character == "\u00a0" or character.isspace() for character in shown)
    assert not {"\n", "\r", "\x1b", "\x9b", "\u202e", "\u2066", "\u200f"} & set(shown)


@given(st.text(), st.integers(2, 40))
def test_a_shortened_text_fits(text, most):
    shown = clean(text)
    cut = shorten(shown, most)
    assert width(cut) <= most
    assert cut == shown or (cut.endswith("…") and shown.startswith(cut[:-1]))


class Reading(HTMLParser):
    """Collects the tags and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(attrs)

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture
def one(ana):
    """A result to vary: one column, one row."""
    return ana.query("RETURN 1 AS n")


def read(html: str) -> Reading:
    reading = Reading()
    reading.feed(html)
    return reading


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&lt;b&gt;", "</td></table>"]
)
def test_html_shows_a_hostile_value_and_name_as_text(one, text):
    hostile = replace(one, columns=(text,), rows=((text,), ([text],), (node(text, text),)), warnings=(text,))
    reading = read(html_table(hostile))
    assert reading.tags <= TAGS
    assert reading.attributes <= {("class", "lens-result"), ("scope", "col")}
    assert reading.text.count(text) >= 2
    assert read(html_text(text, text)).tags == {"details", "summary", "pre"}


def test_html_shows_fifty_rows_and_says_how_many_are_left(one):
    many = replace(one, rows=tuple((number,) for number in range(53)))
    html = html_table(many)
    assert html.count("<td>") == 50
    assert "53 rows" in html
    assert "3 more rows not shown" in html
    assert "more row" not in html_table(replace(one, rows=many.rows[:50]))


def test_numbers_stand_on_the_right_and_wide_letters_take_two_columns(one):
    table = text_table(replace(one, columns=("名", "n"), rows=(("你好", 1), ("a", 1_000), (None, None))))
    assert table.splitlines()[:5] == ["名       n", "----  ----", "你好     1", "a     1000", "null  null"]


def test_a_long_value_is_shortened_and_that_is_said(one):
    table = text_table(replace(one, rows=(("x" * 300,),)))
    assert f"{'x' * (CELL - 1)}…" in table
    assert "--format json has them whole" in table


def test_cuts_bounds_and_unknowns_are_told_in_words(one):
    cut = replace(
        one,
        cuts=(Cut("fanout", 50, "along joins at m:Case:a", 105), Cut("source", "helpdesk")),
        bounds={"n": "at least"},
        warnings=("careful",),
        freshness=(Freshness("m", 3, 1),),
    )
    assert headline(cut) == "1 row, incomplete"
    assert notes(cut) == (
        "the module helpdesk did not answer, so what it owns is unknown",
        "the ceiling fanout cut: 50 of 105 visible relationships followed along joins at m:Case:a; raise --fanout",
        "n is a lower bound; the true value may be larger",
        "warning: careful",
    )
    assert "at least 1" in text_table(cut)
    assert "<td>at least 1</td>" in html_table(cut)
    assert "read now: 3 records from m (1 changed since projected)" in text_table(cut)


def test_what_is_withheld_has_no_rows_to_show(one):
    withheld = replace(one, rows=(), withheld=("avg() over rows of which some are missing",))
    assert text_table(withheld).splitlines()[:2] == [
        "no rows can be told, incomplete",
        "withheld: avg() over rows of which some are missing",
    ]
    assert "<table>" not in html_table(withheld)


def test_no_rows_is_an_answer(one):
    assert text_table(replace(one, rows=())).startswith("n\n-\n\n0 rows, complete")


def test_every_output_is_the_same_twice(ana):
    query = (
        'MATCH path = (p:Party {name: "Jana Novak"})<-[r:INVOLVES_PARTY]-(c:Case) RETURN path, r, c, {k: [c]}'
    )
    first, second = ana.query(query), ana.query(query)
    for output in (text_table, html_table, csv_text, json_text):
        assert output(first) == output(second)
