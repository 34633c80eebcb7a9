"""Parts that went and parts that came -> which of them are the same under another key.

An author says so with `was: old_id`; else a part is taken for another where the two say nearly the
same. A rename that is not there makes a removal and an addition of one rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

from rulebook.model.canonical import canonical
from rulebook.revisions.keyed import Branch, Tree, unkeyed

#: How much of two parts is the same where one is taken for the other, of 1.
ALIKE = 0.6
#: Beyond so many pairs none are compared: whoever changes so much has written another ruleset.
MOST_PAIRS = 2_500
#: Characters of a part that are compared.
MOST_COMPARED = 2_000


#: Less says too little of a part to know it again by.
LEAST_COMPARED = 60


def renamed_parts(old: Mapping[str, Tree], new: Mapping[str, Tree]) -> dict[str, str]:
    """Old key -> new key, for parts that have another key now."""
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    found: dict[str, str] = {}
    for key in come:
        was = _was(new[key])
        if was in gone and was not in found:
            found[was] = key
    gone = [key for key in gone if key not in found]
    come = [key for key in come if key not in found.values()]
    for _, was, key in sorted(_alike(old, new, gone, come), key=lambda one: -one[0]):
        if was not in found and key not in found.values():
            found[was] = key
    return found


def _was(part: Tree) -> str | None:
    was = part.parts.get("was") if isinstance(part, Branch) else None
    return was if isinstance(was, str) else None


def _alike(
    old: Mapping[str, Tree], new: Mapping[str, Tree], gone: list[str], come: list[str]
) -> list[tuple[float, str, str]]:
    """Pairs that are alike enough, each with how much."""
    if len(gone) * len(come) > MOST_PAIRS:
        return []
    texts = {key: _told(old[key]) for key in gone}
    pairs: list[tuple[float, str, str]] = []
    for key in come:
        now = _told(new[key])
        matcher = SequenceMatcher(None, "", now, False)
        for was, text in texts.items():
            if min(len(text), len(now)) < LEAST_COMPARED:
                continue
            matcher.set_seq1(text)
            if matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE:
                ratio = matcher.ratio()
                if ratio >= ALIKE:
                    pairs.append((ratio, was, key))
    return pairs


def _told(part: Tree) -> str:
    return canonical(unkeyed(part))[:MOST_COMPARED]
