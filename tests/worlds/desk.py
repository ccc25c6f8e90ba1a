"""A world with one module, the same records in every kind of source."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw

from lens_dsl.errors import ExecutionError
from lens_runtime.adapters.http_reader import HttpReader, ModuleClient
from lens_runtime.adapters.readers import open_readers
from lens_runtime.ports import ModuleReader
from lens_runtime.scope import Actor
from lens_runtime.worlds.folder import load_world
from tests.worlds.serving import TOKEN, app_of, listening

ONTOLOGY = """\
kinds:
  Ticket:
    module: desk
    indexed: [team]
    projected: [urgent]
    hydrated: [text, tags, weight]
    label: "{{ team }}: {{ text }}"
    summary: "{{ text }}"
relationships:
  follows: {from: Ticket, to: Ticket, owner: desk, visibility: internal, properties: [weight]}
"""
POLICY = """\
classes: [public, internal]
roles:
  agent: {modules: "*", kinds: "*", classes: [internal], rules: [{kind: Ticket, when: {field: team, in: actor.teams}}]}
  lead: {modules: "*", kinds: "*", classes: [public, internal]}
actors:
  ana: {roles: [agent], attrs: {teams: [returns]}}
  mia: {roles: [lead]}
"""
MODULES = """\
desk:
  source: %(source)s
  records:
    Ticket:
      %(rows)s
      id: number
      visibility: "{{ class }}"
      context: "{{ region or 'main' }}"
      observed_at: seen
      fields: {text: body}%(types)s
  relationships:
    follows: {%(rows)s, from: number, to: after%(types_inline)s}
"""
TYPES = "{number: int, urgent: bool, tags: json, weight: float, after: int}"

Record = Mapping[str, Any]
COLUMNS = ("number", "team", "urgent", "body", "tags", "weight", "class", "region", "seen", "after")


def record(number: int, team: str | None = "returns", **changes: Any) -> Record:
    plain = {
        "urgent": True, "body": f"text {number}", "tags": ["a", {"b": None}], "weight": 1.5, "class": "internal",
        "region": None, "seen": "2026-05-01T10:00:00+02:00", "after": None,
    }  # fmt: skip
    return {"number": number, "team": team, **plain, **changes}


RECORDS = (
    record(1),
    record(2, "billing", after=1),
    record(3, **{"class": "public"}, after=99),
    record(4, region="eu", urgent=None, tags=None, weight=None, seen=None),
    record(5, None),
    record(6, body="x" * 3_000, urgent=False),
)


class Spent:
    """A deadline with time left, or none."""

    def __init__(self, left: float = 5.0) -> None:
        self.left = left

    def remaining(self) -> float:
        return self.left

    def check(self) -> None:
        if self.left <= 0:
            raise ExecutionError("DeadlineExceeded", "the time is up")


def cell(value: object) -> object:
    return (
        json.dumps(value)
        if isinstance(value, list)
        else str(value).lower()
        if isinstance(value, bool)
        else value
    )


def write_json(folder: Path, records: Sequence[Record]) -> None:
    (folder / "desk.json").write_text(json.dumps({"tickets": list(records)}), encoding="utf-8")


def write_csv(folder: Path, records: Sequence[Record]) -> None:
    (folder / "desk").mkdir(exist_ok=True)
    with (folder / "desk" / "tickets.csv").open("w", encoding="utf-8-sig", newline="") as file:
        rows = [["NA" if one[c] is None else cell(one[c]) for c in COLUMNS] for one in records]
        csv.writer(file).writerows([COLUMNS, *rows])


def write_sqlite(folder: Path, records: Sequence[Record]) -> None:
    with closing(apsw.Connection(str(folder / "desk.db"))) as connection, connection:
        connection.execute("DROP TABLE IF EXISTS tickets")
        types = {"number": "INTEGER PRIMARY KEY", "after": "INTEGER", "weight": "REAL"}
        columns = ", ".join(f'"{c}" {types.get(c, "TEXT")}' for c in COLUMNS)
        connection.execute(f"CREATE TABLE tickets ({columns})")
        rows = [[cell(one[c]) for c in COLUMNS] for one in records]
        connection.executemany(f"INSERT INTO tickets VALUES ({', '.join('?' * len(COLUMNS))})", rows)


SOURCES = {
    "json": ("{json: desk.json}", 'each: "tickets.*"', None, write_json, "desk.json"),
    "csv": ("{csv: desk, null_text: NA}", "table: tickets", TYPES, write_csv, "desk/tickets.csv"),
    "sqlite": ("{sqlite: desk.db}", "table: tickets", TYPES, write_sqlite, "desk.db"),
}
KINDS = (*SOURCES, "http")
"""Every kind of source: over HTTP, the same records are served from an SQLite database."""


class Desk:
    """A world with one module, over one kind of source."""

    def __init__(self, folder: Path, kind: str) -> None:
        source, rows, types, self._write, self.file = SOURCES["sqlite" if kind == "http" else kind]
        self.folder = folder
        self.kind = kind
        self.put(RECORDS)
        texts = {
            "world.yml": "id: desk\ntitle: Desk\ncontexts: [main, eu]\n",
            "ontology.yml": ONTOLOGY,
            "policy.yml": POLICY,
            "modules.yml": MODULES
            % {
                "source": source,
                "rows": rows,
                "types": f"\n      types: {types}" if types else "",
                "types_inline": f", types: {types}" if types else "",
            },
        }
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        self.world = load_world(folder)
        self.reader: ModuleReader = open_readers(self.world, folder)["desk"]

    @contextmanager
    def over_http(self) -> Iterator[None]:
        """Be read over HTTP meanwhile."""
        served = self.reader
        with listening(app_of(self.world, served)) as url:
            self.reader = HttpReader("desk", url, ModuleClient(TOKEN))
            yield
            self.reader = served

    def put(self, records: Sequence[Record]) -> None:
        self._write(self.folder, records)

    def lose(self) -> None:
        (self.folder / self.file).unlink()

    def actor(self, name: str) -> Actor:
        return self.world.policy.actor(name)

    def read(
        self, name: str, ids: Sequence[str], context: str = "main", left: float = 5.0
    ) -> Mapping[str, Any]:
        return self.reader.read(self.actor(name), context, "Ticket", ids, Spent(left))
