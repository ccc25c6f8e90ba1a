"""The shape of ``producers/*.yml`` and of ``roles.yml``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from lens_runtime.aggregation.producer import DEFAULT_ROLE, Function
from lens_runtime.worlds.shapes import Name, Names, Shape, Text


def _alternatives(value: object) -> object:
    return [part.strip() for part in value.split("|")] if isinstance(value, str) else value


class CollectShape(Shape):
    """What is collected around an anchor."""

    target_label: Name = Field(alias="targetLabel", description="the kind that is collected")
    via: Annotated[list[Name], BeforeValidator(_alternatives), Field(min_length=1)] = Field(
        description="the relationship types that are followed, several with |"
    )
    incoming: bool = False
    anchor_label: Name = Field(alias="anchorLabel", description="the kind of the anchor")
    anchor_key_property: Name | None = Field(default=None, alias="anchorKeyProperty")
    text: Text = Field(description="the template that makes an item of each neighbour")
    order_by: Names = Field(default=[], alias="orderBy")


class ReduceShape(Shape):
    """How the items become a value."""

    using: Function = Field(description="the function that reduces")
    into: Name = Field(description="the property that holds the value")
    args: list[Text] = Field(default=[])
    role: Name = DEFAULT_ROLE


class CacheShape(Shape):
    """Where the value is kept."""

    kind: Literal["none", "graph"] = Field(description="none or graph")


class ProducerShape(Shape):
    """A producer. ``label`` stands here to be refused: it is the ontology's."""

    name: Name = Field(description="what the ontology's relationship type calls it")
    kind: Literal["aggregate"] = Field(description="aggregate")
    edge_type: Name = Field(alias="edgeType", description="the virtual relationship type it makes")
    collect: CollectShape = Field(description="what is collected")
    reduce: ReduceShape = Field(description="how it is reduced")
    identity_field: Name = Field(alias="identityField", description="the property that holds the node's id")
    anchor_key_field: Name = Field(
        alias="anchorKeyField", description="the property that holds the anchor's key"
    )
    cache: CacheShape = CacheShape(kind="none")
    label: Any = None


class RoleShape(Shape):
    """A role of roles.yml."""

    reducer: Literal["extractive"] = "extractive"
    revision: Text = "1"


ProducersFile = list[ProducerShape]
RolesFile = dict[Name, RoleShape]
