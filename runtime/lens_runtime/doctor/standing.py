"""Whether the graph stands where its world does: generation, ontology, policy, modules; and how large it is."""

from __future__ import annotations

from datetime import UTC, datetime

from lens_runtime.doctor.outcome import Finding, Mend, Outcome, Passed, Patient
from lens_runtime.projection.build import grant_rows
from lens_runtime.projection.status import built
from lens_runtime.worlds.build import stored_policy


def generation(patient: Patient) -> Outcome:
    """The live generation. One that a build left behind is a finding, unless a build is at work."""
    live = built(patient.store, patient.world.id)
    left = [str(row[0]) for row in patient.rows("builds")]
    writer = _writer(patient)
    if left and writer is None:
        what = f"a build that ended early left generation {', '.join(left)} behind"
        return Finding("generation", what, patient.mend(Mend.BUILD))
    when = datetime.fromtimestamp(live.built_at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    working = f"; a build is at work: {writer}" if writer else ""
    return Passed("generation", f"{live.generation}, built {when}{working}")


def _writer(patient: Patient) -> str | None:
    if patient.examiner is not None:
        return patient.examiner.facts().writer
    rows = patient.rows("lease")
    return str(rows[0][0]) if rows else None


def ontology(patient: Patient) -> Outcome:
    """Whether the graph was built under the ontology that the folder has."""
    if built(patient.store, patient.world.id).ontology != patient.world.ontology.digest:
        what = "ontology.yml has changed since the graph was built"
        return Finding("ontology", what, patient.mend(Mend.BUILD))
    return Passed("ontology", "as in the folder")


def policy(patient: Patient) -> Outcome:
    """Whether the graph was built under this policy, and gives every actor what it gives."""
    wanted = stored_policy(patient.world.policy)
    if built(patient.store, patient.world.id).policy != wanted.revision:
        what = "policy.yml has changed since the graph was built: queries are refused"
        return Finding("policy", what, patient.mend(Mend.BUILD))
    rows = {tuple(map(str, row)) for row in patient.rows("grants")}
    said = set(map(tuple, grant_rows(wanted)))
    if rows != said:
        what = (
            f"of the grants, {len(rows - said):,} are not the policy's and {len(said - rows):,} are missing"
        )
        return Finding("policy", what, patient.mend(Mend.BUILD))
    return Passed("policy", f"revision {wanted.revision}, {len(rows):,} grants")


def cursors(patient: Patient) -> Outcome:
    """Whether the modules that are projected are those of the world."""
    live = built(patient.store, patient.world.id)
    held = {str(row[0]) for row in patient.rows("cursors", live.generation)}
    wrong = [f"{name} is no module of the world" for name in sorted(held - patient.world.modules.keys())]
    wrong += [f"{name} is not projected" for name in sorted(patient.world.modules.keys() - held)]
    if wrong:
        return Finding("cursors", "; ".join(wrong), patient.mend(Mend.BUILD))
    return Passed("cursors", f"of {len(held)} modules")


def statistics(patient: Patient) -> Outcome:
    """Whether somebody ran ANALYZE: with statistics, SQLite may choose plans that read whole tables."""
    if patient.rows("statistics"):
        what = "there are statistics (ANALYZE), which make some writes read whole hubs"
        return Finding("statistics", what, patient.mend(Mend.BUILD))
    return Passed("statistics", "none, as it should be")


def sizes(patient: Patient) -> Outcome:
    """How much there is, of all generations."""
    names = ("records", "relationships", "adjacency rows", "groups", "keys", "aggregates")
    counts = patient.rows("rows_held")[0]
    said = ", ".join(f"{int(n or 0):,} {name}" for name, n in zip(names, counts, strict=True))
    if patient.examiner is None:
        return Passed("sizes", said)
    return Passed("sizes", f"{said}; {patient.examiner.facts().size / 1e6:,.1f} MB")


def scopes(patient: Patient) -> Outcome:
    """How many scopes there are, and how many no actor holds: what stands under these, nobody sees."""
    held, closed = (int(n or 0) for n in patient.rows("scopes_open")[0])
    return Passed("scopes", f"{held:,}, of which {closed:,} are open to no actor")
