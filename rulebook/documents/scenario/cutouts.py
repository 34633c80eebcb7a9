"""A scenario -> the cutouts that its forces need, and its ground cut out at true scale.

A scenario may say which cutouts it needs. Where it does not, they are told by the rules: a cutout
belongs to the chapter in which its rule stands, and a chapter to the units that name a heading of
it among their rules. What belongs to units none of which is there is left out; what belongs to no
unit, such as the stick with which all measure, is needed by all. Pieces of the ground are packed,
and those larger than a sheet are tiled, as cutouts are; each says what it is, where on the map it
lies, and what the rules say of such ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from rulebook.cutouts.parts import Pieces
from rulebook.cutouts.sheets import Imprint, compose_sheets
from rulebook.cutouts.strips import Room, fitted, set_words
from rulebook.documents.cutouts.compose import some_cutouts_view
from rulebook.documents.parts.document import File, Planned
from rulebook.documents.parts.views import CutoutView, Refusal
from rulebook.documents.scenario.forces import PlayedScenario
from rulebook.documents.scenario.maps import grounds_of
from rulebook.drawing.inks import Look
from rulebook.drawing.shapes import Drawing, Label, Polyline, Shape, Tint
from rulebook.maps.canvas import Look as MapLook
from rulebook.maps.feature_kinds import KINDS
from rulebook.maps.geometry import Point, box_of
from rulebook.maps.legend import GroundWords
from rulebook.maps.pieces import TerrainPiece, pieces_of
from rulebook.model.forces import units_known, units_of_side
from rulebook.model.prose import placements
from rulebook.model.ruleset import InkName, Ruleset
from rulebook.model.scenarios import Scenario
from rulebook.paper import PaperName
from rulebook.quantities import QuantityError
from rulebook.text_fitting import ELLIPSIS, LEADING
from rulebook.translation import gettext, gettext_noop


def cutout_documents(scenario: PlayedScenario) -> Iterator[Planned]:
    """The sheets of the cutouts on each paper, if any are needed."""
    needed = cutouts_needed(scenario.ruleset, scenario.scenario)
    title = gettext("Cutouts for %(battle)s", battle=scenario.scenario.title)
    for paper in scenario.spec.sheets or () if needed else ():
        view = partial(some_cutouts_view, scenario.ruleset, needed, paper, title)
        file = File(f"{scenario.stem}-cutouts-{paper}.pdf", "pdf", paper, "full")
        yield scenario.planned("cutout", f"-cutouts-{paper}", gettext("Cutouts"), view, file)


def cutouts_needed(ruleset: Ruleset, scenario: Scenario) -> tuple[str, ...]:
    """The ids of the cutouts in the order of the ruleset."""
    if scenario.cutouts is not None:
        return tuple(name for name in ruleset.cutouts if name in scenario.cutouts)
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
    found = []
    for name, cutout in ruleset.cutouts.items():
        heading = _heading(cutout.rule) if cutout.rule else placed["cutout", name]
        owned = owners.get(chapters[heading])
        if owned is None or owned & there:
            found.append(name)
    return tuple(found)


def _heading(rule: str) -> str:
    """The id of a heading as chapters have it."""
    return rule.replace("-", "_")


TITLE = gettext_noop("Terrain")
USE = gettext_noop("Lay each piece at the square of the map that is named on it.")
_HINT = "make it smaller, choose a larger paper, or print the whole ground as a mat"
#: The largest type on a piece, mm, its smaller type, and the widest words.
_NAME, _TEXT, _WIDEST, _HIGHEST = 6.0, 3.6, 110.0, 40.0
#: Between the name of a piece and what the rules say of it, as a part of its room.
_NAME_PART = 0.45


def terrain_documents(played: PlayedScenario) -> Iterator[Planned]:
    """A file for each paper, if terrain is asked for and the map has any."""
    if not played.spec.terrain or not pieces_of(played.scenario):
        return
    for paper in played.spec.sheets or ():
        name = f"-terrain-{paper}"
        view = partial(terrain_view, played.ruleset, played.id, paper)
        file = File(f"{played.stem}{name}.pdf", "pdf", paper, "full")
        yield played.planned("cutout", name, gettext(TITLE), view, file)


def terrain_view(
    ruleset: Ruleset, name: str, paper: PaperName, ink: InkName = "full"
) -> CutoutView:
    """The sheets with all pieces of a scenario's ground, or why there are none."""
    scenario, header = ruleset.scenarios[name], ruleset.header
    title = f"{scenario.title}: {gettext(TITLE)}"
    page_title = f"{title} – {header.title}"
    pieces = terrain_pieces(ruleset, name)
    if not pieces:
        refusal = Refusal(f"the map of {scenario.title} has no ground to cut out", "", "")
        return CutoutView(page_title, header.language, (), refusal)
    imprint = Imprint(header.title, ruleset.edition_told, gettext(USE))
    look = Look(ink=ink, accent=header.accent)
    try:
        sheets = compose_sheets(title, pieces, paper, imprint, look=look)
    except QuantityError as fault:
        refusal = Refusal(f"{title}: {fault.message}", fault.expected, _HINT)
        return CutoutView(page_title, header.language, (), refusal)
    return CutoutView(page_title, header.language, tuple(sheets))


def terrain_pieces(ruleset: Ruleset, name: str) -> list[Pieces]:
    """Every piece as a cutout of its own, called by its name, its number and its square."""
    scenario = ruleset.scenarios[name]
    grounds = grounds_of(ruleset, scenario)
    found = []
    for piece in pieces_of(scenario):
        ground = scenario.map.features[piece.feature].ground
        drawing = _drawing(piece, grounds.get(str(ground)))
        found.append(Pieces(drawing.title, (drawing,)))
    return found


def _told(piece: TerrainPiece) -> str:
    number = f", {piece.number}" if piece.number else ""
    return f"{piece.title}{number}, {piece.square}"


def _drawing(piece: TerrainPiece, ground: GroundWords | None) -> Drawing:
    left, top, right, bottom = box_of(piece.outline)

    def placed(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x - left, y - top) for x, y in points)

    outline = placed(piece.outline)
    tint = _tint(piece)
    shapes: list[Shape] = [Tint(Polyline("engrave", outline), colour=tint)] if tint else []
    shapes += [Polyline("engrave", placed(ring)) for ring in piece.inside]
    shapes += _words(piece, ground, left, top)
    shapes.append(Polyline("cut", outline))
    title = _told(piece)
    return Drawing(title, title, round(right - left, 4), round(bottom - top, 4), tuple(shapes))


def _tint(piece: TerrainPiece) -> str | None:
    tint = f"hill-{piece.level}" if piece.kind == "hill" else KINDS[piece.kind].tint
    return MapLook().colour(tint) if tint else None


def _words(
    piece: TerrainPiece, ground: GroundWords | None, left: float, top: float
) -> Iterator[Label]:
    """The name and, below it, what the rules say if it has room; each as large as that allows."""
    middle = piece.middle
    x, y = middle.at[0] - left, middle.at[1] - top
    wide, high = min(middle.width, _WIDEST), min(middle.height, _HIGHEST)
    room = Room(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
    said = _said(piece, ground)
    below = replace(room, top=room.top + _NAME_PART * high)
    lines, size = fitted(said, below, _TEXT) if said else ([], 0.0)
    if lines and not lines[-1].endswith(ELLIPSIS):
        block = min(below.height, LEADING * size * (len(lines) + 0.5))
        room = replace(room, bottom=below.top)
        yield from set_words(said, replace(below, bottom=below.top + block), size)
    for label in set_words(_told(piece), room, _NAME):
        yield replace(label, weight="bold")


def _said(piece: TerrainPiece, ground: GroundWords | None) -> str:
    """What the ruleset calls the ground and says of it; no title twice. A bridge is no water."""
    if ground is None or piece.kind == "bridge":
        return ""
    title = "" if ground.title.casefold() in piece.title.casefold() else ground.title
    return ": ".join(filter(None, (title, ground.text)))
