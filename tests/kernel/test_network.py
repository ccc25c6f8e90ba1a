"""What a picture shows, and the static picture: the same every time, bounded, and without anything that runs."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from lens_dsl.budget import Budget
from lens_kernel.displays import graph_view, result_bundle
from lens_kernel.layout import layout
from lens_kernel.network import DRAWN, DRAWN_RELATIONSHIPS, PALETTE, Dot, Line, Network, network_of
from lens_kernel.svg import img, svg
from lens_runtime.graph import Coordinate, Node, Provenance, Relationship
from lens_runtime.result import Result
from lens_runtime.session import Session

HOSTILE = "</title><script>alert(1)</script>\"' onload=alert(1) \u202e\u2028\x00&"
STAR = 'MATCH path = (:Party {name: "Northgate Cycles Ltd"})<-[:INVOLVES_PARTY]-(:Case) RETURN path'
NAMESPACE = "{http://www.w3.org/2000/svg}"


def node(number: int, kind: str = "Case", label: str = "", **more: object) -> Node:
    at = Coordinate("helpdesk", kind, f"c-{number}")
    return Node(
        f"n{number}", at, "2", label or f"case {number}", "internal", None, {"id": f"c-{number}", **more}
    )


def relationship(source: int, target: int, type_: str = "follows") -> Relationship:
    said = Provenance("helpdesk", f"c-{source}", "1")
    return Relationship(
        f"{type_}-{source}-{target}", type_, f"n{source}", f"n{target}", said, "internal", None
    )


@pytest.fixture
def empty(ana: Session) -> Result:
    """A result without rows, to put some into."""
    return ana.query('MATCH (c:Case {id: "no such case"}) RETURN c')


@pytest.fixture
def result(empty: Result) -> Callable[..., Result]:
    """A result with these values in its rows."""

    def with_values(*values: object) -> Result:
        return replace(empty, rows=tuple((value,) for value in values))

    return with_values


def distances(places: list[tuple[float, float]]) -> list[float]:
    return [
        ((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5
        for number, (x, y) in enumerate(places)
        for other_x, other_y in places[:number]
    ]


@pytest.mark.parametrize(
    ("count", "joined"),
    [
        (1, []),
        (7, []),
        (2, [(0, 1)]),
        (60, [(0, far) for far in range(1, 60)]),
        (40, [(near, (near + 1) % 40) for near in range(40)]),
        (31, [((far - 1) // 2, far) for far in range(1, 31)]),
        (12, [(one, other) for one in range(12) for other in range(12)]),
    ],
    ids=["one", "apart", "pair", "star", "circle", "tree", "all with all"],
)
def test_no_two_records_stand_on_each_other(count, joined):
    places = layout(count, joined)
    assert len(places) == count
    assert min(distances(places), default=1) > 0.9
    assert places == layout(count, joined)


def test_the_middle_of_what_hangs_together_stands_in_the_middle():
    places = layout(9, [(0, 4), (1, 4), (2, 4), (4, 3), (3, 5), (3, 6), (3, 7), (3, 8)])
    assert distances([places[3], places[4]])[0] == pytest.approx(1.9)


def test_a_result_is_drawn_by_its_records_and_relationships(ana):
    network = network_of(
        ana.query('MATCH (c:Case {id: "c-1501"})-[r:INVOLVES_PARTY]->(p:Party) RETURN c, r, p')
    )
    assert [dot.kind for dot in network.dots] == ["Case", "Party"]
    assert [(line.source, line.target, line.type) for line in network.lines] == [(0, 1, "involves_party")]
    assert ("status", "open") in network.dots[0].facts
    assert network.summary == "Graph of 1 Case, 1 Party; 1 involves_party"
    assert network.notes == ()


def test_a_relationship_alone_is_drawn_between_coordinates(ana):
    network = network_of(ana.query('MATCH (:Case {id: "c-1501"})-[r:INVOLVES_PARTY]->(:Party) RETURN r'))
    case = next(dot for dot in network.dots if dot.kind == "Case")
    assert (case.label, case.coordinate, case.facts) == ("c-1501", "helpdesk:Case:c-1501", ())
    assert [network.dots[line.target].kind for line in network.lines] == ["Party"]


def test_a_kind_has_the_same_colour_in_every_picture(ana, result):
    one = network_of(ana.query('MATCH (c:Case {id: "c-1501"}) RETURN c'))
    both = network_of(result(node(1, "Party"), node(2, "Case"), node(3, "NoKindOfThisWorld")))
    colours = {kind: colour for kind, colour, _ in both.legend}
    assert colours["Case"] == one.dots[0].colour
    assert len(set(colours.values())) == 3
    assert set(colours.values()) < set(PALETTE)


def test_an_edge_at_a_record_that_changed_is_stale(result):
    moved = Node(**{**{f: getattr(node(2), f) for f in Node.__slots__}, "projected_revision": "1"})
    network = network_of(result(node(1), moved, node(3), relationship(1, 2), relationship(1, 3)))
    assert [line.style for line in network.lines] == ["stale", "unverified"]
    assert "stroke-dasharray" in svg(network)


def test_at_most_300_records_are_drawn_and_the_rest_is_counted(result):
    network = network_of(result(*map(node, range(700)), *(relationship(0, far) for far in range(1, 700))))
    assert len(network.dots) == DRAWN
    assert network.notes == (
        "the first 300 of 700 records are drawn; a LIMIT gives fewer",
        "400 relationships of 699 not drawn",
    )
    assert len(img(network)) < 80_000


def test_many_relationships_between_few_records_are_bounded_too(result):
    pairs = [relationship(a, b, type_) for a in range(40) for b in range(40) for type_ in ("x", "y")]
    network = network_of(result(*map(node, range(40)), *pairs))
    assert len(network.lines) == DRAWN_RELATIONSHIPS
    assert "2,300 relationships of 3,200 not drawn" in network.notes


def test_above_2000_records_there_is_no_picture_and_the_way_to_one_is_told(result):
    network = network_of(result(*map(node, range(2_001))))
    assert network.dots == ()
    assert "2,001 records are too many for a picture" in network.notes[0]
    assert "--max-nodes" in str(graph_view(result(*map(node, range(2_001)))))


def test_hostile_text_is_text(result):
    shown = result(node(1, HOSTILE, HOSTILE, **{HOSTILE: HOSTILE}), node(2), relationship(1, 2, HOSTILE))
    network = network_of(shown)
    root = ElementTree.fromstring(svg(network))
    allowed = {"svg", "title", "rect", "circle", "path", "text", "marker"}
    assert {element.tag.removeprefix(NAMESPACE) for element in root.iter()} <= allowed
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]
    assert "\u202e" not in svg(network)
    assert "\u2028" not in svg(network)
    tags: list[tuple[str, list[tuple[str, str | None]]]] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append((tag, attrs))  # type: ignore[method-assign]
    parser.feed(img(network))
    assert [(tag, [name for name, _ in attrs]) for tag, attrs in tags] == [("img", ["alt", "src"])]


def test_a_cell_shows_the_picture_as_an_image_with_words_for_it(ana):
    html = str(result_bundle(ana.query(STAR, budget=Budget(fanout=5)))["text/html"])
    found = re.findall(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)">', html)
    assert [alt for alt, _ in found] == ["Graph of 5 Case, 1 Party; 5 involves_party"]
    assert base64.b64decode(found[0][1]).decode() in svg(network_of(ana.query(STAR, budget=Budget(fanout=5))))
    assert "<script" not in html


def test_rows_without_relationships_have_no_picture(ana):
    result = ana.query('MATCH (c:Case {id: "c-1501"}) RETURN c')
    assert "<img" not in str(result_bundle(result)["text/html"])
    assert str(graph_view(result)) == "Graph of 1 Case; no relationships"


def test_a_record_joined_to_itself_is_drawn():
    one = Dot("Case", "x", "m:Case:x", PALETTE[0], 0.0, 0.0, ())
    assert svg(Network((one,), (Line(0, 0, "follows", "unverified"),), (("Case", PALETTE[0], 1),), 1, 1))
