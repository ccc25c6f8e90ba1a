"""Cases that a lens is evaluated on: a subject, who asks, and what the decision needs (docs/evaluation.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, get_args

from pydantic import AfterValidator, BeforeValidator, Field

from lens_dsl.errors import ConfigurationError
from lens_dsl.lens import Lens
from lens_dsl.ontology import did_you_mean
from lens_runtime.envelope.shape import UnknownCode
from lens_runtime.evidence.case_files import read_cases_document
from lens_runtime.graph import Coordinate
from lens_runtime.worlds.document import Document, Location
from lens_runtime.worlds.shapes import Shape, Text
from lens_runtime.worlds.validation import validated
from lens_runtime.worlds.world import World

MAX_ID = 500
_PARTS = ("module", "entityType", "entityId")


def _id(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _coordinate(value: object) -> object:
    """Both spellings of a coordinate as the one text: an envelope has it as a map."""
    if not isinstance(value, dict):
        return value
    parts = [value.get(name) for name in _PARTS]
    if value.keys() != set(_PARTS) or not all(isinstance(part, str) for part in parts):
        raise ValueError(
            "must be a coordinate: write module:Type:ID, or a map of the texts module, entityType, entityId"
        )
    if any(":" in str(part) for part in parts[:2]):
        raise ValueError("must be a coordinate: module and entityType are without a colon")
    return ":".join(map(str, parts))


def _well_formed(text: str) -> str:
    if text.count(":") < 2 or not all(text.split(":", 2)) or len(text) > MAX_ID:
        raise ValueError("must be a coordinate: write module:Type:ID")
    if "\0" in text:
        raise ValueError("must be a coordinate: without the character U+0000")
    return text


def _coded(value: object) -> object:
    return {"code": value} if isinstance(value, str) else value


Place = Annotated[str, BeforeValidator(_coordinate), AfterValidator(_well_formed)]


class UnknownShape(Shape):
    """An unknown that the answer must name."""

    code: Text = Field(description="a code of an unknown, or of an expectation of the lens")
    about: Place | None = None


class CaseShape(Shape):
    """One case of a file of cases."""

    id: Annotated[Text, BeforeValidator(_id)] = Field(description="the name of the case, once in the file")
    subject: Place = Field(description="what the lens is asked about, as module:Type:ID")
    needed: list[Place] = Field(description="the records that the decision needs, as module:Type:ID")
    actor: Text | None = None
    context: Text = "main"
    focus: Annotated[str, Field(max_length=10_000)] | None = None
    forbidden: list[Place] = Field(default_factory=list)
    unknowns: list[Annotated[UnknownShape, BeforeValidator(_coded)]] = Field(default_factory=list)
    actions: list[Text] | None = None


@dataclass(frozen=True, slots=True)
class ExpectedUnknown:
    """An unknown that the answer must name; ``about`` is None where any record will do."""

    code: str
    about: Coordinate | None = None

    def __str__(self) -> str:
        return self.code if self.about is None else f"{self.code} of {self.about}"


@dataclass(frozen=True, slots=True)
class Case:
    """A subject, who asks, and what a good answer holds.

    ``needed`` are the records that the decision needs, ``forbidden`` those that must not be learned of,
    ``unknowns`` what must be named as not known, ``actions`` exactly what may be offered (None: not judged).
    """

    id: str
    subject: Coordinate
    actor: str
    needed: tuple[Coordinate, ...] = ()
    context: str = "main"
    focus: str | None = None
    forbidden: tuple[Coordinate, ...] = ()
    unknowns: tuple[ExpectedUnknown, ...] = ()
    actions: tuple[str, ...] | None = None


def read_cases(path: Path, world: World, lens: Lens) -> tuple[Case, ...]:
    """The cases of a YAML, JSON or JSON Lines file, in its order.

    ConfigurationError (``InvalidCases``) with every fault found, by file, line and field.
    """
    document = read_cases_document(path)
    shapes = None
    if not document.findings:
        shapes = validated(document, list[CaseShape], 1)
        if not document.findings and shapes is not None:
            _check(shapes, document, world, lens)
    if document.findings or shapes is None:
        found = tuple(sorted(document.findings, key=lambda finding: finding.line))
        raise ConfigurationError(
            "InvalidCases",
            f"the cases in {path} have {len(found)} fault{'s' if len(found) != 1 else ''}",
            findings=found,
            hint="docs/evaluation.md says what a case may hold",
        )
    return tuple(_made(shape, world) for shape in shapes)


def _check(shapes: list[CaseShape], document: Document, world: World, lens: Lens) -> None:
    """What only the world and the lens can tell: kinds, actors, codes."""
    first: dict[str, int] = {}
    codes = {*get_args(UnknownCode), *(expected.code for expected in lens.expect)}
    for position, case in enumerate(shapes):
        if case.id in first:
            document.report(
                (position, "id"),
                f"{case.id} stands twice, first on line {document.line((first[case.id], 'id'))}",
            )
        first.setdefault(case.id, position)
        _check_actor(case, position, document, world)
        for where, text in _places(case, position):
            _check_place(text, where, document, world)
        for number, unknown in enumerate(case.unknowns):
            if unknown.code not in codes:
                message = f"{unknown.code} is no code of an unknown; {did_you_mean(unknown.code, codes)}"
                document.report((position, "unknowns", number), message)


def _check_actor(case: CaseShape, position: int, document: Document, world: World) -> None:
    known = world.policy.may_act_as
    if case.actor is None and world.policy.default_actor is None:
        document.report((position,), "names no actor, and may_act_as of policy.yml is empty")
    elif case.actor is not None and case.actor not in world.policy.actors:
        document.report(
            (position, "actor"), f"{case.actor} is no actor of policy.yml; {did_you_mean(case.actor, known)}"
        )
    if case.context not in world.contexts:
        document.report((position, "context"), f"the world has no context {case.context}")


def _places(case: CaseShape, position: int) -> Iterable[tuple[Location, str]]:
    yield (position, "subject"), case.subject
    for name in ("needed", "forbidden"):
        for number, text in enumerate(getattr(case, name)):
            yield (position, name, number), text
    for number, unknown in enumerate(case.unknowns):
        if unknown.about is not None:
            yield (position, "unknowns", number), unknown.about


def _check_place(text: str, where: Location, document: Document, world: World) -> None:
    at, kinds = Coordinate.parse(text), world.ontology.kinds
    if world.open and at.entity_type not in kinds:
        return
    if at.entity_type not in kinds:
        message = f"{at.entity_type} is no kind of ontology.yml; {did_you_mean(at.entity_type, kinds)}"
        document.report(where, message)
    elif kinds[at.entity_type].module != at.module:
        document.report(where, f"{at.entity_type} belongs to the module {kinds[at.entity_type].module}")


def _made(shape: CaseShape, world: World) -> Case:
    return Case(
        id=shape.id,
        subject=Coordinate.parse(shape.subject),
        actor=shape.actor or str(world.policy.default_actor),
        needed=_coordinates(shape.needed),
        context=shape.context,
        focus=shape.focus,
        forbidden=_coordinates(shape.forbidden),
        unknowns=tuple(
            ExpectedUnknown(each.code, None if each.about is None else Coordinate.parse(each.about))
            for each in shape.unknowns
        ),
        actions=None if shape.actions is None else tuple(dict.fromkeys(shape.actions)),
    )


def _coordinates(texts: Collection[str]) -> tuple[Coordinate, ...]:
    """Each once: a record that is named twice is needed once."""
    return tuple(dict.fromkeys(map(Coordinate.parse, texts)))
