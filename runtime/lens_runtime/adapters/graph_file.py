"""The graph of an open world: a JSON file of nodes and edges, read whole."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from lens_dsl.errors import ConfigurationError, ReaderError
from lens_dsl.ontology import ANYTHING
from lens_runtime.open_graph import REVISION, OpenGraph, OpenNode, OpenRelationship
from lens_runtime.ports import Answer, Assertion, Confirmation, Deadline, Forbidden, Found, NotFound, Snapshot
from lens_runtime.projection.states import Position
from lens_runtime.scope import Actor
from lens_runtime.worlds.policy import Policy

Text = Annotated[str, StringConstraints(min_length=1)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _NodeShape(_Shape):
    id: Text
    labels: list[Text] = []
    props: dict[str, Any] = {}


class _EdgeShape(_Shape):
    id: Text
    from_: Text = Field(alias="from")
    type: Text
    to: Text
    props: dict[str, Any] = {}


class _GraphShape(_Shape):
    nodes: list[_NodeShape]
    edges: list[_EdgeShape] = []


@dataclass(frozen=True)
class GraphFileReader:
    """The one module of an open world; ``unmarked`` is the class of what names none.

    The file is ``{"nodes": [{id, labels, props}], "edges": [{id, from, type, to, props}]}``.
    """

    module: str
    path: Path
    policy: Policy
    unmarked: str

    def read(
        self, actor: Actor, context: str, kind: str, ids: Sequence[str], deadline: Deadline
    ) -> Mapping[str, Answer]:
        """One answer for every id asked. Raises as ``snapshot`` does."""
        return {record_id: self._answer(actor, self._nodes.get(record_id)) for record_id in ids}

    def confirm(
        self, actor: Actor, context: str, relationships: Sequence[Assertion], deadline: Deadline
    ) -> Mapping[str, Confirmation]:
        """``unknown`` for all: nobody owns them but the file."""
        return {each.id: "unknown" for each in relationships}

    def snapshot(self) -> Snapshot:
        """The whole graph. ReaderError where the file cannot be read, ConfigurationError where it is no graph."""
        return Snapshot(self._graph.node_states(), self._graph.edge_states())

    def changes(self, cursor: Position | None) -> None:
        """No feed: a build takes a snapshot."""

    @cached_property
    def _graph(self) -> OpenGraph:
        try:
            found = _GraphShape.model_validate(json.loads(self.path.read_text(encoding="utf-8")))
        except OSError as problem:
            raise ReaderError(
                "ReaderUnavailable", f"{self.path} cannot be read: {problem.strerror}"
            ) from None
        except ValidationError as problem:
            first = problem.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise _no_graph(self.path, f"{place}: {first['msg']}") from None
        except ValueError as problem:
            raise _no_graph(self.path, f"it is no JSON: {problem}") from None
        return OpenGraph(
            self.module,
            self.unmarked,
            tuple(OpenNode(node.id, tuple(node.labels), node.props) for node in found.nodes),
            tuple(OpenRelationship(e.id, e.type, e.from_, e.to, e.props) for e in found.edges),
        )

    @cached_property
    def _nodes(self) -> Mapping[str, OpenNode]:
        return {node.id: node for node in self._graph.nodes}

    def _answer(self, actor: Actor, node: OpenNode | None) -> Answer:
        if node is None:
            return NotFound()
        visibility = self._graph.class_of(node.properties)
        if not self.policy.permits(actor, ANYTHING, visibility, node.properties):
            return Forbidden()
        return Found(node.properties, REVISION, visibility, node.id)


def _no_graph(path: Path, why: str) -> ConfigurationError:
    return ConfigurationError(
        "RecordUnreadable",
        f"{path}: {why}",
        hint='write {"nodes": [{"id": .., "labels": [..], "props": {..}}], "edges": [..]}',
    )
