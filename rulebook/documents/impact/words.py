"""Differences of odds -> words: "A volley (figures firing: 24; 16–24″): 0.67 → 1.00 casualties".

Sentences are made only of titles and labels of the ruleset, so they are right for any game. Inputs
at their usual values are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter

from rulebook.core import value_types
from rulebook.core.input_domains import Domain
from rulebook.core.odds import ResultOdds, ratio
from rulebook.core.outcomes import outcome_text
from rulebook.core.programs import Program
from rulebook.documents.impact.odds import (
    OddsDifference,
    PairedInput,
    PairedValue,
    ProcedureSide,
)
from rulebook.documents.impact.views import Difference, Given
from rulebook.documents.parts.charts import lowered, unit_of, value_in_words
from rulebook.quantities import Chance, Mean
from rulebook.translation import gettext

ARROW = "\N{RIGHTWARDS ARROW}"


@dataclass(frozen=True, slots=True)
class DifferenceDescriber:
    """Describes the differences of one procedure; `names` are what the editions are called."""

    sides: tuple[ProcedureSide, ProcedureSide]
    inputs: tuple[PairedInput, ...]
    names: tuple[str, str]

    def difference(self, one: OddsDifference) -> Difference:
        """A difference in words and numbers."""
        results = [
            side.program.results[name] for side, name in zip(self.sides, one.results, strict=True)
        ]
        kind, title = results[1].kind, lowered(results[1].title)
        outcome = ""
        if one.of_mean:
            exact = [Fraction(odds.mean or 0) for odds in one.odds]
            before, after = (
                str(Mean(mean, unit_of(result.kind)))
                for mean, result in zip(exact, results, strict=True)
            )
            asked, what = title, f"{before} {ARROW} {after} {title}"
        else:
            exact = [odds.chance(one.outcome) for odds in one.odds]
            before, after = (str(Chance(chance)) for chance in exact)
            outcome = outcome_text(one.outcome, kind)
            asked = _asked(title, kind, outcome)
            what = f"{asked} {before} {ARROW} {after}"
        inputs = tuple(self._inputs(one))
        at = f" ({'; '.join(inputs)})" if inputs else ""
        return Difference(
            text=f"{self.sides[1].program.title}{at}: {what}",
            inputs=inputs,
            given=tuple(self._given(one)),
            result=one.results[1],
            result_title=title,
            asked=asked,
            measure="mean" if one.of_mean else "chance",
            outcome=outcome,
            before=before,
            after=after,
            exact_before=ratio(exact[0]),
            exact_after=ratio(exact[1]),
        )

    def _inputs(self, one: OddsDifference) -> Iterator[str]:
        """The inputs worth telling: what is unusual, and the counts with which a mean grows."""
        for paired, both in zip(self.inputs, one.setting, strict=True):
            if both != paired.values[0] or (one.of_mean and paired.counted):
                yield self._input(paired, both)

    def _input(self, paired: PairedInput, both: PairedValue) -> str:
        """An input and its value: `figures firing: 24`, `range: 0–6″, was 0–8″`, `first volley`.

        One that only one edition has is shown with that edition.
        """
        old, new = paired.domains
        now = new is not None
        value = _value(paired.domain, both[now])
        text = f"{lowered(paired.domain.label)}: {lowered(value)}"
        if both[now] is True:
            text = lowered(paired.domain.label)
        elif paired.domain.label.casefold() in value.casefold():
            text = lowered(value)
        if old is None or new is None:
            return gettext("%(input)s, in %(edition)s alone", input=text, edition=self.names[now])
        was = _value(old, both[0])
        if was == value:
            return text
        return gettext("%(input)s, was %(was)s", input=text, was=lowered(was))

    def _given(self, one: OddsDifference) -> Iterator[Given]:
        for paired, both in zip(self.inputs, one.setting, strict=True):
            before, after = (
                of.written(value) if of and value is not None else None
                for of, value in zip(paired.domains, both, strict=True)
            )
            yield Given(paired.domain.name, before, after)

    def notes_on_inputs(self) -> Iterator[str]:
        """Sentences on inputs that only one edition has."""
        for paired in self.inputs:
            if None in paired.domains:
                now = paired.domains[0] is None
                yield gettext(
                    "Only %(edition)s asks for “%(input)s”, usually %(value)s.",
                    edition=self.names[now],
                    input=lowered(paired.domain.label),
                    value=lowered(_value(paired.domain, paired.values[0][now])),
                )


def _asked(title: str, kind: value_types.Kind, outcome: str) -> str:
    """What a chance is of: a flag tells its name, words what happens; a number tells neither."""
    if isinstance(kind, value_types.FlagKind):
        return title if outcome == outcome_text(True, kind) else f"{title} “{outcome}”"
    if isinstance(kind, value_types.WordKind | value_types.TextKind):
        return gettext("chance of “%(outcome)s”", outcome=outcome)
    return f"{title} “{outcome}”"


def _value(domain: Domain, value: value_types.Value | None) -> str:
    return "" if value is None else value_in_words(domain, value)


def odds_lines(program: Program, result: str, odds: ResultOdds) -> str:
    """A result in words: "mean 1.50 casualties", "good 50%"; of several words the likeliest."""
    kind, title = program.results[result].kind, lowered(program.results[result].title)
    if odds.mean is not None:
        mean = Mean(Fraction(odds.mean), unit_of(kind))
        return gettext("mean %(mean)s %(result)s", mean=mean, result=title)
    if isinstance(kind, value_types.FlagKind):
        return f"{title} {Chance(odds.chance(True))}"
    outcome, share = max(odds.outcomes, key=itemgetter(1))
    return f"{title} “{outcome_text(outcome, kind)}” {Chance(share)}"
