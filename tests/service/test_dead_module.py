"""A module that is dead or hangs is an unknown in the envelope, in time, and no failure of the service."""

from __future__ import annotations

import socket
import time

import pytest
from pydantic import SecretStr

from lens_runtime.assembly import build
from lens_runtime.settings import Settings
from tests.service.running import World, asking, bearer, patient_able, running
from tests.worlds.serving import TOKEN, serving
from tests.worlds.test_served_module import point

SECONDS = 6.0
"""What the lens may take; the readers have half of it, and a slow machine has twice as much."""


@pytest.fixture(scope="module")
def deserted(able, tmp_path_factory) -> World:
    """A copy of able that was built over HTTP, from a helpdesk that is dead by now."""
    folder = patient_able(tmp_path_factory.mktemp("worlds"), int(SECONDS * 1_000))
    with serving(str(able.folder), "helpdesk", able.home) as helpdesk:
        point(folder, helpdesk.url)
        build(str(folder), settings=Settings(home=able.home, module_token=SecretStr(TOKEN)))
    return World(able.home, folder)


@pytest.mark.promise("P56")
def test_a_dead_module_is_an_unknown_in_time(deserted):
    unknown_in_time(deserted)


@pytest.mark.promise("P56")
def test_a_module_that_hangs_is_an_unknown_in_time(deserted):
    with socket.create_server(("127.0.0.1", 0)) as mute:
        point(deserted.folder, f"http://127.0.0.1:{mute.getsockname()[1]}")
        unknown_in_time(deserted)


def unknown_in_time(world: World) -> None:
    with running(world) as service:
        began = time.monotonic()
        answer = service.post(asking(), bearer("lead:mia"))
        took = time.monotonic() - began
    assert answer.status_code == 200
    assert [unknown["code"] for unknown in answer.json()["unknowns"]] == ["source_unavailable"]
    assert answer.json()["facts"] == []
    assert answer.json()["truncation"]["complete"] is False
    assert took < 2 * SECONDS
