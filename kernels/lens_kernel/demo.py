"""``make demo``: one question as two actors, its plan, a cut, a lens, a summary, a picture; commands one can type."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Sequence

import lens_runtime
from lens_kernel.cli import main as lens
from lens_kernel.text import clean, counted
from lens_runtime.result import Result
from lens_runtime.settings import load_settings

CASES = (
    'MATCH (p:Party {name: "Jana Novak"})<-[:INVOLVES_PARTY]-(c:Case) '
    "RETURN c.id, c.team, c.status, c.subject ORDER BY c.id"
)
HUB = 'MATCH (p:Party {name: "Northgate Cycles Ltd"})<-[:INVOLVES_PARTY]-(c:Case) RETURN count(*) AS cases'
ACTORS = ("agent:ana", "agent:ben")
SUBJECT = ("--subject", "helpdesk:Case:c-1501", "--lens", "support_decision")
SUMMARY = 'MATCH (d:Document {id: "d-0012"})-[:HAS_SUMMARY]->(s:Summary) RETURN s.band, s.summary'
ANEW = SUMMARY.replace("HAS_SUMMARY", "HAS_SUMMARY {ai: {fresh: true}}")
AROUND = (
    'MATCH about = (:Party {name: "Jana Novak"})<-[:INVOLVES_PARTY]-(:Case)'
    "-[:ORIGINATED_FROM_CONVERSATION]->(:Conversation) RETURN about"
)
PICTURE = "demo.html"
NEXT = """\
  lens query able 'MATCH (c:Case {id: "c-1501"})-[:ORIGINATED_FROM_CONVERSATION]->(m) RETURN m.channel, m.body'
  lens query able 'MATCH (c:Case) RETURN c.id'          refused: it has nothing to start from
  lens world check able                                 what there is to ask about
  lens world new ./mine                                 a world of your own, from CSV files
  make lab                                              the same in a notebook: notebooks/01-first-look.ipynb
  docs/language.md, docs/architecture.md                what the language takes, and how it is built
  lens serve able --port 8800                           the lenses for agents, over MCP and HTTP (docs/service.md)
  lens clean                                            removes every graph that was built, after asking
(lens is in .venv/bin: source .venv/bin/activate)"""


def main() -> int:
    """Show it; the exit code of the first command that failed, else 0."""
    begun = time.monotonic()
    print("lensmith in eight steps; it takes a few seconds, and the demo world stays built.")
    steps = (_build, _ask, _plan, _cut, _lens, _summary, _picture)
    for step in steps:
        code = step()
        if code:
            return code
    _step(8, "What to do next")
    print(NEXT)
    print(
        f"\nThat took {time.monotonic() - begun:.1f} seconds. able is built in {clean(str(load_settings().home))}"
    )
    return 0


def _build() -> int:
    _step(1, "Build the demo world: a shop's customers, cases, sales and documents, in six modules")
    return _run("world", "build", "able")


def _ask() -> int:
    _step(2, "One question, two actors: the cases of one customer")
    for actor in ACTORS:
        code = _run("query", "able", CASES, "--as", actor)
        if code:
            return code
    print(_difference({actor: _cases(actor) for actor in ACTORS}))
    return 0


def _plan() -> int:
    _step(3, "What that question does, before it runs: operators, where each predicate is decided, ceilings")
    return _run("query", "able", CASES, "--explain")


def _cut() -> int:
    _step(4, "A customer with many cases, and a small ceiling: the count is a lower bound, and says so")
    return _run("query", "able", HUB, "--fanout", "25")


def _lens() -> int:
    _step(5, "A lens: what an agent is given to decide about one case, and what it may do next")
    return _run("context", "able", *SUBJECT, "--as", "agent:ana")


def _summary() -> int:
    _step(6, "A summary that the graph keeps: made with one model call, then taken with none")
    return _run("query", "able", ANEW) or _run("query", "able", SUMMARY)


def _picture() -> int:
    _step(7, "The same graph as a picture: one file, to open in a browser")
    return _run("graph", "able", AROUND, "--as", "agent:ben", "--out", PICTURE)


def _step(number: int, title: str) -> None:
    print(f"\n--- {number}. {title}\n")


def _run(*arguments: str) -> int:
    print(f"$ lens {shlex.join(arguments)}")
    code = lens(arguments)
    print(flush=True)
    return code


def _cases(actor: str) -> Result:
    with lens_runtime.open("able", actor=actor) as session:
        return session.query(CASES)


def _difference(answers: dict[str, Result]) -> str:
    """What each actor got that the other did not, in words."""
    seen = {actor: {str(row["c.id"]) for row in result} for actor, result in answers.items()}
    teams = {actor: sorted({str(row["c.team"]) for row in result}) for actor, result in answers.items()}
    both = set.intersection(*seen.values())
    told = [
        f"{actor} sees {counted(len(cases), 'case')}, of team {_either(teams[actor])}"
        for actor, cases in seen.items()
    ]
    shared = f"{counted(len(both), 'case')} in both answers" if both else "no case is in both answers"
    return clean(
        f"The same question: {'; '.join(told)}; {shared}. policy.yml says who sees which team's cases. "
        "What an actor may not see is in no row, count or error."
    )


def _either(names: Sequence[str]) -> str:
    return " or ".join(names) or "none"


if __name__ == "__main__":
    sys.exit(main())
