"""Differences of odds -> words: "A volley (figures firing: 24; 16–24″): 0.67 → 1.00 casualties".

Sentences are made only of titles and labels of the ruleset, so they are right for any game. Inputs
at their usual values are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

from rulebook.core import value_types
from rulebook.core.input_domains import Domain
from rulebook.core.odds import ResultOdds, ratio, told_outcome
from rulebook.core.programs import Program
from rulebook.core.relevant_inputs import mattering
from rulebook.documents.impact.odds import (
    OddsDifference,
    PairedInput,
    PairedValue,
    ProcedureSide,
    Setting,
    inputs_at,
)
from rulebook.documents.impact.views import Difference, Given
from rulebook.documents.parts.charts import lowered, told_value, unit_of
from rulebook.quantities import MINUS, Chance, LengthUnit, Mean, join_words
from rulebook.translation import gettext

ARROW = "\N{RIGHTWARDS ARROW}"
#: Decimals of a mean, and of a chance in per cent; more where two numbers print alike.
_MEAN_PLACES, _CHANCE_PLACES, _MOST_PLACES = 2, 0, 6


@dataclass(frozen=True, slots=True)
class DifferenceDescriber:
    """Tells the differences of one procedure; `names` are what the editions are called."""

    sides: tuple[ProcedureSide, ProcedureSide]
    slots: tuple[PairedInput, ...]
    names: tuple[str, str]

    def difference(self, difference: OddsDifference) -> Difference:
        """A difference in words and numbers."""
        result = difference.results[1]
        programs = [side.program for side in self.sides]
        kinds = [
            program.results[name].kind
            for program, name in zip(programs, difference.results, strict=True)
        ]
        title = lowered(programs[1].results[result].title)
        exact = [
            Fraction(one.mean)
            if difference.of_mean and one.mean is not None
            else one.chance(difference.outcome)
            for one in difference.odds
        ]
        outcome = ""
        if difference.of_mean:
            before, after = _told_means(exact, list(map(unit_of, kinds)))
            asked, what = title, f"{before} {ARROW} {after} {title}"
        else:
            before, after = told_chances(exact)
            outcome = told_outcome(difference.outcome, kinds[1])
            # A flag tells its name, and words tell what happens; a number alone tells neither.
            asked = f"{title} “{outcome}”"
            if difference.outcome is True:
                asked = title
            elif isinstance(kinds[1], value_types.WordKind | value_types.TextKind):
                asked = gettext("chance of “%(outcome)s”", outcome=outcome)
            what = f"{asked} {before} {ARROW} {after}"
        inputs = tuple(self._inputs(difference))
        at = f" ({'; '.join(inputs)})" if inputs else ""
        return Difference(
            told=f"{programs[1].title}{at}: {what}",
            inputs=inputs,
            given=tuple(self._given(difference.setting)),
            result=result,
            result_title=title,
            asked=asked,
            measure="mean" if difference.of_mean else "chance",
            outcome=outcome,
            before=before,
            after=after,
            exact_before=ratio(exact[0]),
            exact_after=ratio(exact[1]),
        )

    def _inputs(self, difference: OddsDifference) -> Iterator[str]:
        """The inputs worth telling: what is unusual, and the one count that a number grows with."""
        parts = [
            mattering(
                side.program, [name], inputs_at(self.slots, difference.setting, now=bool(now))
            )
            for now, (side, name) in enumerate(zip(self.sides, difference.results, strict=True))
        ]
        # Those that play a part in the result, in either edition.
        mattered = [
            slot
            for slot in self.slots
            if any(of and of.name in part for of, part in zip(slot.domains, parts, strict=True))
        ]
        counts = [slot for slot in mattered if slot.counted]
        for slot, both in zip(self.slots, difference.setting, strict=True):
            measured = difference.of_mean and counts == [slot]
            if slot in mattered and (measured or both != slot.usual):
                yield self._told_input(slot, both)

    def _told_input(self, slot: PairedInput, both: PairedValue) -> str:
        """An input and its value: `figures firing: 24`, `range: 0–6″, was 0–8″`, `first volley`.

        One that only one edition has is told with that edition.
        """
        old, new = slot.domains
        now = new is not None
        told = _told(slot.domain, both[now])
        if old is None or new is None:
            return gettext("%(input)s, in %(edition)s alone", input=told, edition=self.names[now])
        was = _value(old, both[0])
        if was == _value(new, both[1]):
            return told
        return gettext("%(input)s, was %(was)s", input=told, was=lowered(was))

    def setting(self, setting: Setting, *, now: bool) -> str:
        """All inputs of a setting that are not as usual, in words."""
        told = [
            _told(domain, both[now])
            for slot, both in zip(self.slots, setting, strict=True)
            if (domain := slot.domains[now]) and both != slot.usual
        ]
        return "; ".join(told) or gettext("the usual inputs")

    def _given(self, setting: Setting) -> Iterator[Given]:
        for slot, both in zip(self.slots, setting, strict=True):
            before, after = (
                of.written(value) if of and value is not None else None
                for of, value in zip(slot.domains, both, strict=True)
            )
            yield Given(slot.domain.name, before, after)

    def notes_on_inputs(self) -> Iterator[str]:
        """Sentences on inputs, and values of inputs, that only one edition has."""
        for slot in self.slots:
            label = lowered(slot.domain.label)
            old, new = slot.domains
            if old is None or new is None:
                held = _value(slot.domain, slot.usual[new is not None])
                edition = self.names[new is not None]
                yield gettext(
                    "Only %(edition)s asks for “%(input)s”, usually %(value)s.",
                    edition=edition,
                    input=label,
                    value=lowered(held),
                )
                continue
            for now, domain in enumerate((old, new)):
                alone = _alone(slot, domain, now=bool(now))
                if alone:
                    yield gettext(
                        "Only %(edition)s has for “%(input)s”: %(values)s.",
                        edition=self.names[now],
                        input=label,
                        values=listed(alone),
                    )
            if slot.usual[0] != old.default and slot.values:
                was, usual = _value(old, old.default), _value(new, slot.usual[1])
                yield gettext(
                    "The usual “%(input)s” was %(was)s; here it is %(value)s.",
                    input=label,
                    was=lowered(was),
                    value=lowered(usual),
                )


def _told(domain: Domain, value: value_types.Value | None) -> str:
    told = _value(domain, value)
    if value is True:
        return lowered(domain.label)
    if isinstance(domain.kind, value_types.WordKind) and domain.label.casefold() in told.casefold():
        return lowered(told)
    return f"{lowered(domain.label)}: {lowered(told)}"


def _value(domain: Domain, value: value_types.Value | None) -> str:
    return "" if value is None else told_value(domain, value)


def _told_means(exact: Sequence[Fraction], units: Sequence[LengthUnit | None]) -> tuple[str, str]:
    """Two means, with as many decimals as tell them apart."""
    before, after = (str(Mean(one, unit)) for one, unit in zip(exact, units, strict=True))
    if before != after:
        return before, after
    marks = [str(Mean(Fraction(0), unit)).removeprefix("0.00") for unit in units]
    told = _apart(exact, _MEAN_PLACES + 1)
    return told[0] + marks[0], told[1] + marks[1]


def told_chances(exact: Sequence[Fraction]) -> tuple[str, str]:
    """Two chances in per cent, with as many decimals as tell them apart."""
    before, after = (str(Chance(one)) for one in exact)
    if before != after:
        return before, after
    told = _apart([100 * one for one in exact], _CHANCE_PLACES + 1)
    return f"{told[0]}%", f"{told[1]}%"


def _apart(numbers: Sequence[Fraction], places: int) -> tuple[str, str]:
    """Two numbers with so many decimals, or more where they print alike; then as fractions."""
    for many in range(places, _MOST_PLACES + 1):
        before, after = (_decimal(number, many) for number in numbers)
        if before != after:
            return before, after
    return str(numbers[0]), str(numbers[1])


def _decimal(number: Fraction, places: int) -> str:
    units = (abs(number) * 10**places * 2 + 1) // 2
    whole, rest = divmod(int(units), 10**places)
    sign = MINUS if number < 0 and units else ""
    return f"{sign}{whole}.{rest:0{places}}"


def listed(words: Sequence[str], most: int = 4) -> str:
    """Some words in a sentence; of many the first, and how many more there are."""
    if len(words) <= most:
        return join_words(words, "and")
    return gettext(
        "%(words)s and %(number)s more",
        words=", ".join(words[: most - 1]),
        number=len(words) - most + 1,
    )


def told_odds(program: Program, result: str, odds: ResultOdds) -> str:
    """A result in words: "mean 1.50 casualties", "good 50%"; of several words the likeliest."""
    kind, title = program.results[result].kind, lowered(program.results[result].title)
    if odds.mean is not None:
        mean = Mean(Fraction(odds.mean), unit_of(kind))
        return gettext("mean %(mean)s %(result)s", mean=mean, result=title)
    if isinstance(kind, value_types.FlagKind):
        return f"{title} {Chance(odds.chance(True))}"
    outcome, share = max(odds.outcomes, key=itemgetter(1))
    return f"{title} “{told_outcome(outcome, kind)}” {Chance(share)}"


def _alone(slot: PairedInput, domain: Domain, *, now: bool) -> list[str]:
    """Values that an edition has and the other has not; of counts, from where to where."""
    if domain.several:
        both: set[Any] = set(slot.rows.values() if now else slot.rows)
    else:
        both = {pair[now] for pair in slot.values}
    pairs = [(value, value not in both) for value in domain.values]
    if not slot.counted:
        return [lowered(domain.titles[value]) for value, one in pairs if one]
    runs = [[value for value, _ in run] for one, run in groupby(pairs, itemgetter(1)) if one]
    return [
        gettext("%(first)s to %(last)s", first=domain.titles[run[0]], last=domain.titles[run[-1]])
        if len(run) > 1
        else domain.titles[run[0]]
        for run in runs
    ]
