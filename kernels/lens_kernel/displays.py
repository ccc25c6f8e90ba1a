"""How results show in a notebook: by their type, so that the Python API shows the same as the magics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from IPython.core.interactiveshell import InteractiveShell

from lens_dsl.explain import Explanation, explain
from lens_kernel.formats import steady_envelope, steady_envelope_text
from lens_kernel.network import Network, network_of
from lens_kernel.plans import plan_text
from lens_kernel.svg import img
from lens_kernel.tables import SHOWN, html_table, html_text, text_table
from lens_runtime.result import Result

ENVELOPE = "application/vnd.lensmith.envelope+json"

MAX_ENVELOPE = 50_000

Bundle = dict[str, object]


@dataclass(frozen=True)
class View:
    """Something to show that is ready to be shown, by type of content."""

    bundle: Mapping[str, object] = field(repr=False)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        return dict(self.bundle)

    def __str__(self) -> str:
        return str(self.bundle["text/plain"])


def register_displays(shell: InteractiveShell) -> None:
    """Teach a shell to show results and plans."""
    assert shell.display_formatter is not None  # every shell has made its own by now
    formatter = shell.display_formatter.mimebundle_formatter
    formatter.for_type(Result, result_bundle)
    formatter.for_type(Explanation, explanation_bundle)


def result_bundle(result: Result, include: object = None, exclude: object = None) -> Bundle:
    """Table, picture, plan and envelope of a result; the same for the same data, at any time.

    A picture is there where the rows hold relationships.

    An envelope over ``MAX_ENVELOPE`` characters is left out, with the way to it, so that notebooks stay small.
    """
    envelope = steady_envelope_text(result)
    large = len(envelope) > MAX_ENVELOPE
    if large:
        envelope = f"{len(envelope):,} characters, too many to keep in a notebook; --view envelope shows them"
    plan = plan_text(explain(result.plan, result.ontology))
    bundle: Bundle = {
        "text/plain": text_table(result, SHOWN),
        "text/html": html_table(result)
        + _picture(network_of(result))
        + html_text(plan, "Plan")
        + html_text(envelope, "Envelope"),
    }
    return bundle if large else {**bundle, ENVELOPE: steady_envelope(result)}


def explanation_bundle(explanation: Explanation, include: object = None, exclude: object = None) -> Bundle:
    """A plan as text."""
    return text_bundle(plan_text(explanation))


def text_bundle(text: str) -> Bundle:
    """Preformatted text."""
    return {"text/plain": text, "text/html": html_text(text)}


def table_view(result: Result) -> View:
    """The table alone."""
    return View({"text/plain": text_table(result, SHOWN), "text/html": html_table(result)})


def graph_view(result: Result) -> View:
    """The picture alone; where there is nothing to draw, the words that say so."""
    network = network_of(result)
    told = [network.summary, *network.notes]
    picture = _picture(network) if network.lines else ""
    return View({"text/plain": "\n".join(told), "text/html": picture or html_text("\n".join(told))})


def _picture(network: Network) -> str:
    if not network.lines:
        return ""
    notes = "".join(f"<p>{escape(note)}</p>" for note in network.notes)
    return f"<div>{img(network)}{notes}</div>"


def envelope_view(result: Result) -> View:
    """The envelope alone."""
    return View({**text_bundle(steady_envelope_text(result)), ENVELOPE: steady_envelope(result)})


def plan_view(result: Result, *, spent: bool) -> View:
    """The plan of a result; with ``spent``, the table above it and what the run cost below."""
    explanation = explain(result.plan, result.ontology)
    plan = plan_text(explanation, result.usage, result.aggregates) if spent else plan_text(explanation)
    if not spent:
        return View(text_bundle(plan))
    return View(
        {
            "text/plain": f"{text_table(result, SHOWN)}\n\n{plan}",
            "text/html": html_table(result) + html_text(plan),
        }
    )
