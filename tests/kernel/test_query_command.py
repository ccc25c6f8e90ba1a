"""``lens query``: answers, formats, parameters, actors."""

from __future__ import annotations

import csv
import io
import json

import pytest

CASE = 'MATCH (c:Case {id: "c-1501"}) RETURN c.id, c.subject'
HUB = 'MATCH (p:Party {name: "Northgate Cycles Ltd"})<-[:INVOLVES_PARTY]-(c:Case)'


def test_the_answer_alone_is_on_standard_output(lens):
    ran = lens("query", "able", CASE)
    assert ran.code == 0
    assert ran.err == ""
    assert ran.out == (
        "c.id    c.subject\n"
        "------  ------------------\n"
        "c-1501  Damaged trail bike\n"
        "\n"
        "1 row, complete\n"
        "read now: 1 record from helpdesk\n"
    )


@pytest.mark.promise("P51")
def test_two_actors_get_two_answers_and_neither_hears_of_the_other(lens):
    query = (
        'MATCH (p:Party {name: "Jana Novak"})<-[:INVOLVES_PARTY]-(c:Case) RETURN c.id, c.team ORDER BY c.id'
    )
    ana = lens("query", "able", query, "--as", "agent:ana", "--format", "json")
    ben = lens("query", "able", query, "--as", "agent:ben", "--format", "json")
    assert [row[0] for row in json.loads(ana.out)["rows"]] == ["c-1501", "c-1502"]
    assert [row[0] for row in json.loads(ben.out)["rows"]] == ["c-1503", "c-1504", "c-1505"]
    for hidden in ("c-1503", "c-1504", "c-1505", "c-1506", "billing", "logistics"):
        assert hidden not in ana.out + ana.err
    for ran in (ana, ben):
        assert json.loads(ran.out)["truncation"]["complete"] is True


@pytest.mark.promise("P20")
def test_a_case_is_found_by_words_by_whoever_may_see_it(lens):
    query = "MATCH (c:Case) WHERE search(c, $words) AND c.team = 'returns' RETURN c.id, c.subject"
    asked = ("query", "able", query, "--param", "words=DAMAGED trail-bike 1501", "--format", "json")
    for actor, rows in (("agent:ana", [["c-1501", "Damaged trail bike"]]), ("agent:ben", [])):
        ran = lens(*asked, "--as", actor)
        assert (ran.code, json.loads(ran.out)["rows"]) == (0, rows), ran.err
    plan = lens(*asked[:5], "--explain")
    assert "TextSeek        c:Case by the words of $words, the 200 newest of them" in plan.out


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("open", "open"),
        ('"open"', "open"),
        ("7", 7),
        ("1.5", 1.5),
        ("true", True),
        ("null", None),
        ("[1, [2]]", [1, [2]]),
        ('{"a": "b"}', {"a": "b"}),
        ("NaN", "NaN"),
        ("a=b", "a=b"),
        ("", ""),
    ],
)
def test_a_parameter_is_json_where_it_reads_as_json_else_text(lens, given, value):
    ran = lens("query", "able", "RETURN $budget AS v", "--param", f"budget={given}", "--format", "json")
    assert json.loads(ran.out)["rows"] == [[value]]


@pytest.mark.parametrize("given", ["x", "=1", "x=" + "[" * 60 + "]" * 60, "x=" + "[" * 5000])
def test_a_parameter_that_is_none_is_a_fault_of_the_command_line(lens, given):
    ran = lens("query", "able", "RETURN $x", "--param", given)
    assert (ran.code, ran.out) == (2, "" if ran.code == 2 else ran.out)
    assert "--param" in ran.err


def test_a_parameter_given_twice_is_refused(lens):
    ran = lens("query", "able", "RETURN $x", "--param", "x=1", "--param", "x=2")
    assert ran.code == 2
    assert "x is given twice" in ran.err


def test_a_query_is_read_from_a_file_or_from_standard_input(lens, tmp_path, monkeypatch):
    file = tmp_path / "case.lens"
    file.write_bytes(b"\xef\xbb\xbf" + CASE.encode())
    assert lens("query", "able", "-f", str(file)).out == lens("query", "able", CASE).out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CASE.encode())))
    assert lens("query", "able", "-f", "-").out == lens("query", "able", CASE).out


def test_a_file_that_is_not_there_or_not_text_is_refused(lens, tmp_path):
    assert "cannot be read: No such file" in lens("query", "able", "-f", str(tmp_path / "none")).err
    (tmp_path / "latin").write_bytes(b"RETURN '\xe9'")
    ran = lens("query", "able", "-f", str(tmp_path / "latin"))
    assert ran.code == 2
    assert "is not UTF-8: byte 8" in ran.err


@pytest.mark.parametrize("words", [(), (CASE, "-f", "x")])
def test_the_query_is_given_in_exactly_one_way(lens, words):
    assert lens("query", "able", *words).code == 2


def test_json_is_one_object_with_what_was_cut(lens):
    ran = lens("query", "able", f"{HUB} RETURN c, count(*) AS n", "--fanout", "3", "--format", "json")
    answer = json.loads(ran.out)
    assert answer["columns"] == ["c", "n"]
    assert answer["rows"][0][0]["$node"]["entityType"] == "Case"
    assert len(answer["facts"]) == len(answer["rows"]) == 3
    assert answer["truncation"]["complete"] is False
    assert answer["truncation"]["bounds"] == {"n": "at least"}
    assert [cut["ceiling"] for cut in answer["truncation"]["cuts"]] == ["fanout"]


def test_csv_reads_back_and_its_notes_are_on_standard_error(lens):
    query = (
        "RETURN 'a,\"b\"\n=1' AS text, null AS nothing, [1, 'x'] AS list, 1.0 AS number, true AS truth, "
        "date('1984-10') AS day"
    )
    ran = lens("query", "able", query, "--format", "csv")
    header, row = csv.reader(io.StringIO(ran.out, newline=""))
    assert header == ["text", "nothing", "list", "number", "truth", "day"]
    assert row == ['a,"b"\n=1', "", '[1, "x"]', "1.0", "true", "1984-10-01"]
    assert "\r\n" in ran.out
    assert ran.err == ""
    cut = lens("query", "able", f"{HUB} RETURN c.id", "--fanout", "3", "--format", "csv")
    assert len(list(csv.reader(io.StringIO(cut.out)))) == 4
    assert "raise --fanout" in cut.err


def test_explain_reads_nothing_and_names_every_ceiling(lens, own_home):
    query = f'{HUB} WHERE c.priority = "urgent" AND c.subject CONTAINS "bike" RETURN c.id LIMIT 2'
    ran = lens("query", "able", query, "--explain", "--fanout", "7")
    assert ran.code == 0
    for line in (
        "NodeSeek        p:Party by the index Party.name = 'Northgate Cycles Ltd'",
        "c.priority = 'urgent'            pruned in SQL, decided again after hydration",
        "c.subject CONTAINS 'bike'        after hydration",
        "fanout               7  relationships a node and step",
        "Limit           2",
    ):
        assert line in ran.out
    assert not own_home.exists()


def test_explain_shows_why_a_stage_begins(lens):
    query = 'MATCH (c:Case {id: "c-1501"}) WITH c.subject AS s MATCH (p:Party {name: s}) RETURN p.id'
    plan = json.loads(lens("query", "able", query, "--explain", "--format", "json").out)
    assert [stage["number"] for stage in plan["stages"]] == [1, 2]
    assert plan["stages"][1]["begins"] == "one more round trip: p starts from s, which the stage before gives"


def test_profile_shows_what_was_spent_and_needs_the_right(lens, hostile):
    library = str(hostile)
    query = 'MATCH (b:Book {id: "b1"}) RETURN b.title'
    ran = lens("query", library, query, "--profile", "--as", "librarian:lea")
    assert "The Sea Road" in ran.out
    assert "round trips          1  with 1 statement" in ran.out
    told = lens("query", library, query, "--profile", "--as", "librarian:lea", "--format", "json").out
    assert json.loads(told)["profile"]["spent"]["reader_calls"] == 1
    refused = lens("query", library, query, "--profile", "--as", "visitor:tom")
    assert (refused.code, refused.out) == (1, "")
    assert "MissingRight" in refused.err
    assert lens("query", library, query, "--as", "visitor:tom").code == 0


@pytest.mark.parametrize("form", ["csv", "envelope"])
@pytest.mark.parametrize("flag", ["--explain", "--profile"])
def test_a_plan_has_no_such_format(lens, form, flag):
    assert lens("query", "able", CASE, flag, "--format", form).code == 2


def test_another_store_is_asked(lens, tmp_path):
    ran = lens("query", "able", CASE, "--store", f"sqlite:{tmp_path / 'none.db'}")
    assert (ran.code, ran.out) == (3, "")
    assert "NotBuilt" in ran.err


@pytest.mark.promise("P56")
def test_a_module_that_is_away_is_an_unknown_and_no_empty_answer(lens, own_home):
    lens("world", "build", "able")
    next(own_home.glob("worlds/able-*/modules/helpdesk.db")).unlink()
    ran = lens(
        "query",
        "able",
        'MATCH (p:Party {id: "p-0042"})<-[:INVOLVES_PARTY]-(c:Case) RETURN c',
        "--format",
        "json",
    )
    answer = json.loads(ran.out)
    assert ran.code == 0
    assert answer["facts"] == []
    assert answer["truncation"]["complete"] is False
    assert [(one["code"], one["module"]) for one in answer["unknowns"]] == [
        ("source_unavailable", "helpdesk")
    ]


def test_hostile_labels_command_no_terminal(lens, hostile):
    query = 'MATCH (b:Book {id: "evil"}) RETURN b, b.title, [b.title], {t: b.title}'
    ran = lens("query", str(hostile), query, "--as", "librarian:lea")
    assert ran.code == 0
    assert all(character == "\n" or character.isprintable() for character in ran.out)
    assert "\\x1b[2J\\u{202e}gnp.exe\\u{200b}" in ran.out
    whole = lens("query", str(hostile), query, "--as", "librarian:lea", "--format", "json")
    assert json.loads(whole.out)["rows"][0][1].endswith("|=1+1")
