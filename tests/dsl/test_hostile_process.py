"""Texts that mean harm end in an answer or an error, within a second and 200 MB, in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lens_dsl.errors import LensError
from lens_dsl.parser import parse
from tests.conftest import ROOT
from tests.dsl.fuzzing import check, text_of

CORPUS = [bytes.fromhex(line) for line in Path(__file__).with_name("corpus.txt").read_text("ascii").split()]
"""What reached new code in runs of the fuzzer, a line each."""
SECONDS, MEGABYTES = 1.0, 200.0
FUZZED_SECONDS = 600


def test_hostile_texts_are_answered_in_time_and_memory():
    done = subprocess.run(
        [sys.executable, "-m", "tests.dsl.hostile"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    answer = json.loads(done.stdout)
    outcomes = answer["outcomes"]
    assert {name: taken for name, (_, taken) in outcomes.items() if taken >= SECONDS} == {}
    assert answer["megabytes"] < MEGABYTES
    letters = {outcome for name, (outcome, _) in outcomes.items() if "letters" in name}
    assert letters == {"answer"}
    assert outcomes["10,000 lists"][0] == "QueryTooLong"
    assert outcomes["growing WITH"][0] == outcomes["many parts"][0] == "QueryTooLong"


@pytest.mark.parametrize("data", CORPUS, ids=[data.hex()[:16] for data in CORPUS])
def test_what_fuzzing_reached_stays_answered(data):
    check(data)


def test_the_corpus_reaches_queries_and_errors():
    read = 0
    for data in CORPUS:
        try:
            parse(text_of(data))
        except LensError:
            continue
        read += 1
    assert len(CORPUS) >= 60
    assert read >= 20


@pytest.mark.full
def test_fuzzing_finds_nothing(tmp_path):
    pytest.importorskip("atheris", reason="atheris has wheels for Linux on x86-64 alone")
    seeds, found = tmp_path / "seeds", tmp_path / "found"
    seeds.mkdir()
    found.mkdir()
    for number, data in enumerate(CORPUS):
        (seeds / str(number)).write_bytes(data)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tests.dsl.fuzz", str(found), str(seeds)),
            *(f"-max_total_time={FUZZED_SECONDS}", "-max_len=400", "-timeout=30", "-rss_limit_mb=1500"),
            f"-artifact_prefix={tmp_path}/",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=FUZZED_SECONDS * 2,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4_000:]
