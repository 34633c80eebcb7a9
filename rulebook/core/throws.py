"""Steps that throw dice: a throw, a pool of throws, a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from math import gcd, prod
from typing import Any

from rulebook.core.expressions import natural_of
from rulebook.core.operations import Typed
from rulebook.core.procedure_checks import Made, StepCheck
from rulebook.core.procedure_faults import NotAllowed, RunFault
from rulebook.core.programs import FallenDice, PlayState, ProgramStep, ValueLabel, names_read
from rulebook.core.repetitions import AddedUp, aggregate_words, summed
from rulebook.core.value_types import TARGET, FlagKind, NumberKind
from rulebook.core.weights import (
    Engine,
    Layout,
    Names,
    State,
    Suffixes,
    Transform,
    Weights,
    endless,
    moved_on,
    picker,
    projected,
    reading,
    run_of,
    too_many,
)
from rulebook.dice.pools import successes
from rulebook.dice.throws import reach, reached, rerolled, shows_one_face, totals
from rulebook.limits import MOST_VALUES
from rulebook.model.procedures import RollStep, TestStep
from rulebook.quantities import Dice
from rulebook.translation import gettext


def _known(dice: Typed) -> Dice | None:
    """Returns dice that are written in the step itself; None for those of an expression."""
    return dice.data if dice.operation == "=" else None


def _words_of_total(dice: Typed) -> str | None:
    """Returns the label of a total; None for a single die, whose face is shown as it is."""
    known = _known(dice)
    if known and known.keep == 1:
        return aggregate_words("highest" if known.highest else "lowest")
    return None if known and known.count == 1 else aggregate_words("sum")


def _plain_dice(dice: Typed) -> list[object]:
    """Returns dice as JSON data; how many are kept comes too, negative if the lowest are kept."""
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
        """Checks dice that are thrown once, or as a pool, and sets the names."""
        dice = [here.dice(thrown, "roll", name) for name, thrown in step.roll.items()]
        inner = here.within(here.scope.inner()) if step.times else here
        for name, thrown in step.roll.items():
            die = isinstance(thrown, Dice) and shows_one_face(thrown) and thrown.sides
            inner.bind(name, NumberKind(die or 0), "roll", name)
        own: dict[str, Any] = {"names": tuple(step.roll), "dice": tuple(die for die in dice if die)}
        if step.times is not None:
            throw = cls(address=here.address, single=step.distinct is not None, **own)
            return DicePool.check_throws(step, here, inner, throw)
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
        read = reading(layout, self.reads)
        added = tuple(name for name in self.names if name in after)
        chosen = picker(self.names, added)
        pick, behind = moved_on(layout, after, self.names, added)

        def suffixes(state: State) -> Suffixes:
            thrown = self._together([run(state) for run in dice])
            if holds is not None and self.again is None:
                thrown = rerolled(thrown, lambda shown: holds(state + shown))
            elif holds is not None:
                thrown = {shown: ways for shown, ways in thrown.items() if not holds(state + shown)}
                if not thrown:
                    raise endless(self.spot("again"))
            return projected(thrown, chosen), sum(thrown.values())

        return engine.extension(self.spot(), pick, read, suffixes), behind

    def _allowed(self, dice: list[Dice]) -> list[Dice]:
        """Returns the dice; raises RunFault for several where the faces of one are looked for."""
        if self.single and dice[0].count > 1:
            what = f"the different faces of {dice[0]}"
            raise RunFault("R425", what, self.spot(), "one die, such as d6")
        return dice

    def _together(self, dice: list[Dice]) -> Weights:
        """Returns the weights of all combinations of totals of the dice."""
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
        """Evaluates which dice are thrown."""
        return self._allowed([state.value(dice) for dice in self.dice])

    def fall(self, state: PlayState, dice: list[Dice]) -> list[FallenDice]:
        """Throws all dice once, and sets the names to their totals."""
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
        """Lists [name, dice] for each name, as JSON data."""
        pairs = zip(self.names, self.dice, strict=True)
        return [[name, *_plain_dice(dice)] for name, dice in pairs]

    def plain(self) -> dict[str, object]:
        return {
            "do": "throw",
            "dice": self.plain_dice(),
            "again": self.again,
            "reroll": self.reroll,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePool(AddedUp):
    """Throws dice `times` times as one step, and aggregates the throws.

    The aggregate `distinct` is the number of different faces of a die.
    """

    throw: Throw

    @classmethod
    def check_throws(cls, step: RollStep, here: StepCheck, inner: StepCheck, throw: Throw) -> Made:
        """Checks what is made of the throws; `inner` is the scope of one of them."""
        own: dict[str, Any] = {"throw": throw, "times": here.times(step.times)}
        if step.distinct:
            ((name, thrown),) = step.roll.items()
            if isinstance(thrown, Dice) and (thrown.count > 1 or thrown.keep):
                here.unlike(thrown, "one die, such as d6", "roll", name)
            here.bind(step.distinct, NumberKind(), "distinct")
            face = Typed(NumberKind(), "name", data=name)
            own |= {"aggregate": "distinct", "outs": (step.distinct,), "each": (face,)}
        else:
            made = next(name for name in ("sum", "highest", "lowest") if getattr(step, name))
            own |= {"aggregate": made, **summed(getattr(step, made), here, inner, made)}
        here.scope.leave(step.roll, "is thrown anew in each throw of the pool")
        return cls, own

    @property
    def each_pass(self) -> tuple[ProgramStep, ...]:
        return (self.throw,)

    def pass_in(self, state: PlayState) -> Callable[[], list[FallenDice]]:
        dice = self.throw.settled(state)
        return lambda: self.throw.fall(state, dice)

    def plain(self) -> dict[str, object]:
        each = () if self.aggregate == "distinct" else self.each
        own = {"do": "pool", "dice": self.throw.plain_dice(), "made": self.aggregate}
        return {**own, "times": self.times, "outs": self.outs, "each": each}


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
        """Checks the dice, the target and what is added, and sets the name."""
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
        pick, behind = moved_on(layout, after, (self.name,), (self.name,))
        read, spot = reading(layout, self._reads_of_throw()), self.spot()

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
            return successes(counts, hits, ways, engine.spending(spot)), ways ** max(counts)

        if self.times is None:
            return engine.extension(spot, pick, read, suffixes), behind
        times = run_of(self.times, layout)
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
        """Plays one attempt at the test, and appends its dice to `fallen`.

        A target that is a chain of scores takes one throw for each score, until one is not reached.
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
