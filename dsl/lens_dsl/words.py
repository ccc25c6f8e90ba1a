"""The words of a text, as full text knows them: the index, the query and the evaluator all ask here."""

from __future__ import annotations

import re
import unicodedata

from lens_dsl.errors import OverBudget

MAX_TEXT = 2_000  # characters of a text that is searched for
MAX_WORDS = 32  # different words in it

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> tuple[str, ...]:
    """Its different words in order: runs of letters and digits of any script, without case and accents.

    What is neither separates words, so no operator, quote, NUL or half of a surrogate pair is ever part of one.
    """
    folded = text
    if not text.isascii():
        folded = unicodedata.normalize("NFKD", text)
    folded = folded.casefold()
    if not folded.isascii():
        folded = unicodedata.normalize("NFKD", folded)
        folded = "".join(one for one in folded if not unicodedata.combining(one))
    return tuple(dict.fromkeys(_WORD.findall(folded)))


def words_sought(text: str) -> tuple[str, ...]:
    """The words that a search is for, none where the text has none. OverBudget (TooManyWords) for a long text."""
    found = words(text) if len(text) <= MAX_TEXT else ()
    if len(text) > MAX_TEXT or len(found) > MAX_WORDS:
        size = f"{len(text):,} characters" if len(text) > MAX_TEXT else f"{len(found):,} different words"
        raise OverBudget(
            "TooManyWords",
            f"search() is given {size}; the most is {MAX_TEXT:,} characters and {MAX_WORDS} different words",
            hint="search for the few words that matter",
            phase="runtime",
        )
    return found
