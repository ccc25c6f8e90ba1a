"""A network as a static SVG image: nothing in it runs, fetches or takes part in the page around it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape

from lens_kernel.network import Dot, Line, Network
from lens_kernel.text import shorten

LABELLED = 40
"""Records up to which each has its label, and each relationship its arrow."""
NAMED = 16
"""Relationships up to which each has its type written on it."""
UNIT, MOST = 70, 760
SIDE, TOP = 76, 34
ENTRY = 136
"""Pixels of an entry in the legend."""
_LABEL = 24
_FONT = 'font-family="system-ui,sans-serif" font-size="11"'
_COLOURS = {"unverified": "#8a919c", "stale": "#c9600b"}
_DASHES = {"unverified": "", "stale": ' stroke-dasharray="5 4"'}


def svg(network: Network) -> str:
    """The image as one element, at most some 60 kB for any result; every text is escaped."""
    scale, (left, top), (width, height) = _frame(network)
    labelled = len(network.dots) <= LABELLED
    at = [(round((dot.x - left) * scale) + SIDE, round((dot.y - top) * scale) + TOP) for dot in network.dots]
    radius = max(3, min(11, round(scale * 0.22)))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" {_FONT}>',
        f"<title>{escape(network.summary)}</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="#fff" stroke="#d5d9e0"/>',
        *(_arrows(network, at, radius) if labelled else _strokes(network, at)),
        *(_dot(dot, x, y, radius, labelled) for dot, (x, y) in zip(network.dots, at, strict=True)),
        *_legend(network, width, height),
        "</svg>",
    ]
    return "".join(parts)


def img(network: Network) -> str:
    """The image as an ``<img>`` of its own data, with the picture in words: it shows in an untrusted notebook too."""
    data = base64.b64encode(svg(network).encode()).decode()
    return f'<img alt="{escape(network.summary, quote=True)}" src="data:image/svg+xml;base64,{data}">'


def _frame(network: Network) -> tuple[float, tuple[float, float], tuple[int, int]]:
    xs, ys = [dot.x for dot in network.dots], [dot.y for dot in network.dots]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    scale = min(UNIT, (MOST - 2 * SIDE) / max(wide, high, 1))
    width = max(3 * ENTRY, round(wide * scale) + 2 * SIDE)
    left = min(xs) - (width - 2 * SIDE - wide * scale) / 2 / scale
    return scale, (left, min(ys)), (width, round(high * scale) + 2 * TOP + 24 + 22 * _rows(network, width))


def _rows(network: Network, width: int) -> int:
    return -(-len(network.legend) // (width // ENTRY))


def _arrows(network: Network, at: list[tuple[int, int]], radius: int) -> Iterator[str]:
    for style, colour in _COLOURS.items():
        yield (
            f'<marker id="{style}" viewBox="0 0 8 8" refX="{7 + radius}" refY="4" markerWidth="8" markerHeight="8" '
            f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        )
    for line in network.lines:
        yield _arrow(line, at[line.source], at[line.target])
    if len(network.lines) <= NAMED:
        yield from (_name(line, at[line.source], at[line.target]) for line in network.lines)


def _arrow(line: Line, source: tuple[int, int], target: tuple[int, int]) -> str:
    (x1, y1), (x2, y2) = source, target
    return (
        f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{_COLOURS[line.style]}"{_DASHES[line.style]} '
        f'fill="none" marker-end="url(#{line.style})"/>'
    )


def _name(line: Line, source: tuple[int, int], target: tuple[int, int]) -> str:
    x, y = (source[0] + target[0]) // 2, (source[1] + target[1]) // 2 - 3
    return _text(x, y, line.type, 'font-size="9" fill="#5b6370"')


def _text(x: int, y: int, text: str, look: str) -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="middle" {look} stroke="#fff" stroke-width="3" '
        f'paint-order="stroke">{escape(shorten(text, _LABEL))}</text>'
    )


def _strokes(network: Network, at: list[tuple[int, int]]) -> Iterator[str]:
    for style, colour in _COLOURS.items():
        drawn = [line for line in network.lines if line.style == style]
        path = "".join(
            f"M{at[line.source][0]} {at[line.source][1]}L{at[line.target][0]} {at[line.target][1]}"
            for line in drawn
        )
        if path:
            yield f'<path d="{path}" stroke="{colour}"{_DASHES[style]} stroke-opacity=".6" fill="none"/>'


def _dot(dot: Dot, x: int, y: int, radius: int, labelled: bool) -> str:
    circle = f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{dot.colour}" stroke="#fff"/>'
    if not labelled:
        return circle
    return circle + _text(x, y + radius + 12, dot.label, 'fill="#20242b"')


def _legend(network: Network, width: int, height: int) -> Iterator[str]:
    columns, rows = width // ENTRY, _rows(network, width)
    for place, (kind, colour, number) in enumerate(network.legend):
        x, y = 16 + ENTRY * (place % columns), height - 14 - 22 * (rows - 1 - place // columns)
        name = escape(shorten(kind, 17))
        yield f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{colour}"/>'
        yield f'<text x="{x + 10}" y="{y}" fill="#20242b">{name} {number}</text>'
