"""Steps that throw dice: a throw, a test, and a pool of throws or passes that are aggregated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from math import gcd, prod
from typing import Any

from rulebook.core.expressions import natural_of
from rulebook.core.operations import Typed
from rulebook.core.procedure_checks import Made, StepCheck
from rulebook.core.procedure_faults import NotAllowed, RunFault
from rulebook.core.programs import (
    FallenDice,
    PlayState,
    ProgramStep,
    ValueLabel,
    compiled,
    live_before,
    names_read,
    play_steps,
)
from rulebook.core.value_types import TARGET, FlagKind, Kind, LengthKind, NumberKind, normal
from rulebook.core.weights import (
    Engine,
    Layout,
    Names,
    State,
    Suffixes,
    Transform,
    Weights,
    endless,
    picker,
    projected,
    reading,
    run_of,
    too_many,
)
from rulebook.dice.pools import best_of, distinct_of, successes, sum_of
from rulebook.dice.throws import reach, reached, rerolled, shows_one_face, totals
from rulebook.limits import MOST_VALUES
from rulebook.model.procedures import RepeatStep, RollStep, TestStep
from rulebook.quantities import Dice
from rulebook.translation import gettext, gettext_noop


def _known(dice: Typed) -> Dice | None:
    """Returns the dice if they are written in the step itself; None if an expression gives them."""
    return dice.data if dice.operation == "=" else None


def _words_of_total(dice: Typed) -> str | None:
    """Returns the label of a total of dice: the sum, or the highest or lowest if one is kept.

    Returns None for a single die, whose face is shown as it is.
    """
    known = _known(dice)
    if known and known.keep == 1:
        return AGGREGATES["highest" if known.highest else "lowest"].words()
    return None if known and known.count == 1 else AGGREGATES["sum"].words()


def _plain_dice(dice: Typed) -> list[object]:
    """Returns a list of dice and, if only some of them are kept, of how many, for JSON data.

    That number is negative if the lowest are kept.
    """
    known = _known(dice)
    return [dice, known.keep if known.highest else -known.keep] if known and known.keep else [dice]


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw(ProgramStep):
    """Throws dice once and sets `names` to their totals.

    All are thrown again once if `reroll` holds, or as long as `again` holds.
    """

    names: tuple[str, ...]
    dice: tuple[Typed, ...]
    again: Typed | None = None
    reroll: Typed | None = None
    #: Whether the faces of one die are looked for, so that no more may be thrown.
    single: bool = False

    @classmethod
    def check(cls, step: RollStep, here: StepCheck) -> Made:
        """Checks a step that throws dice once or as a pool, and sets the names of what is thrown.

        Returns a class of steps, which is `Pool` for a number of throws, and the arguments to make
        one with; faults are reported.
        """
        dice = [here.dice(thrown, "roll", name) for name, thrown in step.roll.items()]
        inner = here.within(here.scope.inner()) if step.times else here
        for name, thrown in step.roll.items():
            die = isinstance(thrown, Dice) and shows_one_face(thrown) and thrown.sides
            inner.bind(name, NumberKind(die or 0), "roll", name)
        own: dict[str, Any] = {"names": tuple(step.roll), "dice": tuple(die for die in dice if die)}
        if step.times is not None:
            single = step.distinct is not None
            throw = cls(address=here.address, single=single, **own) if all(dice) else None
            return Pool.check_throws(step, here, inner, throw)
        for key in ("again", "reroll"):
            own[key] = here.expression(getattr(step, key), key, wanted=FlagKind())
        return cls, own

    def _reads(self) -> Names:
        return (names_read(self.again, self.reroll) - set(self.names)) | names_read(*self.dice)

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        dice = [run_of(die, layout) for die in self.dice]
        decides = self.again or self.reroll
        around = tuple(name if name not in self.names else "" for name in layout)
        holds = run_of(decides, (*around, *self.names)) if decides else None
        chosen = picker(self.names, tuple(name for name in self.names if name in after))

        def suffixes(state: State) -> Suffixes:
            thrown = self._together([run(state) for run in dice])
            if holds is not None and self.again is None:
                thrown = rerolled(thrown, lambda shown: holds(state + shown))
            elif holds is not None:
                thrown = {shown: ways for shown, ways in thrown.items() if not holds(state + shown)}
                if not thrown:
                    raise endless(self.spot("again"))
            return projected(thrown, chosen), sum(thrown.values())

        return self.appended(engine, after, layout, suffixes)

    def _allowed(self, dice: list[Dice]) -> list[Dice]:
        """Returns the dice unchanged; raises RunFault for several where only one is allowed.

        That is the case if the step looks for the different faces of one die.
        """
        if self.single and dice[0].count > 1:
            what = f"the different faces of {dice[0]}"
            raise RunFault("R425", what, self.spot(), "one die, such as d6")
        return dice

    def _together(self, dice: list[Dice]) -> Weights:
        """Returns all combinations of totals of the dice, each with the number of ways to throw it.

        Raises RunFault if there are too many, or the dice are not allowed.
        """
        parts = [totals(thrown)[0] for thrown in self._allowed(dice)]
        if prod(map(len, parts)) > MOST_VALUES:
            raise too_many(self.spot())
        return {
            tuple([shown for shown, _ in outcome]): prod(ways for _, ways in outcome)
            for outcome in product(*parts)
        }

    def play(self, state: PlayState) -> list[FallenDice]:
        # What is thrown is settled before the first die falls: a name thrown anew may decide it.
        dice = self.settled(state)
        fallen = self.fall(state, dice)
        if self.reroll is not None and state.value(self.reroll):
            fallen += self.fall(state, dice)
        for _ in state.passes(self.spot("again")):
            if self.again is None or not state.value(self.again):
                break
            fallen += self.fall(state, dice)
        return fallen

    def settled(self, state: PlayState) -> list[Dice]:
        """Evaluates the expressions of the step for its dice, and returns the dice that are thrown.

        Raises RunFault for several dice in a step that allows only one.
        """
        return self._allowed([state.value(dice) for dice in self.dice])

    def fall(self, state: PlayState, dice: list[Dice]) -> list[FallenDice]:
        """Throws the dice of each name once, and sets the name to their total in `state`.

        Returns the faces that all the dice show.
        """
        fallen = []
        for name, thrown in zip(self.names, dice, strict=True):
            shown, total = state.throw(thrown, self.address)
            state.put(name, total)
            fallen.append(shown)
        return fallen

    def labels(self) -> dict[str, ValueLabel]:
        alone = _words_of_total(self.dice[0]) if len(self.names) == 1 else None
        return {name: ValueLabel(NumberKind(), alone) for name in self.names}

    def plain_dice(self) -> list[object]:
        """Lists [name, dice] for each name of the step, as JSON data.

        If only some dice are kept, their number follows, negative if the lowest are kept.
        """
        pairs = zip(self.names, self.dice, strict=True)
        return [[name, *_plain_dice(dice)] for name, dice in pairs]

    def plain(self) -> dict[str, object]:
        return {
            "do": "throw",
            "dice": self.plain_dice(),
            "again": self.again,
            "reroll": self.reroll,
        }


def _counted(value: Any) -> Any:
    """Converts a flag to 1 or 0, and a fraction that is a whole number to an int.

    Other values are returned unchanged.
    """
    return int(value) if value is True or value is False else normal(value)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """What is made of the values of several passes: its label, and how it is found.

    `of_values` makes it of the values in a play, and is 0 for none. `of_weights` returns its
    weights, from those of the values of one pass and of the number of passes.
    """

    label: str
    of_values: Callable[[list[Any]], Any]
    of_weights: Callable[..., Weights]

    def words(self) -> str:
        """Returns the label in the language in force."""
        return gettext(self.label)


AGGREGATES = {
    "sum": Aggregate(gettext_noop("Total"), sum, sum_of),
    "highest": Aggregate(
        gettext_noop("Highest"), partial(max, default=0), partial(best_of, highest=True)
    ),
    "lowest": Aggregate(
        gettext_noop("Lowest"), partial(min, default=0), partial(best_of, highest=False)
    ),
    "distinct": Aggregate(
        gettext_noop("Different scores"),
        lambda values: len(set(values)),
        lambda each, counts, spend: distinct_of(counts, len(each), spend),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool(ProgramStep):
    """Takes its steps or throws dice `times` times, each from the same state, and aggregates these.

    The names `outs` are set to an aggregate of the expressions `each` of all passes. Dice are
    thrown as one step.
    """

    times: Typed
    outs: tuple[str, ...]
    each: tuple[Typed, ...]
    aggregate: str
    throw: Throw | None = None

    @classmethod
    def check(cls, step: RepeatStep, here: StepCheck) -> Made:
        """Checks a repetition whose passes are added up, and sets the names of the sums.

        Returns this class of steps, and the arguments to make one with; faults are reported.
        """
        times, inner = here.times(step.times), here.scope.inner()
        body = here.inside(step, inner)
        own = _aggregated(step, "sum", here, here.within(inner))
        here.scope.leave(inner.names, "is set anew in each pass, and only added up")
        return cls, {"steps": body, "times": times, **own}

    @classmethod
    def check_throws(
        cls, step: RollStep, here: StepCheck, inner: StepCheck, throw: Throw | None
    ) -> Made:
        """Checks what a step makes of several throws of dice, such as a sum; sets its names.

        `inner` has the scope of one throw; `throw` is None if its dice have faults. Returns this
        class of steps, and the arguments to make one with; faults are reported.
        """
        own: dict[str, Any] = {"throw": throw, "times": here.times(step.times)}
        if step.distinct:
            ((name, thrown),) = step.roll.items()
            if isinstance(thrown, Dice) and (thrown.count > 1 or thrown.keep):
                here.unlike(thrown, "one die, such as d6", "roll", name)
            here.bind(step.distinct, NumberKind(), "distinct")
            face = Typed(NumberKind(), "name", data=name)
            own |= {"aggregate": "distinct", "outs": (step.distinct,), "each": (face,)}
        else:
            made = next(name for name in AGGREGATES if getattr(step, name))
            own |= _aggregated(step, made, here, inner)
        here.scope.leave(step.roll, "is thrown anew in each throw of the pool")
        return cls, own

    @property
    def _each_pass(self) -> tuple[ProgramStep, ...]:
        return (self.throw,) if self.throw else self.steps

    def _reads(self) -> Names:
        return live_before(self._each_pass, names_read(*self.each)) | self.times.names

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        """Compiles one throw or pass, and the aggregation of its values over all of them.

        `after` are the names whose values are needed after the step, `layout` is that of the states
        before it. Returns a transform of weighted states, and the layout after it.
        """
        wanted = [value for out, value in zip(self.outs, self.each, strict=True) if out in after]
        needed = names_read(*wanted)
        live = live_before(self._each_pass, needed)
        outside = tuple(name for name in layout if name in live)
        begin = picker(layout, outside)
        body, inner = compiled(self._each_pass, needed, engine, outside)
        runs = [run_of(value, inner) for value in wanted]
        spend, made = engine.spending(self.spot()), AGGREGATES[self.aggregate].of_weights

        @cache
        def one_pass(state: State) -> Weights:
            weights, _ = body({state: 1})
            return projected(weights, lambda end: tuple([_counted(run(end)) for run in runs]))

        def total_of(state: State, counts: Mapping[int, int]) -> Suffixes:
            each = one_pass(begin(state))
            return made(each, counts, spend=spend), sum(each.values()) ** max(counts)

        pick, behind = self.moved_on(layout, after)
        times = run_of(self.times, layout)
        pools = engine.pools(self.spot("times"), pick, begin, times, total_of, outs=len(wanted))
        return pools, behind

    def play(self, state: PlayState) -> list[FallenDice]:
        number = self.times_in(state, self.times)
        dice = self.throw.settled(state) if self.throw else []
        before, fallen = state.names, list[FallenDice]()
        values: list[list[Any]] = []
        for _ in state.deeper(range(1, number + 1)):
            state.names = dict(before)
            play_steps(self.steps, state)
            fallen += self.throw.fall(state, dice) if self.throw else []
            values.append([_counted(state.value(value)) for value in self.each])
        state.names = before
        made = AGGREGATES[self.aggregate].of_values
        for index, name in enumerate(self.outs):
            state.put(name, made([value[index] for value in values]))
        return fallen

    def labels(self) -> dict[str, ValueLabel]:
        alone = AGGREGATES[self.aggregate].words() if len(self.outs) == 1 else None
        kinds = map(_kind_of_aggregate, self.each)
        return {name: ValueLabel(kind, alone) for name, kind in zip(self.outs, kinds, strict=True)}

    def plain(self) -> dict[str, object]:
        own = {"times": self.times, "outs": self.outs}
        if self.throw is None:
            return {"do": "add up", **own, "each": self.each}
        each = () if self.aggregate == "distinct" else self.each
        dice = self.throw.plain_dice()
        return {"do": "pool", "dice": dice, "made": self.aggregate, **own, "each": each}


def _kind_of_aggregate(value: Typed) -> Kind:
    return value.kind if isinstance(value.kind, LengthKind) else NumberKind()


def _aggregated(
    step: RollStep | RepeatStep, key: str, here: StepCheck, inner: StepCheck
) -> dict[str, Any]:
    """Checks the values under `key` that are aggregated, and sets the names of the results.

    Values are checked in the scope `inner` of a pass, and names are set in that of the step.
    Returns arguments for making the step; values that are neither numbers nor flags are reported.
    """
    each = {}
    for name, expression in getattr(step, key).items():
        typed = each[name] = inner.expression(expression, key, name)
        if typed and not (typed.kind.numeric or isinstance(typed.kind, FlagKind)):
            here.unlike(typed.kind, "a number, or what holds or not", key, name)
    for name, value in each.items():
        here.bind(name, _kind_of_aggregate(value) if value else None, key, name)
    values = tuple(value for value in each.values() if value)
    return {"aggregate": key, "outs": tuple(each), "each": values}


@dataclass(frozen=True, slots=True, kw_only=True)
class Test(ProgramStep):
    """Throws against a target, and sets a name to whether it is reached, or with `times` how often.

    `natural` maps scores that decide whatever is added to them to whether they pass.
    """

    name: str
    dice: Typed
    target: Typed
    natural: Mapping[int, bool]
    plus: Typed | None = None
    times: Typed | None = None
    reroll: Typed | None = None

    @classmethod
    def check(cls, step: TestStep, here: StepCheck) -> Made:
        """Checks a test: its dice, target, modifier and number, and when it is thrown again.

        Sets the name of the test: to a number if it is made several times, else to a flag. Returns
        this class of steps, and the arguments to make one with; faults are reported.
        """
        findings = here.findings
        findings.looks_up("header", "natural")
        before = here.within(here.scope.inner())
        if step.test not in before.scope.names:
            before.scope.unread[step.test] = (
                "what is known before the throw, such as veterans: where it holds, what fails is "
                "thrown again; 'roll' with 'reroll' goes by the die"
            )
        own = {
            "name": step.test,
            "natural": natural_of(findings.ruleset),
            "dice": here.dice(step.dice, "dice"),
            "target": here.expression(step.target, "target", wanted=TARGET),
        }
        # Where what is added is not allowed, the test fails.
        forbidding = dict(findings.forbidding)
        own["plus"] = here.expression(step.plus, "plus", wanted=NumberKind())
        findings.forbidding = forbidding
        own["times"] = here.times(step.times)
        own["reroll"] = before.expression(step.reroll, "reroll", wanted=FlagKind())
        here.bind(step.test, NumberKind() if step.times else FlagKind(), "test")
        return cls, own

    def _reads(self) -> Names:
        return self._reads_of_throw() | names_read(self.times)

    def _reads_of_throw(self) -> Names:
        return names_read(self.dice, self.target, self.plus, self.reroll)

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        dice, target = run_of(self.dice, layout), run_of(self.target, layout)
        plus, reroll = (
            run_of(value, layout) if value else _nothing for value in (self.plus, self.reroll)
        )

        def chance(state: State) -> tuple[int, int]:
            try:
                more = plus(state)
            except NotAllowed:
                return 0, 1  # nothing is thrown: what is not allowed fails
            hits, ways = reach(dice(state), target(state), more, self.natural)
            if reroll(state):
                hits, ways = hits * ways + (ways - hits) * hits, ways * ways
            common = gcd(hits, ways)
            return hits // common, ways // common

        def suffixes(state: State) -> Suffixes:
            hits, ways = chance(state)
            outcomes: Weights = {(True,): hits, (False,): ways - hits}
            return {outcome: weight for outcome, weight in outcomes.items() if weight}, ways

        def total_of(state: State, counts: Mapping[int, int]) -> Suffixes:
            hits, ways = chance(state)
            return successes(counts, hits, ways, engine.spending(self.spot())), ways ** max(counts)

        if self.times is None:
            return self.appended(engine, after, layout, suffixes)
        pick, behind = self.moved_on(layout, after)
        read, times = reading(layout, self._reads_of_throw()), run_of(self.times, layout)
        return engine.pools(self.spot("times"), pick, read, times, total_of), behind

    def play(self, state: PlayState) -> list[FallenDice]:
        fallen: list[FallenDice] = []
        if self.times is None:
            state.put(self.name, self._tested(state, fallen))
        else:
            number = self.times_in(state, self.times)
            state.put(self.name, sum(self._tested(state, fallen) for _ in range(number)))
        return fallen

    def _tested(self, state: PlayState, fallen: list[FallenDice]) -> bool:
        passed = self._thrown(state, fallen)
        if not passed and self.reroll is not None and state.value(self.reroll):
            return self._thrown(state, fallen)
        return passed

    def _thrown(self, state: PlayState, fallen: list[FallenDice]) -> bool:
        """Plays one attempt at the test, appends its dice to `fallen`, and tells whether it passes.

        A target that is a chain of scores takes one throw for each score, until one is not reached.
        If the modifier does not allow the test, it fails and nothing is thrown.
        """
        target = state.value(self.target)
        try:
            plus = state.value(self.plus) if self.plus else 0
        except NotAllowed:
            return False  # and nothing is thrown
        dice = state.value(self.dice)
        for score in target.scores:
            thrown, total = state.throw(dice, self.address)
            fallen.append(thrown)
            if not reached(dice, total, score, plus, self.natural):
                return False
        return bool(target.scores)

    def labels(self) -> dict[str, ValueLabel]:
        return {
            self.name: ValueLabel(NumberKind() if self.times else FlagKind(), gettext("Passed"))
        }

    def plain(self) -> dict[str, object]:
        return {
            "do": "test",
            "name": self.name,
            "dice": _plain_dice(self.dice),
            "target": self.target,
            "plus": self.plus,
            "times": self.times,
            "reroll": self.reroll,
        }


def _nothing(state: State) -> int:
    return 0
