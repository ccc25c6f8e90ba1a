"""An envelope as text for people: every line says where it comes from; what a terminal would obey is made visible."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lens_kernel.text import clean, shorten
from lens_runtime.envelope import ContextEnvelope
from lens_runtime.envelope.shape import CoordinatePart, Fact, Link

WIDTH = 100


def workspace_text(envelope: ContextEnvelope) -> str:
    """The envelope, section by section; sections with nothing in them are left out."""
    lines = [_head(envelope)]
    for title, section in (
        ("facts", [line for fact in envelope.facts for line in _fact(fact)]),
        ("relationships", [_link(link) for link in envelope.relationships]),
        ("unknowns", [f"  {unknown.code}: {unknown.message}" for unknown in envelope.unknowns]),
        ("left out", [f"  {cut.message}" for cut in envelope.truncation.cuts]),
        (
            "permitted next actions",
            [f"  {each.name} (revision {each.revision})" for each in envelope.permitted_next_actions],
        ),
    ):
        if section:
            lines += ["", title, *section]
    usage = envelope.usage
    lines += ["", f"{usage.nodes} facts, {usage.relationships} relationships, {usage.tokens} tokens"]
    return "\n".join(clean(line) for line in lines)


def _head(envelope: ContextEnvelope) -> str:
    about = "" if envelope.subject is None else _at(envelope.subject)
    lens = "" if envelope.lens is None else f"{envelope.lens.name} {envelope.lens.version}: "
    return f"{lens}{about} in {envelope.scope.world}/{envelope.scope.context}, as of {envelope.as_of}"


def _fact(fact: Fact) -> Iterator[str]:
    marks = ", ".join(["revision " + fact.revision, *(["stale"] if fact.stale else [])])
    yield f"  {_at(fact.coordinate)} ({marks})"
    for name, value in fact.fields.items():
        told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        mark = " [customer text]" if name in fact.untrusted_fields else ""
        yield f"    {name}: {shorten(clean(told), WIDTH)}{mark}"


def _link(link: Link) -> str:
    mark = "" if link.state == "confirmed" else f" ({link.state})"
    return f"  {_at(link.source)} -[{link.type}]-> {_at(link.target)}{mark}"


def _at(part: CoordinatePart) -> str:
    return f"{part.module}:{part.entity_type}:{part.entity_id}"
