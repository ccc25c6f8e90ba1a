"""The shape of each file of a world's folder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from lens_runtime.worlds.modules import ColumnType
from lens_runtime.worlds.policy import EVERY


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _attribute(value: object) -> object:
    values = value if isinstance(value, list) else [value]
    if all(isinstance(item, (str, int)) for item in values):
        return value
    raise ValueError("should be text, a whole number, true or false, or a list of these")


SOURCE = "source"
"""The owner of a relationship type whose every relationship is asserted by the module of its source."""

NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
WORLD_ID = r"^[a-z][a-z0-9_-]{0,62}$"
FUNCTION = r"^[\w.]+:\w+$"
URL = r"^https?://[^\s@?#]+$"
ATTRIBUTE = r"^actor\.[A-Za-z_]\w*$"

Name = Annotated[str, StringConstraints(pattern=NAME, max_length=64)]
Names = list[Name]
OneOrMore = Annotated[list[Name], BeforeValidator(_listed), Field(min_length=1)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
FunctionName = Annotated[str, StringConstraints(pattern=FUNCTION)]
Attribute = Annotated[Any, BeforeValidator(_attribute)]


class Shape(BaseModel):
    """Exactly the declared fields, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=False)


class WorldFile(Shape):
    """world.yml."""

    id: Annotated[str, StringConstraints(pattern=WORLD_ID)]
    title: Text
    open: bool = False
    governed: bool = False
    contexts: Annotated[list[Text], Field(min_length=1)] = ["main"]
    tool: Name | None = None
    generator: FunctionName | None = None


class KindShape(Shape):
    """A kind of ontology.yml."""

    module: Name = Field(description="the module that owns its records")
    key: Names = ["id"]
    indexed: Names = []
    projected: Names = []
    hydrated: Names = []
    untrusted: Names = []
    label: Text = "{{ id }}"
    summary: Text | None = None

    @property
    def properties(self) -> frozenset[str]:
        """Every property it declares."""
        return frozenset(("id", *self.key, *self.indexed, *self.projected, *self.hydrated))


class CasesShape(Shape):
    """The four cases that a relationship type of a governed world is tested by: each the record it starts from."""

    missing: Text = Field(description="a record whose target is not there")
    stale: Text = Field(description="a record whose target moves on after it is projected")
    contradictory: Text = Field(description="a record whose targets, or modules, contradict each other")
    unauthorized: Text = Field(description="a record whose target not everybody may see who sees the record")


class RelationshipShape(Shape):
    """A relationship type of ontology.yml."""

    from_: OneOrMore = Field(alias="from", description="the kinds it may start at: with 'to', its direction")
    to: OneOrMore = Field(description="the kinds it may end at: with 'from', its direction")
    owner: Name = Field(description="the module that asserts it, or 'source': the module of each source")
    visibility: Name = Field(description="the class of policy.yml whose readers may see it")
    functional: bool = False
    properties: Names = []
    producer: Name | None = None
    cases: CasesShape | None = None

    def sources_in(self, module: str, kinds: Mapping[str, KindShape]) -> list[str]:
        """The kinds that a relationship may start at where this module asserts it."""
        if self.owner != SOURCE:
            return self.from_
        return [name for name in self.from_ if name in kinds and kinds[name].module == module]


class OntologyFile(Shape):
    """ontology.yml."""

    kinds: dict[Name, KindShape]
    relationships: dict[Name, RelationshipShape] = {}


class SourceShape(Shape):
    """Where a module's records lie: exactly one of the six.

    For CSV also the text that stands for null, and the installed Python package that the path is in; for a
    database also the table that holds its change feed.
    """

    json_: Text | None = Field(default=None, alias="json")
    csv: Text | None = None
    sqlite: Text | None = None
    generated: Text | None = None
    http: Annotated[str, StringConstraints(pattern=URL, max_length=2_000)] | None = None
    graph: Text | None = None
    feed: Name | None = None
    null_text: str | None = None
    package: Name | None = None

    @model_validator(mode="after")
    def _one(self) -> SourceShape:
        places = (self.json_, self.csv, self.sqlite, self.generated, self.http, self.graph)
        if sum(place is not None for place in places) != 1:
            raise ValueError(
                "exactly one of json, csv, sqlite, generated, http, graph says where the records lie"
            )
        if self.null_text is not None and self.csv is None:
            raise ValueError("null_text is for csv alone")
        if self.package is not None and self.csv is None:
            raise ValueError("package is for csv alone")
        if self.feed is not None and self.sqlite is None and self.generated is None:
            raise ValueError("feed is a table, so it is for sqlite and generated alone")
        return self


class MappedShape(Shape):
    """What every mapping says: which records it walks."""

    each: Text | None = None
    table: Text | None = None
    fields: dict[Name, Text] = {}
    types: dict[str, ColumnType] = {}
    observed_at: Text | None = None


class RecordShape(MappedShape):
    """How records become nodes."""

    id: Text = Field(description="the path or template that gives a record's id")
    visibility: Text = Field(description="a class of policy.yml, or a template that gives one")
    context: Text = "main"
    revision: Text | None = None
    computed: dict[Name, FunctionName] = {}
    base: Text | None = Field(default=None, description="the table that is written, where 'table' is a view")


class EdgeShape(MappedShape):
    """How records become relationships."""

    from_: Text = Field(alias="from", description="the path or template that gives the source's id")
    to: Text = Field(description="the path or template that gives the target's id")
    from_kind: Name | None = None
    to_kind: Name | None = None


def _mappings(value: object) -> object:
    return [value] if isinstance(value, dict) else value


class ModuleShape(Shape):
    """A module of modules.yml; a relationship type may be mapped from several places."""

    source: SourceShape
    records: dict[Name, RecordShape] = {}
    relationships: dict[
        Name, Annotated[list[EdgeShape], BeforeValidator(_mappings), Field(min_length=1)]
    ] = {}


def _all_or_names(value: object) -> object:
    return [EVERY] if value == EVERY else value


Reach = Annotated[list[Annotated[str, StringConstraints(min_length=1)]], BeforeValidator(_all_or_names)]


class WhenShape(Shape):
    """One guard: a field and the actor's attribute it must equal, or be in."""

    field: Name
    is_: str | None = Field(default=None, alias="is", pattern=ATTRIBUTE)
    in_: str | None = Field(default=None, alias="in", pattern=ATTRIBUTE)

    @model_validator(mode="after")
    def _one(self) -> WhenShape:
        if (self.is_ is None) == (self.in_ is None):
            raise ValueError("a record rule has exactly one guard: either is or in")
        return self


class RuleShape(Shape):
    """A record rule."""

    kind: Name
    when: WhenShape


class RoleShape(Shape):
    """A role of policy.yml."""

    modules: Reach
    kinds: Reach
    classes: list[Name]
    rules: list[RuleShape] = []
    rights: list[Literal["profile", "propose", "approve"]] = []


class ActorShape(Shape):
    """An actor of policy.yml."""

    roles: list[Name]
    attrs: dict[Name, Attribute] = {}
    principal: Text | None = None


class PolicyFile(Shape):
    """policy.yml."""

    classes: Annotated[list[Name], Field(min_length=1)]
    roles: dict[Name, RoleShape]
    actors: dict[Text, ActorShape] = {}
    may_act_as: list[Text] = []
    promote_to_world: Names = []
