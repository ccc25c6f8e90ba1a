"""Whether the rows of the graph fit together. A probe is one statement of ``projection.diagnoses``, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lens_runtime.doctor.outcome import Finding, Mend, Outcome, Passed, Patient
from lens_runtime.projection.diagnoses import RANGED

STEP = 50_000
"""How many surrogates one statement looks at."""

END = 2**53
"""Beyond every surrogate: the largest number that D1 takes whole."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What is counted, by which statement, and how it is mended; ``first`` is what the user does before that."""

    check: str
    statement: str
    what: str
    mend: Mend
    first: str = ""


# A row without its record is never swept, and a later record could get its surrogate: only dropping ends it.
PROBES = (
    Probe("labels", "records_without_label", "records without a label", Mend.REBUILD, "give them one in modules.yml"),
    Probe("record scopes", "records_out_of_scope", "records under a scope unlike them, or under none", Mend.REBUILD),
    Probe("keys", "keys_unfit", "keys without their record, or unlike it", Mend.REBUILD),
    Probe("keys by kind", "keys_missing", "records that are not found by their kind", Mend.REBUILD),
    Probe("text", "records_out_of_text", "records that are not found by their words", Mend.REBUILD),
    Probe("text whole", "text_left_over", "entries of the text index that are no record's", Mend.ANEW),
    Probe("ends", "relationships_unfit", "relationships whose ends are other records, or none", Mend.REBUILD),
    Probe("dangling", "relationships_unlinked", "relationships that miss an end which is there", Mend.REBUILD),
    Probe("orphan adjacency", "adjacency_without_record", "adjacency rows without their record", Mend.ANEW),
    Probe("orphan fan", "fan_without_record", "fan counts without their record", Mend.ANEW),
    Probe("adjacency", "adjacency_unfit", "adjacency rows unlike their relationship, far end or scope", Mend.REBUILD),
    Probe("adjacency whole", "adjacency_missing", "records that lack rows of their relationships", Mend.REBUILD),
    Probe("fan", "fan_unfit", "fan counts that disagree with the adjacency rows", Mend.REBUILD),
    Probe("generations", "rows_of_no_generation", "rows of generations neither live nor being built", Mend.ANEW),
    Probe("aggregates", "aggregates_lost", "aggregates made from records that are gone", Mend.BUILD),
)  # fmt: skip


def probed(probe: Probe, patient: Patient) -> Outcome:
    """What one probe finds: how many, and the id of one of them where there is an id."""
    total, examples = 0, []
    for bounds in ranges(probe, patient):
        count, example = patient.rows(probe.statement, *bounds)[0]
        total += int(count or 0)
        examples += [] if example is None else [str(example)]
    if not total:
        return Passed(probe.check, "nothing amiss")
    such = f", such as {min(examples)}" if examples else ""
    mend = patient.mend(probe.mend)
    return Finding(
        probe.check, f"{probe.what}: {total:,}{such}", f"{probe.first}, then {mend}" if probe.first else mend
    )


def ranges(probe: Probe, patient: Patient) -> Iterator[tuple[int, ...]]:
    """What each of the probe's statements looks at; the first and the last are open, for rows that stray."""
    if probe.statement not in RANGED:
        yield ()
        return
    low, high = patient.rows(RANGED[probe.statement])[0]
    after = -END
    for upto in range(int(low or 0) + STEP, int(high or 0), STEP):
        yield after, upto
        after = upto
    yield after, END
