"""What is committed knows no machine: no absolute path of one, no address of its package mirror."""

from __future__ import annotations

import re

import pytest

from tests.house.tree import named, product_files

# Written in two parts, so that this file does not find itself.
PATHS = (
    "/" + "work/",
    "/" + "root/",
    "/" + "home/",
    "/" + "Users/",
    "/" + "tmp/",
    "/" + "opt/",
    "." + "library/",
)
MACHINE = re.compile(rf"(?<![\w.~/-])(?:{'|'.join(map(re.escape, PATHS))})")
PINS_BY_ADDRESS = re.compile(r"://| @ |^-|^\.", re.MULTILINE)


def text_of(content: bytes) -> str:
    return "" if b"\0" in content else content.decode("utf-8")


def test_no_file_names_a_path_of_a_machine():
    found = {
        f"{named(path)}:{number}": line.strip()[:120]
        for path in product_files()
        for number, line in enumerate(text_of(path.read_bytes()).splitlines(), start=1)
        if MACHINE.search(line)
    }
    assert found == {}


@pytest.mark.parametrize("before", ["", "in ", "file:", "='", "(", ":"])
def test_a_path_of_a_machine_is_found_wherever_it_stands(before):
    assert all(MACHINE.search(f"{before}{path}x") for path in PATHS)


@pytest.mark.parametrize("text", ["framework/opt/x", "lens_library/able", "/workers/", "~/home/x"])
def test_what_only_looks_like_one_is_not(text):
    assert MACHINE.search(text) is None


def test_the_lock_names_packages_and_versions_only():
    lock = next(path for path in product_files() if path.name == "requirements-dev.lock")
    text = lock.read_text("utf-8")
    assert PINS_BY_ADDRESS.findall(text) == []
    pins = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert pins
    assert [
        pin for pin in pins if not re.match(r"^[a-z0-9.-]+(\[[a-z,]+\])?==\d[\w.+!]*( ; .+)?$", pin)
    ] == []
