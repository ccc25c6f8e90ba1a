"""Names and literal values as text that reads back as the same."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Final

from lens_dsl import ast
from lens_dsl.functions import FUNCTIONS

_PLAIN: Final = re.compile(r"[^\W\d]\w*")
_NUMBER: Final = re.compile("0|[1-9][0-9]*")
# fmt: off
_RESERVED: Final = frozenset({
    "ADD", "ALL", "AND", "AS", "ASC", "ASCENDING", "BY", "CALL", "CASE", "CONSTRAINT", "CONTAINS", "CREATE", "DELETE",
    "DESC", "DESCENDING", "DETACH", "DISTINCT", "DO", "DROP", "ELSE", "END", "ENDS", "EXISTS", "FALSE", "FOR",
    "IN", "IS", "LIMIT", "MANDATORY", "MATCH", "MERGE", "NOT", "NULL", "OF", "OFFSET", "ON", "OPTIONAL", "OR",
    "ORDER", "REMOVE", "REQUIRE", "RETURN", "SCALAR", "SET", "SKIP", "STARTS", "THEN", "TRUE", "UNION",
    "UNIQUE", "UNWIND", "WHEN", "WHERE", "WITH", "XOR", "YIELD",
})
# fmt: on
"""Words that openCypher keeps for itself where a variable may stand; this language reads most of them as names."""
_ESCAPES: Final = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\r": "\\r"}
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Zl", "Zp"})


def key_text(name: str) -> str:
    """A label, type, property or map key."""
    plain = _PLAIN.fullmatch(name) and (name.isascii() or "No" not in map(unicodedata.category, name))
    return name if plain else _quoted(name)


def name_text(name: str) -> str:
    """A variable or alias."""
    return _quoted(name) if name.upper() in _RESERVED else key_text(name)


def function_text(name: str) -> str:
    """A function; one with a point in its name is written without backticks."""
    return name if "." in name and name.lower() in FUNCTIONS else name_text(name)


def parameter_text(parameter: ast.Parameter) -> str:
    """``$name``, ``$1`` or ``$`a name` ``."""
    name = parameter.name
    return f"${name if _NUMBER.fullmatch(name) else name_text(name)}"


def literal_text(value: ast.Scalar) -> str:
    """A scalar; a float that is not finite raises ValueError."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{''.join(map(_escaped, value))}'"
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} cannot be written in a query: pass it as a parameter")
    return repr(value).replace("e+", "e")


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if unicodedata.category(character) in _INVISIBLE:
        code = ord(character)
        return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
    return character


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
