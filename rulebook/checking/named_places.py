"""The prose of a scenario -> places that it names and that its map does not show.

A name is two capitalised words or more of which the last says that it is ground: a Ridge, a Road.
So it does if it is the last word of something on the map, in whatever language that speaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulebook.model.cells import nearest
from rulebook.model.ruleset import Address
from rulebook.model.scalars import Prose
from rulebook.model.scenarios import Scenario

_WORD = r"[^\W\d_a-z][\w’'-]*"
_NAME = re.compile(rf"{_WORD}(?: +(?:(?:of|the|de|von) +)*{_WORD})+")
#: Words that begin a sentence and no name.
_BEGINNING = re.compile(
    r"^(?:(?:A|Across|Along|An|And|At|Behind|Below|Beyond|By|Down|From|In|Near|On|Over|Past|The"
    r"|Through|To|Towards|Up) +)+"
)
#: Ground that a name ends with, whether or not the map has any of its kind.
_GROUND = re.compile(
    "ridge|hills?|heights|knoll|mountain|valley|gap|pass|woods?|forest|grove|orchard|field|road|pike"
    "|turnpike|lane|street|track|trail|railway|railroad|creek|run|brook|stream|river|ford|bridge"
    "|lake|pond|swamp|marsh|farm|house|mill|church|chapel|cemetery|village|station|fort|redoubt"
    "|den|top|plateau"
)
#: Words before the name of a man, who may be called Hill.
_RANKS = re.compile(
    "general|brigadier|colonel|major|captain|lieutenant|sergeant|marshal|admiral|lord|sir|mr|count"
    "|duke|earl|prince|king"
)
_BINDING = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class Named:
    """A place that a text names: from which character to which, and what it may be meant for."""

    address: Address
    text: str
    start: int
    end: int
    hint: str

    @property
    def words(self) -> str:
        return " ".join(self.text[self.start : self.end].split())


def unmapped(scenario: Scenario) -> Iterator[Named]:
    """The places that are named and not mapped, each once."""
    mapped = [one.title for one in scenario.map.features.values() if one.title]
    mapped += [place.title for place in scenario.places.values()]
    words_of = (title.removeprefix("The ").split() for title in mapped)
    kinds = {_folded(words[-1]) for words in words_of if len(words) > 1}
    known = {_folded(title) for title in [*mapped, *scenario.beyond, *_others(scenario)]}
    longest = max(len(title.split()) for title in known)
    told: set[str] = set()
    for address, prose in _prose_of(scenario):
        text = prose.markdown
        plain = _BINDING.sub(lambda braces: ";" * len(braces[0]), text.replace("\n", " "))
        for match in _NAME.finditer(plain):
            words = [_folded(word) for word in match[0].split()]
            ground = words[-1] in kinds or _GROUND.fullmatch(words[-1])
            if not ground or any(map(_RANKS.fullmatch, words[:-1])):
                continue
            if any(" ".join(words[-length:]) in known for length in range(2, longest + 1)):
                continue
            # "Cross the River Road" begins with no part of the name.
            name = _BEGINNING.sub("", match[0].rpartition(" the ")[2].lstrip())
            if " " in name and _folded(name) not in told:
                told.add(_folded(name))
                start = match.end() - len(name)
                yield Named(address, text, start, match.end(), nearest(name, mapped))


def _others(scenario: Scenario) -> Iterator[str]:
    """Titles of what is no place: the scenario's own, its objectives and forces, their leaders."""
    yield scenario.title
    yield from (objective.title for objective in scenario.objectives.values())
    for side in scenario.sides.values():
        yield side.title
        for force in side.forces.values():
            yield force.title
            for commander in (force.commander, side.commander):
                yield (commander.title if commander else None) or ""


def _prose_of(scenario: Scenario) -> Iterator[tuple[Address, Prose]]:
    told = {"background": scenario.background, "situation": scenario.situation}
    for key, one in {**told, "victory": scenario.victory}.items():
        if one is not None and one.text is not None:
            # A passage by itself stands where its key does; one in braces at its 'text'.
            yield (key, "text"), one.text
    for name, rule in scenario.rules.items():
        if rule.text is not None:
            yield ("rules", name, "text"), rule.text
    for name, objective in scenario.objectives.items():
        if objective.text is not None:
            yield ("objectives", name, "text"), objective.text


def _folded(text: str) -> str:
    plain = text.casefold().replace("’", "'").removeprefix("the ")
    return " ".join(plain.split()).strip(".,;:'*_ ")
