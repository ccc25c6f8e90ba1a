"""Coverage-guided fuzzing: ``python -m tests.dsl.fuzz FOLDER -max_total_time=600``, with libFuzzer's arguments.

libFuzzer (by atheris) keeps in FOLDER what reaches new code; what it finds wrong ends the process.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["lens_dsl"]):
    from tests.dsl.fuzzing import check

if __name__ == "__main__":
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
