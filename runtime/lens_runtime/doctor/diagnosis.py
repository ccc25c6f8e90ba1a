"""The doctor: every check of a world's graph, in order. It only reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from lens_runtime.doctor import engine, schema, standing
from lens_runtime.doctor.outcome import Finding, Outcome, Patient, Untold
from lens_runtime.doctor.probes import PROBES, probed

Check = Callable[[Patient], Outcome]

# Without a whole file, and the tables as they are written, no other check can be made.
FIRST: tuple[Check, ...] = (engine.file, schema.schema)
CHECKS: tuple[Check, ...] = (
    engine.engine,
    engine.limits,
    standing.statistics,
    engine.plans,
    standing.generation,
    standing.ontology,
    standing.policy,
    standing.cursors,
    standing.sizes,
    standing.scopes,
    *(partial(probed, probe) for probe in PROBES),
)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was looked at in a world's graph, and what was found."""

    world: str
    outcomes: tuple[Outcome, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is not as it should be; empty for a healthy graph."""
        return tuple(outcome for outcome in self.outcomes if isinstance(outcome, Finding))


def diagnose(patient: Patient) -> Diagnosis:
    """Look at everything. StoreError (NotBuilt) before the first build, and wherever the store cannot be read."""
    outcomes: list[Outcome] = []
    for check in FIRST:
        outcomes.append(check(patient))
        if isinstance(outcomes[-1], Finding):
            outcomes.append(Untold("all else", f"not before this is mended: {outcomes[-1].check}"))
            return Diagnosis(patient.world.id, tuple(outcomes))
    outcomes += [check(patient) for check in CHECKS]
    return Diagnosis(patient.world.id, tuple(outcomes))
