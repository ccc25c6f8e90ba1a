"""The shape of a lens's lens.yml."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator

from lens_runtime.worlds.shapes import Name, OneOrMore, Shape, Text

CODE = r"^[a-z][a-z0-9_]*$"
TOOL = r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$"

Code = Annotated[str, StringConstraints(pattern=CODE, max_length=64)]
Tool = Annotated[str, StringConstraints(pattern=TOOL, max_length=128)]


class AllowShape(Shape):
    """A relationship type, and how it may be walked from the subject outwards."""

    type: Name = Field(description="a relationship type of ontology.yml")
    dir: Literal["out", "in", "both"] = Field(
        description="out, in or both, as walked from the subject outwards"
    )


class ExpectShape(Shape):
    """A pattern that should be there."""

    pattern: Text = Field(description="a pattern around (subject)")
    code: Code = Field(description="what the envelope calls its absence")


class ActionShape(Shape):
    """A module's tool, and when the subject's fields permit it."""

    name: Tool = Field(description="module.tool")
    when: Text = "true"


class NamingShape(Shape):
    """How a focus names a record."""

    kind: Name = Field(description="a kind of ontology.yml")
    like: Annotated[str, StringConstraints(min_length=3, max_length=64)] = Field(
        description="an id, with 0 for every digit"
    )

    @field_validator("like")
    @classmethod
    def _tells_an_id(cls, like: str) -> str:
        if like.count("0") < 3 or any(character.isspace() for character in like):
            raise ValueError("must hold at least three 0, each for a digit, and no blank")
        return like


class BeyondShape(Shape):
    """What the lens does not know by design."""

    words: list[Text] = Field(min_length=1, max_length=20, description="words of a focus that ask for it")
    says: Text = Field(description="what is beyond the lens")


class LensFile(Shape):
    """lens.yml."""

    name: Code = Field(description="the name of its folder")
    purpose: Text = Field(description="which decision it serves, in a sentence")
    owner: Text = Field(description="who answers for it")
    subject_kinds: OneOrMore = Field(description="the kinds it may be asked about")
    allow: list[AllowShape]
    depth: Annotated[int, Field(ge=1, le=20)] = 3
    max_nodes: Annotated[int, Field(ge=1, le=500)] = 60
    fanout: Annotated[int, Field(ge=1, le=80)] = 25
    max_tokens: Annotated[int, Field(ge=1_000, le=100_000)] = 2_400
    deadline_ms: Annotated[int, Field(ge=50, le=60_000)] = 1_500
    max_age_s: Annotated[int, Field(ge=0)] = 86_400
    weights: dict[Name, Annotated[float, Field(ge=0, le=1_000)]] = Field(default_factory=dict)
    expect: list[ExpectShape] = Field(default_factory=list, max_length=20)
    next_actions: list[ActionShape] = Field(default_factory=list, max_length=10)
    names: list[NamingShape] = Field(default_factory=list, max_length=10)
    beyond: list[BeyondShape] = Field(default_factory=list, max_length=10)
