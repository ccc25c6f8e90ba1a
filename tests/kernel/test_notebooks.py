"""What a notebook in the repository may hold. That its outputs are true is nbval's to test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MAX_FILE, MAX_OUTPUT = 200_000, 30_000


def test_there_are_notebooks():
    assert [path.name for path in NOTEBOOKS][:1] == ["01-first-look.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_holds_no_state(path):
    text = path.read_text("utf-8")
    assert len(text) <= MAX_FILE
    notebook = json.loads(text)
    assert "widgets" not in notebook["metadata"]
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in code:
        source = "".join(cell["source"])
        assert not source.rstrip().endswith(";"), source
        assert cell["execution_count"] is not None, f"not run: {source}"
        assert len(json.dumps(cell["outputs"])) <= MAX_OUTPUT, source
        for output in cell["outputs"]:
            assert not [kind for kind in output.get("data", {}) if "widget" in kind], source
            assert output.get("name") != "stderr", source
    assert any(cell["outputs"] for cell in code)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_keeps_no_moment_and_no_machine(path):
    text = path.read_text("utf-8")
    assert "request_id" not in text
    assert "as_of" not in text
    assert "read_at" not in text
