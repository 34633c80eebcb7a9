"""Figures -> faults where they disagree with the rules, with their grid, or with themselves."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rulebook.drawing.svg import Look
from rulebook.drawing.symbols import SYMBOLS
from rulebook.figures.bases import bases
from rulebook.figures.drawing import draw_figure, laid_corners
from rulebook.maps.geometry import distance, to_segment
from rulebook.model import figures as model
from rulebook.model.cells import Sought
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.stick import Stick, with_marks
from rulebook.model.ruleset import Address, Ruleset
from rulebook.problems import Problem
from rulebook.quantities import Length, format_number

#: In squares: what is so near to an edge or a line lies on it; parts of a length: as long.
_NEAR, _AS_LONG = 0.05, Fraction(1, 200)


def check_figures(ruleset: Ruleset) -> Iterator[Problem]:
    """Every figure lies on its grid, measures what it says, and has room for its words.

    Lengths are looked at as they are written: where they are turned they are turned alike.
    """
    written = ruleset.written or ruleset
    for name, figure in written.figures.items():
        found = list(_Checked(ruleset, name, figure, _with_marks(written)).faults())
        yield from found
        if not found and figure.sticks is None:
            # words as they print, with what is bound in them
            for at in draw_figure(ruleset.figures[name], _with_marks(ruleset), Look()).crowded:
                yield Problem.of("R446 crowded", ruleset.place("figures", name, *at))


def _with_marks(ruleset: Ruleset) -> dict[str, Cutout]:
    return {name: with_marks(one, ruleset.tables) for name, one in ruleset.cutouts.items()}


class _Checked:
    """One figure being looked at."""

    def __init__(
        self, ruleset: Ruleset, name: str, figure: model.RuleFigure, cutouts: dict[str, Cutout]
    ) -> None:
        self._ruleset, self._name = ruleset, name
        self._figure, self._cutouts = figure, cutouts

    def _fault(self, key: str, *at: str | int, **values: Any) -> Problem:
        return Problem.of(key, self._ruleset.place("figures", self._name, *at), **values)

    def faults(self) -> Iterator[Problem]:
        for index, stick in enumerate(self._figure.sticks or ()):
            if not isinstance(self._cutouts[stick], Stick):
                yield self._fault("R446 no stick", "sticks", index, name=stick)
        for at, _, element in self._figure.placed():
            yield from self._off(at, element)
            match element:
                case model.Troops():
                    yield from self._troops(at, element)
                case model.Dimension(length=Length()):
                    yield from self._measure(at, element)
                case model.Sweep(reach=Length()) if self._figure.square is None:
                    yield self._fault("R446 without a square", *at, "reach")
                case model.LaidCutout() if self._figure.square is None:
                    yield self._fault("R446 without a square", *at, "cutout")
                case model.Sight(blocked=(_, _) as blocked):
                    eye, target = (_floats(spot) for spot in element.sight)
                    if to_segment(_floats(blocked), eye, target)[0] > _NEAR:
                        yield self._fault("R446 blocked", *at, "blocked")
                case model.Sign() if element.symbol not in SYMBOLS:
                    sought = Sought(element.symbol, list(SYMBOLS))
                    yield self._fault("R446 symbol", *at, "symbol", name=sought)

    def _off(self, at: Address, element: Any) -> Iterator[Problem]:
        """A fault where a part of an element lies off its panel."""
        columns, rows = map(float, self._figure.size)
        for x, y in self._reach(element):
            if not (-_NEAR <= x <= columns + _NEAR and -_NEAR <= y <= rows + _NEAR):
                key = next(iter(type(element).model_fields))
                yield self._fault(
                    "R446 off the figure",
                    *at,
                    key,
                    columns=format_number(self._figure.size[0]),
                    rows=format_number(self._figure.size[1]),
                )
                return

    def _reach(self, element: Any) -> Iterator[tuple[float, float]]:
        """Points that lie on the figure if the whole element does, in squares."""
        # y runs down where corners are computed, and up on the figure
        if isinstance(element, model.Troops):
            for base in bases(element, _downwards, 1.0):
                yield from ((x, -y) for x, y in base.corners)
        elif isinstance(element, model.LaidCutout):
            if self._figure.square is not None:
                scale = 1 / float(self._figure.square.mm)
                cutout = self._cutouts[element.cutout]
                yield from ((x, -y) for x, y in laid_corners(element, cutout, _downwards, scale))
        elif not isinstance(element, model.GroundDrawn):
            for key in ("at", "arc"):
                if spot := getattr(element, key, None):
                    yield _floats(spot)
            for key in ("arrow", "sight", "measure", "zone"):
                yield from map(_floats, getattr(element, key, None) or ())

    def _troops(self, at: Address, troops: model.Troops) -> Iterator[Problem]:
        count = troops.ranks.ranks * troops.ranks.files
        for key in ("lost", "chosen"):
            for index, number in enumerate(getattr(troops, key)):
                if not 1 <= number <= count:
                    yield self._fault("R446 base", *at, key, index, number=number, count=count)

    def _measure(self, at: Address, measure: model.Dimension) -> Iterator[Problem]:
        square, said = self._figure.square, measure.length
        assert said is not None, "only measures with a length are looked at"
        if square is None:
            yield self._fault("R446 without a square", *at, "length")
            return
        long = distance(*map(_floats, measure.measure))
        drawn = Fraction(long).limit_denominator(20) * square.number
        if abs(Fraction(long) * square.mm - said.mm) > said.mm * _AS_LONG:
            squares = format_number((said.mm / square.mm).limit_denominator(20))
            yield self._fault(
                "R446 measure",
                *at,
                "length",
                said=said,
                drawn=Length(drawn, square.unit),
                squares=squares,
            )


def _floats(spot: model.Spot) -> tuple[float, float]:
    return float(spot[0]), float(spot[1])


def _downwards(spot: model.Spot) -> tuple[float, float]:
    return float(spot[0]), -float(spot[1])
