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
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, create_model

from rulebook.imposing.placing import Rect, exact, rect
from rulebook.loading.nodes import MappingNode, find_node
from rulebook.loading.structure import read_model
from rulebook.loading.yaml_reader import read_yaml
from rulebook.model import scalars
from rulebook.model.scalars import Line
from rulebook.paper_and_ink import SHEET_PAPERS, paper_size
from rulebook.problems import Problem, RenderFault, Span
from rulebook.quantities import Length, join_words

FOLDER = "layouts"
#: Nearer to the edge of the paper than this no card may come: printers clip or shrink there.
MARGIN = Fraction(5)
_PAPERS = (*SHEET_PAPERS, "a3")


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """The grid of cards of one size on a sheet of paper, in mm.

    `left` and `top` are the distances of the first card from the edges.
    """

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
        """The number of cards on a sheet."""
        return self.columns * self.rows

    def trim(self, place: int) -> Rect:
        """Returns the rectangle to which the card at a place is cut, in mm of the sheet.

        Places count from 0, row by row from the top left.
        """
        row, column = divmod(place, self.columns)
        x = self.left + column * (self.card_width + self.gap_across)
        y = self.height - self.top - self.card_height - row * (self.card_height + self.gap_down)
        return rect(x, y, self.card_width, self.card_height)

    def shown(self, place: int) -> Rect:
        """Returns the rectangle that the card at a place shows: its trim with its bleed.

        Towards a neighbour, the bleed is at most half of the gap.
        """
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
    """A size of cards with its bleed and safe zone, in mm, and its sheet layouts by paper."""

    name: str
    title: str
    width: Fraction
    height: Fraction
    bleed: Fraction
    safe: Fraction
    sheets: Mapping[str, SheetLayout]


def layouts(templates: Path) -> dict[str, CardLayout]:
    """Reads all card layouts in a folder of templates; returns them by name, sorted.

    Raises RenderFault with all faults (R605 and the codes of YAML and structure).
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


class _StrictModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _CardFile(_StrictModel):
    width: scalars.Length
    height: scalars.Length


class _SheetFile(_StrictModel):
    columns: Annotated[scalars.Count, Field(ge=1, le=20)]
    rows: Annotated[scalars.Count, Field(ge=1, le=20)]
    landscape: scalars.Flag = False
    left: scalars.Length | None = None
    top: scalars.Length | None = None
    gap_across: scalars.Length | None = None
    gap_down: scalars.Length | None = None
    bleed: scalars.Length | None = None


_SheetFiles: Any = create_model(
    "_SheetFiles",
    __base__=_StrictModel,
    **dict.fromkeys(_PAPERS, (_SheetFile | None, None)),  # type: ignore[call-overload]
)


class _LayoutFile(_StrictModel):
    title: Line
    card: _CardFile
    bleed: scalars.Length
    safe: scalars.Length | None = None
    sheets: _SheetFiles


def read_layout(path: Path) -> tuple[CardLayout | None, list[Problem]]:
    """Reads a card layout from a file; returns it with no faults, or None with the faults."""
    shown = path.as_posix()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "it is not UTF-8"
        return None, [Problem("R605", f"{path.name} cannot be read: {why}", Span(shown))]
    root, faults = read_yaml(text, shown)
    if faults:
        return None, list(faults)
    if not isinstance(root, MappingNode):
        message = "the file is no mapping"
        return None, [Problem("R203", message, Span(shown), "title, card, bleed and sheets")]
    read, problems = read_model(_LayoutFile, root)
    if read is None:
        return None, problems
    found = _LayoutReading(root)
    layout = found.layout(path.stem, read)
    return (None, found.problems) if found.problems else (layout, [])


_SMALLEST, _LARGEST = Fraction(20), Fraction(400)


class _LayoutReading:
    """Converts a layout file to a layout in mm; collects faults with their places."""

    def __init__(self, root: MappingNode) -> None:
        self.root = root
        self.problems: list[Problem] = []

    def layout(self, name: str, read: _LayoutFile) -> CardLayout:
        width = self.mm(read.card.width, "card", "width", least=_SMALLEST)
        height = self.mm(read.card.height, "card", "height", least=_SMALLEST)
        bleed = self.mm(read.bleed, "bleed", most=MARGIN)
        safe = self.mm(read.safe, "safe", most=_SMALLEST / 2) if read.safe else bleed
        layout = CardLayout(name, read.title, width, height, bleed, safe, {})
        if self.problems:
            return layout
        listed = [(paper, sheet) for paper, sheet in read.sheets if sheet is not None]
        sheets = {paper: self.sheet(paper, sheet, layout) for paper, sheet in listed}
        if not sheets:
            expected = f"{join_words(_PAPERS)} with columns and rows"
            self.fault("no sheet of any paper", "sheets", expected=expected)
        return replace(layout, sheets=sheets)

    def sheet(self, paper: str, read: _SheetFile, card: CardLayout) -> SheetLayout:
        width, height = map(exact, paper_size(paper, landscape=read.landscape))
        at = ("sheets", paper)
        bleed = card.bleed
        if read.bleed is not None:
            bleed = self.mm(read.bleed, *at, "bleed", most=bleed)
        across = self.gap(read.gap_across, bleed, *at, "gap_across")
        down = self.gap(read.gap_down, bleed, *at, "gap_down")
        columns, rows = (read.columns, card.width, across), (read.rows, card.height, down)
        return SheetLayout(
            width=width,
            height=height,
            card_width=card.width,
            card_height=card.height,
            columns=read.columns,
            rows=read.rows,
            left=self.margin(width, columns, read.left, (*at, "columns"), (*at, "left")),
            top=self.margin(height, rows, read.top, (*at, "rows"), (*at, "top")),
            gap_across=across,
            gap_down=down,
            bleed=bleed,
        )

    def fault(self, message: str, *at: str, expected: str, hint: str = "") -> None:
        _, span = find_node(self.root, at)
        self.problems.append(Problem("R605", message, span, expected, hint))

    def mm(
        self,
        length: Length,
        *at: str,
        least: Fraction = Fraction(0),
        most: Fraction = _LARGEST,
    ) -> Fraction:
        """Converts a length to mm; if that is not from `least` to `most`, reports it.

        Returns `least` in that case. `at` is the address of the length in the file.
        """
        if length.unit != "base" and least <= length.mm <= most:
            return length.mm
        expected = f"{format_mm(least)} to {format_mm(most)}"
        self.fault(f"the {at[-1]} is {length}", *at, expected=expected)
        return least

    def gap(self, length: Length | None, bleed: Fraction, *at: str) -> Fraction:
        """Converts the gap between two cards to mm; reports it if both bleeds do not fit in it.

        Without a gap, or with one of 0, cards touch. `at` is its address in the file.
        """
        if length is None:
            return Fraction(0)
        gap = self.mm(length, *at)
        if 0 < gap < 2 * bleed:
            message = f"the bleed of {format_mm(bleed)} is larger than half the gap of {length}"
            self.fault(message, *at, expected=f"no gap, or one of {format_mm(2 * bleed)} or more")
        return gap

    def margin(
        self,
        paper: Fraction,
        cards: tuple[int, Fraction, Fraction],
        given: Length | None,
        at_count: tuple[str, ...],
        at_margin: tuple[str, ...],
    ) -> Fraction:
        """Returns the distance from the edge of the paper to the first card of a row, in mm.

        It is that `given`, or one that centres the row. `paper` is the length of the paper; `cards`
        are the number of cards, the length of each and the gap between them; `at_count` and
        `at_margin` are addresses in the file. Reports cards that do not fit.
        """
        count, card, gap = cards
        block = count * card + (count - 1) * gap
        if block > paper - 2 * MARGIN:
            self.fault(
                f"{count} {at_count[-1]} of cards take {format_mm(block)} of {format_mm(paper)}",
                *at_count,
                expected=f"cards that keep {format_mm(MARGIN)} clear at the edges",
                hint=f"take fewer {at_count[-1]}, or turn the paper with 'landscape'",
            )
            return MARGIN
        if given is None:
            return (paper - block) / 2
        return self.mm(given, *at_margin, least=MARGIN, most=paper - block - MARGIN)


def format_mm(length: Fraction) -> str:
    """Formats a length in mm, such as '215.9 mm'."""
    return f"{float(round(length, 2)):g} mm"
