"""Steps that throw dice: a throw, a pool of throws, a test; and passes that are only added up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import gcd, prod
from typing import Any

from rulebook.core.operations import Typed
from rulebook.core.procedure_faults import NotAllowed, RunFault
from rulebook.core.programs import (
    FallenDice,
    PlayState,
    ProgramStep,
    ValueLabel,
    compiled,
    live_before,
    play_steps,
)
from rulebook.core.value_types import FlagKind, LengthKind, NumberKind, normal
from rulebook.core.weights import (
    NOTHING,
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
from rulebook.dice.chains import Spend
from rulebook.dice.pools import best_of, distinct_of, successes, sum_of
from rulebook.dice.throws import KeptDice, reach, reached, rerolled, totals
from rulebook.limits import MOST_VALUES
from rulebook.quantities import Dice
from rulebook.translation import gettext


@dataclass(frozen=True, slots=True)
class ThrownDice:
    """Dice whose total is taken; if `keep` is not 0, only of the `keep` highest or lowest."""

    dice: Typed
    keep: int = 0
    highest: bool = True

    def shown(self, dice: Dice) -> KeptDice:
        return KeptDice(dice, self.keep, self.highest)

    def words(self) -> str | None:
        """Returns the label of the total; None for a single die, whose face is shown as it is."""
        if self.keep == 1:
            return _words("highest" if self.highest else "lowest")
        bare = self.dice.operation == "=" and self.dice.data.count == 1
        return None if bare else _words("sum")

    def plain(self) -> list[object]:
        kept = [self.keep if self.highest else -self.keep] if self.keep else []
        return [self.dice, *kept]


def _words(aggregate: str) -> str:
    """Returns the label of what the values of several throws are aggregated to."""
    return {
        "sum": gettext("Total"),
        "highest": gettext("Highest"),
        "lowest": gettext("Lowest"),
        "distinct": gettext("Different scores"),
    }[aggregate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw(ProgramStep):
    """Throws dice once and sets `names` to their totals.

    All are thrown again once if `reroll` holds, or as long as `again` holds.
    """

    names: tuple[str, ...]
    dice: tuple[ThrownDice, ...]
    again: Typed | None = None
    reroll: Typed | None = None
    #: Whether the faces of one die are looked for, so that no more may be thrown.
    single: bool = False

    @property
    def shows(self) -> tuple[str, ...]:
        return self.names

    def _reads(self) -> Names:
        inner = NOTHING.union(*(decides.names for decides in (self.again, self.reroll) if decides))
        return (inner - set(self.names)).union(*(die.dice.names for die in self.dice))

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        dice = [run_of(die.dice, layout) for die in self.dice]
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

    def _shown(self, dice: list[Dice]) -> list[KeptDice]:
        """Pairs the values of `dice` with how many of them are kept.

        Raises RunFault for several dice where the faces of one die are looked for.
        """
        if self.single and dice[0].count > 1:
            what = f"the different faces of {dice[0]}"
            raise RunFault("R425", what, self.spot(), "one die, such as d6")
        return [part.shown(thrown) for part, thrown in zip(self.dice, dice, strict=True)]

    def _together(self, dice: list[Dice]) -> Weights:
        """Returns the weights of all combinations of totals of the dice."""
        parts = [totals(shown)[0] for shown in self._shown(dice)]
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

    def settled(self, state: PlayState) -> list[KeptDice]:
        return self._shown([state.value(part.dice) for part in self.dice])

    def fall(self, state: PlayState, dice: list[KeptDice]) -> list[FallenDice]:
        """Throws all dice once, and sets the names to their totals."""
        fallen = []
        for name, shown in zip(self.names, dice, strict=True):
            thrown, total = state.throw(shown, self.address)
            state.put(name, total)
            fallen.append(thrown)
        return fallen

    def labels(self) -> dict[str, ValueLabel]:
        alone = self.dice[0].words() if len(self.names) == 1 else None
        return {name: ValueLabel(NumberKind(), alone) for name in self.names}

    def plain_dice(self) -> list[object]:
        """Lists [name, dice] for each name, as JSON data.

        If only some dice are kept their number comes too, negative if the lowest are kept.
        """
        pairs = zip(self.names, self.dice, strict=True)
        return [[name, *dice.plain()] for name, dice in pairs]

    def plain(self) -> dict[str, object]:
        return {
            "do": "throw",
            "dice": self.plain_dice(),
            "again": self.again,
            "reroll": self.reroll,
        }


def counted(value: Any) -> Any:
    """Converts a flag to 1 or 0; normalises other values."""
    return int(value) if value is True or value is False else normal(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedUp(ProgramStep):
    """Takes its steps `times` times, each time from the same state, and aggregates the passes.

    The names `outs` are set to the sum, the highest or the lowest of the expressions `each` of all
    passes, as `aggregate` says.
    """

    times: Typed
    outs: tuple[str, ...]
    each: tuple[Typed, ...]
    aggregate: str = "sum"

    @property
    def shows(self) -> tuple[str, ...]:
        return self.outs

    @property
    def each_pass(self) -> tuple[ProgramStep, ...]:
        """The steps of one pass."""
        return self.steps

    def _reads(self) -> Names:
        wanted = NOTHING.union(*(value.names for value in self.each))
        return live_before(self.each_pass, wanted) | self.times.names

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        """Compiles one pass, and the aggregation of its values over all passes."""
        wanted = [pair for pair in zip(self.outs, self.each, strict=True) if pair[0] in after]
        needed = NOTHING.union(*(value.names for _, value in wanted))
        live = live_before(self.each_pass, needed)
        outside = tuple(name for name in layout if name in live)
        begin = picker(layout, outside)
        body, inner = compiled(self.each_pass, needed, engine, outside)
        runs = [run_of(value, inner) for _, value in wanted]
        spend = engine.spending(self.spot())

        @cache
        def one_pass(state: State) -> Weights:
            weights, _ = body({state: 1})
            return projected(weights, lambda end: tuple([counted(run(end)) for run in runs]))

        def total_of(state: State, counts: Mapping[int, int]) -> Suffixes:
            each = one_pass(begin(state))
            return self._made(each, counts, spend), sum(each.values()) ** max(counts)

        outs = tuple(out for out, _ in wanted)
        pick, behind = moved_on(layout, after, self.outs, outs)
        times = run_of(self.times, layout)
        pools = engine.pools(self.spot("times"), pick, begin, times, total_of, outs=len(outs))
        return pools, behind

    def _made(self, each: Weights, counts: Mapping[int, int], spend: Spend) -> Weights:
        """Aggregates the values of a number of passes; returns the weights of the outcomes.

        `each` are the weights of the values of one pass, `counts` those of the number of passes.
        """
        if self.aggregate == "sum":
            return sum_of(each, counts, spend)
        if self.aggregate == "distinct":
            return distinct_of(counts, len(each), spend)
        return best_of(each, counts, self.aggregate == "highest", spend)

    def play(self, state: PlayState) -> list[FallenDice]:
        number, take = self.times_in(state, self.times), self.pass_in(state)
        before, fallen = state.names, list[FallenDice]()
        values: list[list[Any]] = []
        for _ in state.deeper(range(1, number + 1)):
            state.names = dict(before)
            fallen += take()
            values.append([counted(state.value(value)) for value in self.each])
        state.names = before
        for index, name in enumerate(self.outs):
            state.put(name, _aggregate(self.aggregate, [value[index] for value in values]))
        return fallen

    def pass_in(self, state: PlayState) -> Callable[[], list[FallenDice]]:
        """Makes a function that plays one pass and returns the dice thrown by the step itself."""

        def take() -> list[FallenDice]:
            play_steps(self.steps, state)
            return []

        return take

    def labels(self) -> dict[str, ValueLabel]:
        alone = _words(self.aggregate) if len(self.outs) == 1 else None
        kinds = [value.kind for value in self.each]
        return {
            name: ValueLabel(kind if isinstance(kind, LengthKind) else NumberKind(), alone)
            for name, kind in zip(self.outs, kinds, strict=True)
        }

    def plain(self) -> dict[str, object]:
        return {"do": "add up", "times": self.times, "outs": self.outs, "each": self.each}


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePool(AddedUp):
    """Throws dice `times` times as one step, and aggregates the throws.

    The aggregate `distinct` is the number of different faces of a die.
    """

    throw: Throw

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


def _aggregate(aggregate: str, values: list[Any]) -> Any:
    """Aggregates values by sum, highest, lowest or number of distinct ones; 0 if there are none."""
    if aggregate == "sum":
        return sum(values)
    if aggregate == "distinct":
        return len(set(values))
    return (max if aggregate == "highest" else min)(values, default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Test(ProgramStep):
    """Throws against a target, and sets a name to whether it is reached, or with `times` how often.

    `natural` maps scores that decide whatever is added to them to whether they pass.
    """

    name: str
    dice: ThrownDice
    target: Typed
    natural: Mapping[int, bool]
    plus: Typed | None = None
    times: Typed | None = None
    reroll: Typed | None = None

    @property
    def shows(self) -> tuple[str, ...]:
        return (self.name,)

    def _reads(self) -> Names:
        times = self.times.names if self.times else NOTHING
        return self._reads_of_throw() | times

    def _reads_of_throw(self) -> Names:
        parts = (self.dice.dice, self.target, self.plus, self.reroll)
        return NOTHING.union(*(part.names for part in parts if part))

    def transform(self, engine: Engine, after: Names, layout: Layout) -> tuple[Transform, Layout]:
        dice, target = run_of(self.dice.dice, layout), run_of(self.target, layout)
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
            hits, ways = reach(self.dice.shown(dice(state)), target(state), more, self.natural)
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
        shown = self.dice.shown(state.value(self.dice.dice))
        for score in target.scores:
            thrown, total = state.throw(shown, self.address)
            fallen.append(thrown)
            if not reached(shown, total, score, plus, self.natural):
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
            "dice": self.dice.plain(),
            "target": self.target,
            "plus": self.plus,
            "times": self.times,
            "reroll": self.reroll,
        }


def _nothing(state: State) -> int:
    return 0
