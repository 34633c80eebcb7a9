"""Two rulesets as plain data -> what their differences do in play, without any file."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from beside import beside
from small_rulesets import ruleset_of

from rulebook.documents.impact.compose import Impact, PairedEditions, impact_of
from rulebook.model.plain_data import plain_ruleset
from rulebook.revisions.comparison import compare

#: A chain: a table and modifiers, a procedure that looks them up, two that run it in turn; and one
#: that has nothing to do with them.
CHAIN: dict[str, Any] = beside(__file__, "chain")


def changed(collections: Mapping[str, Any], **values: Any) -> dict[str, Any]:
    """The same with other values at some places: `tables__fire__title="Fires"`; None takes away."""
    made = deepcopy(dict(collections))
    for place, value in values.items():
        at: Any = made
        *way, last = (int(key) if key.isdecimal() else key for key in place.split("__"))
        for key in way:
            at = at[key]
        if value is None:
            del at[last]
        elif isinstance(at, list) and last == len(at):
            at.append(value)
        else:
            at[last] = value
    return made


def editions(old: Mapping[str, Any], new: Mapping[str, Any], **header: Any) -> PairedEditions:
    """Two editions of a small ruleset; `header` is that of the new one."""
    first, second = ruleset_of(old, edition="1"), ruleset_of(new, **{"edition": "2", **header})
    comparison = compare(plain_ruleset(first), plain_ruleset(second))
    return PairedEditions(first, second, comparison, ("1", "2"))


def impact(old: Mapping[str, Any], new: Mapping[str, Any], **header: Any) -> Impact:
    """What becomes of the first edition by the second, which are called 1 and 2."""
    both = editions(old, new, **header)
    return impact_of(both.old, both.new, both.comparison)
