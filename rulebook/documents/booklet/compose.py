"""A ruleset -> its booklet: title, rules, what to agree on, designer's notes, glossary, index."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import islice, pairwise
from typing import TypeGuard

from rulebook.core.compute import ChartOdds
from rulebook.documents.before import Before
from rulebook.documents.booklet import views
from rulebook.documents.document_kind import File, Planned, booklet_files, planned
from rulebook.documents.impact.compose import ProcedureImpact, effects_of_options
from rulebook.documents.marks import Marks, since_of
from rulebook.documents.parts.back_cover import compose_back, scale_in_words
from rulebook.documents.parts.binding import Binder, escape_markdown, plain_text
from rulebook.documents.parts.charts import chart_views
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.figures import FigureRow, compose_cover, picture_of_rule, row_pictures
from rulebook.documents.parts.tables import TableComposer, fitted_table, narrowed, with_columns
from rulebook.documents.parts.turn import steps_of
from rulebook.documents.parts.views import TO_READ, ExampleView, Identity, TableView
from rulebook.drawing.elements import Picture
from rulebook.figures.drawing import notes_of
from rulebook.model import prose
from rulebook.model.entities import Status
from rulebook.model.lookup import KINDS, name_in
from rulebook.model.not_in_source import Unstated, entity_title, unstated
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import ROWS_AT
from rulebook.revisions.likeness import GoneText
from rulebook.translation import gettext, gettext_noop

#: About how many characters of a table stand side by side on a page.
ROOM = 76
#: Of a table that is half as wide, and of one that may be made so.
HALF, NARROW = 36, 38


#: Of the procedures that an option changes, so many are named.
MOST_EFFECTS = 2

#: Of a table, so many missing cells have a line each; of more, the table has one.
FEW_CELLS = 2

#: How the designer's notes explain the standing of a value.
STATUSES = {
    Status.READ: gettext_noop("our reading of words that are unclear or contradict one another"),
    Status.HOUSE: gettext_noop("ours, where the source is silent or only points the way"),
    Status.MISSING: gettext_noop(
        "not given by the source; the space is left for the players to fill"
    ),
}


#: What the kinds of blocks are called and numbered as.
_CAPTIONS = {
    gettext_noop("Table %(number)s"): ("table",),
    gettext_noop("Figure %(number)s"): ("cutout", "figure"),
}


def plan_booklet(
    ruleset: Ruleset,
    identity: Identity,
    charts: Mapping[prose.Chart, ChartOdds],
    before: Before | None,
) -> Iterator[Planned]:
    """Plans a document of the booklet for each layout, and one for the screen.

    Plans nothing if the ruleset asks for no booklet. `charts` has the odds of its charts; changes
    since the edition `before` are marked.
    """
    spec = ruleset.header.documents.booklet
    if spec is None or not ruleset.chapters:
        return

    @cache
    def pictures() -> dict[FigureRow, tuple[Picture, ...]]:
        return row_pictures(ruleset)

    @cache
    def agreements() -> views.AgreementsView:
        return compose_agreements(ruleset)

    def view(layout: str | None) -> views.BookletView:
        agreed = agreements()
        return compose_booklet(
            ruleset, identity, layout, pictures(), charts, agreements=agreed, before=before
        )

    for layout, files in booklet_files(
        "booklet", spec.papers, spec.imposed or (), spec.press or ()
    ):
        name = f"booklet-{layout}"
        yield planned(ruleset, "booklet", name, partial(view, layout), *files)
    page = File(TO_READ, "html")
    yield planned(ruleset, "booklet-screen", "booklet", partial(view, None), page)


def compose_booklet(
    ruleset: Ruleset,
    identity: Identity,
    layout: str | None,
    pictures: Mapping[FigureRow, Sequence[Picture]],
    charts: Mapping[prose.Chart, ChartOdds],
    *,
    agreements: views.AgreementsView = views.NOTHING_TO_AGREE,
    before: Before | None = None,
) -> views.BookletView:
    """Composes the booklet in a layout, or for a screen if `layout` is None.

    `pictures` are those of rows of figures, `charts` has the odds of charts, and `agreements` is
    what players settle before a game. What differs from the edition `before` is marked.
    """
    binder = Binder(ruleset)
    remarks = unstated(ruleset)
    numbers = prose.rule_numbers(ruleset.chapters)
    marks = Marks(before, binder) if before else None
    composer = _BookletComposer(
        binder, numbers, pictures, charts, remarks, marks=marks, on_paper=layout is not None
    )
    header = ruleset.header
    return views.BookletView(
        identity=identity,
        layout=layout,
        cover=compose_cover(ruleset),
        summary=binder.prose(header.summary),
        scale=tuple(scale_in_words(binder).items()),
        credits=tuple((credit.role, credit.name) for credit in header.credits),
        chapters=tuple(composer.chapter(chapter) for chapter in ruleset.chapters),
        notes=tuple(composer.note(number, item) for number, item in enumerate(remarks, start=1)),
        statuses=tuple((status.value, gettext(meaning)) for status, meaning in STATUSES.items()),
        terms=tuple(
            views.TermView(key, term.title, binder.prose(term.meaning), (term.title, *term.forms))
            for key, term in sorted(
                ruleset.terms.items(), key=lambda item: _alphabetical(item[1].title)
            )
        ),
        agreements=agreements,
        since=since_of(ruleset, before),
        back=compose_back(ruleset) if layout else None,
    )


def compose_agreements(ruleset: Ruleset) -> views.AgreementsView:
    """Composes the list of what players settle before a game.

    It has the options that are not in force, with what they do to the odds, then agreements on how
    this book is played, and then values that are missing.
    """
    binder, numbers = Binder(ruleset), prose.rule_numbers(ruleset.chapters)

    def line(text: str, rule: str | None, effects: Iterable[str] = ()) -> views.AgreedView:
        at = (rule or "").replace("-", "_")
        return views.AgreedView(text, numbers.get(at, ""), at, tuple(effects))

    options = [
        line(
            escape_markdown(ruleset.options[name].title),
            ruleset.options[name].rule,
            _largest(impacts),
        )
        for name, impacts in effects_of_options(ruleset).items()
    ]
    # In the order of the rules, whichever file an agreement stands in.
    in_order = {rule: place for place, rule in enumerate(numbers)}
    agreed = sorted(
        ruleset.agreements.values(), key=lambda agreement: in_order.get(agreement.rule or "", 0)
    )
    played = [line(binder.prose(agreement.text), agreement.rule) for agreement in agreed]
    # Of a table of which several cells are missing, the table is named.
    lacking: dict[Address, list[Unstated]] = {}
    for item in unstated(ruleset):
        if item.status is Status.MISSING:
            whole = item.address[0] in KINDS
            lacking.setdefault(item.address[:2] if whole else item.address, []).append(item)
    missing = [
        line(escape_markdown(title), items[0].section_id)
        for address, items in lacking.items()
        for title in (
            [_title_of_note(binder, item) for item in items]
            if len(items) <= FEW_CELLS
            else [entity_title(ruleset, *map(str, address))]
        )
    ]
    return views.AgreementsView(tuple(options), tuple(played), tuple(missing))


def _largest(impacts: Iterable[ProcedureImpact]) -> Iterator[str]:
    """Yields the largest difference in the odds of each affected procedure, as text.

    Only the first MOST_EFFECTS procedures whose odds differ are included.
    """
    found = (impact for impact in impacts if impact.differences)
    return (impact.differences[0].text for impact in islice(found, MOST_EFFECTS))


class _BookletComposer:
    """Composes the parts of one booklet; tables and pictures are numbered in text order."""

    def __init__(
        self,
        binder: Binder,
        numbers: Mapping[str, str],
        pictures: Mapping[FigureRow, Sequence[Picture]],
        charts: Mapping[prose.Chart, ChartOdds],
        remarks: list[Unstated],
        *,
        marks: Marks | None,
        on_paper: bool,
    ) -> None:
        self._binder = binder
        self._on_paper = on_paper
        self._marks = marks
        self._numbers = numbers
        self._rows = {row.cutouts[0]: (row, drawn) for row, drawn in pictures.items()}
        self._notes: dict[Address, int] = {
            item.address: number for number, item in enumerate(remarks, start=1)
        }
        self._loose = _loose_notes(binder.ruleset, remarks)
        self._tables = TableComposer(binder, self._notes)
        self._charts = {
            line: views.ChartPart(view, gettext("Chart %(number)s", number=number))
            for number, (line, view) in enumerate(chart_views(charts).items(), start=1)
        }
        self._examples = ExampleComposer(binder)
        ordered = list(prose.placements(binder.ruleset.chapters))
        self._captions = {
            target: gettext(caption, number=position)
            for caption, kinds in _CAPTIONS.items()
            for position, target in enumerate(
                (target for kind, target in ordered if kind in kinds), start=1
            )
        }

    def chapter(self, chapter: prose.Chapter) -> views.ChapterView:
        return views.ChapterView(
            id=chapter.id,
            number=self._numbers[chapter.id],
            title=chapter.title,
            annex=chapter.annex,
            optional=chapter.annex and not chapter.appendix,
            sections=tuple(self._section(section) for section in chapter.sections),
        )

    def _section(self, section: prose.Section) -> views.SectionView:
        parts: list[views.Part] = []
        marks = self._marks
        was, gone = marks.texts(section) if marks else ({}, ())
        went: list[GoneText] = []
        for at, part in enumerate(section.parts):
            place = sum(not isinstance(part, views.MarkPart) for part in parts)
            went += [GoneText(place, text.text) for text in gone if text.at == at]
            if isinstance(part, prose.Block) and part.kind == "cutout":
                # The others of a row stand with its first.
                if part.target in self._rows:
                    parts.append(self._row(*self._rows[part.target]))
            elif not _blank(part):
                parts.append(self._part(section, part, was.get(at)))
                parts += self._loose_marks(part)
        return views.SectionView(
            id=section.id,
            number=self._numbers[section.id],
            level=section.level,
            title=section.title,
            parts=_with_marks(list(_shown_once(_in_widths(parts) if self._on_paper else parts))),
            was=marks.heading(section) if marks else None,
            gone=(
                *went,
                *(
                    GoneText(len(parts), text.text)
                    for text in gone
                    if text.at == len(section.parts)
                ),
            ),
        )

    def _loose_marks(self, part: prose.Part) -> Iterator[views.MarkPart]:
        """Yields marks for the notes on tables that print only as values in texts.

        Each is yielded once, for the first text that uses a value of its table, as the notes are
        removed from those that wait.
        """
        for binding in part.bindings if isinstance(part, prose.Text) else ():
            yield from map(views.MarkPart, self._loose.pop(name_in(binding.target), ()))

    def _part(self, section: prose.Section, part: prose.Part, was: str | None) -> views.Part:
        marks = self._marks
        if isinstance(part, prose.Text):
            return views.TextPart(self._binder.text(part.markdown, part.bindings), was)
        if isinstance(part, prose.Code):
            return views.CodePart(part.text, marked=was is not None)
        if isinstance(part, prose.Remark):
            return views.MarkPart(self._notes[("prose", section.id, part.title)])
        if isinstance(part, prose.Chart):
            marked = marks is not None and marks.chart(part, self._charts[part].chart)
            return replace(self._charts[part], marked=marked)
        if part.kind == "table":
            view = self._tables.view(part.target, ROOM)
            marked_view = narrowed(marks.table(view) if marks else view, ROOM)
            return views.TablePart(marked_view, self._captions[part.target], _notes_on(view))
        if part.kind == "figure":
            return self._figure(part.target)
        if part.kind == "steps":
            note = self._notes.get(("procedures", part.target))
            steps = steps_of(self._binder, part.target)
            return replace(marks.steps(steps) if marks else steps, note=note)
        return self._example(part.target)

    def _row(
        self, row: FigureRow, drawn: Sequence[Picture]
    ) -> views.PicturePart | views.PictureRowPart:
        pictures = tuple(map(self._picture, row.cutouts, drawn))
        if row.room == 1:
            return pictures[0]
        uses = {picture.use for picture in pictures}
        if len(uses) > 1:
            return views.PictureRowPart(pictures, row.room, "")
        return views.PictureRowPart(
            tuple(replace(picture, use="") for picture in pictures), row.room, uses.pop()
        )

    def _picture(self, cutout_id: str, picture: Picture) -> views.PicturePart:
        cutout = self._binder.ruleset.cutouts[cutout_id]
        return views.PicturePart(
            id=cutout_id,
            title=cutout.title,
            picture=picture,
            use=self._binder.prose(cutout.use),
            caption=self._captions[cutout_id],
            note=self._notes.get(("cutouts", cutout_id)),
            marked=self._marks is not None and self._marks.picture(cutout_id),
        )

    def _figure(self, figure_id: str) -> views.PicturePart:
        figure = self._binder.ruleset.figures[figure_id]
        return views.PicturePart(
            figure_id,
            figure.title,
            picture_of_rule(self._binder, figure_id),
            self._binder.prose(figure.about),
            self._captions[figure_id],
            self._notes.get(("figures", figure_id)),
            self._marks is not None and self._marks.figure(figure_id),
            notes=tuple(self._binder.prose(note.note) for note in notes_of(figure)),
            cutouts=tuple(cutout for cutout in figure.cutouts if cutout not in self._captions),
            kind="figure",
        )

    def _example(self, example_id: str) -> ExampleView:
        view = self._examples.whole(example_id)
        marked = self._marks.example(view) if self._marks else view
        return replace(marked, note=self._notes.get(("examples", example_id)))

    def note(self, number: int, item: Unstated) -> views.NoteView:
        return views.NoteView(
            number=number,
            status=item.status.value,
            title=_title_of_note(self._binder, item),
            markdown=self._binder.prose(item.note),
            source=item.source or "",
            rule=self._numbers.get(item.section_id or "", ""),
            rule_id=item.section_id or "",
        )


def _title_of_note(binder: Binder, item: Unstated) -> str:
    """Returns the title of a note.

    For a note on a modifier it consists of the table, the condition, and the column if it is on
    one.
    """
    if item.address[0] != "modifiers" or len(item.address) < 4:
        return item.title
    table = binder.ruleset.modifiers[str(item.address[1])]
    condition = binder.prose(table.data[str(item.address[3])].when)
    changed = "".join(f", {table.title_of(str(name))}" for name in item.address[4:])
    return f"{table.title}: {plain_text(condition)}{changed}"


def _loose_notes(ruleset: Ruleset, remarks: Sequence[Unstated]) -> dict[str, list[int]]:
    """Maps each table that does not print in the booklet to the numbers of the notes on it.

    Only the values of such a table print, in texts.
    """
    loose: dict[str, list[int]] = {}
    for number, item in enumerate(remarks, start=1):
        collection, name = map(str, (*item.address, "", "")[:2])
        table = ruleset.all_tables.get(name) if collection in ROWS_AT else None
        if table is not None and not table.booklet and item.section_id:
            loose.setdefault(name, []).append(number)
    return loose


def _alphabetical(title: str) -> tuple[str, str]:
    """Returns a key for sorting titles in which accents and capitals count only between equals."""
    letters = unicodedata.normalize("NFKD", title.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), title


def _in_widths(parts: Sequence[views.Part]) -> list[views.Part]:
    """Makes pairs of consecutive narrow tables that are printed side by side.

    A narrow table that is not in a pair is turned on its side if its rows fit as columns. Other
    parts are returned as they are.
    """
    made: list[views.Part] = []
    for part in parts:
        before = made[-1] if made else None
        if before and _is_narrow(before) and _is_narrow(part):
            one, other = (
                replace(each, table=with_columns(each.table, HALF)) for each in (before, part)
            )
            made[-1] = views.TablePairPart((one, other))
        else:
            made.append(part)
    return [
        replace(one, table=fitted_table(one.table, ROOM)) if _is_narrow(one) else one
        for one in made
    ]


def _is_narrow(part: views.Part) -> TypeGuard[views.TablePart]:
    return isinstance(part, views.TablePart) and sum(part.table.weights) <= NARROW


def _notes_on(table: TableView) -> tuple[int, ...]:
    """Returns the numbers of the notes on a table, and on its rows and cells, in order."""
    of_rows = (note for row in table.body for note in (row.note, *(c.note for c in row.cells)))
    return tuple(note for note in (table.note, *of_rows) if note)


def _shown_once(parts: Sequence[views.Part]) -> Iterator[views.Part]:
    """Yields parts, with the text on the use of a figure removed if the next part repeats it."""
    for part, after in pairwise(parts):
        if (
            isinstance(part, views.PicturePart | views.PictureRowPart)
            and isinstance(after, views.PicturePart | views.PictureRowPart)
            and part.use == after.use
        ):
            yield replace(part, use="")
        else:
            yield part
    yield from parts[-1:]


def _blank(part: prose.Part) -> bool:
    return isinstance(part, prose.Text) and not part.markdown.strip()


def _with_marks(parts: list[views.Part]) -> tuple[views.Part, ...]:
    """Moves each mark of a note to the end of the last text before it, as a link to the note.

    If there is no text before it, the mark goes to the next text, and stays if there is none.
    """
    marked: list[views.Part] = []
    waiting: list[views.MarkPart] = []
    for part in parts:
        if isinstance(part, views.MarkPart):
            texts = [i for i, before in enumerate(marked) if isinstance(before, views.TextPart)]
            if texts:
                marked[texts[-1]] = _marked(marked[texts[-1]], part)
            else:
                waiting.append(part)
            continue
        while waiting and isinstance(part, views.TextPart):
            part = _marked(part, waiting.pop(0))  # noqa: PLW2901
        marked.append(part)
    return (*marked, *waiting)


def _marked(text: views.Part, mark: views.MarkPart) -> views.TextPart:
    assert isinstance(text, views.TextPart), "marks stand behind words"
    markdown = text.markdown.rstrip()
    link = f"[{mark.note}](#note-{mark.note})"
    joined = f"{_WORD_JOINER}{link}" if markdown else link
    if markdown.endswith("|") and not markdown.endswith("\\|"):
        # Behind the bar that ends a table the mark would be a cell too many, and lost.
        return replace(text, markdown=f"{markdown[:-1].rstrip()}{joined} |")
    line = markdown.rpartition("\n")[2]
    if _CODE.match(line) or _RULE.fullmatch(line):
        return replace(text, markdown=f"{markdown}\n\n{link}")
    return replace(text, markdown=markdown + joined)


#: Keeps a mark on the line of the word that it follows.
_WORD_JOINER = "\u2060"
#: A line of code or a rule: what is added to it would be code, or make it a line of text.
_CODE = re.compile(r"(?: {4}|\t)\s*+(?![-*+]\s|\d{1,9}\.\s)")
_RULE = re.compile(r"\s*+(?:\*\s*+){3,}|\s*+(?:_\s*+){3,}|\s*+(?:-\s*+){3,}")
