"""What the engine of the database tells: the file, the version, the limits, the plans."""

from __future__ import annotations

import re

from lens_runtime.doctor.outcome import Finding, Mend, Outcome, Passed, Patient, Untold
from lens_runtime.projection.plans import PLANNED, unbounded

OLDEST = (3, 40)
"""The oldest SQLite whose plans the tests hold."""

REFUSED = "OMIT_JSON"
ELSEWHERE = "D1 runs it, and does not tell; the project's tests hold it on D1's own runtime"
INSTALL = "install the package anew: it brings the SQLite it needs"
_SURROGATE = re.compile(r"\b(row|rowid) \d+", re.IGNORECASE)


def file(patient: Patient) -> Outcome:
    """Whether the file itself is whole. Where a record is named by its row, the row's number is left out."""
    if patient.examiner is None:
        return Untold("file", ELSEWHERE)
    faults = patient.examiner.faults()
    if not faults:
        return Passed("file", "integrity_check finds nothing")
    said = "; ".join(_SURROGATE.sub(r"a \1", fault) for fault in faults)
    path, build = patient.examiner.file, patient.mend(Mend.BUILD)
    return Finding(
        "file", f"it is damaged: {said}", f"remove {path}, {path}-wal and {path}-shm, then {build}"
    )


def engine(patient: Patient) -> Outcome:
    """Whether this SQLite is one whose plans are known."""
    if patient.examiner is None:
        return Untold("engine", ELSEWHERE)
    facts = patient.examiner.facts()
    numbers = tuple(int(part) for part in facts.version.split(".")[:2])
    if numbers < OLDEST:
        what = f"SQLite {facts.version} is older than {OLDEST[0]}.{OLDEST[1]}"
        return Finding("engine", what, INSTALL)
    if REFUSED in facts.features:
        return Finding("engine", f"SQLite {facts.version} was compiled without JSON", INSTALL)
    extra = ", ".join(name for name in ("FTS5", "STAT4") if f"ENABLE_{name}" in facts.features)
    return Passed("engine", f"SQLite {facts.version}, with JSON" + (f", {extra}" if extra else ""))


def limits(patient: Patient) -> Outcome:
    """Whether connections hold D1's limits: what runs here runs there."""
    if patient.examiner is None:
        return Untold("limits", ELSEWHERE)
    held = patient.examiner.facts().limits
    wrong = [f"{name} is {has:,}, not {wanted:,}" for name, (has, wanted) in held.items() if has != wanted]
    if wrong:
        return Finding("limits", "; ".join(sorted(wrong)), INSTALL)
    return Passed("limits", f"{len(held)} limits as on D1")


def plans(patient: Patient) -> Outcome:
    """Whether every statement would be run by seeking, as it was written to be."""
    if patient.examiner is None:
        return Untold("plans", ELSEWHERE)
    found = patient.examiner.plans()
    bad = {name: lines for name, plan in found.items() if (lines := unbounded(name, PLANNED[name], plan))}
    if bad:
        said = "; ".join(f"{name}: {lines[0]}" for name, lines in sorted(bad.items())[:3])
        what = f"{len(bad)} of {len(found)} statements read more than they may: {said}"
        return Finding("plans", what, patient.mend(Mend.ANEW))
    return Passed("plans", f"{len(found)} statements, none scans a table that grows")
