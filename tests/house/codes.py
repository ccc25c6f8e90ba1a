"""The error codes that the packages can raise, read from their source."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lens_dsl import errors
from tests.house.tree import package_files


def error_classes() -> set[str]:
    """The names of the error classes: the whole tree of ``lens_dsl.errors``."""
    return {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.LensError)
    }


def takes_code(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """What else takes an error's code: functions with such a parameter, records with such a field."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = [
                one.arg for one in (*node.args.posonlyargs, *node.args.args) if one.arg not in ("self", "cls")
            ]
            if "code" in names and node.name != "__init__":
                yield node.name, names.index("code")
        elif isinstance(node, ast.ClassDef):
            fields = [
                one.target.id
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            ]
            if "code" in fields:
                yield node.name, fields.index("code")


def literals(node: ast.expr | None) -> Iterator[str]:
    """The texts that an argument can be, where it is written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def code_of(call: ast.Call, position: int) -> ast.expr | None:
    """The argument of a call that is its code."""
    named = [keyword.value for keyword in call.keywords if keyword.arg == "code"]
    if named:
        return named[0]
    return call.args[position] if position < len(call.args) else None


def raised_codes() -> set[str]:
    """Every code that a call in the packages gives to an error."""
    trees = [ast.parse(path.read_text("utf-8")) for path in package_files(".py")]
    takers = dict.fromkeys(error_classes(), 0)
    for tree in trees:
        takers.update(takes_code(tree))
    return {code for tree in trees for code in _codes_in(tree, takers)}


def _codes_in(tree: ast.AST, takers: dict[str, int]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in takers:
                yield from literals(code_of(node, takers[name]))


def texts() -> set[str]:
    """Every text constant of the packages: a documented code has to be one of them."""
    return {
        node.value
        for path in package_files(".py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
