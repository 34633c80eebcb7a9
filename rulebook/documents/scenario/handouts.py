"""A scenario -> what is printed beside its booklet: cards, cutouts, and the sheets to write on.

These are a card for each unit with a back for each side, the cutouts that its forces need, its
ground cut out at true scale, a roster and an order form for each side, and a turn track.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import groupby

from rulebook.cutouts.packing import Pieces
from rulebook.cutouts.stick import fitted, set_words
from rulebook.documents.cards.compose import CardComposer, deck_sizes
from rulebook.documents.cards.pieces import (
    BlankPart,
    CardBackView,
    CardView,
    DeckView,
    TrackPart,
    Whose,
)
from rulebook.documents.cutouts import cutouts_view, sheets_view
from rulebook.documents.document_kind import File, Imposition, Planned
from rulebook.documents.parts.binding import Binder, escape_markdown
from rulebook.documents.parts.figures import CARD_PICTURE, small_picture
from rulebook.documents.parts.turn import TurnWords
from rulebook.documents.parts.views import CutoutView, Identity
from rulebook.documents.scenario import forces
from rulebook.documents.scenario.maps import ground_on, grounds_of
from rulebook.drawing.elements import Point
from rulebook.drawing.shapes import Drawing, Label, Rectangle, Shape, polygon
from rulebook.maps.canvas import MapLook
from rulebook.maps.drawing import GroundWords
from rulebook.maps.frame import grid_of
from rulebook.maps.geometry import MeasuredLine, box_of
from rulebook.maps.terrain import TerrainPiece, pieces_of
from rulebook.model.cards import deal_unit
from rulebook.model.cutouts import Cutout, Face, Footprint, Markers, StandBase
from rulebook.model.forces import bases_of, units_known, units_of_side
from rulebook.model.header import CardsSpec
from rulebook.model.map_features import AREA_KINDS, FEATURE_KINDS
from rulebook.model.prose import placements
from rulebook.model.ruleset import Ruleset
from rulebook.model.scenarios import Scenario
from rulebook.model.units import ALL_UNITS, Deck, UnitBase
from rulebook.paper_and_ink import Ink, PaperName
from rulebook.problems import Problem
from rulebook.text_fitting import LEADING
from rulebook.translation import gettext, gettext_noop

#: How the line is called on which players write the name of a unit that has none.
NAME = gettext_noop("Name")


def card_documents(scenario: forces.PlayedScenario) -> Iterator[Planned]:
    """Plans the unit cards of a scenario, with a PDF for each paper.

    These are the papers on which both sheets of scenarios and cards are printed.
    """
    cards = scenario.ruleset.header.documents.cards or CardsSpec()
    papers = [paper for paper in scenario.spec.sheets or () if paper in cards.papers]
    if not papers:
        return
    how: Imposition = "gutterfold" if cards.gutterfold else "n-up"
    sheets = (
        File(f"{scenario.stem}-cards-{paper}.pdf", "pdf", paper, "full", how) for paper in papers
    )
    view = partial(compose_unit_cards, scenario)
    yield scenario.planned("cards", "-cards", gettext("Unit cards"), view, *sheets)


def unit_deck(ruleset: Ruleset) -> Deck:
    """Returns the ruleset's own deck of all units, or a plain one if it has none."""
    for deck in ruleset.decks.values():
        if deck.made_from == ALL_UNITS:
            return deck
    return Deck.model_validate({"title": gettext("Unit cards"), "from": ALL_UNITS})


def compose_unit_cards(scenario: forces.PlayedScenario) -> DeckView:
    """Composes the unit cards of a scenario, in the order in which forces come.

    There is a back for each side. Identical cards appear once, with their number of copies.
    """
    ruleset, battle = scenario.ruleset, scenario.scenario
    deck, spec = unit_deck(ruleset), ruleset.header.documents.cards or CardsSpec()
    dealt = UnitCards(scenario)
    cards: dict[CardView, int] = {}
    for side in scenario.sides:
        for card in dealt.of_side(side):
            cards[card] = cards.get(card, 0) + 1
    return DeckView(
        identity=scenario.identity,
        id=scenario.id,
        title=battle.title,
        sizes=deck_sizes(deck),
        flip=spec.flip,
        gutterfold=spec.gutterfold,
        backs=tuple(_back(battle.title, side) for side in scenario.sides),
        cards=tuple(replace(card, copies=number) for card, number in cards.items()),
    )


class UnitCards:
    """Composes the cards of one scenario; what units of a kind have in common is composed once."""

    def __init__(self, played: forces.PlayedScenario) -> None:
        self._battle = played
        self._deck = unit_deck(played.ruleset)
        picture = partial(small_picture, played.ruleset, CARD_PICTURE)
        self._composer = CardComposer(Binder(played.ruleset, references="number"), picture)
        self._made: dict[str, CardView] = {}

    def of_kind(self, unit: str) -> CardView:
        """Returns the card of a kind of unit, given by its id, without a name or lines to write on.

        It is composed once and remembered.
        """
        if unit not in self._made:
            ruleset, kind = self._battle.ruleset, self._battle.units[unit]
            dealt = replace(deal_unit(ruleset, self._deck, unit, kind), copies=1)
            self._made[unit] = self._composer.card(dealt, self._deck, ())
        return self._made[unit]

    def of_side(self, side: forces.SideInBattle) -> Iterator[CardView]:
        """Yields a card for each unit of a side, with its name and force.

        The cards are in the order in which the forces of the side come.
        """
        for force in side.forces:
            words = f"{force.title} · {force.when}"
            whose = Whose(side.title, side.index, side.colour, words)
            for unit in self.units(side.id, force.id):
                yield self._card(unit.id, unit.name, whose)

    def units(self, side: str, force: str) -> tuple[forces.UnitInForce, ...]:
        """Returns the units of a force one by one; `side` and `force` are ids."""
        return self._battle.units_one_by_one(self._battle.scenario.sides[side].forces[force])

    def _card(self, unit: str, name: str, whose: Whose) -> CardView:
        plain = self.of_kind(unit)
        labels = [label for label in self._deck.blanks if label not in (NAME, gettext(NAME))]
        labels = labels if name else [gettext(NAME), *labels]
        grades = self._composer.grades(self._deck)
        blanks = [BlankPart(tuple(labels), grades)] if labels or grades else []
        return replace(
            plain,
            title=name or plain.title,
            kind=plain.title if name else "",
            colour=whose.colour,
            parts=(*blanks, *plain.parts),
            whose=whose,
            back=whose.number,
        )


def _back(title: str, side: forces.SideInBattle) -> CardBackView:
    whose = Whose(side.title, side.index, side.colour)
    return CardBackView(side.title, escape_markdown(title), whose)


#: Of a unit that notes nothing in play: whether it is lost.
LOST = gettext_noop("Lost")
#: Turns on sheets where no length is stated, unless the last force comes later.
USUAL_TURNS = 20


@dataclass(frozen=True, slots=True)
class SheetsView:
    """All sheets of a scenario; the forces of its sides have rosters.

    `columns` are the headings of counts. `turn` is the name of a turn, and `known` whether the
    scenario states how many there are; `start` are the forces there before the first turn, and
    `phases` are those of each turn, as on the track of the booklet. `keys` are the cards of each
    side's kinds of units. `order_forms` says whether each side has order forms.
    """

    identity: Identity
    title: str
    columns: tuple[str, ...]
    turn: str
    known: bool
    sides: tuple[forces.SideInBattle, ...]
    keys: tuple[tuple[CardView, ...], ...]
    start: tuple[forces.Coming, ...]
    track: tuple[forces.TurnSpace, ...]
    phases: str
    order_forms: bool


def sheet_documents(played: forces.PlayedScenario) -> Iterator[Planned]:
    """Plans the rosters, order forms and turn track of a scenario, with a PDF for each paper.

    Order forms are included only if the ruleset asks for them.
    """
    papers = played.spec.sheets or ()
    sheets = [File(f"{played.stem}-sheets-{paper}.pdf", "pdf", paper, "full") for paper in papers]
    if sheets:
        view = partial(compose_scenario_sheets, played)
        title = gettext("Rosters and turn track")
        if played.spec.order_forms:
            title = gettext("Rosters, orders and turn track")
        yield played.planned("scenario-sheets", "-sheets", title, view, *sheets)


def compose_scenario_sheets(played: forces.PlayedScenario) -> SheetsView:
    """Composes the sheets of a scenario: rosters, cards of its kinds of units, and turn track.

    If the scenario states no length, the track has USUAL_TURNS turns, or more if a force comes
    later.
    """
    scenario, cards = played.scenario, UnitCards(played)

    def with_rosters(side: forces.SideInBattle) -> forces.SideInBattle:
        """Returns a side whose forces have their rosters."""
        rows = (_rows(cards, cards.units(side.id, force.id)) for force in side.forces)
        pairs = zip(side.forces, rows, strict=True)
        return replace(
            side, forces=tuple(replace(force, roster=tuple(row)) for force, row in pairs)
        )

    last = max(force.turn for side in played.sides for force in side.forces)
    turns = scenario.length.turns or max(USUAL_TURNS, last)
    return SheetsView(
        identity=played.identity,
        title=scenario.title,
        columns=tuple(forces.count_titles(played.ruleset).values()),
        turn=forces.word(scenario.turn),
        known=scenario.length.turns is not None,
        sides=tuple(map(with_rosters, played.sides)),
        keys=tuple(tuple(cards.of_kind(unit.id) for unit in side.units) for side in played.sides),
        start=played.coming_in(0),
        track=tuple(played.turn_spaces(turns)),
        phases=TurnWords(Binder(played.ruleset, references="number")).line(),
        order_forms=played.spec.order_forms,
    )


def _rows(cards: UnitCards, units: Sequence[forces.UnitInForce]) -> Iterator[forces.UnitInForce]:
    """Yields the rows of a force's roster, each with boxes to tick.

    Units of a kind in one formation share a row if they have neither names nor tracks of their own.
    A unit without tracks has a box to tick when it is lost.
    """
    for _, together in groupby(units, key=lambda unit: unit.formation):
        alike: dict[str, forces.UnitInForce] = {}
        for unit in together:
            parts = cards.of_kind(unit.id).parts
            tracks = tuple(replace(part, about="") for part in parts if isinstance(part, TrackPart))
            if tracks or unit.name:
                yield replace(unit, tracks=tracks or (_lost(1),))
            else:
                number = alike[unit.title].number + 1 if unit.title in alike else 1
                alike[unit.title] = replace(unit, number=number, tracks=(_lost(number),))
        yield from alike.values()


def _lost(number: int) -> TrackPart:
    """Returns a track of `number` boxes in groups of five, one for each unit that may be lost."""
    groups = (("",) * min(5, number - start) for start in range(0, number, 5))
    return TrackPart(gettext(LOST), str(number), "", tuple(groups))


def cutout_documents(scenario: forces.PlayedScenario) -> Iterator[Planned]:
    """Plans a document with the cutouts that a scenario needs, if any, for each paper.

    Cutouts whose number depends on the scenario are printed in the number needed.
    """
    ruleset = scenario.ruleset
    needed = cutouts_needed(ruleset, scenario.scenario)
    changed = {
        name: cutout for name, cutout in recounted(ruleset, scenario.scenario).items() if cutout
    }
    cutouts = {**ruleset.cutouts, **changed}
    counted = ruleset.collections.model_copy(update={"cutouts": cutouts})
    ruleset = replace(ruleset, collections=counted)
    title = gettext("Cutouts for %(battle)s", battle=scenario.scenario.title)
    for paper in scenario.spec.sheets or () if needed else ():
        view = partial(cutouts_view, ruleset, needed, paper, title)
        file = File(f"{scenario.stem}-cutouts-{paper}.pdf", "pdf", paper, "full")
        yield scenario.planned("cutout", f"-cutouts-{paper}", gettext("Cutouts"), view, file)


def cutouts_needed(ruleset: Ruleset, scenario: Scenario) -> tuple[str, ...]:
    """Returns the ids of the cutouts that a scenario needs, in the order of the ruleset.

    If the scenario lists its cutouts, these are the listed ones. Otherwise they are all but those
    of chapters that hold rules only of units which are not in the battle. Cutouts of which none is
    needed are left out.
    """
    unused = {name for name, cutout in recounted(ruleset, scenario).items() if cutout is None}
    cutouts = [name for name in ruleset.cutouts if name not in unused]
    if scenario.cutouts is not None:
        return tuple(name for name in cutouts if name in scenario.cutouts)
    chapters = {
        section.id: chapter.id for chapter in ruleset.chapters for section in chapter.sections
    }
    owners: dict[str, set[str]] = {}
    for name, unit in units_known(ruleset, scenario).items():
        for rule in unit.rules:
            owners.setdefault(chapters[_heading(rule)], set()).add(name)
    there = {
        name for side in scenario.sides.values() for name in units_of_side(ruleset, scenario, side)
    }
    placed = placements(ruleset.chapters)
    for name, figure in ruleset.figures.items():
        placed = {("cutout", cutout): placed["figure", name] for cutout in figure.cutouts} | placed
    found = []
    for name in cutouts:
        own = ruleset.cutouts[name].rule
        heading = _heading(own) if own else placed["cutout", name]
        owned = owners.get(chapters[heading])
        if owned is None or owned & there:
            found.append(name)
    return tuple(found)


def recounted(ruleset: Ruleset, scenario: Scenario) -> dict[str, Cutout | None]:
    """Returns the cutouts whose number depends on the scenario, with that number, by id.

    A cutout as large as the base of some unit is needed once for each base of the units in the
    scenario. Tiles as large as the squares of the table are needed once for each square of their
    kind of ground. A cutout is None if none is needed; all other cutouts are left out.
    """
    tiles, square = tiles_needed(scenario), scenario.table.square.mm
    units = {name: unit for name, unit in units_known(ruleset, scenario).items() if unit.base}
    known = {_size(unit.base) for unit in units.values() if unit.base}
    bases: Counter[tuple[Fraction | None, ...]] = Counter()
    for side in scenario.sides.values():
        for name, number in units_of_side(ruleset, scenario, side).items():
            if name in units and (base := units[name].base):
                bases[_size(base)] += number * bases_of(ruleset, units[name])
    found: dict[str, Cutout | None] = {}
    for name, cutout in ruleset.cutouts.items():
        if isinstance(cutout, StandBase) and _size(cutout) in known:
            if copies := bases[_size(cutout)]:
                found[name] = cutout.model_copy(update={"copies": copies})
            elif _size(cutout) not in bases:
                found[name] = None
        elif (
            tiles
            and isinstance(cutout, Markers)
            and not cutout.size.round
            and cutout.size.across == cutout.size.down == square
        ):
            faces = tuple(_faces(cutout, tiles))
            found[name] = cutout.model_copy(update={"faces": faces}) if faces else None
    return found


def _size(base: Footprint | UnitBase) -> tuple[Fraction | None, ...]:
    sides = (base.width, base.depth, base.diameter)
    return tuple(side.mm if side is not None else None for side in sides)


#: Faces of tiles for a bend, by that for a straight piece.
_BENDS = {"river": "river_bend", "road": "road_bend"}


def tiles_needed(scenario: Scenario) -> Counter[str]:
    """Counts the squares of the table that each kind of ground fills.

    For rivers and roads, the squares that they cross are counted, though some may need a tile with
    a bend. Fords and bridges are counted too. The result is empty if the table has no squares.
    """
    table = scenario.table
    found: Counter[str] = Counter()
    if table.squares is None:
        return found
    grid = grid_of(table)
    for feature in scenario.map.features.values():
        points = ground_on(scenario, feature)
        if feature.draw in AREA_KINDS:
            found[feature.draw] += len(grid.within(points))
        elif feature.draw in _BENDS:
            track = MeasuredLine.from_points(points)
            steps = math.ceil(4 * track.length / float(grid.pitch))
            places = (track.at(track.length * step / steps)[0] for step in range(1, steps))
            found[feature.draw] += len({grid.square(Fraction(x), Fraction(y)) for x, y in places})
        found.update(key.removesuffix("s") for key, _, _ in feature.crossings)
    return found


def _faces(markers: Markers, tiles: Counter[str]) -> Iterator[Face]:
    """Yields the faces of tiles that a scenario needs, each with its number of copies.

    This is the number of squares of its ground. Faces without ground are yielded unchanged, and so
    are bends if the table has such a river or road.
    """
    straight = {bend: kind for kind, bend in _BENDS.items()}
    for face in markers.faces:
        kind = face.terrain or ""
        if not face.terrain or tiles[straight.get(kind, "")]:
            yield face
        elif tiles[kind]:
            yield face.model_copy(update={"copies": tiles[kind]})


def _heading(rule: str) -> str:
    """Converts the id of a rule, in which hyphens are allowed, to the id of its heading."""
    return rule.replace("-", "_")


TITLE = gettext_noop("Terrain")
USE = gettext_noop("Lay each piece at the square of the map that is named on it.")
_HINT = "make it smaller, choose a larger paper, or print the whole ground as a mat"
#: The largest type on a piece, mm, its smaller type, and the widest words.
_NAME, _TEXT, _WIDEST, _HIGHEST = 6.0, 3.6, 110.0, 40.0
#: Between the name of a piece and what the rules say of it, as a part of its room.
_NAME_PART = 0.45


def terrain_documents(played: forces.PlayedScenario) -> Iterator[Planned]:
    """Plans a document of terrain pieces to cut out for each paper.

    Plans nothing if the ruleset does not ask for terrain or the map has none.
    """
    if not played.spec.terrain or not pieces_of(played.scenario):
        return
    for paper in played.spec.sheets or ():
        name = f"-terrain-{paper}"
        view = partial(terrain_view, played.ruleset, played.id, paper)
        file = File(f"{played.stem}{name}.pdf", "pdf", paper, "full")
        yield played.planned("cutout", name, gettext(TITLE), view, file)


def terrain_view(ruleset: Ruleset, name: str, paper: PaperName, ink: Ink = "full") -> CutoutView:
    """Composes the sheets with all pieces of terrain of the scenario `name` on a paper.

    If there are no pieces, or they cannot be printed on the paper, the view has a `refusal`
    instead.
    """
    scenario = ruleset.scenarios[name]
    title = f"{scenario.title}: {gettext(TITLE)}"
    pieces = terrain_pieces(ruleset, name)
    if not pieces:
        refusal = Problem("R606", f"the map of {scenario.title} has no ground to cut out")
        return CutoutView(title, ruleset.header.language, (), refusal)
    view = sheets_view(ruleset, title, pieces, paper, ink, use=gettext(USE))
    if view.refusal is None:
        return view
    message = f"{title}: {view.refusal.message}"
    return replace(view, refusal=replace(view.refusal, message=message, hint=_HINT))


def terrain_pieces(ruleset: Ruleset, name: str) -> list[Pieces]:
    """Draws each piece of terrain of the scenario `name` as a cutout.

    The title of a cutout consists of the name, number and square of the piece.
    """
    scenario = ruleset.scenarios[name]
    grounds = grounds_of(ruleset, scenario)
    found = []
    for piece in pieces_of(scenario):
        ground = scenario.map.features[piece.feature].ground
        drawing = _drawing(piece, grounds.get(str(ground)))
        found.append(Pieces(drawing.title, (drawing,)))
    return found


def _name_of(piece: TerrainPiece) -> str:
    number = f", {piece.number}" if piece.number else ""
    return f"{piece.title}{number}, {piece.square}"


def _drawing(piece: TerrainPiece, ground: GroundWords | None) -> Drawing:
    left, top, right, bottom = box_of(piece.outline)

    def placed(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x - left, y - top) for x, y in points)

    outline = placed(piece.outline)
    tint = _tint(piece)
    shapes: list[Shape] = [polygon("tint", *outline, fill=tint)] if tint else []
    shapes += [polygon("engrave", *placed(ring)) for ring in piece.inside]
    shapes += _words(piece, ground, left, top)
    shapes.append(polygon("cut", *outline))
    title = _name_of(piece)
    return Drawing(title, title, round(right - left, 4), round(bottom - top, 4), tuple(shapes))


def _tint(piece: TerrainPiece) -> str | None:
    tint = FEATURE_KINDS[piece.kind].tint.format(level=piece.level)
    return MapLook().colour(tint) if tint else None


def _words(
    piece: TerrainPiece, ground: GroundWords | None, left: float, top: float
) -> Iterator[Label]:
    """Yields the labels of a piece of terrain: its name and, below it, the rules of its ground.

    The rules are left out if there is no room. Both are as large as their room allows. `left` and
    `top` are those of the box around the piece, in mm.
    """
    x, y = piece.middle[0] - left, piece.middle[1] - top
    wide, high = min(piece.room[0], _WIDEST), min(piece.room[1], _HIGHEST)
    room = Rectangle(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
    said = _said(piece, ground)
    below = replace(room, top=room.top + _NAME_PART * high)
    lines, size = fitted(said, below, _TEXT) if said else ([], 0.0)
    if lines:
        block = min(below.height, LEADING * size * (len(lines) + 0.5))
        room = replace(room, bottom=below.top)
        yield from set_words(said, replace(below, bottom=below.top + block), size)
    for label in set_words(_name_of(piece), room, _NAME):
        yield replace(label, weight="bold")


def _said(piece: TerrainPiece, ground: GroundWords | None) -> str:
    """Returns the title and the rules of the ground of a piece of terrain, for its label.

    The title is left out if the piece's own title contains it. Returns an empty text for a bridge,
    which is not what it crosses, and if `ground` is None.
    """
    if ground is None or piece.kind == "bridge":
        return ""
    title = "" if ground.title.casefold() in piece.title.casefold() else ground.title
    return ": ".join(filter(None, (title, ground.text)))
