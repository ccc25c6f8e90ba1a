"""producers/*.yml: every fault with file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from lens_dsl.errors import ConfigurationError
from lens_runtime.worlds.folder import check_world, load_world
from tests.aggregation.shelf import FILES

FILE = "producers/summaries.yml"


def written(folder: Path, **changed: str) -> Path:
    changes = {name.replace("__", "/") + ".yml": text for name, text in changed.items()}
    for name, text in {**FILES, "shelf.json": "{}", **changes}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def found(folder: Path, old: str, new: str) -> list[str]:
    assert FILES[FILE].count(old) >= 1, old
    return [
        str(one)
        for one in check_world(written(folder, producers__summaries=FILES[FILE].replace(old, new, 1)))[1]
    ]


@pytest.mark.promise("P73")
def test_a_sound_file_declares_its_producers(tmp_path: Path) -> None:
    first, second = load_world(written(tmp_path)).producers
    assert (first.name, first.edge_type, first.kept) == ("docSummary", "HAS_SUMMARY", True)
    assert (first.collect.via, first.collect.incoming, first.collect.anchor_key) == (
        ("PART_OF",),
        True,
        "uri",
    )
    assert (first.reduce.using, first.reduce.into, first.reduce.role) == (
        "summarize",
        "summary",
        "summarizer",
    )
    assert first.reduce.args == ("Summarize this document faithfully.",)
    assert (first.identity_field, first.anchor_key_field) == ("id", "docUri")
    assert second.collect.anchor_key is None


REQUIRED = {
    "edgeType": "  edgeType: HAS_SUMMARY\n",
    "collect.targetLabel": "    targetLabel: Chunk\n",
    "collect.via": "    via: PART_OF\n",
    "collect.text": '    text: "{{ text }}"\n',
    "reduce.using": "using: summarize, ",
    "reduce.into": "into: summary, ",
    "identityField": "  identityField: id\n",
    "anchorKeyField": "  anchorKeyField: docUri\n",
}


@pytest.mark.promise("P73")
@pytest.mark.parametrize("field", REQUIRED)
def test_what_a_producer_must_declare_is_named_where_it_is_missing(tmp_path: Path, field: str) -> None:
    faults = found(tmp_path, REQUIRED[field], "")
    assert [fault for fault in faults if f"[0].{field}: is missing: " in fault], faults


@pytest.mark.promise("P74")
@pytest.mark.parametrize("cache", ["graph", "none", None])
@pytest.mark.parametrize("kind", ["lookup", "extract", "search", "aggregate"])
def test_only_an_aggregate_may_be_kept_in_the_graph(tmp_path: Path, kind: str, cache: str | None) -> None:
    """There is no other kind of producer here: each is a fault, whether it would be kept or not."""
    first, second = FILES[FILE].split("- name: profile")
    kept = "" if cache is None else f"  cache: {{kind: {cache}}}\n"
    first = first.replace("kind: aggregate", f"kind: {kind}").replace("  cache: {kind: graph}\n", kept)
    folder = written(tmp_path, producers__summaries=f"{first}- name: profile{second}")
    if kind == "aggregate":
        assert load_world(folder).producers[0].kept == (cache == "graph")
        return
    assert str(check_world(folder)[1][0]) == f"{FILE}:2: [0].kind: should be 'aggregate'"
    with pytest.raises(ConfigurationError, match="InvalidWorld"):
        load_world(folder)


@pytest.mark.promise("P133")
def test_a_producer_that_names_a_label_is_refused(tmp_path: Path) -> None:
    faults = found(tmp_path, "  identityField: id", "  label: Summary\n  identityField: id")
    assert faults == [f"{FILE}:13: [0].label: the label is the target kind of HAS_SUMMARY: leave it out"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("kind: graph", "kind: redis", "15: [0].cache.kind: should be 'none' or 'graph'"),
        ("using: summarize", "using: sumarize", "12: [0].reduce.using: should be 'summarize'"),
        (
            "  identityField: id\n",
            "",
            "1: [0].identityField: is missing: the property that holds the node's id",
        ),
        ("orderBy", "ordrBy", "11: [0].collect.ordrBy: unknown field; did you mean orderBy?"),
        ("edgeType: HAS_SUMMARY", "edgeType: HAS_SUMARY", "3: [0].edgeType: there is no relationship type"),
        ("edgeType: HAS_SUMMARY", "edgeType: PART_OF", "3: [0].edgeType: PART_OF is not virtual"),
        (
            "via: PART_OF",
            "via: PART_OF | PRAT_OF",
            "6: [0].collect.via: there is no relationship type 'PRAT_OF'",
        ),
        ("via: PART_OF", "via: HAS_PROFILE", "6: [0].collect.via: HAS_PROFILE is virtual itself"),
        (
            "    incoming: true\n",
            "",
            "6: [0].collect.via: no PART_OF leads from Document to Chunk; perhaps with",
        ),
        (
            "targetLabel: Chunk",
            "targetLabel: Chunks",
            "5: [0].collect.targetLabel: there is no kind 'Chunks'",
        ),
        (
            "anchorLabel: Document",
            "anchorLabel: Person",
            "8: [0].collect.anchorLabel: there is no source kind",
        ),
        (
            "anchorKeyProperty: uri",
            "anchorKeyProperty: title",
            "9: [0].collect.anchorKeyProperty: there is no key of",
        ),
        (
            'text: "{{ text }}"',
            'text: "{{ txt }}"',
            "10: [0].collect.text: names 'txt', which is no property of Chunk",
        ),
        ('text: "{{ text }}"', 'text: "{{ text"', "10: [0].collect.text: the template does not compile"),
        ('text: "{{ text }}"', "text: text", "10: [0].collect.text: must be a template"),
        ("orderBy: [position]", "orderBy: [place]", "11: [0].collect.orderBy[0]: there is no property of"),
        (
            "into: summary",
            "into: sumary",
            "12: [0].reduce.into: there is no declared property of the target kind",
        ),
        (
            "role: summarizer",
            "role: sumarizer",
            "12: [0].reduce.role: there is no role 'sumarizer' in roles.yml",
        ),
        (
            "name: profile",
            "name: docSummary",
            "16: [1].name: a second producer docSummary; the first stands in",
        ),
    ],
)
def test_a_fault_is_reported_with_file_line_and_field(tmp_path: Path, old: str, new: str, fault: str) -> None:
    faults = found(tmp_path, old, new)
    assert any(one.startswith(f"{FILE}:{fault}") for one in faults), faults


def test_a_bad_file_keeps_no_other_from_being_read(tmp_path: Path) -> None:
    faults = check_world(
        written(tmp_path, producers__bad="- {name: [", producers__worse="- {kind: aggregate}")
    )[1]
    assert {one.file for one in faults} == {"producers/bad.yml", "producers/worse.yml"}
    with pytest.raises(ConfigurationError, match="InvalidWorld"):
        load_world(tmp_path)


def test_a_virtual_type_that_nothing_makes_is_a_fault_of_the_ontology(tmp_path: Path) -> None:
    text = FILES["ontology.yml"].replace("producer: docSummary", "producer: docSumary")
    faults = [str(one) for one in check_world(written(tmp_path, ontology=text))[1]]
    (fault,) = faults
    assert "HAS_SUMMARY.producer: there is no producer 'docSumary' in producers/*.yml" in fault


def test_a_promotion_names_a_producer(tmp_path: Path) -> None:
    text = FILES["policy.yml"] + "promote_to_world: [docSumary]\n"
    (fault,) = [str(one) for one in check_world(written(tmp_path, policy=text))[1]]
    assert "promote_to_world[0]: there is no producer 'docSumary'" in fault


def test_a_role_is_checked_too(tmp_path: Path) -> None:
    faults = [str(one) for one in check_world(written(tmp_path, roles="summarizer: {reducer: gpt}\n"))[1]]
    assert faults == ["roles.yml:1: summarizer.reducer: should be 'extractive'"]
