"""Every ceiling's option has its effect, and the words of a cut name the option."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from lens_dsl.budget import LARGEST, Budget
from lens_kernel.ceilings import CEILINGS, budget_from

HUB = 'MATCH (p:Party {name: "Northgate Cycles Ltd"})<-[:INVOLVES_PARTY]-(c:Case)'
ROWS = f"{HUB} RETURN c.id"
OPEN = f'{HUB} WHERE c.status = "open" RETURN c.id'


@pytest.mark.parametrize(
    ("query", "options", "ceiling"),
    [
        (ROWS, ("--fanout", "5"), "fanout"),
        (OPEN, ("--window", "10"), "window"),
        (ROWS, ("--max-nodes", "10", "--fanout", "200"), "nodes"),
        (ROWS, ("--max-edges", "10", "--fanout", "200", "--max-nodes", "200"), "edges"),
        (ROWS, ("--max-rows", "2"), "rows"),
        (ROWS, ("--max-steps", "3"), "steps"),
    ],
)
@pytest.mark.promise("P42")
def test_a_ceiling_that_cuts_is_named_with_its_option(lens, query, options, ceiling):
    ran = lens("query", "able", query, *options, "--format", "json")
    answer = json.loads(ran.out)
    cuts = [cut for cut in answer["truncation"]["cuts"] if cut["ceiling"] == ceiling]
    assert cuts
    assert options[0] in cuts[0]["message"]
    assert cuts[0]["limit"] == int(options[1])
    assert len(answer["rows"]) < 50


@pytest.mark.parametrize(
    ("query", "options", "code", "told"),
    [
        (f"{HUB}-[:ORIGINATED_FROM_CONVERSATION]->(m) RETURN m.id", ("--depth", "1"), 1, "--depth"),
        (ROWS, ("--max-reader-calls", "1"), 1, "--max-reader-calls"),
        (ROWS, ("--timeout", "0.000001"), 3, "--timeout"),
        ("MATCH (p:Party) RETURN p.id", (), 1, "--allow-scan"),
        (ROWS, ("--fanout", "0"), 1, "fanout"),
        (ROWS, ("--max-nodes", "many"), 2, "--max-nodes"),
    ],
)
def test_a_ceiling_that_refuses_says_so(lens, query, options, code, told):
    ran = lens("query", "able", query, *options)
    assert (ran.code, ran.out) == (code, "")
    assert told in ran.err


def test_a_scan_that_is_allowed_is_marked(lens):
    ran = lens("query", "able", "MATCH (p:Party) RETURN p.id LIMIT 2", "--allow-scan")
    assert ran.code == 0
    assert "the query started from a bounded scan, not from a key" in ran.out


def test_every_ceiling_has_an_option_but_for_the_anchors():
    named = {one.field for one in CEILINGS}
    assert named == LARGEST.keys() - {"anchors"}
    assert named | {"anchors", "allow_scan", "clamp_unbounded"} == {field.name for field in fields(Budget)}


def test_options_make_a_budget():
    assert budget_from({}) == Budget()
    given = {"depth": 2, "seconds": 1.5, "fanout": None, "allow_scan": True, "world": "able"}
    assert budget_from(given) == Budget(depth=2, seconds=1.5, allow_scan=True)
