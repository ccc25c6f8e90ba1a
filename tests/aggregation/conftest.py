"""The small world of these tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.aggregation.shelf import Shelf, document


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """Two documents in the context main: the first of two chunks."""
    return Shelf(tmp_path, document("one", "alpha beta", "gamma"), document("two", "delta"))
