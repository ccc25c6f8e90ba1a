"""Paths, templates and values: what a mapping may write, and what it gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens_runtime.adapters.columns import typed
from lens_runtime.adapters.mapping import (
    MappingFault,
    Row,
    content_hash,
    cut,
    expression,
    identifier,
    language_value,
    moment,
    template,
    walk,
)
from lens_runtime.worlds.document import read_document
from lens_runtime.worlds.modules import ColumnType
from lens_runtime.worlds.templates import Template, TemplateFault

DATA = {
    "shop": {
        "a": {"id": 1, "lines": [{"sku": "x", "tags": ["red", "old"]}, {"sku": "y", "tags": None}]},
        "b": {"id": 2, "lines": []},
        "c": {"id": 3},
    }
}


def taken(each: str, *paths: str) -> list[list[object]]:
    return [[expression(path, columns=False)(row) for path in paths] for row in walk(DATA, each)]


def test_a_path_walks_lists_and_maps_in_their_order():
    assert taken("shop.*", "id", "@", "missing", "lines.sku") == [
        [1, "a", None, None], [2, "b", None, None], [3, "c", None, None],
    ]  # fmt: skip
    assert taken("shop.*.lines.*", "sku", "@", "^.id", "^.@") == [["x", 0, 1, "a"], ["y", 1, 1, "a"]]
    assert taken("shop.*.lines.*.tags.*", ".", "^.sku", "^.^.id") == [["red", "x", 1], ["old", "x", 1]]


def test_a_template_sees_columns_parent_and_key():
    rows = list(walk(DATA, "shop.*.lines.*"))
    assert expression("{{ parent.id }}/{{ key }}/{{ sku }}", columns=False)(rows[1]) == "1/1/y"
    assert template("plain.text")(rows[0]) == "plain.text"


@pytest.mark.parametrize(
    ("each", "path"),
    [("shp.*", "id"), ("shop.*.id.*", "."), ("shop.*", "^.^.id"), ("shop.*.lines.*", "{{ nothing }}")],
)
def test_a_path_that_leads_nowhere_is_a_fault(each, path):
    with pytest.raises((MappingFault, TemplateFault)):
        taken(each, path)


@pytest.mark.parametrize(
    "text",
    [
        "{{ ''.__class__.__mro__ }}", "{{ items.append(1) }}", "{{ self.__init__.__globals__ }}", "{{ range(9) }}",
        "{{ lipsum() }}", "{{ items | random }}", "{% include 'x' %}", "{{ items.nope.more }}", "{{ 1 / 0 }}",
    ],
)  # fmt: skip
def test_a_template_reaches_nothing_but_its_values(text):
    with pytest.raises(TemplateFault):
        Template(text).render({"items": [1, 2]})


def test_a_template_writes_null_as_nothing_and_escapes_nothing():
    assert Template("{{ a }}<{{ b }}>").render({"a": None, "b": "&"}) == "<&>"


def test_a_failing_template_does_not_show_the_value():
    with pytest.raises(TemplateFault) as caught:
        Template("{{ a[b] }}").render({"a": {}, "b": "secret-value"})
    assert "secret-value" not in str(caught.value)


@pytest.mark.parametrize(
    "value", [None, True, 0, -(2**63), 2**63 - 1, 1.5, "é", [1, [None]], {"a": {"b": []}}]
)
def test_values_of_the_language_stay_what_they_are(value):
    assert language_value(value, "f") == value
    assert type(language_value(value, "f")) is type(value)


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, b"x", {1, 2}, [2**64], {"a": b""}])
def test_other_values_are_refused_by_field(value):
    with pytest.raises(MappingFault, match="'f'"):
        language_value(value, "f")


@pytest.mark.parametrize(("value", "text"), [("a", "a"), (5, "5"), (None, None), ("", None)])
def test_an_id_is_text(value, text):
    assert identifier(value) == text


@pytest.mark.parametrize("value", [True, 1.5, [1], {}])
def test_an_id_of_another_type_is_refused(value):
    with pytest.raises(MappingFault):
        identifier(value)


@pytest.mark.parametrize(
    ("value", "milliseconds"),
    [
        ("1970-01-01T00:00:01Z", 1_000),
        ("1970-01-01", 0),
        ("1970-01-01T01:00:00+01:00", 0),
        (5, 5),
        (None, None),
    ],
)
def test_a_moment_is_milliseconds_of_utc(value, milliseconds):
    assert moment(value, "f") == milliseconds


@pytest.mark.parametrize("value", ["soon", True, 1.5])
def test_what_is_no_moment_is_refused(value):
    with pytest.raises(MappingFault, match="'f'"):
        moment(value, "f")


def test_cells_take_their_declared_types():
    types: dict[str, ColumnType] = {"a": "int", "b": "float", "c": "bool", "d": "json", "e": "int"}
    cells = {"a": "7", "b": "1e2", "c": "No", "d": "[1]", "e": "", "f": ""}
    assert typed(cells, types) == {"a": 7, "b": 100.0, "c": False, "d": [1], "e": None, "f": ""}


@pytest.mark.parametrize(
    ("cell", "wanted"), [("x1", "int"), ("x1", "float"), ("x1", "bool"), ("{x1", "json")]
)
def test_a_cell_of_another_type_is_refused_without_its_value(cell, wanted):
    with pytest.raises(MappingFault) as caught:
        typed({"a": cell}, {"a": wanted})
    assert "'a'" in str(caught.value)
    assert "x1" not in str(caught.value)


@given(st.text(max_size=30), st.integers(min_value=1, max_value=20))
def test_a_cut_text_is_a_beginning_within_the_limit(text, limit):
    short = cut(text, limit)
    assert len(short) <= limit
    assert short == text or text.startswith(short[:-1])


def test_the_hash_of_a_record_follows_its_content_and_not_its_order():
    assert content_hash({"a": 1, "b": [2]}) == content_hash({"b": [2], "a": 1})
    assert content_hash({"a": 1}) != content_hash({"a": "1"})
    assert content_hash({"a": b"\x00"}) != content_hash({"a": b"\x01"})


def test_words_that_older_yaml_takes_for_something_else_are_text(tmp_path):
    (tmp_path / "x.yml").write_text("on: no\nday: 2026-06-30\nyes: [off, true, 5]\n", encoding="utf-8")
    document = read_document(tmp_path / "x.yml", "x.yml")
    assert document.value == {"on": "no", "day": "2026-06-30", "yes": ["off", True, 5]}
    assert document.findings == []


def test_the_record_above_is_known_only_inside_one():
    assert next(walk({"a": [1]}, "a.*")) == Row(1, 0, None)
