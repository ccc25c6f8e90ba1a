"""The magics in an IPython of this process: binding, showing, failing, going on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from traitlets.config import Config

import lens_runtime
from lens_dsl.errors import AccessDenied, OverBudget, SemanticProblem, StoreError
from lens_kernel.displays import ENVELOPE
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.result import Result

CASES = 'MATCH (p:Party {name: "Jana Novak"})<-[:INVOLVES_PARTY]-(c:Case) RETURN c.id ORDER BY c.id'
Run = Callable[[str], ExecutionResult]


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path) -> Iterator[InteractiveShell]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    made = InteractiveShell(config=config)
    made.run_line_magic("load_ext", "lens_kernel")
    yield made
    made.reset()


@pytest.fixture
def run(shell: InteractiveShell) -> Run:
    """Run a cell on able, connected as Ana."""
    shell.run_cell("%lens_connect able --as agent:ana")
    return shell.run_cell


def shown(shell: InteractiveShell, value: object) -> dict[str, Any]:
    assert shell.display_formatter is not None
    bundle: dict[str, Any] = shell.display_formatter.format(value)[0]
    return bundle


def test_connecting_says_to_what_and_where_queries_start(shell):
    ran = shell.run_cell("%lens_connect able --as agent:ben")
    assert str(ran.result).splitlines()[:2] == [
        "Able, a made-up shop's customer service (able), as agent:ben, context main",
        "  Party: starts from id, email, name",
    ]


def test_a_cell_shows_a_table_and_keeps_the_result(shell, run):
    ran = run(f"%%lens -o cases\n{CASES}")
    assert isinstance(ran.result, Result)
    assert [row["c.id"] for row in shell.user_ns["cases"]] == ["c-1501", "c-1502"]
    bundle = shown(shell, ran.result)
    assert bundle["text/plain"].startswith("c.id\n------\nc-1501\nc-1502\n\n2 rows, complete")
    assert "<table>" in bundle["text/html"]
    assert "<summary>Plan</summary>" in bundle["text/html"]
    assert bundle[ENVELOPE]["rows"] == [["c-1501"], ["c-1502"]]
    assert "request_id" not in bundle[ENVELOPE]
    assert "2026-07-01" not in str(bundle)


def test_a_line_takes_options_and_then_the_query(shell, run):
    ran = run(f"%lens --view=table --max-rows 1 {CASES}")
    assert str(ran.result).startswith("c.id\n------\nc-1501\n\n1 row, incomplete")


def test_parameters_are_values_of_python_and_never_text(shell, run):
    shell.user_ns["who"] = 'Jana Novak"}) RETURN 1 //'
    shell.user_ns["ids"] = ["c-1501", "c-1502", "c-1503"]
    assert len(run("%%lens --param n=who\nMATCH (p:Party {name: $n}) RETURN p").result) == 0
    ran = run(
        "%%lens --param list=ids --param n=who\nMATCH (c:Case) WHERE c.id IN $list RETURN c.id, $n AS n ORDER BY c.id"
    )
    assert ran.result.rows == (("c-1501", shell.user_ns["who"]), ("c-1502", shell.user_ns["who"]))


def test_the_text_of_a_query_is_never_pythons_to_fill_in(shell, run):
    shell.user_ns.update(status="closed", s="closed", n='"closed"')
    ran = run('%lens --param s=n MATCH (c:Case {id: "c-1501"}) RETURN $s AS s, {status: c.status} AS m')
    assert ran.result.rows == (('"closed"', {"status": "open"}),)


@pytest.mark.parametrize("given", ["x", "=y", "x=missing", "x=ids --param x=ids"])
def test_a_parameter_that_cannot_be_bound_is_refused(shell, run, given):
    shell.user_ns["ids"] = []
    assert isinstance(run(f"%%lens --param {given}\nRETURN $x").error_in_exec, UsageError)


@pytest.mark.parametrize(
    ("view", "types"),
    [
        ("table", {"text/plain", "text/html"}),
        ("envelope", {"text/plain", "text/html", ENVELOPE}),
        ("plan", {"text/plain", "text/html"}),
        ("auto", {"text/plain", "text/html", ENVELOPE}),
    ],
)
def test_a_view_shows_what_it_is_called_after(shell, run, view, types):
    ran = run(f"%%lens --view {view}\n{CASES}")
    assert set(shown(shell, ran.result)) == types
    assert run("%%lens -o kept --view none\nRETURN 1 AS one").result is None
    assert len(shell.user_ns["kept"]) == 1


def test_explain_profile_and_dry_run(shell, run, monkeypatch):
    assert "NodeSeek" in shown(shell, run(f"%%lens --explain\n{CASES}").result)["text/plain"]
    assert "reader calls         2  to modules" in str(run(f"%%lens --profile\n{CASES}").result)
    assert str(run(f"%%lens --dry-run\n{CASES}").result).startswith("The query is sound")
    assert run("%%lens --dry-run\nRETURN $x").error_in_exec.code == "MissingParameter"
    assert isinstance(run("%%lens --explain --profile\nRETURN 1").error_in_exec, UsageError)


def test_profile_needs_the_right(shell, hostile):
    shell.run_cell(f"%lens_connect {hostile} --as visitor:tom")
    ran = shell.run_cell("%%lens --profile\nRETURN 1")
    assert isinstance(ran.error_in_exec, AccessDenied)


def test_an_error_fails_the_cell_with_line_caret_and_hint_alone(shell, run, capsys):
    ran = run('%%lens\nMATCH (c:Case {status: "open"})\nRETURN c.nme')
    assert isinstance(ran.error_in_exec, SemanticProblem)
    told = capsys.readouterr().out
    assert "   3 | RETURN c.nme" not in told
    assert "   2 | RETURN c.nme\n                ^^^\n" in told
    assert "hint: " in told
    assert "Traceback" not in told


def test_a_ceiling_is_an_option_of_the_cell(run):
    refused = run(
        "%%lens --depth 1\nMATCH (c:Case {id: 'c'})-[:INVOLVES_PARTY]->(p)<-[:INVOLVES_PARTY]-(d) RETURN d"
    )
    assert isinstance(refused.error_in_exec, OverBudget)


def test_before_connecting_the_way_is_told(shell):
    ran = shell.run_cell("%%lens\nRETURN 1")
    assert "%lens_connect" in str(ran.error_in_exec)


def test_a_world_that_is_not_built_is_told_and_built_on_demand(shell, own_home):
    ran = shell.run_cell("%lens_connect able")
    assert isinstance(ran.error_in_exec, StoreError)
    assert ran.error_in_exec.hint is not None
    assert "lens world build able" in ran.error_in_exec.hint
    assert shell.run_cell("%lens_connect able --build").success


def test_a_failed_connection_leaves_the_last_one(shell, run):
    assert not run("%lens_connect able --as agent:eve").success
    assert len(run(f"%%lens\n{CASES}").result) == 2


def test_an_interrupt_leaves_the_session_usable(run, monkeypatch):
    def interrupted(self: SqliteStore, *arguments: object) -> object:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(SqliteStore, "read", interrupted)
        assert isinstance(run(f"%%lens\n{CASES}").error_in_exec, KeyboardInterrupt)
    assert len(run(f"%%lens\n{CASES}").result) == 2


def test_results_of_the_python_api_show_the_same(shell, run):
    with lens_runtime.open("able", actor="agent:ana") as session:
        assert shown(shell, session.query(CASES)) == shown(shell, run(f"%%lens\n{CASES}").result)


def test_a_large_envelope_is_left_out_with_the_way_to_it(shell, run):
    ran = run('%%lens --view auto\nMATCH (c:Case {team: "returns"}) RETURN c')
    bundle = shown(shell, ran.result)
    assert ENVELOPE not in bundle
    assert "--view envelope shows them" in bundle["text/html"]
    assert len(bundle["text/html"]) < 30_000


def test_help_names_the_options(shell, run, capsys):
    assert "--param" in (shell.find_line_magic("lens").__doc__ or "")
    assert "--build" in (shell.find_line_magic("lens_connect").__doc__ or "")
