"""A small world with documents in chunks, a producer of summaries, and a reducer that is told what to say."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lens_dsl.budget import Budget
from lens_runtime.adapters.readers import open_readers
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.aggregation.run import Aggregation
from lens_runtime.clock import FixedClock
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.engine import Engine
from lens_runtime.hydration import Sources
from lens_runtime.ports import Deadline, NoAnswer, Reduced, ReductionRequest, Store
from lens_runtime.result import Result
from lens_runtime.scope import Scope
from lens_runtime.worlds.address import Place
from lens_runtime.worlds.build import build_world
from lens_runtime.worlds.folder import load_world

NOW = 1_780_000_000_000
SUMMARY = "MATCH (d:Document {uri: $uri})-[:HAS_SUMMARY]->(s:Summary) RETURN s.summary, s.id"

FILES: Mapping[str, str] = {
    "world.yml": "id: shelf\ntitle: A shelf\ncontexts: [main, eu]\n",
    "ontology.yml": """\
kinds:
  Document: {module: shelf, key: [id, uri], indexed: [team], hydrated: [title], label: "{{ title }}"}
  Chunk: {module: shelf, projected: [position], hydrated: [text, note], untrusted: [text]}
  Person: {module: shelf, hydrated: [name]}
  Summary:
    module: shelf
    hydrated: [docUri, summary, band, count, generatedAt, model, trust, worldId, contextId, policyRevision, inputHash]
relationships:
  PART_OF: {from: Chunk, to: Document, owner: shelf, visibility: public}
  WROTE: {from: Person, to: Chunk, owner: shelf, visibility: public}
  HAS_SUMMARY: {from: Document, to: Summary, owner: shelf, visibility: public, producer: docSummary}
  HAS_PROFILE: {from: Person, to: Summary, owner: shelf, visibility: public, producer: profile}
""",
    "modules.yml": """\
shelf:
  source: {json: shelf.json}
  records:
    Document: {each: "documents.*", id: id, visibility: public, context: "{{ context }}"}
    Chunk: {each: "chunks.*", id: id, visibility: "{{ class }}", context: "{{ context }}"}
    Person: {each: "people.*", id: id, visibility: public}
  relationships:
    PART_OF: {each: "chunks.*", from: id, to: document}
    WROTE: {each: "people.*.chunks.*", from: "^.id", to: "."}
""",
    "policy.yml": """\
classes: [public, secret]
roles:
  reader:
    modules: "*"
    kinds: "*"
    classes: [public]
    rules: [{kind: Document, when: {field: team, in: actor.teams}}]
  keeper: {modules: "*", kinds: "*", classes: [public, secret], rights: [profile]}
  clerk: {modules: "*", kinds: [Document, Chunk], classes: [public]}
actors:
  ana: {roles: [reader], attrs: {teams: [red]}, principal: "shelf:Person:p1"}
  ben: {roles: [reader], attrs: {teams: [blue]}}
  kim: {roles: [keeper]}
  cleo: {roles: [clerk]}
may_act_as: [ana, ben, kim, cleo]
""",
    "producers/summaries.yml": """\
- name: docSummary
  kind: aggregate
  edgeType: HAS_SUMMARY
  collect:
    targetLabel: Chunk
    via: PART_OF
    incoming: true
    anchorLabel: Document
    anchorKeyProperty: uri
    text: "{{ text }}"
    orderBy: [position]
  reduce: {using: summarize, into: summary, args: ["Summarize this document faithfully."], role: summarizer}
  identityField: id
  anchorKeyField: docUri
  cache: {kind: graph}
- name: profile
  kind: aggregate
  edgeType: HAS_PROFILE
  collect:
    targetLabel: Chunk
    via: WROTE
    anchorLabel: Person
    text: "{{ text }}"
  reduce: {using: summarize, into: summary, role: summarizer}
  identityField: id
  anchorKeyField: docUri
  cache: {kind: graph}
""",
    "roles.yml": "summarizer: {revision: '1'}\nsmall: {revision: '1'}\n",
}


def document(uri: str, *texts: str, context: str = "main", team: str = "red") -> dict[str, Any]:
    """A document and the texts of its chunks."""
    return {"uri": uri, "texts": list(texts), "context": context, "team": team}


@dataclass
class Scripted:
    """A reducer that says what a test wants; without a script, how many items it was given and their words."""

    requests: list[ReductionRequest] = field(default_factory=list)
    script: Callable[[ReductionRequest], Reduced | NoAnswer] | None = None

    def reduce(self, request: ReductionRequest, deadline: Deadline) -> Reduced | NoAnswer:
        self.requests.append(request)
        if self.script is not None:
            return self.script(request)
        return Reduced(f"#{len(self.requests)} {' | '.join(request.items)}", "scripted 1", 10, 5)


class Shelf:
    """The world in a folder, built, with one reducer for everybody who asks."""

    def __init__(
        self, folder: Path, *documents: dict[str, Any], files: Mapping[str, str] | None = None
    ) -> None:
        self.folder, self.place = folder / "world", Place(folder / "home")
        self.reducer = Scripted()
        self.files = {**FILES, **(files or {})}
        self.records: dict[str, list[dict[str, Any]]] = {"documents": [], "chunks": [], "people": []}
        for one in documents:
            self.add(one)
        self.write()
        self.build()

    def add(self, said: dict[str, Any]) -> None:
        """Another document; it is there once the files are written and the world is built."""
        number = len(self.records["documents"])
        plain = {"context": said["context"], "team": said["team"]}
        self.records["documents"].append(
            {"id": f"d{number}", "uri": said["uri"], "title": said["uri"], **plain}
        )
        for position, text in enumerate(said["texts"]):
            self.chunk(f"d{number}", position, text, context=said["context"])

    def chunk(self, of: str, position: int, text: str, **changes: str) -> dict[str, Any]:
        """Another chunk of a document."""
        made = {"id": f"{of}-{position}", "document": of, "position": position, "text": text, "note": "",
                "class": "public", "context": "main", **changes}  # fmt: skip
        self.records["chunks"].append(made)
        return made

    def edit(self, chunk: str, **changes: Any) -> None:
        """Change fields of a chunk in the module; nothing is projected anew."""
        (found,) = [one for one in self.records["chunks"] if one["id"] == chunk]
        found.update(changes)
        self.write()

    def write(self) -> None:
        """Write the world's folder and its module's file."""
        for name, text in {**self.files, "shelf.json": json.dumps(self.records)}.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        """Change one passage of a file of the world's folder."""
        assert self.files[name].count(old) == 1
        self.files[name] = self.files[name].replace(old, new)
        self.write()

    def build(self, *, rebuild: bool = False) -> None:
        """Project the module as it is now."""
        world = load_world(self.folder)
        store = SqliteStore(self.place.graph, world=world.id)
        readers = open_readers(world, self.place.modules)
        build_world(world, store, readers, self.place, FixedClock(NOW), rebuild=rebuild)
        store.close()

    def engine(self, actor: str = "ana", context: str = "main", store: Store | None = None) -> Engine:
        """An engine for one actor in one context."""
        world = load_world(self.folder)
        return Engine(
            store or SqliteStore(self.place.graph, world=world.id),
            Sources(open_readers(world, self.place.modules), world.ontology),
            Scope(world.id, context, world.policy.actor(actor), world.policy.revision),
            FixedClock(NOW),
            Aggregation(world.policy, world.producers, world.roles, {"extractive": self.reducer}),
        )

    def ask(
        self,
        text: str = SUMMARY,
        actor: str = "ana",
        context: str = "main",
        budget: Budget | None = None,
        **parameters: object,
    ) -> Result:
        """The answer of a query in a session of its own."""
        engine = self.engine(actor, context)
        try:
            bound = {"uri": "one", **parameters}
            return engine.run(text, bound, budget or Budget(), MonotonicDeadline.after(10))
        finally:
            engine.store.close()

    def committed(self) -> list[tuple[Any, ...]]:
        """Every committed aggregate: id, context, policy, producer, anchor, band, value."""
        store = SqliteStore(self.place.graph, world="shelf")
        with store._reader() as connection:
            rows = connection.execute(
                "SELECT id, context, policy, producer, anchor, band, value FROM context_aggregates ORDER BY id"
            ).fetchall()
        store.close()
        return [tuple(row) for row in rows]


def steered(directives: str) -> str:
    """The query for a summary, with directives."""
    return SUMMARY.replace("[:HAS_SUMMARY]", f"[:HAS_SUMMARY {{{directives}}}]")


def outcomes(result: Result) -> list[str]:
    """What became of each leaf."""
    return [one.outcome for one in result.aggregates]
