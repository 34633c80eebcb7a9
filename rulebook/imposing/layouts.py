"""templates/layouts/*.yaml -> how cards of a size stand on each paper; mistakes have places.

A layout is data, so that a designer can lay out another size without Python:

    title: Poker cards
    card: {width: 63mm, height: 88mm}
    bleed: 3mm
    sheets:
      a4: {columns: 3, rows: 3}
      letter: {columns: 4, rows: 2, landscape: true, gap_across: 6mm}

Margins are centred unless `left` and `top` are given. Cards without a gap are cut once between
two; a gap is at least two bleeds, so that what bleeds over a cut is never the neighbour's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from rulebook import quantities
from rulebook.imposing.placing import Rect, exact, rect
from rulebook.loading.nodes import MappingNode as Node
from rulebook.loading.nodes import find_node
from rulebook.loading.structure import read_model
from rulebook.loading.yaml_reader import read_yaml
from rulebook.model import scalars
from rulebook.model.scalars import Line
from rulebook.paper_and_ink import paper_size
from rulebook.problems import Problem, Span
from rulebook.typeset.environment import RenderFault

FOLDER = "layouts"
#: Nearer to the edge of the paper than this no card may come: printers clip or shrink there.
MARGIN = Fraction(5)
_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """Cards of one size on one paper, in millimetres; `left` and `top` are of the first card."""

    paper: str
    width: Fraction
    height: Fraction
    card_width: Fraction
    card_height: Fraction
    columns: int
    rows: int
    left: Fraction
    top: Fraction
    gap_across: Fraction
    gap_down: Fraction
    bleed: Fraction

    @property
    def places(self) -> int:
        """How many cards stand on a sheet."""
        return self.columns * self.rows

    def trim(self, place: int) -> Rect:
        """Where a card is cut; places run as words are read, from the top left."""
        row, column = divmod(place, self.columns)
        x = self.left + column * (self.card_width + self.gap_across)
        y = self.height - self.top - self.card_height - row * (self.card_height + self.gap_down)
        return rect(x, y, self.card_width, self.card_height)

    def shown(self, place: int) -> Rect:
        """The trim with its bleed, as far as no neighbour stands there."""
        row, column = divmod(place, self.columns)
        trim = self.trim(place)
        inner_x, inner_y = (min(self.bleed, gap / 2) for gap in (self.gap_across, self.gap_down))
        return Rect(
            trim.left - (inner_x if column else self.bleed),
            trim.bottom - (inner_y if row < self.rows - 1 else self.bleed),
            trim.right + (inner_x if column < self.columns - 1 else self.bleed),
            trim.top + (inner_y if row else self.bleed),
        )


@dataclass(frozen=True, slots=True)
class CardLayout:
    """A size of cards, the bleed that its pages have on all sides, and its sheets by paper."""

    name: str
    title: str
    width: Fraction
    height: Fraction
    bleed: Fraction
    safe: Fraction
    sheets: Mapping[str, SheetLayout]


def layouts(templates: Path) -> dict[str, CardLayout]:
    """All layouts by name, in the order of their names.

    Raises RenderFault (R605 and the codes of YAML and structure) with all that is wrong.
    """
    found: dict[str, CardLayout] = {}
    problems: list[Problem] = []
    for path in sorted((templates / FOLDER).glob("*.yaml")):
        layout, faults = read_layout(path)
        problems += faults
        if layout is not None:
            found[path.stem] = layout
    if problems:
        raise RenderFault(tuple(problems))
    return found


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Card(_Strict):
    width: scalars.Length
    height: scalars.Length


class _Sheet(_Strict):
    columns: Annotated[scalars.Count, Field(ge=1, le=20)]
    rows: Annotated[scalars.Count, Field(ge=1, le=20)]
    landscape: scalars.Flag = False
    left: scalars.Length | None = None
    top: scalars.Length | None = None
    gap_across: scalars.Length | None = None
    gap_down: scalars.Length | None = None
    bleed: scalars.Length | None = None


class _Sheets(_Strict):
    a4: _Sheet | None = None
    letter: _Sheet | None = None
    a3: _Sheet | None = None


class _Layout(_Strict):
    title: Line
    card: _Card
    bleed: scalars.Length
    safe: scalars.Length | None = None
    sheets: _Sheets


def read_layout(path: Path) -> tuple[CardLayout | None, list[Problem]]:
    """The layout of one file, or None and its faults."""
    shown = path.as_posix()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None, [Problem.of("R605 layout unread", Span(shown), name=path.name)]
    root, faults = read_yaml(text, shown)
    if faults:
        return None, list(faults)
    if not isinstance(root, Node):
        return None, [Problem.of("R203 layout is no mapping", Span(shown))]
    read, problems = read_model(_Layout, root)
    if read is None:
        return None, problems
    return _checked(path.stem, read, root)


def _checked(name: str, read: _Layout, root: Node) -> tuple[CardLayout | None, list[Problem]]:
    """The layout in millimetres, or None and why no printer could make it."""
    sense = _Sense(root)
    card = read.card
    width = sense.mm(card.width, "card", "width", least=_SMALLEST, most=_LARGEST)
    height = sense.mm(card.height, "card", "height", least=_SMALLEST, most=_LARGEST)
    bleed = sense.mm(read.bleed, "bleed", most=MARGIN)
    safe = sense.mm(read.safe or read.bleed, "safe" if read.safe else "bleed", most=_SMALLEST / 2)
    if sense.problems:
        return None, sense.problems
    sheets: dict[str, SheetLayout] = {}
    for paper, sheet in read.sheets:
        if sheet is None:
            continue
        wide, high = map(exact, paper_size(paper, landscape=sheet.landscape))
        at = ("sheets", paper)
        own = bleed if sheet.bleed is None else sense.mm(sheet.bleed, *at, "bleed", most=bleed)
        across = sense.gap(sheet.gap_across, own, *at, "gap_across")
        down = sense.gap(sheet.gap_down, own, *at, "gap_down")
        sheets[paper] = SheetLayout(
            paper=paper,
            width=wide,
            height=high,
            card_width=width,
            card_height=height,
            columns=sheet.columns,
            rows=sheet.rows,
            left=sense.margin(wide, sheet.columns, width, across, sheet.left, *at, "columns"),
            top=sense.margin(high, sheet.rows, height, down, sheet.top, *at, "rows"),
            gap_across=across,
            gap_down=down,
            bleed=own,
        )
    if not sheets:
        sense.fault("R605 no sheet", "sheets")
    if sense.problems:
        return None, sense.problems
    return CardLayout(name, read.title, width, height, bleed, safe, sheets), []


_SMALLEST, _LARGEST = Fraction(20), Fraction(400)
#: The key that gives the margin of a direction.
_MARGINS = {"columns": ("left", "wide"), "rows": ("top", "high")}


class _Sense:
    """Lengths of one layout in millimetres; what no printer could make is kept as a problem."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.problems: list[Problem] = []

    def fault(self, key: str, /, *at: str, **values: Any) -> None:
        _, span = find_node(self.root, at)
        self.problems.append(Problem.of(key, span, **values))

    def mm(
        self,
        length: quantities.Length,
        *at: str,
        least: Fraction = _NOTHING,
        most: Fraction = _LARGEST,
    ) -> Fraction:
        """The length in millimetres; a fault where it is out of bounds."""
        if length.unit == "base":
            self.fault("R605 in bases", *at, name=at[-1])
        elif not least <= length.mm <= most:
            low, high = format_mm(least), format_mm(most)
            self.fault("R605 length", *at, name=at[-1], length=length, least=low, most=high)
        else:
            return length.mm
        return least

    def gap(self, length: quantities.Length | None, bleed: Fraction, *at: str) -> Fraction:
        """The gap between two cards: none, or wide enough for the bleeds of both."""
        if length is None:
            return _NOTHING
        gap = self.mm(length, *at)
        if 0 < gap < 2 * bleed:
            own, both = format_mm(bleed), format_mm(2 * bleed)
            self.fault("R605 gap", *at, bleed=own, gap=length, least=both)
        return gap

    def margin(
        self,
        paper: Fraction,
        count: int,
        card: Fraction,
        gap: Fraction,
        given: quantities.Length | None,
        *at: str,
    ) -> Fraction:
        """From the edge of the paper to the first card; `at` is where the count stands."""
        key, way = _MARGINS[at[-1]]
        block = count * card + (count - 1) * gap
        if block > paper - 2 * MARGIN:
            self.fault(
                "R605 no room",
                *at,
                cards=f"{count} {at[-1] if count > 1 else at[-1][:-1]}",
                length=format_mm(block),
                way=way,
                room=format_mm(paper - 2 * MARGIN),
                margin=format_mm(MARGIN),
                lines=at[-1],
            )
            return MARGIN
        if given is None:
            return (paper - block) / 2
        margin = self.mm(given, *at[:-1], key)
        if not MARGIN <= margin <= paper - block - MARGIN:
            low, high = format_mm(MARGIN), format_mm(paper - block - MARGIN)
            self.fault("R605 margin", *at[:-1], key, key=key, given=given, least=low, most=high)
        return margin


def format_mm(length: Fraction) -> str:
    """215.9 mm."""
    return f"{float(round(length, 2)):g} mm"
