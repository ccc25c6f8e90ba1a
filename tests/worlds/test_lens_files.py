"""Every fault of a lens's two files is reported with file, line and field."""

from __future__ import annotations

import pytest

from lens_runtime.worlds.folder import check_world, load_world
from tests.lenses.shop import Shop

LENS, QUERY = "lenses/work/lens.yml", "lenses/work/query.lens"
BROKEN = [
    (LENS, "name: work", "name: play", 1, "name", "its folder is called 'work'"),
    (LENS, "purpose: Decide about a ticket.\n", "", 1, "purpose", "is missing: which decision"),
    (LENS, "max_nodes: 12", "max_nods: 12", 9, "max_nods", "did you mean max_nodes or"),
    (LENS, "max_nodes: 12", "max_nodes: 0", 9, "max_nodes", "greater than or equal to 1"),
    (LENS, "[Ticket, Person]", "[Ticket, Persn]", 4, "subject_kinds[1]", "did you mean Person?"),
    (LENS, "type: follows", "type: folows", 7, "allow[1].type", "did you mean follows?"),
    (LENS, "dir: both", "dir: up", 6, "allow[0].dir", "should be 'out', 'in' or 'both'"),
    (LENS, "{Person: 2}", "{Persn: 2}", 12, "weights.Persn", "no kind 'Persn'"),
    (LENS, ":ASKED_BY]->(:Person)", ":ASKED]->(:Person)", 14, "expect[0].pattern", "UnknownRelationshipType"),
    (
        LENS,
        ":ASKED_BY]->(:Person)",
        ":MENTIONS]->(:Ticket)",
        14,
        "expect[0].pattern",
        "no Ticket or Person can",
    ),
    (
        LENS,
        "subject.state = 'open'",
        "subject.text = 'x'",
        16,
        "next_actions[0].when",
        "no authoritative field",
    ),
    (LENS, "name: desk.close", "name: close", 16, "next_actions[0].name", "module.tool"),
    (
        QUERY,
        "by = (subject)-[:ASKED_BY]->",
        "by = (subject)-[:LIKES]->",
        2,
        "(for a Ticket)",
        "UnknownRelationship",
    ),
    (QUERY, "(subject)-[:FOLLOWS*1..2]->", "(subject)<-[:FOLLOWS]-", 4, "(for a Ticket)", "AgainstLens"),
    (QUERY, "collect(asked) AS tickets", "count(asked) AS n", 9, "(for a Ticket)", "LensColumn"),
    (QUERY, "MATCH (subject", "MTCH (subject", 1, "(for a Ticket)", "UnexpectedSyntax"),
]


@pytest.mark.promise("P35", "P36")
@pytest.mark.parametrize(("file", "old", "new", "line", "field", "message"), BROKEN)
def test_a_fault_is_reported_where_it_stands(tmp_path, file, old, new, line, field, message):
    shop = Shop(tmp_path)
    shop.write()
    path = shop.folder / file
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    world, findings = check_world(shop.folder)
    assert world is None
    found = [(each.file, each.line, each.field) for each in findings]
    assert (file, line, field) in found
    assert any(message in each.message for each in findings), [str(each) for each in findings]


def test_a_lens_without_its_query_is_a_fault(tmp_path):
    shop = Shop(tmp_path)
    shop.write()
    (shop.folder / QUERY).unlink()
    assert [str(each) for each in check_world(shop.folder)[1]] == [
        f"{QUERY}:1: (file): cannot be read: there is no such file"
    ]


@pytest.mark.promise("P47")
def test_a_world_knows_its_lenses(tmp_path):
    from lens_runtime.settings import Settings
    from lens_runtime.worlds.address import find_world

    shop = Shop(tmp_path)
    shop.write()
    assert list(load_world(shop.folder).lenses) == ["work"]
    able = load_world(find_world("able", Settings()))
    assert sorted(able.lenses) == ["customer_history", "outcome_investigation", "support_decision"]
