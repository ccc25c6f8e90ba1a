"""What the operators of a plan are called where their cost is shown."""

from __future__ import annotations

from lens_dsl.nesting import subqueries_of
from lens_dsl.plan import Expansion, InnerBlock, MatchStep, Stage, Step


def way(stage: Stage, step: Step) -> str:
    """A relationship as the plan walks it, in words; a walk that no pattern asks for has no ends."""
    types = "|".join(dict.fromkeys(name for name, _, _ in step.go))
    actions = [action for match in stage.matches for action in match.actions]
    walk = next((a for a in actions if isinstance(a, Expansion) and step.bit in a.steps), None)
    ends = (walk.origin, walk.end) if walk is not None else ("", "")
    near, far = (name if not name.startswith("#") else "" for name in ends)
    return f"({near})-[:{types}]-({far})"


def matched(block: InnerBlock) -> tuple[str, str]:
    """The operator of a block, and what it is about."""
    if not isinstance(block, MatchStep):
        return "Subquery", ", ".join(subquery.text for subquery in subqueries_of(block))
    named = [slot.name for slot in block.block.nodes if not slot.name.startswith("#")]
    return "Match", ", ".join(named)
