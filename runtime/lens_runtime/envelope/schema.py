"""The envelope's JSON Schema: ``python -m lens_runtime.envelope.schema`` writes docs/envelope.schema.json."""

from __future__ import annotations

import json
import sys

from lens_runtime.envelope.shape import ContextEnvelope


def schema_text() -> str:
    """The schema as the file holds it."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **ContextEnvelope.model_json_schema(mode="serialization"),
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
