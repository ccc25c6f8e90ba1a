"""Small random worlds: an ontology, a policy, records and relationships, and module readers that authorize."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from lens_dsl.ontology import Kind, Ontology, RelationshipType
from lens_runtime.graph import Coordinate
from lens_runtime.projection.states import EdgeState, NodeState
from lens_runtime.scope import Actor
from lens_runtime.worlds.policy import Policy, Role, Rule

WORLD = "oracle"
CLASSES = ("public", "internal", "secret")
ACTORS = ("ann", "bob", "cyd")
NAMES = ("i", "p", "q", "h")  # every kind has these, each stored as the kind declares
VALUES: tuple[object, ...] = (
    None, None, 0, 1, 2, 3, -1, 0.5, 1.0, 2.5, "a", "b", "ab", "", "1", True, False, [1, 2], ["a", None], [],
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Record:
    """A record of a module; ``fields`` are all its values, the guarding one included."""

    kind: str
    id: str
    visibility: str
    fields: Mapping[str, object]
    observed_at: int | None = None
    revision: str = "1"


@dataclass(frozen=True, slots=True)
class Link:
    """A relationship between two records, by kind and id; ``by`` tells parallel ones apart."""

    type: str
    source: tuple[str, str]
    target: tuple[str, str]
    visibility: str
    by: str
    observed_at: int | None = None
    properties: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class SmallWorld:
    """Everything there is, whoever may see it."""

    ontology: Ontology
    policy: Policy
    records: tuple[Record, ...]
    links: tuple[Link, ...]

    def permits(self, actor: str, record: Record) -> bool:
        """Whether the policy lets the actor read the record."""
        return self.policy.permits(Actor(actor), record.kind, record.visibility, record.fields)

    def shows(self, actor: str, link: Link) -> bool:
        """Whether a relationship between two records that the actor may read shows: it reads some kind in its class."""
        return any(grant.visibility == link.visibility for grant in self.policy.grants(Actor(actor)))

    def coordinate(self, end: tuple[str, str]) -> Coordinate:
        return Coordinate(self.ontology.kinds[end[0]].module, *end)

    def node_state(self, record: Record) -> NodeState:
        """The record as its module lets the projection keep it."""
        kind = self.ontology.kinds[record.kind]
        kept = {name: record.fields.get(name) for name in kind.stored if name != "id"}
        return NodeState(
            self.coordinate((record.kind, record.id)),
            record.revision,
            label_of(record),
            record.visibility,
            guard=self.policy.guard(record.kind, record.fields),
            summary=summary_of(record),
            observed_at=record.observed_at,
            keys=kind.anchors,
            properties={"id": record.id, **kept},
        )

    def edge_state(self, link: Link) -> EdgeState:
        return EdgeState(
            link.type,
            self.coordinate(link.source),
            self.coordinate(link.target),
            link.visibility,
            self.ontology.relationships[link.type].owner,
            link.by,
            "1",
            observed_at=link.observed_at,
            properties=link.properties,
        )


def label_of(record: Record) -> str:
    return str(record.fields.get("label", f"label of {record.id}"))


def summary_of(record: Record) -> str | None:
    summary = record.fields.get("summary")
    return None if summary is None else str(summary)


def kinds(draw: st.DrawFn, number: int) -> dict[str, Kind]:
    """Kinds that have the same properties, each of which one stores and another one only hydrates."""
    found = {}
    for name in ("Ant", "Bee", "Cat", "Dog")[:number]:
        projected = tuple(one for one in ("p", "q", "h") if draw(st.booleans()))
        hydrated = tuple(one for one in ("p", "q", "h", "team") if one not in projected)
        module = draw(st.sampled_from(["m1", "m2"]))
        found[name] = Kind(name, module, indexed=("i",), projected=projected, hydrated=hydrated)
    return found


def relationship_types(draw: st.DrawFn, names: Sequence[str]) -> dict[str, RelationshipType]:
    some = st.lists(st.sampled_from(names), min_size=1, max_size=len(names), unique=True).map(tuple)
    return {
        name: RelationshipType(
            name, draw(st.sampled_from(["m1", "m2"])), draw(some), draw(some), properties=("w",)
        )
        for name in ("r", "s", "t", "u")[: draw(st.integers(2, 4))]
    }


def policies(draw: st.DrawFn, modules: Mapping[str, str], guarded: Sequence[str]) -> Policy:
    """Two roles and three actors: ``ann`` has the first, ``bob`` the second, ``cyd`` both."""
    names = sorted(modules)
    roles = {}
    for name in ("one", "two"):
        rules = tuple(Rule(kind, "team", "teams", True) for kind in guarded if draw(st.booleans()))
        roles[name] = Role(
            name,
            ("*",),
            draw(st.sampled_from([("*",), ("*",), ("*",), tuple(names[:2]), tuple(names[1:])])),
            draw(st.sampled_from([CLASSES, CLASSES[:2], CLASSES[:2], CLASSES[:2], CLASSES[1:], CLASSES[:1]])),
            rules,
        )
    teams = st.sampled_from([["x", "y"], ["x", "y"], ["x"], []])
    held = {"ann": ("one",), "bob": ("two",), "cyd": ("one", "two")}
    actors = {name: Actor(name, held[name], {"teams": draw(teams)}) for name in ACTORS}
    return Policy(CLASSES, modules, roles, actors, ACTORS)


def records(draw: st.DrawFn, names: Sequence[str], prefix: str = "", most: int = 9) -> list[Record]:
    value = st.sampled_from(VALUES)
    found = []
    for number in range(draw(st.integers(3, most))):
        fields = {name: draw(value) for name in NAMES}
        id_ = f"{prefix}{number}"
        team = draw(st.sampled_from(["x", "y", None]))
        found.append(
            Record(
                draw(st.sampled_from(names)),
                id_,
                draw(st.sampled_from(["public", "public", "internal", "secret"])),
                {"id": id_, "team": team, **fields},
                draw(st.sampled_from([None, 0, 5, 5, 7])),
            )
        )
    return found


def links(
    draw: st.DrawFn,
    types: Mapping[str, RelationshipType],
    ends: Iterable[Record],
    prefix: str = "",
    most: int = 20,
) -> list[Link]:
    """Relationships that the ontology allows: parallel ones, loops, cycles and dangling ones among them."""
    places = [(record.kind, record.id) for record in ends]
    found = []
    for number in range(draw(st.integers(4, most))):
        declared = types[draw(st.sampled_from(sorted(types)))]
        sources = [place for place in places if place[0] in declared.sources]
        targets = [place for place in places if place[0] in declared.targets]
        if not sources or not targets:
            continue
        dangling = draw(st.integers(0, 9)) == 9
        found.append(
            Link(
                declared.name,
                draw(st.sampled_from(sources)),
                (declared.targets[0], "gone") if dangling else draw(st.sampled_from(targets)),
                draw(st.sampled_from(["public", "public", "public", "internal", "secret"])),
                f"{prefix}by{number}",
                draw(st.sampled_from([None, 1, 2, 2, 3])),
                {} if (value := draw(st.sampled_from([None, 1, 2, "a"]))) is None else {"w": value},
            )
        )
    return found


@st.composite
def small_worlds(draw: st.DrawFn) -> SmallWorld:
    """A world of 3 to 9 records of 2 to 4 kinds and up to 20 relationships of 2 to 4 types."""
    vocabulary = kinds(draw, draw(st.integers(2, 4)))
    names = sorted(vocabulary)
    guarded = [name for name in names if draw(st.integers(0, 2)) == 0]
    ontology = Ontology(vocabulary, relationship_types(draw, names))
    policy = policies(draw, {name: kind.module for name, kind in vocabulary.items()}, guarded)
    everything = records(draw, names)
    return SmallWorld(
        ontology, policy, tuple(everything), tuple(links(draw, ontology.relationships, everything))
    )
