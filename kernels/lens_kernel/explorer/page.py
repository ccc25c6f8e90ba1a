"""The page, as one text that fetches nothing: the library, the style and the data are all in it."""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
from functools import cache
from typing import Any

import jinja2

from lens_dsl.errors import ConfigurationError
from lens_kernel.network import STYLES, Network
from lens_kernel.text import clean

UNIT = 90
"""Pixels of a record's width, before the picture is fitted to the window."""
LABELLED, NAMED = 120, 40
"""Records up to which labels are drawn, and up to which the relationships' types are."""
_LIBRARY = "templates/lib/vis-9.1.2/vis-network.min.js"
_DRAWN: dict[str, dict[str, Any]] = {
    "unverified": {"color": "#8a919c", "dashes": False},
    "stale": {"color": "#c9600b", "dashes": [6, 4]},
}


def page(network: Network, *, heading: str, query: str) -> str:
    """The HTML of a network, about 480 kB and a few hundred bytes a record.

    Its content security policy lets its own two scripts run and nothing else, and lets nothing be fetched.
    ConfigurationError (``MissingExtra``) where pyvis is not installed.
    """
    made = _network(network)
    library, script, style = _library(), _own("page.js"), _own("page.css")
    made.heading = clean(heading)
    made.path = "page.html"
    made.templateEnv = jinja2.Environment(loader=jinja2.FunctionLoader(_own), autoescape=True)
    made.templateEnv.globals.update(
        picture=_picture(network, query),
        policy=_policy([library, script], style),
        library=library,
        script=script,
        style=style,
    )
    html: str = made.generate_html()
    return html


def _picture(network: Network, query: str) -> dict[str, object]:
    """What the page says around the drawing."""
    used = {line.style for line in network.lines}
    return {
        "query": "\n".join(map(clean, query.strip().split("\n"))),
        "notes": network.notes,
        "summary": network.summary,
        "legend": network.legend,
        "styles": [(name, meaning) for name, meaning in STYLES.items() if name in used],
        "dots": [
            {"kind": dot.kind, "coordinate": dot.coordinate, "colour": dot.colour, "facts": dot.facts}
            for dot in network.dots
        ],
    }


def _network(network: Network) -> Any:
    """The network as pyvis has it; a text goes into a label, which is drawn on a canvas, and never into a title."""
    try:
        from pyvis.network import Network as Drawn
    except ImportError as fault:
        raise ConfigurationError(
            "MissingExtra", "the picture needs the package pyvis", hint='pip install "lensmith[graph]"'
        ) from fault
    made = Drawn(directed=True, cdn_resources="in_line")
    made.toggle_physics(False)
    for number, dot in enumerate(network.dots):
        label = dot.label if len(network.dots) <= LABELLED else " "
        x, y = round(dot.x * UNIT), round(dot.y * UNIT)
        made.add_node(number, label=label, color=dot.colour, x=x, y=y, shape="dot", physics=False)
    for line in network.lines:
        label = line.type if len(network.dots) <= NAMED else " "
        made.add_edge(line.source, line.target, label=label, **_DRAWN[line.style])
    return made


def _policy(scripts: list[str], style: str) -> str:
    hashes = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; script-src {hashes}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _own(name: str) -> str:
    return importlib.resources.files("lens_kernel.explorer").joinpath(name).read_text("utf-8")


@cache
def _library() -> str:
    """vis-network as pyvis brings it; a browser hashes a page's text with plain line ends."""
    text = importlib.resources.files("pyvis").joinpath(_LIBRARY).read_text("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")
