"""What is wrong with a field, in the words of the files and not of the library that checks them."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic_core import ErrorDetails

from lens_runtime.worlds.lens_shapes import CODE, TOOL
from lens_runtime.worlds.shapes import ATTRIBUTE, FUNCTION, NAME, URL, WORLD_ID

_WORDS: Mapping[str, str] = {
    "dict_type": "must be a map (key: value)",
    "model_type": "must be a map (key: value)",
    "list_type": "must be a list",
    "string_type": "must be text: put it in quotes",
    "bool_type": "must be true or false",
    "string_too_short": "must not be empty",
    "too_short": "must not be empty",
}
_PATTERNS: Mapping[str, str] = {
    NAME: "must be a name: letters, digits and _, not beginning with a digit",
    WORLD_ID: "must be lower-case letters, digits, _ and -, beginning with a letter, at most 63",
    FUNCTION: "must name a function as package.module:function",
    URL: "must be a URL that begins with http:// or https://, without user, query or fragment",
    CODE: "must be lower-case letters, digits and _, beginning with a letter",
    TOOL: "must name a module's tool as module.tool, in lower-case letters, digits and _",
    ATTRIBUTE: "must name an attribute of the actor: write actor.NAME",
}


def told(fault: ErrorDetails) -> str:
    """A fault of validation as a sentence that follows the field's name."""
    if fault["type"] == "string_pattern_mismatch":
        return _PATTERNS[fault["ctx"]["pattern"]]
    if fault["type"] == "string_too_long":
        return f"must have at most {fault['ctx']['max_length']} characters"
    return _WORDS.get(fault["type"]) or fault["msg"].removeprefix("Value error, ").removeprefix("Input ")
