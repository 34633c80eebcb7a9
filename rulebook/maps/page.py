"""A map with its title, scale, north and legend -> drawings of pages of one size.

The map is as large as the rest leaves room, with the legend below it or at its side, whichever
makes it larger. A legend of which too little has room goes on over further pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rulebook.drawing.elements import SERIF_FONTS, Drawn, Picture
from rulebook.drawing.layers import window_of
from rulebook.maps import frame
from rulebook.maps.canvas import LEADING, Canvas, MapLook, grain_for, joined, moved, words
from rulebook.maps.drawing import (
    BATTLE,
    SAMPLE_HIGH,
    SAMPLE_WIDE,
    DrawnMap,
    GroundWords,
    KeyEntry,
    Shows,
    band_of,
    draw_map,
    legend_of,
)
from rulebook.maps.names import Numbered
from rulebook.model.maps import Table
from rulebook.model.scenarios import Scenario
from rulebook.paper_and_ink import Ink
from rulebook.quantities import in_feet
from rulebook.text_fitting import text_width, wrapped
from rulebook.translation import gettext
from rulebook.typefaces import SERIF, SERIF_BOLD, SERIF_ITALIC, Typeface

#: Of type and columns, mm times the grain.
_TITLE, _DATE, _HEAD, _NAME, _TEXT = 5.4, 3.2, 3.0, 2.75, 2.5
_COLUMN, _GAP = 50.0, 4.0
#: The legend has no more than this part of a page, beside the map or below it.
_MOST = 0.36
#: How wide the column is in which the scale and the north stand beside a map, mm times the grain.
ASIDE = 19.0
#: How often the map is drawn again to suit its legend, whose numbers depend on the map.
_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class MapPage:
    """The size of a page for a map, in mm, and what is shown on it besides the map itself.

    `ground_words` is what the ruleset says of kinds of ground; `grain` is the size of letters and
    symbols if it does not depend on the size of the page; `margin` is added on all four sides. With
    `aside`, scale bars and north of a map at a scale stand at its right instead of below it.
    """

    width: float
    height: float
    shows: Shows = BATTLE
    ink: Ink = "full"
    cartouche: bool = True
    legend: bool = True
    ground_words: Mapping[str, GroundWords] | None = None
    grain: float | None = None
    margin: float = 0.0
    aside: bool = False


@dataclass(frozen=True, slots=True)
class _KeyBlock:
    """An entry of a legend as set: its height, its sample, its lines of text and their indent."""

    height: float
    sample: Drawn
    lines: tuple[tuple[str, Typeface, float], ...]
    indent: float


@dataclass(frozen=True, slots=True)
class _PageLayout:
    """The box for the map, and the columns of the legend: the left, top and depth of each."""

    map: tuple[float, float, float, float]
    columns: tuple[tuple[float, float, float], ...]
    column: float
    below: bool = False


def map_pages(scenario: Scenario, page: MapPage) -> list[Picture]:
    """Draws the map as large as possible on a page, and the rest of its legend on further pages.

    Returns the pages in order. Raises ValueError for a page on which no map has room.
    """
    composer, layout, drawn, blocks = _composed(scenario, page)
    body, waiting = composer.first(layout, drawn, blocks)
    rest = composer.listed(waiting, layout.column, page.height)
    return [composer.picture(part, drawn, page.height) for part in (body, *rest)]


def map_on_one_page(scenario: Scenario, page: MapPage) -> Picture:
    """Draws the map and its whole legend on one page.

    The page is made higher if the legend needs more room. Raises ValueError for a page on which no
    map has room.
    """
    composer, layout, drawn, blocks = _composed(scenario, page)
    height = page.height
    body, waiting = composer.first(layout, drawn, blocks)
    if waiting:
        deep = _deep(waiting, composer.across(layout.column))
        body += moved(joined(composer.listed(waiting, layout.column, deep)), 0.0, height)
        height += deep
    return composer.picture(body, drawn, height)


def _composed(
    scenario: Scenario, page: MapPage
) -> tuple[_Composer, _PageLayout, DrawnMap, list[_KeyBlock]]:
    """Lays out the map and its legend, and draws the map a few times until both suit each other.

    Returns the composer, the layout of the page, the drawn map and the blocks of the legend.
    """
    look = MapLook(page.ink, page.grain or grain_for(page.width, page.height))
    composer = _Composer(scenario, page, look)
    blocks: list[_KeyBlock] = []
    drawn: DrawnMap | None = None
    for _ in range(_ROUNDS):
        layout, drawn = composer.fitted(blocks, drawn)
        if not page.legend:
            break
        again = composer.blocks(drawn, layout.column)
        if [block.height for block in again] == [block.height for block in blocks]:
            break
        blocks = again
    layout, drawn = composer.fitted(blocks, drawn)
    blocks = composer.blocks(drawn, layout.column) if page.legend else []
    return composer, layout, drawn, blocks


@dataclass(frozen=True, slots=True)
class SizedMap:
    """A map at a stated scale on a page as large as needed, in mm, and pages with its legend.

    `drawn` is the map itself, for a legend that is set elsewhere; `sideways` if the page is turned.
    """

    picture: Picture
    width: float
    height: float
    legend: tuple[Picture, ...]
    drawn: DrawnMap
    sideways: bool = False


def page_size_at(scenario: Scenario, scale: Fraction) -> tuple[float, float]:
    """Returns the width and height in mm of the page that `map_at_scale` makes for a scale."""
    wide, high = (float(scale * side.mm) for side in (scenario.table.width, scenario.table.depth))
    look = MapLook(grain=grain_for(wide, high))
    titled = _Composer(scenario, MapPage(wide, high), look)
    band = band_of(scenario, BATTLE, look)
    return wide + float(band.wide), titled.top + high + float(band.high) + titled.strip


def map_at_scale(scenario: Scenario, scale: Fraction, page: MapPage) -> SizedMap:
    """Draws the map at a scale, with title, scale bars and north, on a page as large as it needs.

    The legend is set on pages of the size of `page`, which also says what is shown. Raises
    ValueError for a scale that is not more than 0.
    """
    drawn = draw_map(scenario, scale, shows=page.shows, ink=page.ink, grain=page.grain)
    look = drawn.canvas.look
    width = drawn.width + (look.mm(ASIDE) if page.aside else 0.0)
    titled = _Composer(scenario, replace(page, width=width, margin=0.0), look)
    height = titled.top + drawn.height + (0.0 if page.aside else titled.strip)
    titled = replace(titled, page=replace(titled.page, height=height))
    room = (0.0, titled.top, drawn.width, titled.top + drawn.height)
    body, _ = titled.first(_PageLayout(room, (), drawn.width), drawn, ())
    picture = titled.picture(body, drawn, height)
    listed = _Composer(scenario, page, MapLook(page.ink, grain_for(page.width, page.height)))
    legend = listed.legend(drawn.with_look(listed.look)) if page.legend else []
    return SizedMap(picture, width, height, tuple(legend), drawn)


#: Millimetres: the room of the map, and its grain. Its smallest letters are 2.5 mm times the grain,
#: and no print is below 7 points, which are 2.47 mm.
SMALLEST = "a5"
ROOMS: dict[str, tuple[tuple[float, float], float]] = {
    "a5": ((128.0, 184.0), 1.0),
    "large": ((186.0, 190.0), 1.0),
    "screen": ((178.0, 250.0), 1.15),
}
#: A map stands sideways where that makes it so much larger; only the small page needs it.
MUCH_LARGER = Fraction(11, 10)
#: What the heading takes there above a map that stands upright, mm.
HEADING = 16.0


@dataclass(frozen=True, slots=True)
class Fit:
    """The scale of a booklet's map; whether it is sideways, with its scale bars beside it."""

    scale: Fraction
    sideways: bool = False
    aside: bool = False


def best_fit(scenario: Scenario, layout: str) -> Fit:
    """Returns the largest scale at which the map fits a layout, and how it stands there.

    It may be sideways only in the smallest layout, and only if that makes it much larger.
    """
    (wide, high), grain = ROOMS[layout]
    if layout != SMALLEST:
        return Fit(_fitted(scenario, wide, high, grain))
    upright = _fitted(scenario, wide, high - HEADING, grain)
    lying, aside = max(
        (_fitted(scenario, high, wide, grain, aside=aside), aside) for aside in (False, True)
    )
    return Fit(lying, True, aside) if lying >= MUCH_LARGER * upright else Fit(upright)


def _fitted(
    scenario: Scenario, wide: float, high: float, grain: float, *, aside: bool = False
) -> Fraction:
    """Computes the scale at which the map fits with its border, its scale bars and its north.

    `wide` and `high` are its room in mm. With `aside`, scale bars and north stand at the right of
    the map instead of below it.
    """
    table, band = scenario.table, band_of(scenario, BATTLE, MapLook(grain=grain))
    strip = 0.0 if aside else grain * frame.strip_height(2 if table.scale else 1)
    column = grain * ASIDE if aside else 0.0
    across = (Fraction(round(wide - column - 0.01, 3)) - band.wide) / table.width.mm
    up = (Fraction(round(high - strip - 0.01, 3)) - band.high) / table.depth.mm
    return min(across, up).limit_denominator(10**6)


def map_picture(drawn: DrawnMap, title: str, description: str) -> Picture:
    """Returns a picture of the map with its border and nothing else."""
    window = window_of((0, 0, drawn.width, drawn.height))
    return Picture(window, title, description, drawn.body, SERIF_FONTS)


@dataclass(frozen=True, slots=True)
class _Composer:
    scenario: Scenario
    page: MapPage
    look: MapLook

    @property
    def canvas(self) -> Canvas:
        return Canvas(self.look)

    def mm(self, size: float) -> float:
        return self.look.mm(size)

    def fitted(
        self, blocks: Sequence[_KeyBlock], before: DrawnMap | None
    ) -> tuple[_PageLayout, DrawnMap]:
        """Chooses the arrangement in which the map is largest, and draws the map in it.

        The drawing `before` is used again if its scale is the same. Raises ValueError if no map has
        room.
        """
        layouts = [self._alone()]
        if blocks:
            layouts = [self._below(blocks), self._beside(blocks, 1), self._beside(blocks, 2)]
        best = max(
            layouts, key=lambda layout: (_holds(layout.columns, blocks), self._scale(layout))
        )
        scale = self._scale(best)
        if scale <= 0:
            raise ValueError(f"no map has room on {self.page.width} by {self.page.height} mm")
        if before is not None and before.scale == scale:
            return best, before
        page, grain = self.page, self.look.grain
        return best, draw_map(self.scenario, scale, shows=page.shows, ink=page.ink, grain=grain)

    def _scale(self, layout: _PageLayout) -> Fraction:
        left, top, right, bottom = layout.map
        table: Table = self.scenario.table
        band = band_of(self.scenario, self.page.shows, self.look)
        wide, high = Fraction(round(right - left, 3)), Fraction(round(bottom - top, 3))
        return min((wide - band.wide) / table.width.mm, (high - band.high) / table.depth.mm)

    @property
    def top(self) -> float:
        if not self.page.cartouche:
            return 0.0
        return self.mm(_TITLE + 2.4 + (_DATE + 1.2 if self.scenario.date else 0.0))

    @property
    def strip(self) -> float:
        return self.mm(frame.strip_height(2 if self.scenario.table.scale else 1))

    def _alone(self) -> _PageLayout:
        page = self.page
        return _PageLayout(
            (0.0, self.top, page.width, page.height - self.strip), (), self.mm(_COLUMN)
        )

    def _below(self, blocks: Sequence[_KeyBlock]) -> _PageLayout:
        page = self.page
        count = max(1, int((page.width + self.mm(_GAP)) / self.mm(_COLUMN + _GAP)))
        column = (page.width + self.mm(_GAP)) / count - self.mm(_GAP)
        deep = min(_deep(blocks, count), _MOST * page.height)
        bottom = page.height - deep - self.strip - self.mm(1.0)
        top = page.height - deep
        step = column + self.mm(_GAP)
        columns = tuple((number * step, top, deep) for number in range(count))
        return _PageLayout((0.0, self.top, page.width, bottom), columns, column, below=True)

    def _beside(self, blocks: Sequence[_KeyBlock], count: int) -> _PageLayout:
        page, gap = self.page, self.mm(_GAP)
        column = min(self.mm(_COLUMN), (_MOST * page.width - gap) / count - gap)
        right = page.width - count * (column + gap)
        room = (0.0, self.top, right, page.height - self.strip)
        deep = min(page.height - self.top, _deep(blocks, count))
        columns = tuple(
            (right + gap + number * (column + gap), self.top, deep) for number in range(count)
        )
        return _PageLayout(room, columns, column)

    def blocks(self, drawn: DrawnMap, column: float) -> list[_KeyBlock]:
        """Returns the entries of the legend as blocks for columns of the width `column`.

        Objectives, and names that have only a number on the map, are listed at its end.
        """
        found = [
            self._entry(entry, column)
            for entry in legend_of(self.scenario, drawn, self.page.ground_words)
        ]
        for head, objective in ((gettext("Objectives"), True), (gettext("Names"), False)):
            listed = [name for name in drawn.numbered if name.objective == objective]
            if listed:
                size = self.mm(_HEAD)
                found.append(_KeyBlock(size * 1.7, (), ((head, SERIF_BOLD, size),), 0.0))
                found += [self._numbered(name, column) for name in listed]
        return found

    def _entry(self, entry: KeyEntry, column: float) -> _KeyBlock:
        indent = self.mm(SAMPLE_WIDE + 1.6)
        name, text = self.mm(_NAME), self.mm(_TEXT)
        room = column - indent
        lines: list[tuple[str, Typeface, float]] = [
            (line, SERIF_BOLD, name) for line in wrapped(entry.title, name, room, SERIF_BOLD)
        ]
        lines += [(line, SERIF, text) for line in wrapped(entry.text, text, room, SERIF)]
        height = max(self.mm(SAMPLE_HIGH), _high(lines)) + self.mm(1.1)
        return _KeyBlock(height, entry.sample.elements, tuple(lines), indent)

    def _numbered(self, name: Numbered, column: float) -> _KeyBlock:
        size = self.mm(_TEXT)
        text = f"{name.number}  {name.title}, {name.square}"
        lines: list[tuple[str, Typeface, float]] = [
            (line, SERIF, size) for line in wrapped(text, size, column, SERIF)
        ]
        return _KeyBlock(_high(lines) + self.mm(0.4), (), tuple(lines), 0.0)

    def first(
        self, layout: _PageLayout, drawn: DrawnMap, blocks: Sequence[_KeyBlock]
    ) -> tuple[Drawn, list[_KeyBlock]]:
        """Draws the page with the map and as much of its legend as it holds.

        Returns the drawing and the blocks of the legend that have no room there.
        """
        left, top, right, _ = layout.map
        x, y = (left + right - drawn.width) / 2, top
        body = moved(drawn.body, x, y)
        body += self._title(right - left) if self.page.cartouche else ()
        body += (
            self._aside(drawn, x + drawn.width)
            if self.page.aside
            else self._furniture(drawn, x, y + drawn.height)
        )
        waiting = list(blocks)
        columns = layout.columns
        if layout.below:
            # right below the map, which may leave room
            foot = y + drawn.height + self.strip + self.mm(1.0)
            columns = tuple((left, foot, deep) for left, _, deep in columns)
        return body + self._columns(waiting, columns), waiting

    def legend(self, drawn: DrawnMap) -> list[Picture]:
        """Draws the legend alone, on pages of its own."""
        column = self.mm(_COLUMN)
        listed = self.listed(self.blocks(drawn, column), column, self.page.height)
        return [self.picture(body, drawn, self.page.height) for body in listed]

    def listed(self, waiting: list[_KeyBlock], column: float, deep: float) -> Iterator[Drawn]:
        """Yields drawings of pages with columns of blocks, `deep` mm deep, until no block is left.

        Removes the blocks from `waiting`. `column` is the width of a column in mm.
        """
        step = column + self.mm(_GAP)
        columns = tuple((number * step, 0.0, deep) for number in range(self.across(column)))
        while waiting:
            yield self._columns(waiting, columns)

    def across(self, column: float) -> int:
        """Returns how many columns of this width a page has."""
        return max(1, int((self.page.width + self.mm(_GAP)) / (column + self.mm(_GAP))))

    def picture(self, body: Drawn, drawn: DrawnMap, height: float) -> Picture:
        away = self.page.margin
        window = window_of((-away, -away, self.page.width + away, height + away))
        return Picture(window, self.scenario.title, self._in_words(drawn), body, SERIF_FONTS)

    def _in_words(self, drawn: DrawnMap) -> str:
        table = self.scenario.table
        return gettext(
            drawn.grid.of_table,
            width=in_feet(table.width),
            depth=in_feet(table.depth),
            length=drawn.grid.in_words,
        )

    def _title(self, room: float) -> Drawn:
        scenario = self.scenario
        size, y = self.mm(_TITLE), self.mm(0.85 * _TITLE)
        drawn = self._headed(scenario.title, SERIF_BOLD, size, (room, y))
        if scenario.date:
            y += self.mm(1.2 + _DATE)
            drawn += self._headed(scenario.date, SERIF_ITALIC, self.mm(_DATE), (room, y))
        return drawn

    def _headed(self, text: str, face: Typeface, most: float, at: tuple[float, float]) -> Drawn:
        """Draws a centred line of a heading, `most` mm in size or smaller if it would be too wide.

        `at` is the width of the page and the height of the baseline.
        """
        room, y = at
        size = min(most, room / text_width(text, 1, face))
        start = ((room - text_width(text, size, face)) / 2, y)
        return words(text, start, size, face=face, colour=self.look.colour("ink"))

    def _furniture(self, drawn: DrawnMap, x: float, y: float) -> Drawn:
        """Draws what stands below the map: scale bars at the left, north at the right.

        The size of a square is given between them. `x` and `y` are the map's lower left corner.
        """
        left, right = x + drawn.room[0], x + drawn.room[2]
        bars = self._bars(drawn, 0.45 * (right - left))
        ink, size = self.look.colour("ink"), self.mm(2.5)
        first = y + self.mm(4.4)
        parts = [frame.draw_bars(bars, (left, first), self.canvas)]
        north = right - self.mm(2.5)
        parts.append(
            frame.draw_north(
                (north, y + self.mm(frame.NORTH_HIGH / 2 + 0.8)),
                float(self.scenario.table.north.degrees),
                self.canvas,
            )
        )
        text = gettext(drawn.grid.words, length=drawn.grid.in_words) if self.page.shows.grid else ""
        start = north - self.mm(5.0) - text_width(text, size, SERIF_ITALIC)
        if text and start > left + max(bar.length for bar in bars) + self.mm(16):
            parts.append(words(text, (start, first), size, face=SERIF_ITALIC, colour=ink))
        return joined(parts)

    def _bars(self, drawn: DrawnMap, room: float) -> list[frame.ScaleBar]:
        ground = self.scenario.table.scale
        return frame.bars_for(drawn.scale, room, metric=drawn.grid.metric, ground=ground)

    def _aside(self, drawn: DrawnMap, x: float) -> Drawn:
        """Draws north, scale bars and the size of a square in a column at the right of the map."""
        left, ink, size = x + self.mm(2.4), self.look.colour("ink"), self.mm(2.5)
        y = self.top + drawn.room[1] + self.mm(frame.NORTH_HIGH / 2)
        north = float(self.scenario.table.north.degrees)
        parts = [frame.draw_north((left + self.mm(4.0), y), north, self.canvas)]
        y += self.mm(frame.NORTH_HIGH)
        room = self.mm(ASIDE - 6.0)
        for bar in self._bars(drawn, room):
            y += self.mm(4.0)
            short = replace(bar, middle="", end=bar.figure)
            parts.append(frame.draw_bars([short], (left, y), self.canvas))
            y += self.mm(0.6)
            text = bar.end.removeprefix(bar.figure).strip() or bar.end
            for line in wrapped(text, size, room, SERIF):
                y += size * LEADING * 1.08
                parts.append(words(line, (left, y), size, colour=ink))
        if self.page.shows.grid:
            y += self.mm(3.0)
            text = gettext(drawn.grid.words, length=drawn.grid.in_words)
            for line in wrapped(text, size, room, SERIF_ITALIC):
                y += size * LEADING * 1.08
                parts.append(words(line, (left, y), size, face=SERIF_ITALIC, colour=ink))
        return joined(parts)

    def _columns(
        self, waiting: list[_KeyBlock], columns: Sequence[tuple[float, float, float]]
    ) -> Drawn:
        """Draws as many blocks as the columns hold, and removes them from `waiting`.

        Each column is given by its left, top and depth; it gets at least one block.
        """
        parts: list[Drawn] = []
        for left, top, deep in columns:
            y = top
            while waiting and (y + waiting[0].height <= top + deep + 1e-6 or y == top):
                block = waiting.pop(0)
                parts.append(self._block(block, left, y))
                y += block.height
        return joined(parts)

    def _block(self, block: _KeyBlock, x: float, y: float) -> Drawn:
        parts = [moved(block.sample, x, y)] if block.sample else []
        down = y
        high = _high(block.lines)
        if block.sample and high < self.mm(SAMPLE_HIGH):
            down += (self.mm(SAMPLE_HIGH) - high) / 2
        for text, face, size in block.lines:
            down += size * LEADING * 1.08
            at = (x + block.indent, down - 0.24 * size)
            parts.append(words(text, at, size, face=face, colour=self.look.colour("ink")))
        return joined(parts)


def _high(lines: Sequence[tuple[str, Typeface, float]]) -> float:
    return sum(size * LEADING * 1.08 for _, _, size in lines)


def _deep(blocks: Sequence[_KeyBlock], count: int) -> float:
    """Computes about the least depth, in mm, at which `count` columns hold all blocks in order."""
    deep = max([sum(block.height for block in blocks) / count, *(b.height for b in blocks)])
    while _columns_of(blocks, deep) > count:
        deep *= 1.04
    return deep


def _holds(columns: Sequence[tuple[float, float, float]], blocks: Sequence[_KeyBlock]) -> bool:
    return not blocks or _columns_of(blocks, min(deep for _, _, deep in columns)) <= len(columns)


def _columns_of(blocks: Sequence[_KeyBlock], deep: float) -> int:
    count, filled = 1, 0.0
    for block in blocks:
        if filled and filled + block.height > deep + 1e-9:
            count, filled = count + 1, 0.0
        filled += block.height
    return count
