"""Dropping what cannot be part of any match before a module is asked for it.

Only what is certain is dropped. A node at which something was cut stays, since only the matcher can then
tell what is missing; for an OPTIONAL MATCH nothing is dropped that was there before it.
"""

from __future__ import annotations

from collections.abc import Mapping

from lens_dsl import ast
from lens_dsl.pattern import ProjectBlock
from lens_dsl.plan import Anchor, Expansion, MatchStep, Stage
from lens_runtime.subgraph import Subgraph

Candidates = dict[str, set[str]]


def prune(stage: Stage, subgraph: Subgraph) -> Subgraph:
    """The subgraph without nodes that no match of this stage can use."""
    held = {a.variable: set(subgraph.held.get(a.bit, ())) for a in stage.anchors if a.computed}
    needed = set().union(*held.values())
    doubtful = _not_run(stage, subgraph)
    for block in stage.blocks:
        if isinstance(block, MatchStep):
            held, used = _usable(block, held, subgraph, doubtful)
            needed |= used
        elif isinstance(block, ProjectBlock):
            held = _renamed(block, held)
    needed |= _walked_within(stage, subgraph)
    nodes = {node_id: node for node_id, node in subgraph.nodes.items() if node_id in needed}
    return subgraph.restricted(nodes, subgraph.cuts)


def _walked_within(stage: Stage, subgraph: Subgraph) -> set[str]:
    """Everything that a subquery can touch: what it does not find is part of its answer."""
    found: set[str] = set()
    for step in (step for inner in stage.inner for part in inner.parts for step in part):
        for action in step.actions if isinstance(step, MatchStep) else ():
            if isinstance(action, Anchor):
                found |= set(subgraph.held.get(action.bit, ()))
            else:
                found |= {node for pair in _pairs(action, subgraph) for node in pair}
    return found


def _renamed(block: ProjectBlock, held: Mapping[str, set[str]]) -> Candidates:
    plain = {c.name: c.expression.name for c in block.columns if isinstance(c.expression, ast.Variable)}
    return {name: held[old] for name, old in plain.items() if old in held}


def _not_run(stage: Stage, subgraph: Subgraph) -> set[int]:
    """The bits of the steps that a needed step before them left out, since nothing was found for it."""
    bits = [step.bit for step in stage.steps]
    ended = (i for i, step in enumerate(stage.steps) if step.need and not subgraph.held.get(step.bit))
    return set(bits[next(ended, len(bits)) + 1 :])


def _usable(
    step: MatchStep, before: Candidates, subgraph: Subgraph, doubtful: set[int]
) -> tuple[Candidates, set[str]]:
    """What each variable can be after this MATCH, and every node that the MATCH can touch."""
    held = {name: set(nodes) for name, nodes in before.items()}
    inner: set[str] = set()
    expansions: list[Expansion] = []
    for action in step.actions:
        if isinstance(action, Anchor):
            held[action.variable] = set(subgraph.held.get(action.bit, ()))
        elif action.slot.bound:
            # Its ends were found by another clause: they are among all that there is.
            for name in (action.origin, action.end):
                held.setdefault(name, set(subgraph.nodes))
        elif subgraph.cuts and (action.closes or action.end in held or doubtful & {*action.steps}):
            # A cut anywhere may have taken what would close the pattern here, or have kept a step from being
            # run: nothing is certain then.
            held.setdefault(action.end, {far for _, far in _pairs(action, subgraph)})
            inner |= {node for pair in _pairs(action, subgraph) for node in pair}
        else:
            inner |= _forward(action, held, subgraph)
            expansions.append(action)
    if step.block.optional:
        return {**held, **before}, set().union(*held.values(), inner)
    for expansion in reversed(expansions):
        _backward(expansion, held, subgraph)
    for expansion in expansions:
        _forward(expansion, held, subgraph)
    return held, set().union(*held.values(), inner)


def _forward(expansion: Expansion, held: Candidates, subgraph: Subgraph) -> set[str]:
    """Narrow the end to what its origin reaches; the inner nodes of a walk of several hops are returned."""
    origins = held.get(expansion.origin, set())
    if _single(expansion):
        pairs = _pairs(expansion, subgraph)
        reached, inner = {far for near, far in pairs if near in origins}, set[str]()
    else:
        inner = {node for pair in _pairs(expansion, subgraph) for node in pair}
        reached = inner | origins
    held[expansion.end] = held[expansion.end] & reached if expansion.end in held else reached
    return inner


def _backward(expansion: Expansion, held: Candidates, subgraph: Subgraph) -> None:
    """Narrow the origin to what reaches its end, or was cut on the way there."""
    if not _single(expansion):
        return
    ends = held[expansion.end]
    useful = {near for near, far in _pairs(expansion, subgraph) if far in ends}
    cut = {node for bit, node in subgraph.cuts if bit in expansion.steps}
    held[expansion.origin] &= useful | cut


def _single(expansion: Expansion) -> bool:
    return (expansion.slot.low, expansion.slot.high) == (1, 1)


def _pairs(expansion: Expansion, subgraph: Subgraph) -> list[tuple[str, str]]:
    return [(near, far) for bit in expansion.steps for near, _, far in subgraph.walked.get(bit, ())]
