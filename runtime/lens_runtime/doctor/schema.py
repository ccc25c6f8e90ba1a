"""Whether the tables are those that this program writes."""

from __future__ import annotations

from lens_dsl.errors import StoreError
from lens_runtime.doctor.outcome import Finding, Mend, Outcome, Passed, Patient
from lens_runtime.projection.schema import DDL, TABLES, VERSION

_MADE_FIRST = "context_lease"  # by whoever only asks for the lease


def schema(patient: Patient) -> Outcome:
    """The version, then every table, index and trigger by its text. StoreError (NotBuilt) where there are none."""
    found = _found(patient)
    if not found.keys() - {_MADE_FIRST}:
        world = patient.world.id
        raise StoreError("NotBuilt", f"world {world} is not built", hint=f"lens world build {world}")
    if "context_schema" in found:
        versions = [int(row[0] or 0) for row in patient.rows("schema_versions")]
        if versions and versions[0] != VERSION:
            what = f"the tables have version {versions[0]}, this program writes {VERSION}"
            return Finding("schema", what, patient.mend(Mend.REBUILD))
        if len(versions) != 1:
            what = f"the tables name {len(versions)} versions, where one is written"
            return Finding("schema", what, patient.mend(Mend.ANEW))
    wrong = _drift(found)
    if wrong:
        return Finding("schema", "; ".join(wrong), patient.mend(Mend.ANEW))
    return Passed("schema", f"version {VERSION}, {len(TABLES)} tables as written")


def _drift(found: dict[str, str]) -> list[str]:
    wanted = dict(map(_named, DDL))
    missing = [f"{name} is missing" for name in wanted if name not in found]
    other = [f"{name} differs" for name, text in wanted.items() if found.get(name, text) != text]
    more = [f"{name} is not the program's" for name in found if name not in wanted]
    return sorted(missing) + sorted(other) + sorted(more)


def _found(patient: Patient) -> dict[str, str]:
    """What there is of the graph's tables and on them, by name; other tables of the database are none of ours."""
    return {
        str(name): _plain(str(text))
        for _, name, table, text in patient.rows("schema_objects")
        if table in TABLES
    }


def _named(statement: str) -> tuple[str, str]:
    """A CREATE statement as SQLite keeps it, by the name of what it makes."""
    text = _plain(statement.replace("IF NOT EXISTS ", "", 1))
    return text.split("(")[0].partition(" USING ")[0].partition(" ON ")[0].split()[-1], text


def _plain(text: str) -> str:
    return " ".join(text.split())
