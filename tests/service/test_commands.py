"""``lens serve`` and ``lens token``, as they are typed."""

from __future__ import annotations

import os
import subprocess
import sys

import httpx
import pytest

from lens_kernel.cli import main
from tests.service.running import World, asking, environment, running


def lens(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        code = main(words)
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture(autouse=True)
def own_home(monkeypatch, tmp_path):
    monkeypatch.setenv("LENS_HOME", str(tmp_path))


def test_a_token_of_the_command_is_taken_by_the_service_that_finds_the_same_key(able):
    """Neither is told a key: who comes first makes it."""
    settings = environment(able.home)
    del settings["LENS_TOKEN_KEY"]
    command = [sys.executable, "-m", "lens_kernel.start", "token", str(able.folder), "--as", "agent:ben"]
    made = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    assert made.stderr == ""
    with running(World(able.home, able.folder), LENS_TOKEN_KEY=None) as service:
        headers = {"authorization": f"Bearer {made.stdout.strip()}"}
        assert service.post(asking("helpdesk:Case:c-1503"), headers).json()["facts"]
        assert httpx.get(f"{service.url}/lenses").status_code == 401


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("serve", "able", "--stdio", "--port", "1"), "--host and --port are for HTTP"),
        (("serve", "able", "--as", "agent:ana"), "a token says who asks"),
        (("token", "able", "--hours", "0"), "no whole number from 1 to 720"),
        (("serve", "able", "--port", "99999"), "no port: a whole number from 0 to 65535"),
        (("serve", "able", "--port", "-1"), "no port: a whole number from 0 to 65535"),
        (("world", "serve-module", "able", "helpdesk", "--port", "65536"), "no port"),
        (("token", "able", "--hours", "\u0664"), "no whole number from 1 to 720"),
        (("token", "able", "--hours", "721"), "no whole number from 1 to 720"),
        (("token", "able", "--may", "write"), "invalid choice"),
    ],
)
def test_what_means_nothing_is_a_fault_of_the_command_line(capsys, words, told):
    code, out, err = lens(capsys, *words)
    assert (code, out) == (2, "")
    assert told in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("token", "able", "--as", "agent:eve"), "UnknownActor"),
        (("serve", "able", "--stdio", "--as", "agent:eve"), "UnknownActor"),
        (("serve", "able", "--context", "other"), "UnknownContext"),
        (("serve", "able", "--store", "elsewhere"), "UnknownStore"),
        (("serve", "nowhere"), "UnknownWorld"),
        (("serve", "able", "--host", "192.0.2.1"), "CannotListen"),
    ],
)
def test_what_cannot_be_served_is_refused_before_anything_listens(capsys, words, told):
    code, out, err = lens(capsys, *words)
    assert (code, out) == (1, "")
    assert told in err


def test_no_token_is_made_that_the_service_would_not_take(capsys, monkeypatch):
    monkeypatch.setenv("LENS_TOKEN_JWKS", "https://id.test/keys")
    code, out, err = lens(capsys, "token", "able")
    assert (code, out) == (1, "")
    assert "NoSharedKey" in err


@pytest.mark.parametrize(
    ("missing", "words"),
    [("mcp", ("serve", "able")), ("starlette", ("serve", "able", "--stdio")), ("jwt", ("token", "able"))],
)
def test_without_the_extra_it_says_what_to_install(missing, words):
    script = (
        f"import sys; sys.modules[{missing!r}] = None; from lens_kernel.start import main; sys.exit(main())"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True, env=dict(os.environ)
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "MissingExtra" in ran.stderr
    assert "pip install 'lensmith[service]'" in ran.stderr


def test_the_other_commands_need_none_of_it():
    blocked = "".join(
        f"sys.modules[{name!r}] = None; " for name in ("mcp", "jwt", "starlette", "uvicorn", "anyio")
    )
    script = f"import sys; {blocked}from lens_kernel.start import main; sys.exit(main())"
    ran = subprocess.run(
        [sys.executable, "-c", script, "world", "check", "able"], capture_output=True, text=True
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_world_that_is_not_built_is_told_at_once(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-m", "lens_kernel.start", "serve", "able", "--stdio", "--as", "agent:ana"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "LENS_HOME": str(tmp_path)},
    )
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "NotBuilt: world able is not built" in ran.stderr
    assert "lens world build able" in ran.stderr
