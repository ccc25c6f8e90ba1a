"""Words: what a text is searched by, and when a pattern starts from them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens_dsl.budget import Budget
from lens_dsl.errors import OverBudget, SemanticProblem
from lens_dsl.explain import explain
from lens_dsl.ontology import Kind, Ontology, RelationshipType
from lens_dsl.parser import parse
from lens_dsl.planner import plan_query
from lens_dsl.validator import validate
from lens_dsl.words import MAX_TEXT, MAX_WORDS, words, words_sought

WORLD = Ontology(
    kinds={
        "Case": Kind("Case", "desk", keys=("id", "uri"), indexed=("status",), projected=("team",)),
        "Party": Kind("Party", "people", keys=("id",)),
    },
    relationships={"involves": RelationshipType("involves", "desk", ("Case",), ("Party",))},
)


def planned(text):
    return plan_query(validate(parse(text), WORLD, text), WORLD, Budget())


def starts(text):
    """How each anchor is found: by which property, or by search."""
    stages = planned(text).stages
    return [(a.variable, "search" if a.search else a.key) for stage in stages for a in stage.anchors]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Broken wheel, broken", ("broken", "wheel")),
        ("a OR b NEAR(c, 2) NOT* {d}:^e", ("a", "or", "b", "near", "c", "2", "not", "d", "e")),
        ("it's a-b_c", ("it", "s", "a", "b", "c")),
        ("GRÖSSE größe Grosse", ("grosse",)),
        ("É e\u0301 e", ("e",)),
        ("ﬁne x² ⅷ", ("fine", "x2", "viii")),
        ("日本語 テスト", ("日本語", "テスト")),
        ("nul\x00l \ud800half", ("nul", "l", "half")),
        ('"', ()),
        ("", ()),
    ],
)
def test_a_word_is_a_run_of_letters_and_digits(text, expected):
    assert words(text) == expected


@given(st.text(max_size=60))
def test_a_word_holds_nothing_that_an_index_could_take_for_an_operator(text):
    for word in words(text):
        assert word.isalnum()
        assert word.encode()  # no half of a surrogate pair
        assert all(one.islower() or one.isdigit() for one in word if one.isascii())
        assert words(word) == (word,)
    assert words(" ".join(words(text))) == words(text)


def test_a_long_text_is_refused():
    assert len(words_sought(" ".join(f"w{number}" for number in range(MAX_WORDS)))) == MAX_WORDS
    for text in (
        " ".join(f"w{number}" for number in range(MAX_WORDS + 1)),
        "w" * (MAX_TEXT + 1),
        "w " * 10_000,
    ):
        with pytest.raises(OverBudget) as caught:
            words_sought(text)
        assert caught.value.code == "TooManyWords"


@pytest.mark.promise("P23")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH (c:Case) WHERE search(c, 'wheel') RETURN c", [("c", "search")]),
        ("MATCH (c:Case) WHERE SEARCH(c, $t) AND c.team = 'red' RETURN c", [("c", "search")]),
        ("MATCH (c:Case) WHERE c.status = 'open' AND search(c, 'wheel') RETURN c", [("c", "search")]),
        ("MATCH (c:Case {id: 'c1'}) WHERE search(c, 'wheel') RETURN c", [("c", "id")]),
        ("MATCH (c:Case) WHERE search(c, 'wheel') AND c.uri IN $uris RETURN c", [("c", "uri")]),
        ("MATCH (c:Case)-->(p:Party {id: 'p'}) WHERE search(c, 'wheel') RETURN c", [("p", "id")]),
        (
            "MATCH (c:Case)-->(p:Party) WHERE search(p, 'eve') AND search(c, 'wheel') RETURN c",
            [("c", "search")],
        ),
        (
            "MATCH (p:Party {id: 'p'}) MATCH (p)--(c:Case) WHERE search(c, 'wheel') RETURN c",
            [("p", "id")],
        ),
        (
            "MATCH (p:Party {id: 'p'}) WITH p, 'c' AS k MATCH (c:Case {id: k}) WHERE search(c, 'w') RETURN c",
            [("p", "id"), ("c", "id")],
        ),
        (
            "MATCH (p:Party {id: 'p'}) OPTIONAL MATCH (c:Case) WHERE search(c, 'wheel') RETURN c",
            [("p", "id"), ("c", "search")],
        ),
    ],
)
def test_an_exact_identifier_is_used_before_full_text(text, expected):
    assert starts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (c:Case) WHERE NOT search(c, 'wheel') RETURN c",
        "MATCH (c:Case) WHERE search(c, 'wheel') OR c.team = 'red' RETURN c",
        "MATCH (c:Case) WHERE search(c, c.team) RETURN c",
        "MATCH (c:Case) WHERE search(c, 'wheel') = true RETURN c",
        "MATCH (c:Case) RETURN search(c, 'wheel')",
    ],
)
def test_only_a_required_search_for_a_constant_is_a_start(text):
    with pytest.raises(OverBudget) as caught:
        planned(text)
    assert caught.value.code == "NoAnchor"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("MATCH (c:Case) WHERE search(c, 3) RETURN c", "InvalidArgumentType"),
        ("MATCH (c:Case) WHERE search(c, c) RETURN c", "InvalidArgumentType"),
        ("MATCH (c:Case {id: 'c'}) RETURN search('c', 'wheel')", "InvalidArgumentType"),
        ("MATCH (c:Case) WHERE search(c) RETURN c", "InvalidNumberOfArguments"),
        ("MATCH (c:Case) WHERE search('wheel') RETURN c", "InvalidNumberOfArguments"),
        ("MATCH (c:Case) WHERE search(c, 'a', 'b') RETURN c", "InvalidNumberOfArguments"),
        ("MATCH (c:Case) WHERE search(d, 'a') RETURN c", "UndefinedVariable"),
    ],
)
def test_a_search_that_means_nothing_is_refused_where_it_stands(text, code):
    with pytest.raises(SemanticProblem) as caught:
        planned(text)
    assert caught.value.code == code
    assert caught.value.span is not None


def test_the_plan_says_that_full_text_is_asked():
    text = "MATCH (c:Case)-[:involves]->(p) WHERE search(c, $t) AND c.team = 'red' RETURN c"
    (stage,) = explain(planned(text), WORLD).stages
    assert stage.begins == "two round trips to the store: full text first"
    assert (stage.operators[0].name, stage.operators[0].text) == (
        "TextSeek",
        "c:Case by the words of $t, the 200 newest of them",
    )
    assert {d.predicate: d.decided for d in stage.decisions} == {
        "search(c, $t)": "sought in full text, decided again after hydration",
        "c.team = 'red'": "after hydration",
    }
