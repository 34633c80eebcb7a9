"""What an author writes of a scenario -> its model: table, map, sides, forces, objectives, length.

Forces are counts of the ruleset's units, or of formations that are made of them, so that nothing
that can be added up is ever typed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from rulebook import quantities
from rulebook.model import scalars
from rulebook.model.entities import Entity, FrozenModel, Status, one_key, written_fields
from rulebook.model.expressions import Expression
from rulebook.model.maps import Ground, Map, PointOnTable, Table, ZoneOutline
from rulebook.model.procedures import ThrownText
from rulebook.model.scalars import (
    ID_PATTERN,
    CutoutId,
    Given,
    Id,
    Line,
    PassageText,
    ProcedureId,
    ProseText,
    Ref,
    UnitId,
    or_alone,
    worded,
)
from rulebook.model.units import Unit

#: A place that every scenario has: wherever its side likes.
ANYWHERE = "anywhere"
#: Of one unit or formation, in a force or in another formation.
MOST_OF_ONE = 200
LONGEST_GAME = 200
#: From each place the way to each objective is measured.
MOST_PLACES = MOST_OBJECTIVES = 24

SideColour = Literal["blue", "red", "grey", "green", "brown", "yellow"]
Number = Annotated[scalars.Count, Field(ge=1, le=MOST_OF_ONE)]


def _or_missing(what: str, key: str) -> Any:
    """Makes a validator of a model, which needs a value of `key` unless its status is `missing`.

    With this status it must have none. `what` names the model in the message.
    """

    def check(model: Entity) -> Entity:
        given = getattr(model, key) is not None
        if given is (model.status is Status.MISSING):
            state = f"{what} that is {'' if given else 'not '}missing"
            expected = f"'{key}', or 'status: missing' with a note"
            keys = [key] if given else []
            raise quantities.wrong_keys("R232", state, keys, expected, tuple(keys))
        return model

    return model_validator(mode="after")(check)


class _PassageOrMissing(Entity):
    """A passage of a scenario, such as what is known before the battle."""

    text: PassageText | None = None
    """Markdown in paragraphs"""

    _text_or_missing = _or_missing("a passage", "text")


class _GameLength(Entity):
    """How many turns are played."""

    turns: Annotated[scalars.Count, Field(ge=1, le=LONGEST_GAME)] | None = None
    """the number of turns"""

    _turns_or_missing = _or_missing("a length", "turns")


PassageOrMissing = Annotated[_PassageOrMissing, worded("text", str | _PassageOrMissing)]
GameLength = Annotated[_GameLength, worded("turns", int | str | _GameLength)]


class Commander(Entity):
    """Who leads a side, a force or a formation; without a name his is left to be written in."""

    title: Line | None = None
    """his name or rank"""

    _title_or_missing = _or_missing("a commander", "title")


#: Parts of a pace that are added up, and factors in one of them.
_MOST_TERMS, _MOST_FACTORS = 4, 3


@dataclass(frozen=True, slots=True)
class Pace:
    """How far a unit marches in a turn along a road: a sum of products of values in tables.

    Written `moves.column.move`, `moves.column.move * moves.column.times + road.bonus.distance`.
    """

    terms: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        return " + ".join(" * ".join(paths) for paths in self.terms)


def _read_pace(text: str) -> Pace:
    terms = tuple(tuple(path.strip() for path in term.split("*")) for term in text.split("+"))
    whole = all(re.fullmatch(r"[a-z][^*+{}=]{0,120}", path) for paths in terms for path in paths)
    if not whole or len(terms) > _MOST_TERMS or max(map(len, terms)) > _MOST_FACTORS:
        raise quantities.not_a("a pace", text, _PACE)
    return Pace(terms)


_PACE = "a length that a table holds, such as moves.column.move, or sums of products of such"
PaceText = Annotated[Pace, scalars.scalar(_read_pace, _PACE, pattern=f"^{ID_PATTERN}")]


class Paces(FrozenModel):
    """How far a unit marches in a turn, where that is not the same everywhere."""

    road: PaceText
    """along roads and tracks"""
    off: PaceText | None = None
    """across country; as along roads if left out"""
    over: dict[Ground, PaceText] = Field({})
    """across areas of the map, by the ground that they are: terrain.woods"""


PaceOfUnit = Annotated[Paces, worded("road", PaceText | Paces)]


class OwnUnit(Unit):
    """A unit that one scenario needs and the rules do not have, such as a single gun."""

    counts: dict[Id, scalars.Count] = Field({})
    """what it counts, by the names under 'muster' in ruleset.yaml"""
    pace: PaceOfUnit | None = None
    """how far it marches in a turn"""


_UnitOrFormation = Annotated[Id, Ref(("units", "formations"))]


class Formation(Entity):
    """Units and formations that go together: a division is two brigades."""

    title: Line
    of: Annotated[dict[_UnitOrFormation, Number], Field(min_length=1, max_length=40)]
    """ids of units or of other formations, and how many of each"""


class Place(Entity):
    """Where forces stand at the start, or where they come onto the table."""

    title: Line
    entry: PointOnTable | None = None
    """a point on an edge of the table"""
    zone: ZoneOutline | None = None
    """corners of the ground for setting up, in order"""

    _one_of_them = one_key("R232", "a place", "entry", "zone")


#: Targets one after another; the last holds for all later turns.
_MOST_TARGETS = 20
_SomeTurn = Annotated[scalars.Count, Field(ge=1, le=LONGEST_GAME)]
_Targets = Annotated[
    tuple[scalars.RollTarget, ...],
    Field(max_length=_MOST_TARGETS),
    or_alone(scalars.RollTarget | list[scalars.RollTarget]),
]


class TurnByDice(FrozenModel):
    """When a force comes, if dice decide it.

    It comes as soon as a throw that is made in each turn succeeds: one of `dice` against a
    `target`, or a procedure with a result that holds or not. Or its turn itself is thrown, once:
    the total of `dice`, or a number that comes of a procedure.
    """

    first: _SomeTurn | None = Field(None, alias="from")
    """the first turn in which it is thrown for; 1 if left out"""
    dice: ThrownText | None = None
    """d6, 2d6 or highest of 2d6"""
    target: _Targets = ()
    """what must be reached; [6+, 5+, 4+]: turn by turn, the last from then on"""
    plus: scalars.Count | None = None
    """added to dice that are the turn itself"""
    run: ProcedureId | None = None
    """id of a procedure that decides"""
    given: dict[Id, Given] = Field({})
    """inputs that are not at their defaults"""
    take: Id | None = None
    """the result that decides, if there are several"""
    last: _SomeTurn | None = None
    """the turn in which it comes in any case, if it has not come before"""

    @property
    def since(self) -> int | None:
        """The first turn in which dice are thrown for the force: the one stated, or else turn 1.

        None if a single throw decides the turn itself.
        """
        return self.first or (1 if self.target else None)

    @model_validator(mode="after")
    def _of_one_kind(self) -> Self:
        kind = "run" if self.run else "target" if self.target else "dice"
        given = [key for key, name in written_fields(type(self)).items() if getattr(self, name)]
        wrong = [key for key in given if key not in _KEYS_OF_TURNS[kind]]
        if wrong or not (self.dice or self.run):
            raise quantities.wrong_keys(
                "R232",
                "a turn by dice",
                given,
                "'dice', 'target' and 'from' if they are thrown in each turn, 'dice' alone if they "
                "are the turn, or 'run', a procedure",
                tuple(wrong[:1]),
            )
        if isinstance(self.dice, Expression):
            expected = "dice such as d6, 2d6 or highest of 2d6"
            fault = quantities.not_a("a throw of dice", str(self.dice), expected)
            raise fault.inside("dice")
        if self.last is not None and self.last < (self.first or 1):
            raise quantities.QuantityError(
                f"the last turn, {self.last}, is before the first, {self.first}",
                expected=f"{self.first} or a later turn",
                at=("last",),
                code="R232",
            )
        return self


_KEYS_OF_TURNS = {
    "target": ("from", "dice", "target", "last"),
    "dice": ("dice", "plus"),
    "run": ("from", "run", "given", "take", "last"),
}
TurnOfForce = Annotated[
    Annotated[scalars.Count, Field(ge=0, le=LONGEST_GAME), Tag("[turn]")]
    | Annotated[TurnByDice, Tag("[turnbydice]")],
    Discriminator(
        lambda value: "[turnbydice]" if isinstance(value, dict | TurnByDice) else "[turn]"
    ),
]


class Force(Entity):
    """Units that come together, at one place and in one turn."""

    title: Line
    of: Annotated[dict[_UnitOrFormation, Number], Field(min_length=1, max_length=40)]
    """ids of units or formations, and how many of each"""
    at: Annotated[Id, Ref(("places",), also=(ANYWHERE,))]
    """a zone or an entry of 'places', or 'anywhere'"""
    turn: TurnOfForce = 0
    """in which it comes; 0 for those that are there at the start; {from: 3, dice: d6, target: 5+}
    or {run: procedure} where dice decide it
    """
    commander: Commander | None = None
    """who leads it"""
    names: dict[UnitId, tuple[Line, ...]] = Field({})
    """names of its units by the unit: {infantry_regiment: [5th Alabama]}"""


class Side(Entity):
    """One of the parties."""

    title: Line
    colour: SideColour
    """the colour of its units on map, cards and time line"""
    commander: Commander | None = None
    """who leads it"""
    stated: dict[UnitId, scalars.Count] = Field({})
    """units in all, as the source says; checked against its forces"""
    forces: Annotated[dict[Id, Force], Field(min_length=1, max_length=200)]
    """what it has and when that comes"""


class Objective(Entity):
    """What is fought for."""

    title: Line
    at: Annotated[Id, Ref(("features", "places"))]
    """a feature of the map, or one of 'places'"""
    text: ProseText | None = None
    """what it takes to hold it"""


class SpecialRule(Entity):
    """A rule of this scenario alone: words, an option that is played with, or both."""

    title: Line
    text: PassageText | None = None
    """what it says"""
    option: Id | None = None
    """an option of the ruleset that is in force"""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.text is None and self.option is None and self.status is not Status.MISSING:
            expected = "'text', 'option', or both"
            raise quantities.wrong_keys("R232", "a special rule", (), expected)
        return self


class Scenario(Entity):
    """A battle to be played by the rules."""

    title: Line
    subtitle: Line | None = None
    """a second line below the title, such as the day"""
    date: Line | None = None
    """of the battle, in words"""
    background: PassageOrMissing | None = None
    """what history says"""
    situation: PassageOrMissing | None = None
    """what both players know"""
    turn: Line = "turn"
    """what the ruleset calls a turn"""
    length: GameLength
    """in turns"""
    first: Annotated[Id, Ref(("sides",))] | None = None
    """the side that moves first"""
    scale: ProseText | None = None
    """what the table stands for"""
    table: Table
    """how large the table is, and how it is divided"""
    map: Map = Map()
    """what lies on the table"""
    beyond: tuple[Line, ...] = ()
    """places that the text names, off the table"""
    places: Annotated[dict[Id, Place], Field(max_length=MOST_PLACES)] = Field({})
    """where forces stand and come in"""
    formations: dict[Id, Formation] = Field({})
    """those of this scenario, before those of the ruleset"""
    units: dict[Id, OwnUnit] = Field({})
    """those of this scenario, before those of the ruleset"""
    sides: Annotated[dict[Id, Side], Field(min_length=2, max_length=6)]
    """who fights, two sides or more"""
    objectives: Annotated[dict[Id, Objective], Field(max_length=MOST_OBJECTIVES)] = Field({})
    """what is fought for"""
    rules: dict[Id, SpecialRule] = Field({})
    """special rules by their ids"""
    cutouts: tuple[CutoutId, ...] | None = None
    """ids of the cutouts that it needs, where its units do not say"""
    victory: PassageOrMissing
    """who wins, and by what"""

    @model_validator(mode="after")
    def _each_id_once(self) -> Self:
        for name in self.places:
            if name in self.map.features or name == ANYWHERE:
                raise quantities.QuantityError(
                    f"'{name}' is a place that is there already",
                    expected="ids that are neither those of features nor 'anywhere'",
                    at=("places", name),
                    code="R206",
                )
        return self

    @property
    def options(self) -> tuple[str, ...]:
        """The ids of the options of the ruleset that are in force in the scenario, sorted."""
        return tuple(sorted({rule.option for rule in self.rules.values() if rule.option}))


_Counted = Annotated[tuple[Id, ...], Field(min_length=1, max_length=6)]


class Muster(FrozenModel):
    """How the forces of all scenarios are counted, and how far units march."""

    counts: dict[Id, _Counted] = Field({})
    """what is counted of a unit, each by fields of its rows or its tracks, added up: {figures:
    [rank_and_file, officers]}; by the first of them sides are compared
    """
    paces: dict[Id, PaceOfUnit] = Field({})
    """ids of units, and how far each marches in a turn: a length of a table, or {road: ..., off:
    ..., over: {terrain.woods: ...}}
    """
