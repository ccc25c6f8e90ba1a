"""A share leaves out what is marked ``full``; a full run takes everything."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests import share

SOURCE = """
import pytest

def test_always():
    pass

@pytest.mark.full
def test_seldom():
    pass
"""


@pytest.fixture(autouse=True)
def same_profile_after():
    before = settings.get_current_profile_name()
    yield
    settings.load_profile(before)


@pytest.mark.parametrize(
    ("full", "outcomes", "profile"),
    [
        ("0", {"passed": 1, "deselected": 1}, "share"),
        ("1", {"passed": 2}, "full"),
    ],
)
def test_what_a_run_takes(pytester, monkeypatch, full, outcomes, profile):
    monkeypatch.setenv(share.FULL, full)
    pytester.makeini("[pytest]\nmarkers = full")
    pytester.makepyfile(SOURCE)
    pytester.runpytest("-p", "tests.share").assert_outcomes(**outcomes)
    assert settings.get_current_profile_name() == profile


def test_a_share_is_the_same_every_time():
    assert settings.get_profile("share").derandomize
