"""``lens world`` and ``lens clean``."""

from __future__ import annotations

import json

import pytest


def test_a_new_world_is_sound_builds_and_answers(lens, own_home, tmp_path):
    folder = str(tmp_path / "mine")
    made = lens("world", "new", folder)
    assert made.code == 0
    assert "world.yml" in made.out
    assert "library: no faults" in lens("world", "check", folder).out
    built = lens("world", "build", folder)
    assert "library is built: 10 changes written" in built.out
    assert lens("world", "build", folder).out.startswith("library is built: 0 changes written")
    ran = lens(
        "query", folder, 'MATCH (r:Reader {id: "r1"})-[:BORROWED]->(b) RETURN b.title ORDER BY b.title'
    )
    assert "The Sea Road" in ran.out
    assert lens("world", "new", folder).code == 1


def test_a_packaged_world_can_be_copied_and_changed(lens, own_home, tmp_path):
    folder = tmp_path / "mine"
    assert lens("world", "new", str(folder), "--example", "able").code == 0
    assert "able: no faults" in lens("world", "check", str(folder)).out
    assert lens("world", "new", str(tmp_path / "other"), "--example", "abel").err.endswith(
        "did you mean able?\n"
    )


def test_check_reports_every_fault_with_file_line_and_field(lens, tmp_path):
    folder = tmp_path / "mine"
    lens("world", "new", str(folder))
    for name, right, wrong in (
        ("ontology.yml", "module: lending", "module: lendign"),
        ("policy.yml", "kinds: [Book]", "kinds: [Bok]"),
    ):
        file = folder / name
        file.write_text(file.read_text("utf-8").replace(right, wrong), "utf-8")
    ran = lens("world", "check", str(folder))
    assert (ran.code, ran.out) == (1, "")
    assert "ontology.yml:4: kinds.Reader.module" in ran.err
    assert "policy.yml:5: roles.visitor.kinds" in ran.err


def test_status_counts_and_says_how_old(lens, able_home):
    ran = lens("world", "status", "able")
    assert "Case              1,514" in ran.out
    assert "originated_from_conversation" in ran.out
    told = json.loads(lens("world", "status", "able", "--format", "json").out)
    assert told["nodes"]["Case"] == 1_514
    assert told["dangling"]["originated_from_conversation"] == 12
    assert set(told["cursors"]) == {
        "directory",
        "communications",
        "helpdesk",
        "crm",
        "operations",
        "knowledge",
    }


def test_status_says_that_the_folder_has_changed(lens, own_home, tmp_path):
    folder = tmp_path / "mine"
    lens("world", "new", str(folder))
    lens("world", "build", str(folder))
    policy = folder / "policy.yml"
    policy.write_text(
        policy.read_text("utf-8").replace("kinds: [Book], classes: [public]", "kinds: [Book], classes: []")
    )
    assert "the policy has changed since" in lens("world", "status", str(folder)).out


def test_export_is_the_same_after_a_rebuild(lens, own_home):
    lens("world", "build", "able")
    first = lens("world", "export", "able").out
    assert len(first.splitlines()) == 5_313 + 7_617
    assert {next(iter(json.loads(line))) for line in first.splitlines()} == {"node", "edge"}
    lens("world", "build", "able", "--rebuild")
    assert lens("world", "export", "able").out == first


@pytest.mark.promise("P1")
def test_drop_removes_the_graph_and_a_build_brings_it_back(lens, own_home):
    lens("world", "build", "able")
    before = lens("world", "export", "able").out
    assert lens("world", "drop", "able").code == 0
    assert lens("world", "status", "able").code == 3
    assert lens("world", "build", "able").code == 0
    assert lens("world", "export", "able").out == before


def test_clean_removes_what_was_built_and_nothing_else(lens, own_home, tmp_path):
    assert lens("clean").out.startswith("nothing was built")
    folder = tmp_path / "mine"
    lens("world", "new", str(folder))
    lens("world", "build", str(folder))
    lens("world", "build", "able")
    places = sorted((own_home / "worlds").iterdir())
    (places[1] / "notes.txt").write_text("mine")
    (own_home / "worlds" / "letters").mkdir()
    (own_home / "diary.txt").write_text("mine")

    asked = lens("clean")
    assert (asked.code, asked.out) == (2, "")
    assert all(str(place) in asked.err for place in places)
    assert all((place / "graph.db").is_file() for place in places)

    ran = lens("clean", "--yes")
    assert ran.code == 0
    assert f"removed {places[0]}" in ran.out
    assert f"emptied {places[1]}" in ran.out
    left = {file.relative_to(own_home).as_posix() for file in own_home.rglob("*")}
    assert left == {
        "diary.txt",
        "worlds",
        "worlds/letters",
        f"worlds/{places[1].name}",
        f"worlds/{places[1].name}/notes.txt",
    }
    assert (folder / "world.yml").is_file()
