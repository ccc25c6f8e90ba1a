from __future__ import annotations

import pytest

from lens_dsl.errors import SyntaxProblem, UnsupportedFeature
from lens_dsl.parser import parse


@pytest.mark.promise("P45")
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("CREATE (n)", "CREATE"),
        ("MATCH (n) SET n.x = 1", "SET"),
        ("MATCH (n) DETACH DELETE n", "DETACH"),
        ("MATCH (n) WHERE n.x DELETE n", "DELETE"),
        ("MERGE (n) RETURN n", "MERGE"),
        ("MATCH (n) REMOVE n.x", "REMOVE"),
        ("FOREACH (x IN [1] | SET a.x = x)", "FOREACH"),
        ("RETURN 1 UNION CREATE (n)", "CREATE"),
        ("MATCH (n) WHERE exists { CREATE (m) } RETURN n", "CREATE"),
        ("MATCH (n) WHERE exists { MATCH (m) SET m.x = 1 RETURN m } RETURN n", "SET"),
    ],
)
def test_writes_are_refused_as_such(text, place):
    with pytest.raises(UnsupportedFeature) as caught:
        parse(text)
    error = caught.value
    assert error.span is not None
    assert (error.code, text[error.span.start : error.span.end], error.text) == ("ReadOnly", place, text)
    assert place in error.message
    assert error.hint


@pytest.mark.parametrize(
    ("text", "place", "named"),
    [
        ("CALL db.labels()", "CALL", "CALL"),
        ("MATCH (n) CALL { RETURN 1 } RETURN n", "CALL", "CALL"),
        ("LOAD CSV FROM 'x' AS row RETURN row", "LOAD", "LOAD CSV"),
        ("USE g MATCH (n) RETURN n", "USE", "USE"),
        ("MATCH p = shortestPath((a)-[*]-(b)) RETURN p", "shortestPath", "shortestPath"),
        ("MATCH allShortestPaths((a)-[*]-(b)) RETURN a", "allShortestPaths", "allShortestPaths"),
        ("RETURN shortestPath((a)-[*]-(b))", "shortestPath", "shortestPath"),
        ("MATCH ANY SHORTEST (a)-->(b) RETURN a", "ANY", "path selector"),
        ("MATCH ((a)-[:R]->(b)){1,3} RETURN a", "(", "quantified"),
        ("MATCH (a)-[:R]->{1,3}(b) RETURN a", "{", "quantified"),
        ("MATCH (a)-[:R]->+(b) RETURN a", "+", "quantified"),
        ("MATCH (a)-->+(b) RETURN a", "-", "quantified"),
        ("RETURN apoc.coll.max([1])", "apoc.coll.max", "apoc.coll.max"),
        ("MATCH (a:A&B) RETURN a", "&", "'&'"),
        ("MATCH (a:!A) RETURN a", "!", "'!'"),
        ("MATCH (a:%) RETURN a", "%", "'%'"),
        ("MATCH (a:(A|B)) RETURN a", "(", "'('"),
        ("MATCH (a)-[:!R]->(b) RETURN a", "!", "'!'"),
        ("MATCH (a) WHERE a:A&B RETURN a", "&", "'&'"),
        ("MATCH (a WHERE a.x = 1) RETURN a", "WHERE", "WHERE"),
        ("MATCH (a)-[r WHERE r.x]->(b) RETURN a", "WHERE", "WHERE"),
        ("RETURN CASE a WHEN 1, 2 THEN 3 END", ",", "several values in one WHEN"),
        ("RETURN a IS :: INTEGER", ":", "type"),
        ("RETURN a IS NOT TYPED INTEGER", "TYPED", "type"),
        ("RETURN count { (a)-->(b) }", "count", "COUNT { }"),
        ("RETURN COLLECT { MATCH (a) RETURN a }", "COLLECT", "COLLECT { }"),
    ],
)
def test_other_features_are_refused_by_name(text, place, named):
    with pytest.raises(UnsupportedFeature) as caught:
        parse(text)
    error = caught.value
    assert error.span is not None
    assert (error.code, text[error.span.start :][: len(place)]) == ("UnsupportedFeature", place)
    assert named in error.message
    assert error.hint


@pytest.mark.parametrize("text", ["RETURN a && b", "RETURN a.b SET", "RETURN (a", "MATCH (set) WITH set"])
def test_what_is_merely_wrong_is_not_called_unsupported(text):
    with pytest.raises(SyntaxProblem):
        parse(text)
