"""A shop for one test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lenses.shop import Shop


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)
