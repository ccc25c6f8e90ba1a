"""What a service tells of a fault: a code, and words that hold nothing of the data, in one shape."""

from __future__ import annotations

import json
import logging
import os
import traceback
from dataclasses import dataclass

from lens_dsl.errors import AccessDenied, LensError

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault as its caller is told of it; ``retry_after`` is in seconds."""

    status: int
    type: str
    code: str
    message: str
    retry_after: int | None = None

    def text(self) -> str:
        """The JSON that says so."""
        told = {"type": self.type, "code": self.code, "message": self.message}
        return json.dumps({"error": told}, ensure_ascii=False, separators=(",", ":"))


class Refused(Exception):
    """A request that is not carried out, for a reason that its caller is told."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def problem_of(fault: Exception) -> Problem:
    """What the caller is told; what only the operator can mend is logged, by its code or its place alone."""
    if isinstance(fault, Refused):
        return fault.problem
    if isinstance(fault, LensError):
        return _known(fault)
    LOG.error("%s", _place(fault))
    return Problem(500, "Error", "InternalError", "this failed; the operator's log says where")


def _known(fault: LensError) -> Problem:
    match fault.code:
        case "Unauthenticated":
            return Problem(401, fault.type, fault.code, fault.message)
        case "InvalidCoordinate" | "InvalidParameterValue":
            return Problem(400, fault.type, fault.code, fault.message)
        case "DeadlineExceeded":
            return Problem(504, fault.type, fault.code, "the time for this request ran out")
        case _ if isinstance(fault, AccessDenied):
            return Problem(403, fault.type, fault.code, "this actor may not read here")
    LOG.error("a request failed: %s", fault.code)
    return Problem(503, fault.type, fault.code, "this cannot be answered now", retry_after=1)


def _place(fault: Exception) -> str:
    """The kind and the place of a fault of ours; its message could hold data, and stays out."""
    frames = traceback.extract_tb(fault.__traceback__)
    ours = [frame for frame in frames if f"{os.sep}lens_" in frame.filename] or frames
    where = f"{os.path.basename(ours[-1].filename)}:{ours[-1].lineno}" if ours else "an unknown place"
    return f"a fault of this program: {type(fault).__name__} in {where}"
