"""``lens evaluate`` on the demo world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CASE = {
    "id": "damaged",
    "subject": "helpdesk:Case:c-1501",
    "actor": "agent:ana",
    "needed": ["helpdesk:Case:c-1501", "directory:Party:p-0042", "communications:Conversation:v-0901"],
    "forbidden": ["helpdesk:Case:c-1506"],
    "actions": ["helpdesk.reply", "helpdesk.close"],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(CASE) + "\n", encoding="utf-8")
    return path


@pytest.mark.promise("P65", "P66")
def test_a_table_has_the_lens_beside_both_baselines(lens, file):
    ran = lens("evaluate", "able", "support_decision", "--cases", str(file))
    assert (ran.code, ran.err) == (0, "")
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["lens", "workspace", "neighbourhood"] in lines
    assert ["complete", "cases", "1", "of", "1", "0", "of", "1", "1", "of", "1"] in lines
    assert ["next-action", "recall", "100.0%", "0.0%", "0.0%"] in lines
    assert ["authorization", "failures", "0", "0", "0"] in lines


def test_json_has_figures_and_cases(lens, file):
    ran = lens("evaluate", "able", "support_decision", "--cases", str(file), "--json", "--max-nodes", "5")
    told = json.loads(ran.out)
    assert (ran.code, told["max_nodes"], told["lens"]["name"]) == (0, 5, "support_decision")
    assert told["figures"]["lens"]["complete_cases"] == 1
    assert told["cases"][0]["workspace"]["absent"] == CASE["needed"][1:]


@pytest.mark.promise("P68")
def test_a_record_that_must_not_be_told_fails_the_run(lens, file):
    file.write_text(json.dumps({**CASE, "forbidden": ["directory:Party:p-0042"]}), encoding="utf-8")
    ran = lens("evaluate", "able", "support_decision", "--cases", str(file))
    assert ran.code == 1
    assert "lens, case damaged: tells of directory:Party:p-0042" in ran.out


def test_an_unknown_that_is_not_named_is_told(lens, file):
    file.write_text(json.dumps({**CASE, "unknowns": ["budget"]}), encoding="utf-8")
    ran = lens("evaluate", "able", "support_decision", "--cases", str(file))
    assert (ran.code, "lens, case damaged: does not name budget" in ran.out) == (0, True)


def test_bad_cases_are_a_fault_with_file_and_line(lens, file):
    file.write_text('\n{"id": "x", "subject": "c-1501"}\n', encoding="utf-8")
    ran = lens("evaluate", "able", "support_decision", "--cases", str(file))
    assert (ran.code, ran.out) == (1, "")
    assert "InvalidCases" in ran.err
    assert "cases.jsonl:2: [0].subject: must be a coordinate: write module:Type:ID" in ran.err
    assert "cases.jsonl:2: [0].needed: is missing" in ran.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("able", "support_decision"), 2, "--cases"),
        (("able", "supprt_decision", "--cases", "none.yml"), 1, "did you mean support_decision?"),
        (("able", "support_decision", "--cases", "none.yml"), 1, "there is no such file"),
    ],
)
def test_what_is_not_there_is_named(lens, arguments, code, said):
    ran = lens("evaluate", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


def test_an_actor_that_may_not_act_is_refused(lens, file):
    file.write_text(json.dumps({**CASE, "actor": "agent:eve"}), encoding="utf-8")
    ran = lens("evaluate", "able", "support_decision", "--cases", str(file))
    assert ran.code == 1
    assert "agent:eve is no actor of policy.yml" in ran.err


def test_a_world_that_is_not_built_is_unavailable(lens, file, own_home):
    ran = lens("evaluate", "able", "support_decision", "--cases", str(file))
    assert ran.code == 3
    assert "NotBuilt" in ran.err
