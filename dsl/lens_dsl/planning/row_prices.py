"""What each part of the fixed statements reads at most, in D1's count of rows.

D1 counts every step of every cursor: of tables, of ``json_each`` and of what is sorted. The figures were measured on
workerd and rounded up; tests/stores hold that no query reads more, and that adversarial graphs read a quarter of it.
"""

from __future__ import annotations

from lens_dsl.budget import LARGEST
from lens_dsl.sql import MAX_GROUPS

STATEMENT = 30
"""A traversal that finds nothing to start from."""

# Looking up what the actor may see: once for all, and for each kind and scope that it may hold.
STATE, STATE_SCOPE = 40, 7

# Seeking an anchor: each kind and value, and each scope there; each record found; each that is kept.
SOUGHT, SOUGHT_SCOPE, FOUND, KEPT = 3, 2, 6, 26

# A step: once; each entry of what is kept so far; each node it starts at, and each group sought there.
STEP, STEP_GROUP, ENTRY, START, GROUP = 45, 7, 5, 14, 2

# An edge that is looked at, and one that comes back, be it kept or only proof of a cut.
LOOK, BROUGHT = 10, 12

SEARCHED = LARGEST["candidates"] + 1
"""A search: what a store tells of one is how many records it found, and no more of them come."""

# Looking for relationships that lead nowhere: each scope, each record, each type and class there, each found.
DANGLING, DANGLING_SCOPE, DANGLING_RECORD, DANGLING_GROUP, DANGLING_FOUND = 20, 6, 8, 4, 8


def state(kinds: int, scopes: int) -> int:
    """Rows for one look at what the actor may see, in a world of so many kinds with so many scopes each."""
    return STATE + STATE_SCOPE * kinds * scopes


def seek(combinations: int, scopes: int, found: int, kept: int) -> int:
    """Rows for an anchor, sought by so many combinations of kind and value."""
    return combinations * (SOUGHT + SOUGHT_SCOPE * scopes) + FOUND * found + KEPT * kept


def step(entries: int, starts: int, groups: int) -> int:
    """Rows for a step before it looks at an edge; it starts at so many nodes, of so many entries kept."""
    return STEP + STEP_GROUP * groups + ENTRY * entries + starts * (START + GROUP * min(groups, MAX_GROUPS))


def dangling(kinds: int, scopes: int, records: int, types: int, classes: int, found: int) -> int:
    """Rows for the targets that are not there."""
    each = DANGLING_RECORD + scopes + types * (2 + scopes + DANGLING_GROUP * classes)
    return DANGLING + DANGLING_SCOPE * kinds * scopes + records * each + DANGLING_FOUND * found
