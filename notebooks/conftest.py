"""The notebooks' tests build worlds in a folder of their own, never in the user's."""

from __future__ import annotations

import atexit
import os
import tempfile

_home = tempfile.TemporaryDirectory(prefix="lensmith-notebooks-")
atexit.register(_home.cleanup)
os.environ["LENS_HOME"] = _home.name
