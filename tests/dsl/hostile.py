"""Texts that mean to break the language: ``python -m tests.dsl.hostile`` asks each, and prints what came of it."""

from __future__ import annotations

import json
import re
import resource
import sys
import time
import unicodedata
from collections.abc import Iterator
from itertools import islice

from lens_dsl.budget import Budget
from lens_dsl.errors import LensError
from lens_dsl.ontology import Ontology
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.scope import Actor
from lens_runtime.worlds.policy import Policy, Role
from tests.oracle.building import Built, built
from tests.oracle.worlds import CLASSES, SmallWorld

ADDRESS_SPACE = 2 * 2**30  # a query that would take the machine down fails in its process alone
LETTERS = "".join(chr(at) for at in range(sys.maxunicode + 1) if unicodedata.category(chr(at))[0] == "L")
BOMB = "'" + "a" * 40 + "!'"


def texts() -> dict[str, str]:
    """Each text by what it is."""
    return {
        "1 MB of parentheses": "RETURN " + "(" * 500_000 + "1" + ")" * 500_000,
        "1 MB of open parentheses": "RETURN " + "(" * 1_000_000,
        "10,000 lists": "RETURN " + "[" * 10_000 + "]" * 10_000,
        "9,000 open lists": "RETURN " + "[" * 9_000,
        "9,000 maps": "RETURN " + "{a:" * 6_000,
        "100,000 terms of OR": "RETURN " + " OR ".join("x" * 100_000),
        "2,400 terms of OR": "RETURN " + " OR ".join(["true"] * 2_400),
        "4,000 NOT": "RETURN " + "NOT " * 4_000 + "true",
        "a long sum": "RETURN " + "+".join("1" * 4_900),
        "long chains of comparisons": "RETURN " + "<".join("1" * 4_900),
        "a long IN": "RETURN 1 IN [" + ",".join("1" * 4_900) + "]",
        "nested CASE": "RETURN " + "CASE WHEN true THEN " * 80 + "1" + " END" * 80,
        "open CASE": "RETURN " + "CASE WHEN " * 1_900,
        "a long pattern": "MATCH (a {id: 1})" + "-->()" * 1_500 + " RETURN a",
        "many parts": "MATCH " + ",".join(f"(a{n} {{id: 1}})" for n in range(1_000)) + " RETURN a1",
        "many conditions": "MATCH "
        + ",".join(f"(a{n} {{id: 1}})" for n in range(199))
        + " WHERE "
        + " AND ".join(["a1.id = 1"] * 1_100)
        + " RETURN a1",
        "many clauses": "".join(f"MATCH (a{n} {{id: 1}}) " for n in range(900)) + "RETURN a1",
        "many optional clauses": "".join(f"OPTIONAL MATCH (a{n} {{id: 1}}) " for n in range(600))
        + "RETURN a1",
        "many WITH": "WITH 1 AS a " + "WITH * " * 2_500 + "RETURN a",
        "growing WITH": "".join(f"WITH *, 1 AS a{n} " for n in range(1_000)) + "RETURN *",
        "wide growing WITH": "".join(
            "WITH *, " + ",".join(f"1 AS a{n}_{m}" for m in range(14)) + " " for n in range(95)
        )
        + "RETURN *",
        "many columns": "RETURN " + ",".join(f"1 AS a{n}" for n in range(1_500)),
        "many labels": "MATCH (a"
        + "|".join(f":A{n}" for n in range(1))
        + "|A" * 4_000
        + " {id: 1}) RETURN a",
        "many types": "MATCH (a {id: 1})-[:A" + "|A" * 4_000 + "]->() RETURN a",
        "many UNION": " UNION ".join(["RETURN 1 AS a"] * 900),
        "many UNWIND": "".join(f"UNWIND [1,2,3,4,5,6,7,8,9] AS a{n} " for n in range(300)) + "RETURN 1",
        "a long string": "RETURN '" + "x" * 19_000 + "'",
        "a long number": "RETURN 1" + "0" * 19_000,
        "a long name": "RETURN 1 AS " + "x" * 19_000,
        "a NUL": "RETURN 1\0",
        "a NUL in a string": "RETURN '\0'",
        "a lone surrogate": "RETURN '\ud800'",
        "an escaped surrogate": r"RETURN '\uD800'",
        "a right-to-left mark": "MATCH (n {id: 1}) RETURN n\u200f.id",
        "a right-to-left override": "RETURN 1 AS x\u202ey // \u202e",
        "a byte order mark": "\ufeffRETURN 1",
        "an open comment": "RETURN 1 /* RETURN 2",
        "many open comments": "RETURN 1 " + "/* " * 6_000,
        "many comments": "RETURN 1 " + "/**/" * 4_900,
        "stars in a comment": "RETURN 1 /" + "*" * 19_000 + "/",
        "a comment that swallows": "RETURN 1 // RETURN 2 \u2028 RETURN 3",
        "only a comment": "// RETURN 1",
        "open quotes": "RETURN " + "'`\"" * 6_000,
        "backslashes": "RETURN '" + "\\" * 19_001 + "'",
        "a regular expression that backtracks": f"RETURN {BOMB} =~ '(a+)+'",
        "another that backtracks": f"RETURN {BOMB} =~ '(a|aa)*(b|c)*(a|aa)*'",
        "a regular expression that grows": "RETURN 'a' =~ '((((a{1,99}){1,99}){1,99}){1,99})'",
        "a deep regular expression": "RETURN 'a' =~ '" + "(" * 5_000 + "'",
        "a list that grows": "RETURN range(1, 9223372036854775807)",
        "a string that doubles": "WITH 'ab' AS a " + "WITH a + a AS a " * 300 + "RETURN size(a)",
        "a list that doubles": "WITH [1] AS a " + "WITH a + a AS a " * 300 + "RETURN size(a)",
        "a list in itself": "WITH [1] AS a " + "WITH [a, a] AS a " * 90 + "RETURN a",
        **{f"letters, part {n}": f"RETURN 1 AS {part}" for n, part in enumerate(parts(LETTERS, 15_000))},
        "letters in backticks": f"RETURN 1 AS `{LETTERS[:15_000]}`",
    }


def parts(text: str, size: int) -> Iterator[str]:
    """The text, cut."""
    rest = iter(text)
    while part := "".join(islice(rest, size)):
        yield part


def outcome(place: Built, text: str) -> str:
    """The code of the error, or "answer"; anything else ends the process."""
    budget = Budget(seconds=1, allow_scan=True)
    try:
        place.engine("ann").run(text, {}, budget, MonotonicDeadline.after(budget.seconds))
    except LensError as caught:
        error = caught
    else:
        return "answer"
    assert re.fullmatch(r"[A-Z]\w+", error.code)
    assert len(str(error)) < 2_000
    return error.code


def main() -> None:
    """What came of each text, as JSON: its outcome and the seconds of processor time; and the peak of memory in MB."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    policy = Policy(
        CLASSES, {}, {"all": Role("all", ("*",), ("*",), CLASSES)}, {"ann": Actor("ann", ("all",))}
    )
    found = {}
    with built(SmallWorld(Ontology(open=True), policy, (), ())) as place:
        outcome(place, "RETURN 1")
        for name, text in texts().items():
            started = time.process_time()
            came = outcome(place, text)
            found[name] = (came, time.process_time() - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"outcomes": found, "megabytes": peak}))


if __name__ == "__main__":
    main()
