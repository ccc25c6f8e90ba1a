"""How records are called: a letter for the kind, and a number."""

from __future__ import annotations


def numbered(letter: str, number: int) -> str:
    """``o-0042``"""
    return f"{letter}-{number:04d}"


def party_id(number: int) -> str:
    """``p-0042``"""
    return numbered("p", number)


def conversation_id(number: int) -> str:
    """``v-0311``"""
    return numbered("v", number)


def case_id(number: int) -> str:
    """``c-0017``"""
    return numbered("c", number)
