"""``lens graph``: a file that a browser draws, that fetches nothing, and in which no text runs."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from lens_kernel.explorer.page import page
from lens_kernel.network import Dot, Line, Network
from tests.kernel.browser import Seen, chromium, opened

CASES = 'MATCH path = (:Party {name: "Jana Novak"})<-[:INVOLVES_PARTY]-(:Case) RETURN path'
PIXELS = """() => {
  const canvas = document.querySelector('#network canvas');
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3]) colours.add(`${data[i]},${data[i + 1]},${data[i + 2]}`);
  return [...colours];
}"""
ATTACKS = (
    "<script>document.title='taken'</script>",
    "</script><img src=x onerror=\"document.title='taken'\">",
    "<!--<script>",
    "\"><svg onload=document.title='taken'>",
    "javascript:document.title='taken'",
    "\u202egnp.exe\u2066",
    "line\u2028separator\u2029paragraph\x00\x1b[2J",
    "{{ 7 * 7 }} {% raw %} ${7 * 7}",
    "<b>bold</b> &lt;b&gt; \\u003cscript>",
)


@pytest.fixture(scope="session")
def browser() -> str:
    return chromium()


@pytest.fixture
def drawn(lens, tmp_path: Path) -> Path:
    """The cases of one customer, as Ana was given them."""
    file = tmp_path / "jana.html"
    ran = lens("graph", "able", CASES, "--out", str(file))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"{file}: 3 records, 2 relationships\n"
    return file


def texts(seen: Seen, selector: str) -> list[str]:
    return [text.strip() for text in seen.page.locator(selector).all_inner_texts()]


def test_a_browser_draws_it_and_asks_for_nothing(drawn, browser):
    with opened(drawn, browser) as seen:
        colours = seen.page.evaluate(PIXELS)
        assert len(colours) > 20, "nothing but a background is drawn"
        assert texts(seen, "#records button")[0] == "Party Jana Novak"
        assert seen.quiet, (seen.requests, seen.console)


def test_choosing_a_record_shows_its_facts_from_mouse_and_keyboard(drawn, browser):
    with opened(drawn, browser) as seen:
        seen.page.locator("#records button").nth(1).focus()
        seen.page.keyboard.press("Enter")
        facts = texts(seen, "#facts dd")
        assert facts[0].startswith("helpdesk:Case:c-150")
        assert "open" in facts or "waiting" in facts
        seen.page.keyboard.press("Escape")
        assert texts(seen, "#facts dd") == ["Choose a record, in the picture or below."]
        at = seen.page.locator("#network").bounding_box()
        assert at is not None
        seen.page.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
        seen.page.wait_for_function("document.querySelectorAll('#facts dt').length > 1")
        assert texts(seen, "#facts dd")[0].startswith("directory:Party:")
        assert seen.quiet, (seen.requests, seen.console)


def test_no_text_of_a_record_runs(tmp_path, browser):
    dots = [
        Dot(text, text, f"m:{text}:{number}", "#4477aa", number, 0, ((text, text),))
        for number, text in enumerate(ATTACKS)
    ]
    lines = [Line(number, number + 1, text, "stale") for number, text in enumerate(ATTACKS[:-1])]
    legend = [(text, "#4477aa", 1) for text in ATTACKS]
    network = Network(tuple(dots), tuple(lines), tuple(legend), len(dots), len(lines))
    file = tmp_path / "hostile.html"
    file.write_text(page(network, heading=ATTACKS[1], query="\n".join(ATTACKS)), encoding="utf-8")
    with opened(file, browser) as seen:
        for number in range(len(ATTACKS)):
            seen.page.locator("#records button").nth(number).click()
        assert ATTACKS[0] in seen.page.locator("#query").inner_text()
        assert seen.page.title() == ATTACKS[1]
        assert seen.page.locator("#network canvas").count() == 1
        assert seen.page.locator("script").count() == 3
        assert seen.page.locator("img, svg, b, iframe, object, a, form").count() == 0
        assert seen.quiet, (seen.requests, seen.console)


def test_a_script_that_is_not_ours_would_be_stopped(drawn, tmp_path, browser):
    added = "<script>document.title = 'taken'</script><img src='https://example.invalid/x.png'></body>"
    file = tmp_path / "changed.html"
    file.write_text(drawn.read_text("utf-8").replace("</body>", added), encoding="utf-8")
    with opened(file, browser) as seen:
        assert seen.page.title() != "taken"
        assert [line for line in seen.console if "Content Security Policy" in line]


def test_hostile_data_comes_through_the_command_as_text(hostile, lens, tmp_path):
    file = tmp_path / "books.html"
    query = 'MATCH (b:Book {id: "evil"}) RETURN b'
    assert lens("graph", str(hostile), query, "--out", str(file)).code == 0
    text = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', file.read_text("utf-8"), re.S
    )[0]
    assert text.isascii()
    assert "<" not in text
    data = json.loads(text)
    assert "<img src=x onerror=alert(1)>\\x1b[2J\\u{202e}gnp.exe" in data["picture"]["dots"][0]["facts"][1][1]
    assert not [node for node in data["nodes"] if "title" in node]


def test_the_file_is_one_and_the_same_every_time(drawn, lens, tmp_path):
    again = tmp_path / "again.html"
    lens("graph", "able", CASES, "--out", str(again))
    assert again.read_bytes() == drawn.read_bytes()
    assert len(drawn.read_bytes()) < 520_000
    assert [file.name for file in tmp_path.iterdir() if file.suffix != ".html"] == []


def test_another_actor_gets_another_picture(drawn, lens, tmp_path):
    other = tmp_path / "ben.html"
    assert "4 records" in lens("graph", "able", CASES, "--out", str(other), "--as", "agent:ben").out
    assert "c-1501" not in other.read_text("utf-8")


def test_parameters_files_and_ceilings_are_those_of_a_query(lens, tmp_path):
    (tmp_path / "q.lens").write_text(
        "MATCH p = (:Party {name: $n})<-[:INVOLVES_PARTY]-(:Case) RETURN p", "utf-8"
    )
    file = tmp_path / "hub.html"
    ran = lens(
        "graph", "able", "-f", str(tmp_path / "q.lens"), "--param", "n=Northgate Cycles Ltd", "--fanout", "5",
        "--out", str(file),
    )  # fmt: skip
    assert ran.out.endswith(": 6 records, 5 relationships\n")
    assert "raise --fanout" in ran.err


def test_an_answer_without_records_is_told_and_nothing_is_written(lens, tmp_path):
    ran = lens("graph", "able", "RETURN 1", "--out", str(tmp_path / "none.html"))
    assert ran.code == 1
    assert "there is nothing to draw" in ran.err
    assert not (tmp_path / "none.html").exists()


def test_a_file_that_cannot_be_written_is_a_usage_error(lens, tmp_path):
    ran = lens("graph", "able", CASES, "--out", str(tmp_path / "no" / "where.html"))
    assert ran.code == 2
    assert "cannot be written" in ran.err


def test_without_pyvis_the_way_to_it_is_named(lens, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyvis.network", None)
    ran = lens("graph", "able", CASES, "--out", str(tmp_path / "none.html"))
    assert ran.code == 1
    assert 'pip install "lensmith[graph]"' in ran.err
