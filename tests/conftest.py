"""What every test can use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester", "tests.conformance.options", "tests.promises", "tests.share", "tests.skips"]

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of third-party data beside the checkout; a test that needs it is skipped without it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        reason = f"needs the third-party data in {folder.name}/ beside the checkout"
        if os.environ.get("LENS_REQUIRE_SHARED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return folder
