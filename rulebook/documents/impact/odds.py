"""A procedure in two editions -> the sets of inputs at which both are compared, and what differs.

These are the usual inputs, and each input by itself: a choice at every value that both editions
have, a count or a length at its two ends and next to what is usual. All odds are exact. How many
cases are worked out is bounded by the `OddsCalculator` of each edition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from rulebook import quantities
from rulebook.core import value_types
from rulebook.core.input_domains import Domain
from rulebook.core.odds import FaultyProcedure, OddsCalculator, ResultOdds, ratio
from rulebook.core.programs import Program, ProgramResult
from rulebook.core.value_types import in_order, outcome_text
from rulebook.documents.parts.charts import lowered, unit_of, value_in_words
from rulebook.quantities import Chance, Mean
from rulebook.translation import gettext

#: A value of an input in the old and in the new edition; None in one that has not the input.
PairedValue: TypeAlias = "tuple[value_types.Value | None, value_types.Value | None]"
#: A set of inputs of both editions: a value for each input of either.
Setting: TypeAlias = "tuple[PairedValue, ...]"
#: Differences that are shown of a procedure.
MOST_SHOWN = 8
ARROW = "\N{RIGHTWARDS ARROW}"


@dataclass(frozen=True, slots=True)
class ValueOfBoth:
    """An input as it is typed, or a parameter of a cutout as it prints, in both editions.

    In an edition that lacks it, the value of an input is None, that of a parameter empty.
    """

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Odds of one result at one set of inputs, in both editions.

    `inputs` are the notable ones as text: those that are not as usual, and the count that the
    result grows with. `given` are all inputs, as `rulebook odds` takes them. `measure` says whether
    the mean or the chance of an `outcome` is shown; `asked` names what it is of: "casualties",
    "winner “attacker”". `before` and `after` are as printed, the exact ones as "n/d".
    """

    text: str
    inputs: tuple[str, ...]
    given: tuple[ValueOfBoth, ...]
    result: str
    result_title: str
    asked: str
    measure: Literal["mean", "chance"]
    outcome: str
    before: str
    after: str
    exact_before: str
    exact_after: str


@dataclass(frozen=True, slots=True)
class PairedInput:
    """An input of one edition or both.

    `domains` are its domains in the old and in the new edition, `values` those at which both are
    compared, the usual one first; they are empty if the editions have no value in common.
    """

    domains: tuple[Domain | None, Domain | None]
    values: tuple[PairedValue, ...]

    @property
    def domain(self) -> Domain:
        """The domain of the input in the new edition, or in the old one if only that has it."""
        found = self.domains[1] or self.domains[0]
        assert found is not None, "it is an input of one edition at least"
        return found

    @property
    def counted(self) -> bool:
        return isinstance(self.domain.kind, value_types.NumberKind | value_types.LengthKind)


def paired_inputs(
    old: Program, new: Program, names: Mapping[str, str], rows: Mapping[tuple[str, str], str]
) -> tuple[PairedInput, ...]:
    """Pairs the inputs of a procedure in both editions, those of the new edition first.

    `names` maps inputs of the new edition to their old names, and `rows` maps the ids of a table
    and its row in the new edition to the old id of the row. An input that only one edition has is a
    pair with None.
    """
    were = {name: old.domains.get(names.get(name, name)) for name in new.domains}
    pairs = [(were[name], domain) for name, domain in new.domains.items()]
    gone = [(domain, None) for domain in old.domains.values() if domain not in were.values()]
    return tuple(_paired_input(*pair, rows) for pair in (*pairs, *gone))


def _paired_input(
    old: Domain | None, new: Domain | None, rows: Mapping[tuple[str, str], str]
) -> PairedInput:
    if old is not None and new is not None:
        values = _paired_values(old, new, rows)
    else:
        values = [(None, value) for value in _values(new)]
        values += [(value, None) for value in _values(old)]
    found = PairedInput((old, new), tuple(values))
    if not values:
        return found
    of_new = [at for at, both in enumerate(values) if new is not None and both[1] == new.default]
    of_old = [at for at, both in enumerate(values) if old is not None and both[0] == old.default]
    usual = (of_new or of_old or [0])[0]
    tried = values
    if found.counted:
        tried = [values[0], *values[max(usual - 1, 0) : usual + 2], values[-1]]
    return replace(found, values=tuple(dict.fromkeys((values[usual], *tried))))


def _values(domain: Domain | None) -> list[value_types.Value]:
    """Returns the values of an input that are compared; none if the domain is None.

    For an input of conditions these are none of them, the usual ones, and each condition alone.
    """
    if domain is None or not domain.several:
        return list(domain.values) if domain else []
    return list(dict.fromkeys([(), domain.default, *((str(row),) for row in domain.values)]))


def _paired_values(
    old: Domain, new: Domain, rows: Mapping[tuple[str, str], str]
) -> list[PairedValue]:
    """Pairs the values that an input has in both editions, in the order of the new one.

    Bands that only one edition has are paired in their order, if there are equally many. `rows`
    maps the ids of a table and its row in the new edition to the old id of the row. Returns none if
    the input is of another kind in the new edition.
    """
    if type(old.kind) is not type(new.kind):
        return []
    table = getattr(new.kind, "table", "")
    names = {row: was for (name, row), was in rows.items() if name == table}
    were = {_key(old, value, {}): value for value in _values(old)}
    keys = {value: _key(new, value, names) for value in _values(new)}
    found = {value: were[key] for value, key in keys.items() if key in were}
    come = [value for value in keys if value not in found]
    gone = [value for value in were.values() if value not in found.values()]
    if len(come) == len(gone) and all(_is_band(value) for value in (*come, *gone)):
        found |= dict(zip(come, gone, strict=True))
    return [(found[value], value) for value in keys if value in found]


def _key(domain: Domain, value: value_types.Value, names: Mapping[str, str]) -> object:
    """Returns a key that is the same for a value in both editions.

    It has the old ids of rows, which `names` gives by the new ones, and lengths are in millimetres.
    """
    if isinstance(value, tuple):
        return tuple(names.get(row, row) for row in value)
    if isinstance(value, str):
        return names.get(value, value)
    return value * _size(domain.kind, "mm") if isinstance(value, int | Fraction) else value


def _is_band(value: value_types.Value) -> bool:
    try:
        band = quantities.parse_band(value) if isinstance(value, str) else None
    except quantities.QuantityError:
        return False
    return band is not None and band.low != band.high


def _size(kind: value_types.Kind, unit: quantities.LengthUnit) -> Fraction:
    """Returns the factor that converts lengths of a kind to a unit.

    Returns 1 for lengths in bases and for kinds that are no lengths.
    """
    sizes = quantities.MILLIMETRES
    if isinstance(kind, value_types.LengthKind) and kind.unit in sizes:
        return sizes[kind.unit] / sizes[unit]
    return Fraction(1)


@dataclass(frozen=True, slots=True)
class OddsDifference:
    """The odds of a result at one set of inputs in both editions, which differ.

    `of_mean` tells whether the means differ; else `outcome` is the one whose chance differs most.
    `size` is the difference: of means, with lengths in inches, or of chances.
    """

    results: tuple[str, str]
    setting: Setting
    odds: tuple[ResultOdds, ResultOdds]
    size: Fraction
    of_mean: bool
    outcome: Any = None


def paired_results(
    old: Program, new: Program, names: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Pairs the results that a procedure has in both editions: old name, new name.

    `names` maps new names to old ones. Results whose kinds cannot be compared are left out.
    """
    pairs = [(names.get(name, name), name) for name in new.results]
    return tuple(
        (was, name)
        for was, name in pairs
        if was in old.results and _alike(old.results[was].kind, new.results[name].kind)
    )


def _alike(old: value_types.Kind, new: value_types.Kind) -> bool:
    if isinstance(old, value_types.LengthKind) and isinstance(new, value_types.LengthKind):
        return old.unit == new.unit or "base" not in (old.unit, new.unit)
    words = (value_types.WordKind, value_types.MixedKind)
    return type(old) is type(new) or (isinstance(old, words) and isinstance(new, words))


def settings_of(inputs: Sequence[PairedInput]) -> Iterator[Setting]:
    """Yields the sets of inputs at which two editions are compared.

    The first has the usual values, and the others differ from it in one input each. There is none
    if an input has no values in common.
    """
    if not all(paired.values for paired in inputs):
        return
    usual = tuple(paired.values[0] for paired in inputs)
    yield usual
    for at, paired in enumerate(inputs):
        yield from ((*usual[:at], both, *usual[at + 1 :]) for both in paired.values[1:])


def _difference(
    results: tuple[str, str],
    setting: Setting,
    odds: tuple[ResultOdds, ResultOdds],
    kinds: Sequence[value_types.Kind],
) -> OddsDifference | None:
    """Compares the odds of a result at one set of inputs in both editions.

    The means are compared if both have one, with lengths in inches. If they do not differ, the
    chances of outcomes are. Returns None if these are the same too. `kinds` are the kinds of the
    result in both editions.
    """
    old, new = odds
    inches = [_size(kind, "in") for kind in kinds]
    if old.mean is not None and new.mean is not None:
        size = abs(new.mean * inches[1] - old.mean * inches[0])
        if size:
            return OddsDifference(results, setting, odds, size, of_mean=True)
    chances = [
        {value_types.normal(value * inch) if inch != 1 else value: share for value, share in each}
        for each, inch in zip((old.outcomes, new.outcomes), inches, strict=True)
    ]
    if chances[0] == chances[1]:
        return None
    by = {
        value: abs(chances[1].get(value, Fraction(0)) - chances[0].get(value, Fraction(0)))
        for value in in_order(kinds[1], chances[0] | chances[1])
    }
    outcome = max(by, key=by.__getitem__)
    size = by[outcome]
    if inches[1] != 1:
        outcome = value_types.normal(outcome / inches[1])
    return OddsDifference(results, setting, odds, size, False, outcome)


@dataclass(frozen=True, slots=True)
class PairedProcedure:
    """A procedure in both editions, with its inputs and its results in both."""

    calculators: tuple[OddsCalculator, OddsCalculator]
    programs: tuple[Program, Program]
    inputs: tuple[PairedInput, ...]
    results: tuple[tuple[str, str], ...]
    names: tuple[str, str]

    def compared(self) -> tuple[list[OddsDifference], int, int]:
        """Compares the odds of all results at all sets of inputs.

        Returns the differences, the number of sets at which odds of both editions were compared,
        and the number of those at which a result has odds in only one of them.
        """
        found: list[OddsDifference] = []
        compared, left_out = set[Setting](), set[Setting]()
        for setting in settings_of(self.inputs) if self.results else ():
            for pair in self.results:
                old, new = (self._odds(pair, setting, now=now) for now in (False, True))
                if old and new:
                    compared.add(setting)
                    kinds = [result.kind for result in self._results(pair)]
                    found += filter(None, [_difference(pair, setting, (old, new), kinds)])
                elif old or new:
                    left_out.add(setting)
        return found, len(compared), len(left_out)

    def _odds(self, pair: tuple[str, str], setting: Setting, *, now: bool) -> ResultOdds | None:
        """Computes the odds of a result in the new edition if `now`, or else in the old one.

        `pair` has the name of the result in both. Returns None if the procedure cannot be run with
        these inputs, or if that takes too long.
        """
        given = {
            domain.name: value
            for paired, both in zip(self.inputs, setting, strict=True)
            if (domain := paired.domains[now]) and (value := both[now]) is not None
        }
        try:
            return self.calculators[now].odds(self.programs[now], pair[now], given)
        except FaultyProcedure:
            return None

    def _results(self, pair: tuple[str, str]) -> list[ProgramResult]:
        return [program.results[name] for program, name in zip(self.programs, pair, strict=True)]

    def worth_showing(self, found: Sequence[OddsDifference]) -> list[OddsDifference]:
        """Selects the differences to show, the largest first, and at most MOST_SHOWN.

        Of differences with the same odds of a result only the first is kept. If a mean differs at
        the usual inputs, its differences at other counts or lengths are left out.
        """
        usual = next(settings_of(self.inputs), ())
        means = {each.results for each in found if each.of_mean and each.setting == usual}
        kept: dict[object, OddsDifference] = {}
        for each in found:
            settings = zip(self.inputs, each.setting, usual, strict=True)
            by_count = any(paired.counted for paired, both, was in settings if both != was)
            if not (by_count and each.of_mean and each.results in means):
                kept.setdefault((each.results, tuple(odds.outcomes for odds in each.odds)), each)
        return sorted(kept.values(), key=lambda each: -each.size)[:MOST_SHOWN]

    def difference(self, found: OddsDifference) -> Difference:
        """Describes a difference in words and numbers as they are printed, and with exact numbers.

        It is of the means of a result, or else of the chance of one outcome.
        """
        results, inputs = self._results(found.results), tuple(self._inputs(found))
        kind, title = results[1].kind, lowered(results[1].title)
        if found.of_mean:
            exact = [Fraction(odds.mean or 0) for odds in found.odds]
            units = (unit_of(result.kind) for result in results)
            before, after = map(str, map(Mean, exact, units))
            outcome, asked, what = "", title, f"{before} {ARROW} {after} {title}"
        else:
            exact = [odds.chance(found.outcome) for odds in found.odds]
            before, after = (str(Chance(chance)) for chance in exact)
            outcome = outcome_text(found.outcome, kind)
            asked = _asked(title, kind, outcome)
            what = f"{asked} {before} {ARROW} {after}"
        at = f" ({'; '.join(inputs)})" if inputs else ""
        return Difference(
            text=f"{self.programs[1].title}{at}: {what}",
            inputs=inputs,
            given=tuple(self._given(found)),
            result=found.results[1],
            result_title=title,
            asked=asked,
            measure="mean" if found.of_mean else "chance",
            outcome=outcome,
            before=before,
            after=after,
            exact_before=ratio(exact[0]),
            exact_after=ratio(exact[1]),
        )

    def _inputs(self, found: OddsDifference) -> Iterator[str]:
        """Yields the inputs to name with a difference, as text.

        These are the ones with unusual values and, if a mean differs, all counts and lengths.
        """
        for paired, both in zip(self.inputs, found.setting, strict=True):
            if both != paired.values[0] or (found.of_mean and paired.counted):
                yield self._input(paired, both)

    def _input(self, paired: PairedInput, both: PairedValue) -> str:
        """Returns an input and its value as text, such as `figures firing: 24` or `first volley`.

        If the old value differs, it is added: `range: 0–6″, was 0–8″`. If only one edition has the
        input, the text names that edition.
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

    def _given(self, found: OddsDifference) -> Iterator[ValueOfBoth]:
        for paired, both in zip(self.inputs, found.setting, strict=True):
            before, after = (
                of.written(value) if of and value is not None else None
                for of, value in zip(paired.domains, both, strict=True)
            )
            yield ValueOfBoth(paired.domain.name, before, after)

    def notes(self) -> Iterator[str]:
        """Yields sentences on the inputs and results that only one edition has.

        There is one for each such input, with its usual value, and one for the results of each
        edition.
        """
        for paired in self.inputs:
            if None in paired.domains:
                now = paired.domains[0] is None
                yield gettext(
                    "Only %(edition)s asks for “%(input)s”, usually %(value)s.",
                    edition=self.names[now],
                    input=lowered(paired.domain.label),
                    value=lowered(_value(paired.domain, paired.values[0][now])),
                )
        for index, program in enumerate(self.programs):
            known = {pair[index] for pair in self.results}
            alone = [result.title for name, result in program.results.items() if name not in known]
            if alone:
                yield gettext(
                    "Only %(edition)s tells: %(results)s.",
                    edition=self.names[index],
                    results=quantities.join_words(map(lowered, alone), "and"),
                )


def _asked(title: str, kind: value_types.Kind, outcome: str) -> str:
    """Returns what a chance is of, as text.

    This is "chance of “attacker”" for an outcome in words, the `title` of the result for a flag
    that is true, and the title with the outcome for anything else.
    """
    if isinstance(kind, value_types.FlagKind):
        return title if outcome == outcome_text(True, kind) else f"{title} “{outcome}”"
    if isinstance(kind, value_types.WordKind) or kind == value_types.TEXT:
        return gettext("chance of “%(outcome)s”", outcome=outcome)
    return f"{title} “{outcome}”"


def _value(domain: Domain, value: value_types.Value | None) -> str:
    return "" if value is None else value_in_words(domain, value)


def odds_lines(program: Program, result: str, odds: ResultOdds) -> str:
    """Describes the odds of a result in one phrase, such as "mean 1.50 casualties" or "good 50%".

    It has the mean if there is one, the chance that a flag is true, or the likeliest outcome.
    """
    kind, title = program.results[result].kind, lowered(program.results[result].title)
    if odds.mean is not None:
        mean = Mean(Fraction(odds.mean), unit_of(kind))
        return gettext("mean %(mean)s %(result)s", mean=mean, result=title)
    if isinstance(kind, value_types.FlagKind):
        return f"{title} {Chance(odds.chance(True))}"
    outcome, share = max(odds.outcomes, key=itemgetter(1))
    return f"{title} “{outcome_text(outcome, kind)}” {Chance(share)}"
