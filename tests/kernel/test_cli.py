"""The command line as a whole: what there is, exit codes, streams, interruption."""

from __future__ import annotations

import argparse
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from lens_kernel.cli import build_parser
from lens_kernel.output import ProgressLine
from tests.interrupts import heeds_interrupts

COMMAND = [sys.executable, "-m", "lens_kernel.cli"]
SESSION = {"--as", "--context", "--store"}
CEILINGS = {
    "--depth", "--fanout", "--window", "--max-examined", "--max-scopes", "--max-candidates", "--max-nodes",
    "--max-edges", "--max-rows", "--max-steps", "--max-reader-calls", "--max-model-calls", "--max-rows-read",
    "--timeout", "--allow-scan",
}  # fmt: skip
OPTIONS = {
    "lens": {"--version"},
    "lens query": {"-f", "--file", "--param", "--format", "--explain", "--profile", *SESSION, *CEILINGS},
    "lens evaluate": {"--cases", "--json", "--max-nodes", "--store"},
    "lens graph": {"-f", "--file", "--param", "--out", *SESSION, *CEILINGS},
    "lens context": {"--subject", "--lens", "--focus", "--max-nodes", "--format", *SESSION},
    "lens world": set(),
    "lens world new": {"--example"},
    "lens world check": set(),
    "lens world build": {"--store", "--rebuild", "--size"},
    "lens world status": {"--store", "--format"},
    "lens world export": {"--store"},
    "lens world serve-module": {"--host", "--port"},
    "lens world drop": {"--store"},
    "lens doctor": {"--store", "--json"},
    "lens serve": {"--host", "--port", "--stdio", *SESSION},
    "lens token": {"--as", "--hours", "--may"},
    "lens clean": {"--yes"},
}


def parsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Every command's parser, by the words that call it."""
    found = {parser.prog: parser}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                found.update(parsers(below))
    return found


def test_these_are_the_commands_and_their_options():
    options = {
        name: {flag for action in parser._actions for flag in action.option_strings} - {"-h", "--help"}
        for name, parser in parsers(build_parser()).items()
    }
    assert options == OPTIONS


@pytest.mark.parametrize("name", OPTIONS)
def test_help_teaches_by_examples_that_parse(lens, name):
    ran = lens(*name.split()[1:], "--help")
    assert ran.code == 0
    examples = re.findall(rf"^  ({' '.join(name.split()[:2])}.*)$", ran.out, re.MULTILINE)
    assert examples
    for example in examples:
        words = shlex.split(re.split(r" {3,}| > ", example)[0])
        build_parser().parse_args(words[1:])


def test_the_version_is_the_distributions(lens):
    from importlib.metadata import version

    assert lens("--version").out == f"lens {version('lensmith')}\n"


@pytest.mark.parametrize(
    "words", [(), ("world",), ("nonsense",), ("query",), ("query", "able", "x", "--nonsense")]
)
def test_a_fault_of_the_command_line_is_2(lens, words):
    ran = lens(*words)
    assert (ran.code, ran.out) == (2, "")
    assert "usage:" in ran.err


def test_a_fault_of_the_query_is_1_with_line_caret_and_hint(lens):
    ran = lens("query", "able", 'MATCH (c:Case {id: "c-1"})\nRETURN c.statsu')
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "UnknownProperty: Case has no property statsu\n"
        "   2 | RETURN c.statsu\n"
        "                ^^^^^^\n"
        "hint: did you mean status?\n"
    )


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("query", "nowhere", "RETURN 1"), 1, "UnknownWorld"),
        (("query", "able", "RETURN 1", "--as", "agent:eve"), 1, "UnknownActor"),
        (("query", "able", "RETURN 1", "--context", "other"), 1, "UnknownContext"),
        (("query", "able", "RETURN 1", "--store", "paper:x"), 1, "UnknownStore"),
        (("world", "build", "able", "--size", "huge"), 1, "UnknownSize"),
    ],
)
def test_a_fault_of_the_configuration_is_1(lens, own_home, words, code, told):
    ran = lens(*words)
    assert (ran.code, ran.out) == (code, "")
    assert told in ran.err


def test_what_is_not_built_is_3_and_says_how(lens, own_home):
    ran = lens("query", "able", 'MATCH (c:Case {id: "c-1501"}) RETURN c.id')
    assert (ran.code, ran.out) == (3, "")
    assert "lens world build able" in ran.err


def test_a_fault_of_ours_is_one_line_without_data(lens, monkeypatch):
    def broken(result: object) -> str:
        raise RuntimeError("Jana Novak")

    monkeypatch.setattr("lens_kernel.commands.query.text_table", broken)
    ran = lens("query", "able", "RETURN 1")
    assert (ran.code, ran.out) == (70, "")
    assert re.fullmatch(
        r"lens: a fault of this program: RuntimeError in \w+\.py:\d+; please report it\n", ran.err
    )


def test_an_interrupted_build_breaks_nothing(lens, own_home, monkeypatch):
    query = ("query", "able", 'MATCH (c:Case {id: "c-1501"}) RETURN c.id')
    lens("world", "build", "able")
    before = lens(*query).out

    def interrupted(self: ProgressLine, what: str, count: int) -> None:
        if "helpdesk" in what:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ProgressLine, "__call__", interrupted)
        ran = lens("world", "build", "able", "--rebuild")
    assert (ran.code, ran.out, ran.err) == (130, "", "interrupted\n")
    assert lens(*query).out == before
    assert lens("world", "build", "able", "--rebuild").code == 0
    assert lens(*query).out == before


def drained(terminal: int) -> Iterator[bytes]:
    """What is written to a terminal until the last writer has gone."""
    while True:
        try:
            part = os.read(terminal, 100_000)
        except OSError:  # EIO: nobody has it open any more
            return
        if not part:
            return
        yield part


def test_control_c_ends_a_build_with_130_and_the_next_one_is_whole(tmp_path):
    environment = {**os.environ, "LENS_HOME": str(tmp_path)}
    ours, theirs = pty.openpty()
    build = [*COMMAND, "world", "build", "able"]
    process = subprocess.Popen(
        [*build, "--size", "medium"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=theirs,
        preexec_fn=heeds_interrupts,
    )
    os.close(theirs)
    shown = [os.read(ours, 1_000)]  # the first line of progress: it is at work
    reader = threading.Thread(target=lambda: shown.extend(drained(ours)))  # a full terminal would block it
    reader.start()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    reader.join()
    os.close(ours)
    assert (process.returncode, out) == (130, b"")
    assert b"".join(shown).endswith(b"interrupted\r\n")
    done = subprocess.run(
        [*build, "--size", "small"], env=environment, capture_output=True, text=True, check=True
    )
    assert "Case              1,514" in done.stdout


def test_a_reader_that_goes_away_is_no_failure_to_shout_about(able_home):
    with subprocess.Popen(
        [*COMMAND, "world", "export", "able"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"node"')
        process.stdout.close()
        err = process.stderr.read()
    assert (process.returncode, err) == (141, b"")


def test_a_terminal_that_cannot_show_a_character_shows_a_mark(able_home):
    done = subprocess.run(
        [*COMMAND, "query", "able", "RETURN 'Nováková' AS name"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert b"Nov?kov?" in done.stdout


def test_progress_shows_at_a_terminal_alone(tmp_path):
    environment = {**os.environ, "LENS_HOME": str(tmp_path)}
    build = [*COMMAND, "world", "build", "able"]
    ours, theirs = pty.openpty()
    done = subprocess.run(build, env=environment, stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "helpdesk: records 1,000" in shown
    assert shown.startswith("\r")
    assert "\n" not in shown
    quiet = subprocess.run(build, env=environment, capture_output=True, check=True)
    assert quiet.stderr == b""
    assert b"\r" not in done.stdout + quiet.stdout


def test_the_command_line_needs_nothing_of_notebooks():
    script = "import sys, lens_kernel.cli; print([m for m in ('IPython', 'pandas', 'ipykernel') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_query_may_stand_before_its_options_or_after(lens):
    text = 'MATCH (c:Case {id: "c-1501"}) RETURN c.id'
    after = lens("query", "able", text, "--as", "agent:ana")
    assert (after.code, "c-1501" in after.out) == (0, True)
    assert lens("query", "able", "--as", "agent:ana", text) == after
    assert lens("query", "able", text, "more").code == 2


def test_an_empty_actor_is_no_actor(lens):
    ran = lens("query", "able", "RETURN 1 AS n", "--as", "")
    assert (ran.code, ran.out) == (1, "")
    assert "UnknownActor" in ran.err


def test_the_hint_to_build_names_the_world_as_the_user_did(lens, own_home, tmp_path, monkeypatch):
    assert lens("world", "new", str(tmp_path / "shop")).code == 0
    monkeypatch.chdir(tmp_path / "shop")
    ran = lens("query", ".", 'MATCH (b:Book {id: "b1"}) RETURN b')
    assert ran.code == 3
    assert ran.err.endswith("hint: lens world build .\n")


@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [(">&-", 3, "it is closed"), (">/dev/full", 3, "No space left on device")],
)
def test_an_output_that_takes_nothing_is_no_fault_of_ours(redirection, code, said):
    command = f"{shlex.join(COMMAND)} query able 'RETURN 1 AS n' --format csv {redirection}"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, said in ran.stderr) == (code, True)


def test_an_interrupt_while_the_program_loads_is_quiet():
    command = [sys.executable, "-c", "import sys; from lens_kernel.start import main; sys.exit(main())"]
    running = subprocess.Popen([*command, "world", "status", "able"], stderr=subprocess.PIPE, text=True)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert "lens_kernel" not in said
