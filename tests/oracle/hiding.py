"""A second world that looks to one actor like the first: what it may not see is something else."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from tests.oracle.worlds import Link, Record, SmallWorld, links, records


def seen(world: SmallWorld, actor: str) -> tuple[list[Record], list[Link]]:
    """The records and relationships that the actor may see."""
    shown = [record for record in world.records if world.permits(actor, record)]
    places = {(record.kind, record.id) for record in shown}
    joined = [k for k in world.links if {k.source, k.target} <= places and world.shows(actor, k)]
    return shown, joined


@st.composite
def lookalikes(draw: st.DrawFn, world: SmallWorld, actor: str, token: str = "z") -> SmallWorld:
    """The world with everything that is hidden from the actor replaced; new names begin with ``token``."""
    shown, joined = seen(world, actor)
    drawn = records(draw, sorted(world.ontology.kinds), prefix=token, most=9)
    hidden = [record for record in drawn if not world.permits(actor, record)]
    between = links(draw, world.ontology.relationships, [*shown, *hidden], prefix=token)
    everything = replace(world, records=tuple(draw(st.permutations([*shown, *hidden]))))
    places = {(record.kind, record.id) for record in shown}
    unseen = [k for k in between if not ({k.source, k.target} <= places and world.shows(actor, k))]
    return replace(everything, links=tuple(draw(st.permutations([*joined, *unseen]))))
