"""A small world of two JSON files, and the command line as a function."""

from __future__ import annotations

import pytest

from tests.lenses.shop import Shop


@pytest.fixture
def shop(tmp_path) -> Shop:
    """The world, its data not written yet."""
    return Shop(tmp_path)
