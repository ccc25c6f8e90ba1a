"""A result as CSV, as JSON and as an envelope: for programs, with every value whole."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict

from lens_dsl.explain import Explanation
from lens_runtime.encoding import Encoder
from lens_runtime.envelope import seal
from lens_runtime.graph import Value
from lens_runtime.result import Result

VOLATILE = ("request_id", "as_of")
"""What differs between two runs on the same data."""
ANSWER = (
    "columns", "rows", "facts", "relationships", "truncation", "unknowns", "freshness", "aggregates", "warnings"
)  # fmt: skip


def csv_text(result: Result) -> str:
    """RFC 4180 with a header; null is empty, and lists, maps, nodes, relationships and paths are JSON.

    Nothing is changed to please a spreadsheet: a text that begins with ``=`` stays as it is.
    """
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(result.columns)
    encoder = Encoder(result.ends)
    writer.writerows([_csv_cell(value, encoder) for value in row] for row in result.rows)
    return written.getvalue()


def _csv_cell(value: Value, encoder: Encoder) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value)
    encoded = encoder.encode(value)
    return encoded if isinstance(encoded, str) else json.dumps(encoded, ensure_ascii=False)


def json_text(result: Result, explanation: Explanation | None = None) -> str:
    """One object: columns, rows, the facts of their nodes, truncation, unknowns, freshness and warnings.

    With an explanation, what the query did and what that cost stand under ``profile``.
    """
    envelope = seal(result).model_dump(mode="json")
    answer = {name: envelope[name] for name in ANSWER}
    if explanation is not None:
        answer["profile"] = {"plan": asdict(explanation), "spent": asdict(result.usage)}
    return json.dumps(answer, ensure_ascii=False, indent=2) + "\n"


def envelope_text(result: Result) -> str:
    """The envelope as an agent is given it."""
    return json.dumps(seal(result).model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def steady_envelope(result: Result) -> dict[str, object]:
    """The envelope without what differs between two runs on the same data, for notebooks kept in git."""
    envelope = seal(result).model_dump(mode="json", exclude=set(VOLATILE))
    for part in envelope["freshness"]:
        del part["read_at"]
    return envelope


def steady_envelope_text(result: Result) -> str:
    """The same as indented JSON."""
    return json.dumps(steady_envelope(result), ensure_ascii=False, indent=2)


def explanation_json(explanation: Explanation) -> str:
    """The plan as one object."""
    return json.dumps(asdict(explanation), ensure_ascii=False, indent=2) + "\n"
