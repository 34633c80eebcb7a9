"""A force whose turn dice decide -> the chance that it has come by each turn, and its mean turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from rulebook.core.expressions import natural_of
from rulebook.core.input_domains import read_inputs
from rulebook.core.odds import FaultyProcedure, OddsCalculator, ResultOdds
from rulebook.core.procedure_faults import FaultAt
from rulebook.core.value_types import FlagKind, More, NumberKind, value_text
from rulebook.dice.throws import reach, totals
from rulebook.model.scenarios import LONGEST_GAME, TurnByDice
from rulebook.problems import Fault
from rulebook.quantities import Dice

#: Binary digits of the chances of a turn, times the turns: of the forces of a scenario together.
MOST_DIGITS = 50_000


@dataclass(frozen=True, slots=True)
class ArrivalOdds:
    """The chance that a force has arrived by each turn, from 0 to the longest game.

    `mean` is the mean turn of arrival if the game goes on for ever, None if the force may never
    arrive. `repeated` says that dice are thrown in each turn until it arrives.
    """

    by_turn: tuple[Fraction, ...]
    mean: Fraction | None
    repeated: bool = False

    def by(self, turn: int) -> Fraction:
        """Returns the chance that the force has arrived by the end of the given turn."""
        return self.by_turn[min(turn, LONGEST_GAME)]

    def within(self, share: Fraction) -> int | None:
        """Returns the first turn by which the force has arrived with a chance of at least `share`.

        The chance must be more than 0. Returns None if there is no such turn in the longest game.
        """
        return next((turn for turn, by in enumerate(self.by_turn) if by and by >= share), None)

    @property
    def first(self) -> int:
        """The first turn in which the force may arrive; LONGEST_GAME + 1 if it never does."""
        found = self.within(Fraction(0))
        return LONGEST_GAME + 1 if found is None else found

    @property
    def digits(self) -> int:
        """The number of binary digits of the largest denominator among the chances of all turns."""
        return max(by.denominator.bit_length() for by in self.by_turn)


def arrival_odds(calculator: OddsCalculator, turn: TurnByDice) -> ArrivalOdds:
    """Computes the chances that a force has arrived by each turn, if dice decide its turn.

    Everything that `turn` names must exist in the ruleset. Raises FaultAt for faults of `turn`
    itself, and FaultyProcedure if its procedure cannot be run (without problems if they are
    reported at the procedure).
    """
    if turn.run is not None:
        return _of_procedure(calculator, turn, turn.run)
    thrown = turn.dice
    assert isinstance(thrown, Dice)  # or the model would have refused it
    if turn.target:
        natural = natural_of(calculator.ruleset)
        return thrown_each_turn(
            turn, [Fraction(*reach(thrown, target, 0, natural)) for target in turn.target]
        )
    outcomes, ways = totals(thrown)
    return _thrown_once({(turn.plus or 0) + total: Fraction(n, ways) for total, n in outcomes})


def thrown_each_turn(turn: TurnByDice, chances: Sequence[Fraction]) -> ArrivalOdds:
    """Computes the odds of a force that arrives once a throw, repeated each turn, succeeds.

    `chances` holds the chance of success in each turn from the first throw on; its last item holds
    for all later turns. Raises FaultAt if the chances have too many digits.
    """
    first, last = turn.first or 1, turn.last
    _refuse_beyond(chances, LONGEST_GAME)
    missing = [Fraction(1)] * first
    for number in range(first, LONGEST_GAME + len(chances)):
        chance = chances[min(number - first, len(chances) - 1)]
        missing.append(missing[-1] * (1 - (1 if last and number >= last else chance)))
    # The mean is the sum of the chances that it has not come by each turn from 0 on.
    same = first + len(chances) - 1
    ends = min(same, last or same)
    known, left, chance = sum(missing[first:ends], Fraction(first)), missing[ends - 1], chances[-1]
    mean: Fraction | None = None
    if last and not chance:
        mean = known + left * (last - ends)
    elif chance or not left:
        until = (1 - chance) ** (last - ends) if last else 0
        mean = known + left * (1 - chance) * (1 - until) / (chance or 1)
    return ArrivalOdds(tuple(1 - part for part in missing[: LONGEST_GAME + 1]), mean, repeated=True)


def _thrown_once(chances: Mapping[int, Fraction]) -> ArrivalOdds:
    """Computes the odds of a force whose turn of arrival is the total of a single throw.

    `chances` maps each turn to its chance. Raises FaultAt if the chances have too many digits.
    """
    mean = sum((turn * chance for turn, chance in chances.items()), Fraction(0))
    each = (chances.get(turn, Fraction(0)) for turn in range(LONGEST_GAME + 1))
    by_turn = tuple(accumulate(each))
    _refuse_beyond(by_turn, 1)
    return ArrivalOdds(by_turn, mean)


def _refuse_beyond(chances: Sequence[Fraction], times: int) -> None:
    if max(chance.denominator.bit_length() for chance in chances) * times > MOST_DIGITS:
        raise too_fine()


def too_fine() -> FaultAt:
    """Returns the fault to raise for chances with too many digits to be added up exactly."""
    what = "the forces that come by dice take too long to be added up exactly"
    expected = "fewer of them, dice of fewer sides, or a shorter game"
    return FaultAt(Fault("R470", what, expected), ())


def _of_procedure(calculator: OddsCalculator, turn: TurnByDice, name: str) -> ArrivalOdds:
    program = calculator.programs.get(name)
    if program is None:
        raise FaultyProcedure(())
    result = turn.take or next(iter(program.results))
    kind = program.results[result].kind
    set_for_throws = [key for key, given in (("from", turn.first), ("last", turn.last)) if given]
    if not isinstance(kind, FlagKind | NumberKind) or (
        set_for_throws and isinstance(kind, NumberKind)
    ):
        at = ("take",) if turn.take else ("run",)
        expected = "what holds or not, thrown in each turn; or, without 'from' and 'last', the turn"
        what = f"the result '{result}' is {kind}"
        raise FaultAt(Fault("R305", what, expected), tuple(set_for_throws[:1]) or at)
    inputs, faults = read_inputs(program.domains, turn.given)
    if faults:
        raise faults[0]
    odds = calculator.odds(program, result, inputs)
    if odds is None:
        required, at = program.requires[0].say, ("given",) if turn.given else ("run",)
        what = f"the procedure '{name}' admits none of these inputs"
        raise FaultAt(Fault("R433", what, required), at)
    if isinstance(kind, FlagKind):
        return thrown_each_turn(turn, [odds.chance(True)])
    return _thrown_once(_turns(odds, result))


def _turns(odds: ResultOdds, result: str) -> Mapping[int, Fraction]:
    """Maps each outcome of a result, read as a turn, to its chance.

    Raises FaultAt where an outcome is not a whole number from 1.
    """
    for value, _ in odds.outcomes:
        if isinstance(value, More) or value < 1 or value != int(value):
            what = f"the result '{result}' may be {value_text(value)}, which is no turn"
            raise FaultAt(Fault("R464", what, "whole numbers from 1, with a bound"), ())
    return {int(value): chance for value, chance in odds.outcomes}
