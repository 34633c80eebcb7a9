"""A ruleset -> the quick-reference sheet: panels in the order of the turn, with their words.

The text of a cell of a table is made by `documents.parts.tables`, that of reminders and steps by
`documents.parts.turn` and `documents.parts.binding`. What stands in which column is decided when
the panels have been measured: see `documents.qrs.arrangement`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate, cycle

from rulebook.documents.before import Before
from rulebook.documents.document_kind import File, Imposition, Planned, of_ink, planned
from rulebook.documents.marks import Marks, since_of
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.figures import QRS_PICTURE, small_picture
from rulebook.documents.parts.tables import TableComposer, side_by_side
from rulebook.documents.parts.turn import TurnWords
from rulebook.documents.parts.views import (
    Identity,
    PictureView,
    ShortExampleView,
    SinceView,
    StepsView,
    TableView,
)
from rulebook.model.header import QrsSpec
from rulebook.model.prose import placements, rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import SMALLEST_TYPE
from rulebook.model.sequence_and_examples import Phase, Step, numbers_of, turn_of
from rulebook.paper_and_ink import PAPERS, Ink, PaperName, half_of, paper_size, pocket_size
from rulebook.revisions.likeness import LineMarks
from rulebook.translation import gettext


@dataclass(frozen=True, slots=True)
class PanelView:
    """One panel: title and rule number, reminders, procedures, tables, pictures.

    `called` is its title or, if it has none, that of what it goes on with. `sheet` is the number of
    its sheet. `marks` are those of the reminders; all of a `new` panel is new.
    """

    id: str
    title: str
    called: str
    rule: str
    wide: bool
    say: tuple[str, ...] = ()
    procedures: tuple[StepsView, ...] = ()
    tables: tuple[TableView, ...] = ()
    examples: tuple[ShortExampleView, ...] = ()
    pictures: tuple[PictureView, ...] = ()
    new: bool = False
    marks: LineMarks | None = None
    sheet: int = 1


@dataclass(frozen=True, slots=True)
class PhaseView:
    """A phase of the turn with its number, or the letter of an optional one, and its panels.

    `hue` is the number of its colour; 0, that of no phase, for an optional one. `gone` are the
    titles of panels that were removed since the edition before. `loops` say what is repeated after
    the phase: `2–4 each side`.
    """

    id: str
    number: str
    title: str
    tab: str
    panels: tuple[PanelView, ...]
    hue: int = 0
    gone: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QrsView:
    """The panels of a sheet by their phases; `paper` is None for the page that is read on a screen.

    `columns` is 0 if the number that suits the panels is chosen. `turn` are all phases of the turn,
    even those without a panel on this sheet. `elsewhere` are the titles of the panels on the second
    sheet, named on the first. `size` has the width and height of a page in mm, and `least` is the
    smallest size of type in points. All sides of a `pocket` fold are printed.
    """

    identity: Identity
    paper: str | None
    sides: int
    columns: int
    phases: tuple[PhaseView, ...]
    since: SinceView | None = None
    turn: tuple[PhaseView, ...] = ()
    elsewhere: tuple[str, ...] = ()
    size: tuple[float, float] = (0.0, 0.0)
    least: int = SMALLEST_TYPE
    pocket: bool = False

    @property
    def strip(self) -> bool:
        """Whether its page is as high as its panels need, in one column."""
        return PAPERS[self.paper].strip if self.paper else False

    @property
    def number(self) -> int:
        """The number of the sheet: 2 for the second, 1 for the first."""
        panels = (panel for phase in self.phases for panel in phase.panels)
        return min((panel.sheet for panel in panels), default=1)


#: How many columns tables are composed for where the author asks for no number of columns. Where
#: it is the number asked for, pages narrower than NARROW, in mm, have as many as suit them.
USUAL_COLUMNS, NARROW = 4, 250
#: How many sides there may be if there may be any number, and those of a pocket fold.
ANY_SIDES, POCKET_SIDES = 60, 8
#: Colours of phases; see templates/styles/phases.css.
HUES = 6
#: About how many characters stand side by side on a side, at 8.5 pt and between the margins of
#: Letter, the narrower paper; a gutter takes some of them.
_SIDE_ROOM, _GUTTER_ROOM = 211, 3.6


def room(columns: int, span: int) -> int:
    """Returns about how many characters fit on a line across `span` of a side's `columns`."""
    return round((_SIDE_ROOM + _GUTTER_ROOM) * span / columns - _GUTTER_ROOM)


def plan_qrs(ruleset: Ruleset, identity: Identity, before: Before | None) -> Iterator[Planned]:
    """Plans the sheets of the quick reference on each paper, and its page for a screen.

    Plans nothing if the ruleset asks for no quick reference. Changes since `before` are marked.
    """
    spec = ruleset.header.documents.qrs
    if spec is None:
        return

    @cache
    def phases() -> tuple[PhaseView, ...]:
        picture = partial(small_picture, ruleset, QRS_PICTURE)
        return compose_phases(ruleset, picture, before=before)

    @cache
    def whole() -> QrsView:
        sides = spec.sides or ANY_SIDES
        since = since_of(ruleset, before)
        return QrsView(identity, None, sides, spec.columns, phases(), since, least=spec.type)

    def view(sheet: int, paper: PaperName, size: tuple[float, float]) -> QrsView:
        suited = spec.columns == USUAL_COLUMNS and size[0] < NARROW
        columns = 0 if suited else spec.columns
        return sheet_of_two(replace(whole(), paper=paper, columns=columns, size=size), sheet)

    def pocket(sheet: int, paper: PaperName) -> QrsView:
        pages = view(sheet, paper, pocket_size(paper))
        return replace(pages, sides=POCKET_SIDES, columns=1, pocket=True)

    def files(name: str, paper: PaperName, how: Imposition | None = None) -> list[File]:
        return [File(f"{of_ink(name, ink)}.pdf", "pdf", paper, ink, how) for ink in spec.inks]

    for sheet in (1, 2) if has_second_sheet(ruleset) else (1,):
        called = "qrs" if sheet == 1 else f"qrs-{sheet}"
        plan = partial(
            planned,
            ruleset,
            "qrs",
            title="" if sheet == 1 else gettext("Quick reference, second sheet"),
        )
        for paper in dict.fromkeys((*spec.papers, *map(half_of, spec.imposed or ()))):
            own = files(f"{called}-{paper}", paper) if paper in spec.papers else []
            for large in spec.imposed or ():
                if half_of(large) == paper:
                    own += files(f"{called}-{large}-imposed", large, "n-up")
            lies = spec.orientation == "landscape" and not PAPERS[paper].strip
            size = paper_size(paper, landscape=lies)
            yield plan(f"{called}-{paper}", partial(view, sheet, paper, size), *own)
        for paper in spec.pocket or ():
            name = f"{called}-{paper}-pocket"
            yield plan(name, partial(pocket, sheet, paper), *files(name, paper, "pocket"))
    yield planned(ruleset, "qrs-screen", "qrs", whole, File("qrs.html", "html"))


def has_second_sheet(ruleset: Ruleset) -> bool:
    """Whether the sequence has a step for the second sheet, or the ruleset asks for odds on it."""
    sheet = ruleset.header.documents.qrs
    steps = (step for phase in ruleset.sequence.values() for step in phase.steps.values())
    return bool(sheet and sheet.odds) or any(step.sheet == 2 for step in steps)


def sheet_of_two(whole: QrsView, number: int) -> QrsView:
    """Returns the first or the second of two sheets, with only the panels for that sheet.

    The first lists the titles of panels on the second. It has the number of columns that the author
    asks for; for the second that number is chosen later.
    """
    own, later = [], []
    for phase in whole.phases:
        panels = tuple(panel for panel in phase.panels if panel.sheet == number)
        later += [panel.title for panel in phase.panels if panel.sheet > number]
        if panels:
            own.append(replace(phase, panels=panels))
    turn = tuple(phase for phase in whole.phases if phase.hue or phase.id in {p.id for p in own})
    columns = whole.columns if number == 1 else 0
    return replace(whole, columns=columns, phases=tuple(own), turn=turn, elsewhere=tuple(later))


def compose_phases(
    ruleset: Ruleset, picture: Callable[[str, Ink], str], *, before: Before | None = None
) -> tuple[PhaseView, ...]:
    """Composes the panels of all phases, and a last phase with the computed tables of odds, if any.

    `picture` draws a cutout small, as SVG, in an ink. What differs from the edition `before` is
    marked.
    """
    spec = ruleset.header.documents.qrs or QrsSpec()
    columns, count = spec.columns or USUAL_COLUMNS, len(spec.colours) or HUES
    binder = Binder(ruleset, references="number")
    numbers = rule_numbers(ruleset.chapters)
    placed = placements(ruleset.chapters)
    rules = {target: numbers[section] for (_, target), section in placed.items()}
    composer = TableComposer(binder, sheet=True)
    examples = ExampleComposer(binder)
    marks = Marks(before, binder) if before else None
    titles = ruleset.cutouts
    turn = TurnWords(binder)
    loops, listed = turn.loops(), numbers_of(ruleset.sequence)
    hues = dict(zip(turn_of(ruleset.sequence), cycle(range(1, count + 1)), strict=False))

    def panel(phase_id: str, step_id: str, step: Step, called: str) -> PanelView:
        made = PanelView(
            id=f"{phase_id}-{step_id}",
            title=step.title,
            called=called,
            rule=numbers[step.rule] if step.rule else "",
            wide=step.wide,
            sheet=step.sheet,
            say=tuple(turn.panel(phase_id, step_id)),
            procedures=tuple(binder.steps(procedure) for procedure in step.procedures),
            tables=tuple(
                composer.view(table, room(columns, 1 + step.wide)) for table in step.tables
            ),
            examples=tuple(examples.short(example) for example in step.examples),
            pictures=tuple(
                PictureView(
                    cutout, titles[cutout].title, picture(cutout, "full"), picture(cutout, "low")
                )
                for cutout in step.cutouts
            ),
        )
        marked = _marked(made, marks, phase_id, step_id) if marks else made
        return replace(marked, tables=_together(marked, step, room(columns, 1 + step.wide)))

    phases = [
        PhaseView(
            id=phase_id,
            number=listed[phase_id],
            title=phase.title,
            tab=phase.tab or phase.title,
            panels=tuple(
                panel(phase_id, key, step, called)
                for (key, step), called in zip(phase.steps.items(), called_in(phase), strict=True)
            ),
            hue=hues.get(phase_id, 0),
            gone=tuple(marks.gone_panels(phase_id)) if marks else (),
            loops=loops.get(phase_id, ()),
        )
        for phase_id, phase in ruleset.sequence.items()
    ]
    panels = tuple(_odds_panels(ruleset, composer, rules, marks))
    if panels:
        # An id of a phase has no hyphen, so this one is free.
        odds, letter = gettext("Odds"), chr(ord("A") + sum(not phase.hue for phase in phases))
        phases.append(PhaseView("the-odds", letter, odds, odds, panels))
    return tuple(phases)


def called_in(phase: Phase) -> list[str]:
    """Returns for each step of a phase its title or, without one, that of what it goes on with."""
    titles = [step.title for step in phase.steps.values()]
    return list(accumulate(titles, lambda last, title: title or last, initial=phase.title))[1:]


def _together(panel: PanelView, step: Step, room: int) -> tuple[TableView, ...]:
    """Returns the tables of a panel, with those that its step shows together joined in one.

    The joined table has the place of the first of them. `room` is its width in characters.
    """
    joined = [table for table in panel.tables if table.id in step.together]
    if not joined:
        return panel.tables
    together = side_by_side(panel.title, joined, room)
    tables = (together if table is joined[0] else table for table in panel.tables)
    return tuple(table for table in tables if table not in joined)


def _marked(panel: PanelView, marks: Marks, phase_id: str, step_id: str) -> PanelView:
    """Returns the panel of a step with marks on everything in it that has changed."""
    new, lines = marks.panel(phase_id, step_id)
    return replace(
        panel,
        new=new,
        marks=lines,
        procedures=tuple(map(marks.steps, panel.procedures)),
        tables=tuple(map(marks.table, panel.tables)),
        examples=tuple(map(marks.short, panel.examples)),
        pictures=tuple(
            replace(picture, marked=marks.picture(picture.id)) for picture in panel.pictures
        ),
    )


def _odds_panels(
    ruleset: Ruleset, composer: TableComposer, rules: Mapping[str, str], marks: Marks | None
) -> Iterator[PanelView]:
    """Yields a panel for each table of odds on the second sheet, wide if the table needs it.

    `rules` maps ids of tables to the numbers of the rules that print them.
    """
    sheet = ruleset.header.documents.qrs
    columns = (sheet or QrsSpec()).columns or USUAL_COLUMNS
    for table_id in sheet.odds if sheet else ():
        view = composer.view(table_id, room(columns, 1))
        wide = view.least > view.room
        if wide:
            view = composer.view(table_id, room(columns, 2))
        yield PanelView(
            id=f"the-odds-{table_id}",
            sheet=2,
            title=view.title,
            called=view.title,
            rule=rules.get(table_id, ""),
            wide=wide,
            tables=(marks.table(view) if marks else view,),
        )
