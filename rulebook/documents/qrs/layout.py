"""The view of a quick-reference sheet -> its sides, in the largest type in which all panels fit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from pathlib import Path

from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.documents.document_kind import KINDS, File, Rendered
from rulebook.documents.parts.pages import Pages, kept, screen_page
from rulebook.documents.parts.views import room_of
from rulebook.documents.qrs.arrangement import (
    MOST_PANELS,
    ColumnArea,
    MeasuredPanel,
    PlacedPanel,
    fits,
    largest_hole,
    pack,
)
from rulebook.documents.qrs.compose import NARROW, PanelView, PhaseView, QrsView
from rulebook.documents.qrs.galley import (
    GAP,
    HEAD,
    MARGIN,
    NAME,
    BlockKey,
    Galley,
    Galleys,
    QrsPage,
    block_styles,
    needed_room,
    panels_of,
    picture_width,
    sheet_of,
)
from rulebook.imposing.arrangements import pocket_fold, two_up
from rulebook.imposing.imposition import impose
from rulebook.imposing.placing import BOTH_SIDES, Flip
from rulebook.model.scalars import LARGEST_TYPE, MOST_COLUMNS, SMALLEST_TYPE
from rulebook.problems import Problem, RenderFault
from rulebook.quantities import MM_PER_POINT
from rulebook.text_fitting import room_for, shortened, text_width
from rulebook.translation import gettext
from rulebook.typefaces import SERIF_BOLD
from rulebook.typeset.environment import document_styles, render_template
from rulebook.typeset.make_up import Moved
from rulebook.typeset.pdf import Layout, lay_out

#: Points, smallest first.
TYPE_SIZES = tuple(size / 4 for size in range(4 * SMALLEST_TYPE, 4 * LARGEST_TYPE + 1))
#: A size that is good at arm's length: rather than smaller type a sheet more is taken.
GOOD = 8
#: Smaller sizes that are tried where there are holes between panels in the largest.
_PASSED_OVER = 2
#: An empty place that is no higher than this part of a column is no hole.
EVEN = 0.12
#: So many points of type are given up to have no hole.
HOLE = 1.0
#: Of a sheet that is emptier than this no smaller type is tried for the sake of its holes.
LEAST_FILLED = 0.6


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The places of all panels, at a size of type in points."""

    type_size: float
    placed: tuple[PlacedPanel, ...]

    @property
    def sides(self) -> int:
        """The number of sides of the sheet, up to the last one with a panel."""
        return max((place.side for place in self.placed), default=0) + 1


#: Millimetres that a column usually takes with its gutter in good type.
_USUAL_WIDTH = 70
#: Points above which no panel is torn or takes two columns for the sake of larger type.
LARGE = 11
#: Lines of fewer characters are too short for type above LARGE; lines of more are too long where
#: the author states no number of columns.
_SHORTEST_LINE, _LONGEST_LINE = 32, 85


def _least(view: QrsView, size: float = SMALLEST_TYPE) -> int:
    """Returns the index of a size of type, or of the least that the author asks for if larger."""
    return TYPE_SIZES.index(max(size, view.least))


def best_arrangement(
    view: QrsView, templates: Path, cache: Cache = NOTHING_KEPT
) -> tuple[Galleys, Arrangement]:
    """Arranges the sheet in the number of columns asked for, or else in the number that suits it.

    The best arrangement has, in this order: the fewest sides, good type, larger type, of which HOLE
    is given up to have no holes, and the smallest holes. Numbers of columns other than the usual
    one are laid out only if an estimate says that they may be better. Returns the arrangement with
    the galleys for its number of columns. Raises RenderFault if the panels fit in none of these
    numbers: see `arrange`.
    """
    if view.strip:
        return _strip(Galleys(replace(view, columns=1, sides=1), templates, cache))
    counts = (view.columns,) if view.columns else column_counts(view)
    best: tuple[tuple[float, ...], Galleys, Arrangement] | None = None
    refused: RenderFault | None = None
    times: dict[str, float] = {}
    for columns in counts:
        galleys = Galleys(replace(view, columns=columns), templates, cache, times)
        try:
            if best is None:
                found: Arrangement | None = arrange(galleys)
            else:
                found = _better(galleys, best[2], even=best[0][-1] <= EVEN)
        except RenderFault as fault:
            refused = refused or fault
            continue
        if found is None:
            continue
        panels, size = galleys.at(found.type_size).panels(), found.type_size
        flaws = _flaws(panels, found.placed, galleys.sheet, size)
        good = min(size, max(GOOD, view.least))
        order = (found.sides, -good, HOLE * (flaws > EVEN) - size, round(flaws, 2))
        if best is None or order < best[0]:
            best = order, galleys, found
    if best is None:
        assert refused is not None, "a sheet has columns"
        raise refused
    return best[1], best[2]


def _strip(galleys: Galleys) -> tuple[Galleys, Arrangement]:
    """Arranges all panels below one another, on a page that is as high as they need.

    Type is no larger than LARGE unless the author asks for that, or smaller so that no table breaks
    a word. Raises RenderFault: R601 if they are higher than the paper, R604 as `arrange`.
    """
    view, sheet = galleys.view, galleys.sheet
    if too_wide := tuple(_too_wide(view, sheet)):
        raise RenderFault(too_wide)
    size = TYPE_SIZES[min(_largest_unbroken(view, sheet), _least(view, LARGE))]
    panels = galleys.at(size).panels()
    height = sum(panel.height + GAP * (not panel.continues) for panel in panels) - GAP
    if height > sheet.height:
        raise RenderFault((_does_not_fit(view, sheet, panels),))
    placed = pack(panels, replace(sheet, height=height))
    assert placed is not None, "the page is as high as its panels"
    size_of_page = (view.size[0], round(height + view.size[1] - sheet.height, 3))
    page = replace(galleys, view=replace(view, size=size_of_page))
    return page, Arrangement(size, tuple(placed))


def how_it_came_out(galleys: Galleys, arrangement: Arrangement) -> str:
    """Returns a remark for the user: "2 sides, 8.75 pt; one side at 7.25 pt would do".

    The second part is left out unless the panels fit on fewer sides in smaller type.
    """
    sides = arrangement.sides
    remarks = [f"{sides} side{'s' if sides > 1 else ''}, {arrangement.type_size:g} pt"]
    fewer = 1 if sides == 2 else 2 * ((sides - 1) // 2)
    least, most = _least(galleys.view), TYPE_SIZES.index(arrangement.type_size) - 1
    area = replace(galleys.sheet, sides=fewer)
    if (
        fewer
        and most >= least
        and not galleys.view.pocket
        and fits(galleys.at(TYPE_SIZES[least]).estimated(), area)
    ):
        done = _largest_fitting(galleys, area, least, most, sure=False)
        if done is not None:
            less = "one side" if fewer == 1 else f"{fewer} sides"
            remarks.append(f"{less} at {TYPE_SIZES[done]:g} pt would do")
    return "; ".join(remarks)


def column_counts(view: QrsView) -> tuple[int, ...]:
    """Returns the numbers of columns to try if the author states none, the usual one first.

    The others are those that leave columns wide enough for every picture.
    """
    widest = max(map(picture_width, panels_of(view)), default=0.0)
    width = _USUAL_WIDTH * max(GOOD, view.least) / GOOD
    usual = min(max(1, round(view.size[0] / width)), MOST_COLUMNS)
    return (
        usual,
        *(
            columns
            for columns in (usual - 1, usual + 1, usual - 2)
            if 1 <= columns <= MOST_COLUMNS
            and sheet_of(replace(view, columns=columns)).column_width >= widest
        ),
    )


def _better(galleys: Galleys, known: Arrangement, *, even: bool) -> Arrangement | None:
    """Arranges the sheet if it seems to fit on fewer sides or in larger type than in `known`.

    If the known arrangement is not `even`, type may be smaller by HOLE, as long as it is of good
    size. Returns None if nothing better seems to fit or does fit.
    """
    least, good = TYPE_SIZES.index(known.type_size), _least(galleys.view, GOOD)
    least = least + 1 if even else max(min(least, good), least - int(4 * HOLE))
    width = galleys.sheet.column_width
    short = [
        index for index, size in enumerate(TYPE_SIZES) if room_of(width, size) <= _LONGEST_LINE
    ]
    if not short:
        return None
    least, good = max(least, short[0]), max(good, short[0])
    areas = [replace(galleys.sheet, sides=sides) for sides in _sides_tried(known.sides)]
    tried = [*((area, good) for area in areas[:-1]), (areas[-1], least)]
    tried = [(area, index) for area, index in tried if index < len(TYPE_SIZES)]
    if any(_estimated(galleys, area, index, index) == index for area, index in tried):
        return _arranged(galleys, known.sides, least)
    return None


def _estimated(galleys: Galleys, area: ColumnArea, low: int, high: int) -> int:
    """Returns the index of the largest size of type that by an estimate fits, or `low` - 1.

    `low` and `high` are the indices of the smallest and the largest size to consider.
    """

    def too_large(index: int) -> bool:
        return not fits(galleys.at(TYPE_SIZES[index]).estimated(), area)

    return low + bisect_left(range(low, high + 1), True, key=too_large) - 1


def arrange(galleys: Galleys) -> Arrangement:
    """Arranges the panels on the fewest sides on which they fit in good type, as large as possible.

    On the largest number of sides allowed, type may be smaller. Raises RenderFault: R601 if nothing
    fits or there are more panels than any sheet has, R604 if a table is too wide for two columns.
    """
    found = _arranged(galleys, galleys.sheet.sides)
    if found is None:
        panels = galleys.at(TYPE_SIZES[_least(galleys.view)]).panels()
        raise RenderFault((_does_not_fit(galleys.view, galleys.sheet, panels),))
    return found


def _arranged(galleys: Galleys, most_sides: int, least: int | None = None) -> Arrangement | None:
    """Arranges the panels on up to `most_sides` sides like `arrange`, but returns None if none fit.

    If `least` is given, type on that many sides is no smaller than that of the index `least`, and
    an estimate that nothing fits is believed. Raises RenderFault for too many panels or too wide
    tables.
    """
    view, sheet = galleys.view, galleys.sheet
    panel_count = sum(1 for _ in panels_of(view))
    if panel_count > MOST_PANELS:
        said = f"the quick reference has {panel_count} panels"
        raise RenderFault((Problem("R601", said, expected=f"up to {MOST_PANELS} panels"),))
    too_wide = tuple(_too_wide(view, sheet))
    if too_wide:
        raise RenderFault(too_wide)
    largest, smallest, good = _largest_unbroken(view, sheet), _least(view), _least(view, GOOD)
    for sides in (most_sides,) if view.pocket else _sides_tried(most_sides):
        area, low, last = replace(sheet, sides=sides), good, sides == most_sides
        if last:
            low = smallest if least is None else least
        elif not galleys.times:
            whole = replace(sheet, sides=most_sides)
            likely = _estimated(galleys, whole, smallest, largest)
            galleys.at(TYPE_SIZES[max(good, likely)]).panels()
        sure = last and least is None
        fitting = _largest_fitting(galleys, area, low, largest, sure=sure)
        if fitting is not None:
            low = max(fitting - _PASSED_OVER, min(fitting, good), low)
            return _evenest(galleys, area, range(low, fitting + 1))
    return None


def _evenest(galleys: Galleys, area: ColumnArea, fitting: range) -> Arrangement:
    """Arranges the panels in the largest type in which all columns end evenly.

    If there is no such type, takes the one in which they end most evenly. `fitting` are the indices
    of sizes to consider, of which the largest must fit. Smaller type is laid out only if an
    estimate says that the columns would end evenly.
    """
    best: tuple[float, Arrangement] | None = None
    for index in reversed(fitting):
        galley = galleys.at(TYPE_SIZES[index])
        if best is not None:
            likely = galley.estimated()
            if _flaws(likely, pack(likely, area), area, TYPE_SIZES[index]) > EVEN:
                continue
        panels = galley.panels()
        placed = pack(panels, area)
        flaws = _flaws(panels, placed, area, TYPE_SIZES[index])
        if placed is not None and (best is None or flaws < best[0] - 0.02):
            best = flaws, Arrangement(TYPE_SIZES[index], tuple(placed))
        if flaws <= EVEN or _filled(panels, area) < LEAST_FILLED:
            break
    assert best is not None, "the largest that fits has been placed"
    return best[1]


def _flaws(
    panels: Sequence[MeasuredPanel],
    placed: Sequence[PlacedPanel] | None,
    area: ColumnArea,
    size: float,
) -> float:
    """Returns the largest flaws, and EVEN for each panel torn in type of a size above LARGE."""
    torn = sum(place.carried for place in placed or ()) if size > LARGE else 0
    return largest_hole(panels, placed, area) + EVEN * torn


def _filled(panels: Sequence[MeasuredPanel], area: ColumnArea) -> float:
    """Returns the fraction of the area of all columns that the panels cover."""
    covered = sum(panel.height * (2 if panel.wide else 1) for panel in panels)
    return covered / (area.all_columns * area.height)


def _sides_tried(most: int) -> Iterator[int]:
    """Yields the numbers of sides to try: 1, then even numbers, and at last `most`."""
    yield from (sides for sides in (1, *range(2, most, 2)) if sides < most)
    yield most


def _largest_fitting(
    galleys: Galleys, area: ColumnArea, low: int, high: int, *, sure: bool
) -> int | None:
    """Returns the index of the largest type within bounds (inclusive) at which all panels fit.

    Returns None if they fit at none. Layout is slow, so only sizes that fit by an estimate are laid
    out, the largest first; each layout corrects the estimate of the next. If `sure`, the smallest
    size is laid out before None is returned, whatever the estimate.
    """
    fitting: int | None = None
    while low <= high:
        roomier = replace(area, height=area.height * (_SURE if galleys.times else 1.0))
        index = _estimated(galleys, roomier, low, high)
        if index < low and not (sure and fitting is None):
            break
        index = max(low, index)
        here = fits(galleys.at(TYPE_SIZES[index]).panels(), area)
        if here:
            fitting, low = index, index + 1
        else:
            high = index - 1
    return fitting


#: A size does not fit that by a corrected estimate would not even fit in columns so many times as
#: high: no such estimate of a shipped sheet was that much too high.
_SURE = 1.04


def _largest_unbroken(view: QrsView, sheet: QrsPage) -> int:
    """Returns the index of the largest size of type at which no table must break a word.

    A table that has room in one column in type of LARGE must not need two in larger type, and lines
    must not be shorter than _SHORTEST_LINE in that. If words must be broken at any size, returns
    that of the size which is good to read. No size is smaller than the author asks for.
    """
    needed = [(needed_room(panel), panel.wide) for panel in panels_of(view)]
    one, two = sheet.span_width(1), sheet.span_width(2)
    in_one = [room for room, wide in needed if room <= room_of(one, LARGE) and not wide]
    unbroken = [
        index
        for index, size in enumerate(TYPE_SIZES)
        if max(needed, default=(0,))[0] <= room_of(two, size)
        and (size <= LARGE or max([_SHORTEST_LINE, *in_one]) <= room_of(one, size))
    ]
    return max(unbroken[-1] if unbroken else _least(view, GOOD), _least(view))


#: A table may break words if it needs more room than two columns have, but is refused if it needs
#: more than so many times as much.
_MOST_BROKEN = 1.6


def _too_wide(view: QrsView, sheet: QrsPage) -> Iterator[Problem]:
    """Yields a fault (R604) for each table much too wide for two columns in the smallest type."""
    room = int(room_of(sheet.span_width(2), TYPE_SIZES[_least(view)]))
    for panel in panels_of(view):
        for table in panel.tables:
            if table.least > _MOST_BROKEN * room:
                yield Problem(
                    "R604",
                    f"the table {table.title} needs {table.least} characters side by side, "
                    f"two columns of the sheet have room for {room}",
                    expected="columns wide enough for the longest word in each",
                    hint="use shorter words, split it, or mark it `qrs: false`",
                )


def _does_not_fit(view: QrsView, sheet: QrsPage, panels: Sequence[MeasuredPanel]) -> Problem:
    titles = {panel.id: panel.called for panel in panels_of(view)}
    heights = dict.fromkeys(titles, 0.0)
    for panel in panels:
        heights[panel.id.partition(".")[0]] += panel.height * (2 if panel.wide else 1)
    largest = sorted(titles, key=lambda whole: -heights[whole])[:3]
    named = ", ".join(f"{titles[whole]} ({heights[whole]:.0f} mm)" for whole in largest)
    sides = "side" if sheet.sides == 1 else "sides"
    more = "" if view.pocket else ", or ask for more sides"
    return Problem(
        "R601",
        f"the quick reference does not fit on {sheet.sides} {sides} of {view.paper}: "
        f"at {view.least} pt its panels take {sum(heights.values()):.0f} mm",
        expected=f"panels for {sheet.all_columns} columns of {sheet.height:.0f} mm",
        hint=f"shorten or split the largest, {named}{more}",
    )


def lay_out_sheet(galleys: Galleys, arrangement: Arrangement) -> Layout:
    """Lays out the pages of the sheet, with each typeset block moved to its place.

    Pictures have their drawings for low ink with them, so that the pages can be printed in any ink.
    """
    view, galley = galleys.view, galleys.at(arrangement.type_size)
    runs = list(_runs(galley, arrangement.placed))
    parts = [
        BlockKey(place.id, "continued" if place.carried else "whole", count)
        for place, count in runs
    ]
    pictures = {
        part: [
            BlockKey(part.piece, "picture", part.count, number)
            for number in range(len(galley.pieces[part.piece].view.pictures))
        ]
        for part in parts
    }
    blocks = galley.blocks([*parts, *(low for lows in pictures.values() for low in lows)])
    moved = [
        Moved(
            blocks[part],
            place.side,
            *_corner(galleys.sheet, place),
            tuple(blocks[low] for low in pictures[part]),
        )
        for part, (place, _) in zip(parts, runs, strict=True)
    ]
    html, styles = _frame(galleys, arrangement)
    edition = view.since.edition if view.since else None
    frame = lay_out(html, styles, templates=galleys.templates, name=NAME, edition=edition)
    return frame.made_up(moved)


def _runs(galley: Galley, placed: Iterable[PlacedPanel]) -> Iterator[tuple[PlacedPanel, int]]:
    """Yields the first of each run of consecutive pieces of one panel in one column.

    Each is yielded with the number of pieces in the run.
    """

    def panel_and_column(place: PlacedPanel) -> tuple[str, int, int]:
        return galley.pieces[place.id].cut.panel.id, place.side, place.column

    for _, pieces in groupby(placed, key=panel_and_column):
        first, *more = pieces
        yield first, 1 + len(more)


def sheet_files(
    view: QrsView, files: Sequence[File], templates: Path, cache: Cache
) -> Iterator[Rendered]:
    """Renders the PDF of the sheet for each file, in its ink.

    The pages are taken from the cache if they are there. Raises RenderFault if the panels do not
    fit.
    """

    def laid_out() -> Layout:
        galleys, arrangement = best_arrangement(view, templates, cache)
        layout = lay_out_sheet(galleys, arrangement)
        layout.remark = how_it_came_out(galleys, arrangement)
        return layout

    inks = tuple(dict.fromkeys(file.ink or "full" for file in files))
    sides = kept(cache, ["qrs", view], inks, laid_out, print_hints=True)
    for file in files:
        yield _on_paper(view, sides[file.ink or "full"], file)


def _on_paper(view: QrsView, pages: Pages, file: File) -> Rendered:
    """Renders a file from the pages of the sheet: as they are, or two or eight on a side."""
    if file.imposition is None or file.paper is None:
        return Rendered(file.path, pages.data, pages.count, pages.remark)
    if file.imposition == "pocket":
        sheets = [pocket_fold(pages.count, file.paper)]
    else:
        sheets = two_up(pages.count, view.size, file.paper)
    flip: Flip | None = "long" if sheets[0].back else None
    how = gettext(BOTH_SIDES[flip]) if flip else gettext("printed on one side")
    titles = {"title": view.identity.title, "deck": gettext("Quick reference"), "how": how}
    data = impose(
        pages.data,
        sheets,
        title=gettext("%(title)s – %(deck)s: %(how)s", **titles),
        language=view.identity.language,
        flip=flip,
    )
    return Rendered(file.path, data, sum(len(sheet.sides) for sheet in sheets), pages.remark)


def _frame(galleys: Galleys, arrangement: Arrangement) -> tuple[str, list[str]]:
    """Returns the HTML and the styles of all sides, with heads and feet but without panels."""
    sheet, templates, view = galleys.sheet, galleys.templates, galleys.view
    sides = list(_sides(galleys, arrangement))
    html = render_template("qrs.html.j2", view, templates, sides=sides)
    widths = {"narrow": sheet.span_width(1), "wide": sheet.span_width(2)}
    width, height = sheet.paper
    page = (
        f"@page{{size:{width}mm {height}mm;margin:0}}"
        f"{block_styles(widths, arrangement.type_size)}"
        f".side{{width:{width}mm;height:{height}mm}}"
    )
    return html, [
        *document_styles(KINDS["qrs"].styles, view.identity.accent, templates),
        page,
    ]


def _corner(sheet: QrsPage, place: PlacedPanel) -> tuple[float, float]:
    """Returns the distances of a placed panel from the left and the top of its page, in mm."""
    return round(sheet.left(place.column), 3), round(MARGIN + HEAD + place.top, 3)


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A phase in the turn at the head of a side; positions are in mm from the left margin.

    It is `here` if this side has panels of it.
    """

    text: str
    hue: int
    here: bool
    left: float
    width: float


@dataclass(frozen=True, slots=True)
class SideView:
    """The head of a side and the line at its foot.

    Sizes are in points, positions in millimetres from the left margin. The lines `beside` the title
    have the subtitle and the edition; a narrow side has the edition at its foot.
    """

    title_size: float
    beside_left: float
    beside: tuple[str, ...]
    turn_size: float
    turn: tuple[TurnStep, ...]
    foot: str


def _sides(galleys: Galleys, arrangement: Arrangement) -> Iterator[SideView]:
    """Yields what is printed at the head and at the foot of each side, in order.

    These are the title, the phases of the turn, and the line at the foot, with sizes and positions.
    The first page of a pocket fold has the title, the others have the turn.
    """
    galley, sheet, view = galleys.at(arrangement.type_size), galleys.sheet, galleys.view
    title_width = text_width(view.identity.title, 1, SERIF_BOLD)
    right, narrow = sheet.paper[0] - 2 * MARGIN, sheet.paper[0] < NARROW
    title_room = right if view.pocket or view.strip else sheet.paper[0] * _TITLE
    title_size = min(17 * MM_PER_POINT, title_room / (title_width or 1.0))
    title = round(title_size / MM_PER_POINT, 2)
    left = 0.0 if view.pocket else title_width * title_size + _BESIDE
    edition = list(_edition(view))
    first = [" · ".join(edition)] if narrow and edition else []
    own = () if narrow else tuple(edition)
    beside, turn_size, turn = own, 0.0, tuple[TurnStep, ...]()
    for side in range(arrangement.sides):
        if side and view.pocket:
            title, first = 0.0, []
        here = [galley.pieces[place.id] for place in arrangement.placed if place.side == side]
        phases = {piece.phase.id for piece in here}
        if not view.strip and (side or not view.pocket):
            beside, turn_size, turn = _head(view, phases, own, (left, right))
        foot = _foot(view, [piece.view for piece in here], right - _NUMBER, first)
        yield SideView(title, round(left, 3), beside, turn_size, turn, foot)


def _head(
    view: QrsView, here: Collection[str], edition: tuple[str, ...], edges: tuple[float, float]
) -> tuple[tuple[str, ...], float, tuple[TurnStep, ...]]:
    """Returns the lines beside the title, and the type size and the phases of the turn.

    The subtitle is among the lines if the turn has room for the same words beside it. `here` are
    the phases on this side, and `edges` those of the space beside the title.
    """
    phases, (left, right) = view.turn or view.phases, edges
    size, turn = _turn(phases, here, right, left + _EDITION * bool(edition))
    if not view.identity.subtitle or view.pocket:
        return edition, size, turn
    lines = (view.identity.subtitle, *filter(None, [" · ".join(edition)]))
    left += max(room_for(line, _SMALLEST) for line in lines)
    smaller, less = _turn(phases, here, right, left)
    same = [step.text for step in less] == [step.text for step in turn]
    roomy = left <= (less[0].left if less else right)
    return (lines, smaller, less) if same and roomy else (edition, size, turn)


def _edition(view: QrsView) -> Iterator[str]:
    """Yields the edition, if the author gave one, and its date, if there is one."""
    if view.identity.edition_given:
        yield gettext("Edition %(edition)s", edition=view.identity.edition)
    if view.identity.date:
        yield view.identity.date


def _foot(
    view: QrsView, panels: Sequence[PanelView], room: float, first: Sequence[str] = ()
) -> str:
    """Returns the line at the foot of a side.

    It begins with what is to be `first`, explains the marks on `panels`, those of this side, and
    names as many panels of the second sheet as fit. `room` is the width of the line in mm.
    """
    marks, titles = [*first, *_marks_explained(view, panels)], view.elsewhere
    for count in range(len(titles), -1, -1):
        named = ", ".join(titles[:count])
        if not count:
            more = gettext("More on the second sheet")
        elif count < len(titles):
            more = gettext("On the second sheet: %(titles)s and more", titles=named)
        else:
            more = gettext("On the second sheet: %(titles)s", titles=named)
        foot = " · ".join([*marks, more] if titles else marks)
        if room_for(foot, _SMALLEST) <= room:
            return foot
    return shortened(foot, _SMALLEST, room)


def _marks_explained(view: QrsView, panels: Sequence[PanelView]) -> Iterator[str]:
    if any(map(_is_ours, panels)):
        yield gettext("* not stated by the source: see the notes in the booklet")
    if view.since and view.since.lengths:
        yield gettext(
            "Lengths are not those of %(base)s; a bar stands beside what else differs",
            base=view.since.base,
        )
    elif view.since and view.since.base:
        yield gettext("A bar stands beside what differs from %(base)s", base=view.since.base)
    elif view.since:
        yield gettext(
            "A bar stands beside what has changed since %(edition)s", edition=view.since.before
        )


def _is_ours(panel: PanelView) -> bool:
    """Whether a table of the panel has anything that the source does not state, which is marked."""
    return any(
        table.ours or any(row.ours or any(cell.ours for cell in row.cells) for row in table.body)
        for table in panel.tables
    )


def _turn(
    phases: Sequence[PhaseView], here: Collection[str], right: float, left: float
) -> tuple[float, tuple[TurnStep, ...]]:
    """Fits the turn in the head of a side: returns its type size in points, and its phases.

    `left` and `right` are the edges of its space, in millimetres. If that is too small for all
    names, only the phases on this side (`here`) are named; if it is too small for those too, all
    phases are shown by their numbers alone. What has neither name nor number is then left out.
    """
    chips = [chip for phase in phases for chip in _chips(phase, phase.id in here)]
    for depth in range(3):
        named = [(texts[depth], hue, shown) for texts, hue, shown in chips if texts[depth]]
        room = right - left - _AROUND * len(named)
        size = min(_LARGEST, room / max(1.0, sum(room_for(text, 1) for text, _, _ in named)))
        if size >= _SMALLEST:
            break
    size = max(size, _SMALLEST)
    widths = [room_for(text, size) + _AROUND for text, _, _ in named]
    lefts = accumulate(widths, initial=right - sum(widths))
    steps = tuple(
        TurnStep(text, hue, shown, round(at, 3), round(width, 3))
        for (text, hue, shown), at, width in zip(named, lefts, widths, strict=False)
    )
    return round(size / MM_PER_POINT, 2), steps


def _chips(phase: PhaseView, here: bool) -> Iterator[tuple[tuple[str, str, str], int, bool]]:
    """Yields the label of a phase for the head of a side, and one for each loop that ends with it.

    Each has three texts of decreasing length, the number of its colour, and whether it is `here`:
    whether this side has panels of the phase. Loops have no colour and are never here.
    """
    name = f"{phase.number} {phase.tab}".strip()
    yield (name, name if here else phase.number, phase.number), phase.hue, here
    for loop in phase.loops:
        yield (loop, loop, f"({loop.partition(' ')[0]})"), 0, False


#: The part of a side's width that its title may take.
_TITLE = 0.4
#: Type of the turn, at the most and at the least, in millimetres.
_LARGEST, _SMALLEST = 9 * MM_PER_POINT, 7 * MM_PER_POINT
#: Millimetres around the name of a phase with its point, beside the title, and for the edition.
_AROUND, _BESIDE, _EDITION = 6.5, 4.0, 24.0
#: Millimetres for the number of the side at the foot.
_NUMBER = 22.0


def qrs_page(view: QrsView, templates: Path, _: object) -> str:
    """Renders the whole quick reference as one HTML page for a screen."""
    ours = any(map(_is_ours, panels_of(view)))
    return screen_page("qrs-screen", view, templates, screen=True, ours_here=ours)
