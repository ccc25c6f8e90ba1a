"""The demo runs as it is, and every command it shows is one that can be typed."""

from __future__ import annotations

import re
import shlex

from lens_kernel import demo
from lens_kernel.cli import build_parser


def test_the_demo_shows_what_it_promises_and_leaves_able_built(own_home, capsys, lens, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert demo.main() == 0
    told = capsys.readouterr()
    assert told.err == ""
    for words in (
        "Case              1,514",
        "agent:ana sees 2 cases, of team returns; agent:ben sees 3 cases, of team billing or logistics",
        "no case is in both answers",
        "NodeSeek",
        "ceilings",
        "at least 25",
        "raise --fanout",
        "permitted next actions",
        "1 of docSummary made now; 1 model call",
        "1 of docSummary from the graph; 0 model calls",
        "demo.html: 5 records, 4 relationships",
        "notebooks/01-first-look.ipynb",
    ):
        assert words in told.out
    assert re.search(r"That took \d+\.\d seconds", told.out)
    assert lens("world", "status", "able").code == 0
    assert "Jana Novak" in (tmp_path / demo.PICTURE).read_text(encoding="utf-8")


def test_every_command_it_shows_parses(own_home, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demo.main()
    lines = re.findall(r"^(?:\$|  )\s*(lens .*)$", capsys.readouterr().out, re.MULTILINE)
    assert len(lines) >= 8
    for line in lines:
        words = shlex.split(re.split(r" {3,}", line)[0])
        build_parser().parse_args(words[1:])


def test_the_demo_stops_where_a_command_fails(own_home, monkeypatch, capsys):
    monkeypatch.setattr(demo, "lens", lambda arguments: 3)
    assert demo.main() == 3
    assert "--- 2." not in capsys.readouterr().out
