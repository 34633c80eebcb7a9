"""Differences of odds -> words: "A volley (figures firing: 24; 16–24″): 0.67 → 1.00 casualties".

Sentences are made of titles and labels of the ruleset and of nothing else, so they are right for
any game; what is as usual goes without saying.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.domains import Domain, told_rows
from rulebook.core.odds import ResultOdds, ratio, told_outcome
from rulebook.core.programs import Program
from rulebook.core.relevant_inputs import mattering
from rulebook.documents.impact.odds import Beside, Side, inputs_at
from rulebook.documents.impact.settings import Both, Setting, Slot
from rulebook.documents.impact.views import Difference, Given
from rulebook.documents.parts.charts import CONDITIONS

ARROW = "\N{RIGHTWARDS ARROW}"
#: Decimals of a mean, and of a chance in per cent; more where two numbers print alike.
_MEAN_PLACES, _CHANCE_PLACES, _MOST_PLACES = 2, 0, 6


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells the differences of one procedure; `names` are what the editions are called."""

    old: Side
    new: Side
    slots: tuple[Slot, ...]
    names: tuple[str, str]

    def difference(self, beside: Beside) -> Difference:
        """A difference in words and numbers."""
        result = beside.results[1]
        kind = self.new.program.results[result].kind
        title = result.replace("_", " ")
        exact = [self._exact(one, beside) for one in (beside.old, beside.new)]
        outcome = ""
        if beside.of_mean:
            old_kind = self.old.program.results[beside.results[0]].kind
            before, after = _told_means(exact, (_unit(old_kind), _unit(kind)))
            asked, what = title, f"{before} {ARROW} {after} {title}"
        else:
            before, after = told_chances(exact)
            outcome = told_outcome(beside.outcome, kind)
            # What a flag tells is its name; of other results the outcome must be told as well.
            asked = title if beside.outcome is True else f"{title} “{outcome}”"
            what = f"{asked} {before} {ARROW} {after}"
        inputs = tuple(self.inputs(beside))
        return Difference(
            told=f"{self._title(inputs)}: {what}",
            inputs=inputs,
            given=tuple(self._given(beside.setting)),
            result=result,
            result_title=title,
            asked=asked,
            measure="mean" if beside.of_mean else "chance",
            outcome=outcome,
            before=before,
            after=after,
            exact_before=ratio(exact[0]),
            exact_after=ratio(exact[1]),
        )

    def _title(self, inputs: Sequence[str]) -> str:
        title = self.new.program.title
        return f"{title} ({'; '.join(inputs)})" if inputs else title

    def _exact(self, odds: ResultOdds, beside: Beside) -> Fraction:
        if beside.of_mean and odds.mean is not None:
            return Fraction(odds.mean)
        return odds.chance(beside.outcome)

    def inputs(self, beside: Beside) -> Iterator[str]:
        """The inputs worth telling: what is unusual, and the one count that a number grows with."""
        part = self._mattering(beside)
        counts = [slot for slot in part if slot.counted]
        for slot, both in zip(self.slots, beside.setting, strict=True):
            measured = beside.of_mean and counts == [slot]
            if slot in part and (measured or both != slot.usual):
                yield self.told_input(slot, both)

    def _mattering(self, beside: Beside) -> list[Slot]:
        """The inputs that play a part in the result, in either edition."""
        parts = [
            mattering(side.program, [name], inputs_at(self.slots, beside.setting, now=now))
            for side, name, now in zip(
                (self.old, self.new), beside.results, (False, True), strict=True
            )
        ]
        return [
            slot
            for slot in self.slots
            if (slot.old and slot.old.name in parts[0]) or (slot.new and slot.new.name in parts[1])
        ]

    def told_input(self, slot: Slot, both: Both) -> str:
        """An input and its value: `figures firing: 24`, `range: 0–6″, was 0–8″`, `first volley`.

        One that only one edition has is told with that edition.
        """
        now = slot.new is not None
        told = _told(slot.domain, both[now])
        if slot.old is None or slot.new is None:
            return f"{told}, in {self.names[now]} alone"
        was = _value(slot.old, both[False])
        return told if was == _value(slot.new, both[True]) else f"{told}, was {lowered(was)}"

    def setting(self, setting: Setting, *, now: bool) -> str:
        """All inputs of a setting that are not as usual, in words."""
        told = [
            _told(domain, both[now])
            for slot, both in zip(self.slots, setting, strict=True)
            if (domain := slot.new if now else slot.old) and both != slot.usual
        ]
        return "; ".join(told) or "the usual inputs"

    def _given(self, setting: Setting) -> Iterator[Given]:
        for slot, (before, after) in zip(self.slots, setting, strict=True):
            yield Given(
                slot.domain.name,
                slot.old.written(before) if slot.old and before is not None else None,
                slot.new.written(after) if slot.new and after is not None else None,
            )


def _told(domain: Domain, value: value_types.Value | None) -> str:
    told = _value(domain, value)
    if value is True:
        return lowered(domain.label)
    if isinstance(domain.kind, value_types.WordKind) and domain.label.casefold() in told.casefold():
        return lowered(told)
    return f"{lowered(domain.label)}: {lowered(told)}"


def _value(domain: Domain, value: value_types.Value | None) -> str:
    if isinstance(value, tuple):
        rows = told_rows(value, domain.titles.__getitem__)
        return CONDITIONS.join(map(lowered, rows)) or "none"
    return "" if value is None else domain.told(value)


def lowered(words: str) -> str:
    """The words as they stand inside a sentence; abbreviations keep their capitals."""
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


def _unit(kind: value_types.Kind) -> quantities.LengthUnit | None:
    return kind.unit if isinstance(kind, value_types.LengthKind) else None


def _told_means(
    exact: Sequence[Fraction],
    units: tuple[quantities.LengthUnit | None, quantities.LengthUnit | None],
) -> tuple[str, str]:
    """Two means, with as many decimals as tell them apart."""
    before, after = (
        str(quantities.Mean(one, unit)) for one, unit in zip(exact, units, strict=True)
    )
    if before != after:
        return before, after
    marks = [str(quantities.Mean(Fraction(0), unit)).removeprefix("0.00") for unit in units]
    told = _apart(exact, _MEAN_PLACES + 1)
    return told[0] + marks[0], told[1] + marks[1]


def told_chances(exact: Sequence[Fraction]) -> tuple[str, str]:
    """Two chances in per cent, with as many decimals as tell them apart."""
    before, after = (str(quantities.Chance(one)) for one in exact)
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
    sign = quantities.MINUS if number < 0 and units else ""
    return f"{sign}{whole}.{rest:0{places}}"


def listed(words: Sequence[str], most: int = 4) -> str:
    """Some words in a sentence; of many the first, and how many more there are."""
    if len(words) <= most:
        return quantities.join_words(words, "and")
    return f"{', '.join(words[: most - 1])} and {len(words) - most + 1} more"


def told_odds(program: Program, result: str, odds: ResultOdds) -> str:
    """A result in words: "mean 1.50 casualties", "good 50%"; of several words the likeliest."""
    kind, title = program.results[result].kind, result.replace("_", " ")
    if odds.mean is not None:
        return f"mean {quantities.Mean(Fraction(odds.mean), _unit(kind))} {title}"
    if isinstance(kind, value_types.FlagKind):
        return f"{title} {quantities.Chance(odds.chance(True))}"
    outcome, share = max(odds.outcomes, key=itemgetter(1))
    return f"{title} “{told_outcome(outcome, kind)}” {quantities.Chance(share)}"


def notes_on_inputs(slots: Sequence[Slot], names: tuple[str, str]) -> Iterator[str]:
    """Sentences on inputs, and values of inputs, that only one edition has."""
    for slot in slots:
        label = lowered(slot.domain.label)
        if slot.old is None or slot.new is None:
            edition = names[slot.new is not None]
            held = _value(slot.domain, slot.usual[slot.new is not None])
            yield f"Only {edition} asks for “{label}”, usually {lowered(held)}."
            continue
        for now, domain in ((False, slot.old), (True, slot.new)):
            alone = _alone(slot, domain, now=now)
            if alone:
                yield f"Only {names[now]} has for “{label}”: {listed(alone)}."
        if slot.usual[0] != slot.old.default and slot.values:
            was, usual = _value(slot.old, slot.old.default), _value(slot.new, slot.usual[True])
            yield f"The usual “{label}” was {lowered(was)}; here it is {lowered(usual)}."


def _alone(slot: Slot, domain: Domain, *, now: bool) -> list[str]:
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
        domain.titles[run[0]] + (f" to {domain.titles[run[-1]]}" if len(run) > 1 else "")
        for run in runs
    ]
