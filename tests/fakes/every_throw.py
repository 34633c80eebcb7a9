"""Procedures as plain data, functions beside their texts -> odds, taking every throw in turn.

A second reading of the rules that knows nothing of the first: it keeps all names of all cases and
splits each case by each face of each die. Repetitions without a bound are followed for so many
passes, and what is still inside then is told.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

Env = dict[str, Any]
#: Chances of cases; a case is all names with their values.
Cases = dict[tuple[tuple[str, Any], ...], Fraction]
#: Passes for which a repetition without a bound is followed.
MOST_PASSES = 25
#: More cases than these are not worth the time.
MOST_CASES = 1500


class TooMany(Exception):
    """More cases than a test should take."""


class Stuck(Exception):
    """Dice that are thrown again for ever."""


@dataclass(frozen=True)
class E:
    """The text of an expression, and what it means."""

    text: str
    of: Callable[[Env], Any]


@dataclass(frozen=True)
class Dice:
    """`count` dice of `sides`, of which the `keep` highest or lowest count; all if it is 0."""

    count: int
    sides: int
    keep: int = 0
    highest: bool = True

    @property
    def text(self) -> str:
        dice = f"{self.count}d{self.sides}"
        which = "highest" if self.highest else "lowest"
        return f"{which} {self.keep} of {dice}" if self.keep else dice

    def totals(self) -> Iterator[tuple[int, Fraction]]:
        share = Fraction(1, self.sides**self.count)
        for faces in product(range(1, self.sides + 1), repeat=self.count):
            ordered = sorted(faces, reverse=self.highest)
            yield sum(ordered[: self.keep] if self.keep else ordered), share


@dataclass(frozen=True)
class DiceOfTable(Dice):
    """Dice that stand in a table, at the row that a player has chosen."""

    name: str = ""

    @property
    def text(self) -> str:
        return self.name


def plain(value: Any) -> Any:
    """The data as an author writes them: texts in place of the functions."""
    if isinstance(value, E | Dice):
        return value.text
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


@dataclass
class EveryThrow:
    """Reads steps by following every case; `inside` is the chance of what never came out."""

    procedures: Mapping[str, Mapping[str, Any]]
    natural: Mapping[int, bool]
    inside: Fraction = Fraction(0)

    def results(self, name: str, inputs: Env) -> dict[tuple[Any, ...], Fraction]:
        procedure = self.procedures[name]
        found: dict[tuple[Any, ...], Fraction] = {}
        for case, share in self.steps(procedure["steps"], {_case(inputs): Fraction(1)}).items():
            key = tuple(one.of(dict(case)) for one in procedure["result"].values())
            found[key] = found.get(key, Fraction(0)) + share
        return found

    def steps(self, steps: list[Any], cases: Cases) -> Cases:
        for step in steps:
            after: Cases = {}
            for case, share in cases.items():
                env = dict(case)
                if "when" in step and not step["when"].of(env):
                    _add(after, env, share)
                    continue
                for one, chance in self.step(step, env):
                    _add(after, one, share * chance)
            cases = after
            if len(cases) > MOST_CASES:
                raise TooMany
        return cases

    def step(self, step: Mapping[str, Any], env: Env) -> Iterator[tuple[Env, Fraction]]:
        if "set" in step:
            for name, value in step["set"].items():
                env = {**env, name: value.of(env)}
            yield env, Fraction(1)
        elif "roll" in step and "times" in step:
            yield from self.pool(step, env)
        elif "roll" in step:
            yield from self.throw(step, env)
        elif "test" in step:
            yield from self.test(step, env)
        elif "repeat" in step and "sum" in step:
            yield from self.afresh(step, env)
        elif "repeat" in step:
            yield from self.repeat(step, env)
        elif "do" in step:
            for case, share in self.steps(step["do"], {_case(env): Fraction(1)}).items():
                yield dict(case), share
        elif "run" in step:
            inputs = {name: one.of(env) for name, one in step["given"].items()}
            names = list(self.procedures[step["run"]]["result"])
            for values, share in self.results(step["run"], inputs).items():
                taken = {k: values[names.index(r)] for k, r in step["take"].items()}
                yield {**env, **taken}, share
        else:
            yield env, Fraction(1)

    def thrown(self, rolled: Mapping[str, Dice], env: Env) -> Iterator[tuple[Env, Fraction]]:
        for fallen in product(*(dice.totals() for dice in rolled.values())):
            share = Fraction(1)
            for _, chance in fallen:
                share *= chance
            yield {**env, **dict(zip(rolled, (total for total, _ in fallen), strict=True))}, share

    def throw(self, step: Mapping[str, Any], env: Env) -> Iterator[tuple[Env, Fraction]]:
        if "again" in step:
            stays = [
                (one, share)
                for one, share in self.thrown(step["roll"], env)
                if not step["again"].of(one)
            ]
            if not stays:
                raise Stuck
            total = sum(share for _, share in stays)
            yield from ((one, share / total) for one, share in stays)
            return
        for one, share in self.thrown(step["roll"], env):
            if "reroll" in step and step["reroll"].of(one):
                for second, chance in self.thrown(step["roll"], env):
                    yield second, share * chance
            else:
                yield one, share

    def pool(self, step: Mapping[str, Any], env: Env) -> Iterator[tuple[Env, Fraction]]:
        aggregate = next(name for name in ("sum", "highest", "lowest", "distinct") if name in step)
        given = step[aggregate]
        outs = [given] if aggregate == "distinct" else list(given)
        pools: dict[tuple[Any, ...], Fraction] = {(): Fraction(1)}
        for _ in range(step["times"].of(env)):
            grown: dict[tuple[Any, ...], Fraction] = {}
            for before, share in pools.items():
                for one, chance in self.thrown(step["roll"], env):
                    values = (
                        (one[next(iter(step["roll"]))],)
                        if aggregate == "distinct"
                        else tuple(value.of(one) + 0 for value in given.values())
                    )
                    key = (*before, values)
                    grown[key] = grown.get(key, Fraction(0)) + share * chance
            pools = grown
            if len(pools) > MOST_CASES:
                raise TooMany
        made = {"sum": sum, "distinct": lambda values: len(set(values))}
        best = max if aggregate == "highest" else min
        make = made.get(aggregate, lambda values: best(values, default=0))
        for each, share in pools.items():
            yield {**env, **{o: make([v[i] for v in each]) for i, o in enumerate(outs)}}, share

    def once(self, step: Mapping[str, Any], env: Env) -> Fraction:
        """The chance of one test, face by face."""
        target, plus = step["target"].of(env), step["plus"].of(env) if "plus" in step else 0
        chance = Fraction(1 if target else 0)
        dice = step["dice"]
        for score in target:
            reached = Fraction(0)
            for total, share in dice.totals():
                single = dice.count == 1 or dice.keep == 1
                decided = self.natural.get(total) if single else None
                reached += share * (total + plus >= score if decided is None else decided)
            chance *= reached
        if "reroll" in step and step["reroll"].of(env):
            chance += (1 - chance) * chance
        return chance

    def test(self, step: Mapping[str, Any], env: Env) -> Iterator[tuple[Env, Fraction]]:
        chance = self.once(step, env)
        if "times" not in step:
            yield {**env, step["test"]: True}, chance
            yield {**env, step["test"]: False}, 1 - chance
            return
        for each in product((0, 1), repeat=step["times"].of(env)):
            share = Fraction(1)
            for one in each:
                share *= chance if one else 1 - chance
            yield {**env, step["test"]: sum(each)}, share

    def afresh(self, step: Mapping[str, Any], env: Env) -> Iterator[tuple[Env, Fraction]]:
        sums = {tuple(0 for _ in step["sum"]): Fraction(1)}
        for _ in range(step["times"].of(env)):
            grown: dict[tuple[Any, ...], Fraction] = {}
            for case, share in self.steps(step["repeat"], {_case(env): Fraction(1)}).items():
                one = dict(case)
                for before, chance in sums.items():
                    key = tuple(
                        old + value.of(one)
                        for old, value in zip(before, step["sum"].values(), strict=True)
                    )
                    grown[key] = grown.get(key, Fraction(0)) + share * chance
            sums = grown
        for values, share in sums.items():
            yield {**env, **dict(zip(step["sum"], values, strict=True))}, share

    def repeat(self, step: Mapping[str, Any], env: Env) -> Iterator[tuple[Env, Fraction]]:
        times = step["times"].of(env) if "times" in step else MOST_PASSES
        count = {step["count"]: 0} if "count" in step else {}
        inside: Cases = {_case({**env, **count}): Fraction(1)}
        for number in range(1, times + 1):
            counted: Cases = {}
            for case, share in inside.items():
                _add(counted, {**dict(case), **dict.fromkeys(count, number)}, share)
            inside = {}
            for case, share in self.steps(step["repeat"], counted).items():
                if "until" in step and step["until"].of(dict(case)):
                    yield dict(case), share
                else:
                    _add(inside, dict(case), share)
        if "times" in step:
            yield from ((dict(case), share) for case, share in inside.items())
        else:
            self.inside += sum(inside.values(), Fraction(0))


def _case(env: Env) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(env.items()))


def _add(cases: Cases, env: Env, share: Fraction) -> None:
    key = _case(env)
    cases[key] = cases.get(key, Fraction(0)) + share
