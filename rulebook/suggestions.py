"""A mistyped word and the words that would do -> the hint and the expectation of a report."""

from __future__ import annotations

from collections.abc import Sequence

from rulebook.quantities import join_words

#: A word is compared with so many known ones, by so many characters of each.
MOST_COMPARED = 200
MOST_CHARACTERS = 80
#: How much of two words must be the same, in the same order.
LEAST_ALIKE = 0.6
#: Words listed as an expectation of a report.
MOST_LISTED = 12


def nearest_word(word: str, known: Sequence[str], *, least: float = LEAST_ALIKE) -> str:
    """Returns the known word most similar to a mistyped one; empty if none is similar enough.

    `least` is the lowest similarity that counts, from 0 to 1.
    """
    from rapidfuzz import process  # here, for it is slow to import and few rulesets need it
    from rapidfuzz.distance import Indel

    choices = [choice[:MOST_CHARACTERS] for choice in known[:MOST_COMPARED]]
    found = process.extractOne(
        word[:MOST_CHARACTERS], choices, scorer=Indel.normalized_similarity, score_cutoff=least
    )
    return known[found[2]] if found else ""


def nearest(word: str, known: Sequence[str]) -> str:
    """Returns a hint to write the known word most similar to a mistyped one.

    It is empty if none is similar enough.
    """
    found = nearest_word(word, known)
    return f"write '{found}'" if found else ""


def some_words(words: Sequence[str]) -> str:
    """Joins words for a report; after the first MOST_LISTED of them stands an ellipsis."""
    return join_words(words[:MOST_LISTED]) + (" ..." if len(words) > MOST_LISTED else "")
