"""An edition and the one before it -> what of each printed part changed, and is not editorial."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from rulebook.documents.before import Before
from rulebook.documents.parts.binding import (
    Binder,
    escape_markdown,
    title_of_heading,
    unbroken,
)
from rulebook.documents.parts.charts import chart_views
from rulebook.documents.parts.compared_tables import KeyedTable, composed_table, keyed_table
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.figures import drawing_of, picture_of_rule
from rulebook.documents.parts.printed_parts import block_in_words
from rulebook.documents.parts.turn import TurnWords, steps_of
from rulebook.documents.parts.views import (
    BodyRow,
    ExampleView,
    GoneRow,
    ShortExampleView,
    SinceView,
    StepsView,
    TableView,
)
from rulebook.drawing.charts import ChartView
from rulebook.drawing.elements import Picture
from rulebook.figures.drawing import notes_of
from rulebook.model.lookup import LookupFault, find, printed
from rulebook.model.plain_data import chart_line
from rulebook.model.prose import (
    Binding,
    Block,
    Chart,
    Code,
    Part,
    Remark,
    Section,
    Text,
    rule_numbers,
)
from rulebook.model.ruleset import Ruleset
from rulebook.model.sequence_and_examples import SEQUENCE
from rulebook.revisions import likeness
from rulebook.revisions.changes import Path
from rulebook.revisions.comparison import Comparison
from rulebook.revisions.revised import OF_EDITION, Revised


@dataclass(frozen=True)
class EarlierBinder(Binder):
    """Binds the values of the edition before, except those with merely editorial changes.

    Rules have the numbers of the new edition, `now`, as far as it has them, since a number that
    moved is not a change of a rule.
    """

    now: Ruleset = field(kw_only=True)
    revised: Revised = field(kw_only=True)

    def numbers(self) -> dict[str, str]:
        return {**rule_numbers(self.ruleset.chapters), **rule_numbers(self.now.chapters)}

    def _value(self, binding: Binding) -> str:
        if binding.kind == "rule":
            return self._reference(binding.target)
        editions = [self.ruleset, self.now]
        if self.revised.unmarked_value(binding.target):
            editions.reverse()
        for ruleset in editions:
            with suppress(LookupFault, KeyError):
                return escape_markdown(unbroken(printed(find(ruleset, binding.target))))
        return ""

    def _title(self, heading: str) -> str:
        return title_of_heading(heading, self.now, self.ruleset)


#: Beside a bar that marks what differs from the base of a variant.
DIFFERENT = "≠"


@dataclass(frozen=True)
class Marks:
    """Marks what has changed in an edition since the one before.

    `binder` is that of the new edition, with which the parts are composed; both rulesets include
    their computed tables.
    """

    before: Before
    binder: Binder

    @property
    def now(self) -> Ruleset:
        return self.binder.ruleset

    @property
    def then(self) -> Ruleset:
        return self.before.computed.ruleset

    @property
    def revised(self) -> Revised:
        return self.before.revised

    @property
    def comparison(self) -> Comparison:
        return self.before.revised.comparison

    @cached_property
    def then_binder(self) -> EarlierBinder:
        """The binder for texts of the edition before, with rule numbers of the new edition.

        Values with merely editorial changes are those of the new edition, so that texts can be
        compared.
        """
        return EarlierBinder(self.then, self.binder.references, now=self.now, revised=self.revised)

    @cached_property
    def _sections(self) -> dict[str, Section]:
        return {section.id: section for section in self.then.sections}

    def _section(self, section: Section) -> Section | None:
        return self._sections.get(self.comparison.was("sections", section.id))

    def heading(self, section: Section) -> str | None:
        """Returns the former title of a section, or an empty text if the section is new.

        Returns None if the title is the same or its change is merely editorial.
        """
        old = self._section(section)
        return self._was(old.title if old else None, section.title, "sections", section.id)

    def texts(self, section: Section) -> tuple[dict[int, str], tuple[likeness.GoneText, ...]]:
        """Compares the parts of a section with those of the edition before.

        Returns the former texts of changed parts by the index of the part, and the removed texts.
        Parts that have not changed are omitted; the former text of a new part is empty.
        """
        # Of words that are editorial those of the new edition, with the values of the old one.
        editorial = self.revised.unmarked("sections", section.id)
        old, binder = section if editorial else self._section(section), self.then_binder
        before = [part for part in (old.parts if old else ()) if not _is_silent(part)]
        places = [at for at, part in enumerate(section.parts) if not _is_silent(part)]
        parts = [section.parts[at] for at in places]
        was: dict[int, str] = {}
        gone: list[likeness.GoneText] = []
        keys = list(map(_key, before))
        matcher = likeness.Matcher(keys, list(map(_key, parts)))
        for _, first, last, start, end in matcher.get_opcodes():
            here = [at for at in places[start:end] if isinstance(section.parts[at], Text)]
            texts = [_bound(binder, part) for part in before[first:last] if isinstance(part, Text)]
            blocks = [
                block_in_words(self.then, part.kind, part.target)
                for part in before[first:last]
                if isinstance(part, Block) and _key(part) not in map(_key, parts)
            ]
            shared = _shared_out(texts, [_bound(self.binder, section.parts[at]) for at in here])
            was |= dict(zip(here, shared, strict=True))
            next_at = places[start] if start < len(places) else len(section.parts)
            left = [] if here else texts
            gone += [likeness.GoneText(next_at, words) for words in (*left, *blocks) if words]
        now = {at: _bound(self.binder, section.parts[at]) for at in was}
        was = {at: words for at, words in was.items() if words != now[at]}
        new = (at for at in places if isinstance(section.parts[at], Code))
        return was | {at: "" for at in new if _key(section.parts[at]) not in keys}, tuple(gone)

    def table(self, view: TableView) -> TableView:
        """Returns the view of a table with the changes since the edition before marked.

        Merely editorial changes are not marked.
        """
        address = self.now.address_of_table(view.id)
        path, was = ("collections", *address), self.comparison.entity_was(*address)
        if was is None:
            return replace(view, new=not self.revised.unmarked(*path))
        old = composed_table(self.then_binder, was).renamed(path, self.comparison.now)
        return self._between(view, path, keyed_table(self.now, view), old)

    def _between(self, view: TableView, path: Path, new: KeyedTable, old: KeyedTable) -> TableView:
        """Returns the view of a table with marks on what differs between its old and new content.

        `path` is the path of the table in the new edition; rows and columns of `old` must have
        their ids in the new edition. Removed rows and columns are added as such. Merely editorial
        changes are not marked.
        """
        unmarked = self.revised.unmarked
        data, fields, _ = new.keys
        body = dict(zip(new.rows, view.body, strict=True))
        rows: list[BodyRow] = []
        gone: list[GoneRow] = []
        for row in likeness.together(list(old.rows), list(new.rows)):
            if row in body:
                rows.append(self._row(body[row], (*path, data, row), new, old))
            elif not unmarked(*path, data, row):
                cells = tuple(old.cells.get((row, column), "") for column in new.columns)
                gone.append(GoneRow(len(rows), old.rows[row][-1], cells))
        return replace(
            view,
            about_was=self._was(old.about, new.about, *path, "about"),
            body=tuple(rows),
            gone=tuple(gone),
            gone_columns=tuple(
                heads[-1]
                for column, heads in old.columns.items()
                if heads and column not in new.columns and not unmarked(*path, fields, column)
            ),
        )

    def _row(self, row: BodyRow, path: Path, new: KeyedTable, old: KeyedTable) -> BodyRow:
        key = path[-1]
        if key not in old.rows:
            return replace(row, new=not self.revised.unmarked(*path))
        texts = ((old.cells.get((key, at)), new.cells.get((key, at)), at) for at in new.columns)
        cells = (
            replace(cell, was=self._was(before, after, *path, column))
            for cell, (before, after, column) in zip(row.cells, texts, strict=True)
        )
        label = self._was(old.rows[key][-1], new.rows[key][-1], *path, new.keys[2])
        return replace(row, was=label, cells=tuple(cells))

    def _was(self, before: str | None, after: str | None, *path: str) -> str | None:
        """Returns the former text of the part at a path: `before`, or an empty text for None.

        Returns None if `before` and `after` are the same, or if the change is merely editorial.
        """
        return None if before == after or self.revised.unmarked(*path) else before or ""

    def steps(self, now: StepsView) -> StepsView:
        """Returns the steps of a procedure, or of the turn, with marks on lines that have changed.

        New and removed lines are marked too, but merely editorial changes are not.
        """
        path = ("collections", "procedures", now.id)
        was = self.comparison.was(*path)
        then: Sequence[str] = ()
        if self.revised.unmarked(*path, "steps"):
            return now
        if was in self.then.procedures or (now.id == SEQUENCE and self.then.sequence):
            then = steps_of(self.then_binder, was).steps
        return replace(now, marks=_lines(now.steps, then))

    def _is_marked(self, collection: str, id_: str, same: Callable[[str], bool]) -> bool:
        """Whether an entity is new, or differs from the edition before.

        Merely editorial changes do not count. `same` takes the former id of the entity and tells
        whether it was printed as it is now.
        """
        was = self.comparison.entity_was(collection, id_)
        if self.revised.unmarked("collections", collection, id_):
            return False
        return was is None or not same(was)

    def short(self, now: ShortExampleView) -> ShortExampleView:
        """Returns the short form of an example on the sheet, marked if it or its runs are new.

        Merely editorial changes are not marked.
        """

        def same(was: str) -> bool:
            return self._examples.short(was).runs == now.runs

        return replace(now, marked=self._is_marked("examples", now.id, same))

    def example(self, now: ExampleView) -> ExampleView:
        """Returns a worked example with its former texts, marked if its texts or runs have changed.

        A new example is marked too, without former texts. Merely editorial changes are not marked.
        """
        was = self.comparison.entity_was("examples", now.id)
        if was is None or self.revised.unmarked("collections", "examples", now.id):
            return replace(now, marked=self._is_marked("examples", now.id, lambda _: True))
        old = self._examples.whole(was)
        lines = likeness.line_marks(
            *([step.markdown for step in part.steps] for part in (now, old))
        )
        steps = zip(now.steps, lines.was, strict=True)
        said = replace(
            now,
            situation_was=None if old.situation == now.situation else old.situation,
            steps=tuple(replace(step, was=before) for step, before in steps),
            outcome_was=None if old.outcome == now.outcome else old.outcome,
        )
        played = [step.run for step in old.steps] == [step.run for step in now.steps]
        return replace(said, marked=said != now or bool(lines.gone) or not played)

    @cached_property
    def _examples(self) -> ExampleComposer:
        return ExampleComposer(self.then_binder)

    def picture(self, cutout_id: str) -> bool:
        """Whether a cutout is new, or its drawing or the text on its use has changed.

        Merely editorial changes do not count.
        """
        # The name and the number of an edition stand on each drawing, and are no difference.
        named = replace(self.then, header=self.now.header, standing=self.now.standing)

        def same(was: str) -> bool:
            use = self.then_binder.prose(self.then.cutouts[was].use)
            same_use = use == self.binder.prose(self.now.cutouts[cutout_id].use)
            return same_use and drawing_of(named, was) == drawing_of(self.now, cutout_id)

        return self._is_marked("cutouts", cutout_id, same)

    def figure(self, figure_id: str) -> bool:
        """Whether a figure is new, or its drawing or one of its texts has changed.

        Merely editorial changes do not count.
        """

        def printed(binder: Binder, id_: str) -> tuple[list[str], Picture]:
            figure = binder.ruleset.figures[id_]
            texts = [figure.about, *(note.note for note in notes_of(figure))]
            return list(map(binder.prose, texts)), picture_of_rule(binder, id_)

        def same(was: str) -> bool:
            return printed(self.then_binder, was) == printed(self.binder, figure_id)

        return self._is_marked("figures", figure_id, same)

    @cached_property
    def _charts(self) -> dict[str, ChartView]:
        views = chart_views(self.before.computed.charts)
        return {chart_line(line): view for line, view in views.items()}

    def chart(self, chart: Chart, now: ChartView) -> bool:
        """Whether a chart is new or shows other odds than in the edition before."""
        then = self._charts.get(chart_line(chart))
        return then is None or replace(then, id=now.id) != now

    def panel(self, phase_id: str, step_id: str) -> tuple[bool, likeness.LineMarks | None]:
        """Returns whether a panel of the sheet is new, and the marks of changes in its reminders.

        The marks are None if the panel is new, if its reminders are the same, or if their changes
        are merely editorial.
        """
        path = ("collections", "sequence", phase_id, "steps", step_id)
        was = self.comparison.was(*path[:3]), self.comparison.was(*path)
        phase = self.then.sequence.get(was[0])
        if phase is None or was[1] not in phase.steps:
            return not self.revised.unmarked(*path), None
        if self.revised.unmarked(*path, "say"):
            return False, None
        now, then = (TurnWords(binder) for binder in (self.binder, self.then_binder))
        return False, _lines(now.panel(phase_id, step_id), then.panel(*was))

    def gone_panels(self, phase_id: str) -> Iterator[str]:
        """Yields the titles of the panels that were removed from a phase.

        Panels whose removal is merely editorial are left out.
        """
        path = ("collections", "sequence", phase_id)
        old, steps = self.then.sequence.get(self.comparison.was(*path)), self.now.sequence[phase_id]
        for step_id, step in old.steps.items() if old else ():
            at = (*path, "steps", step_id)
            if self.comparison.now(at) not in steps.steps and not self.revised.unmarked(*at):
                yield step.title


def since_of(ruleset: Ruleset, before: Before | None) -> SinceView | None:
    """Returns the two editions between which changes are marked, for the explanation of the marks.

    Returns None if there is no edition before, or if the two differ only in edition, date or
    players. If `before` is the base of a variant, the result names the base.
    """
    if before is None or all(
        change.path[:2] in OF_EDITION for change in before.revised.comparison.own
    ):
        return None
    if before.is_base:
        header = before.ruleset.header
        base = f"{header.title} {header.edition}"
        return SinceView(DIFFERENT, header.edition, base, lengths=bool(ruleset.lengths))
    return SinceView(ruleset.header.edition, before.ruleset.header.edition)


def _is_silent(part: Part) -> bool:
    """Whether a part of a section prints nothing in its place: a note, or an empty text."""
    return isinstance(part, Remark) or (isinstance(part, Text) and not part.markdown.strip())


def _key(part: Part) -> tuple[str, ...]:
    """Returns a key that is the same for equal parts of two editions.

    It consists of the kind of the part and its text, the id of what it places, or its chart line.
    """
    if isinstance(part, Text):
        return ("text", " ".join(part.markdown.split()))
    if isinstance(part, Block):
        return (part.kind, part.target)
    if isinstance(part, Code):
        return ("code", part.text)
    return ("chart", chart_line(part)) if isinstance(part, Chart) else ("note",)


def _bound(binder: Binder, part: Part) -> str:
    return binder.text(part.markdown, part.bindings).strip() if isinstance(part, Text) else ""


def _shared_out(texts: Sequence[str], now: Sequence[str]) -> list[str]:
    """Assigns each old paragraph to the new text that is most like it.

    Returns for each text in `now` the old paragraphs assigned to it, joined. `texts` are the old
    texts, which are divided into paragraphs.
    """
    if len(now) == 1:
        return ["\n\n".join(texts)]
    shares: list[list[str]] = [[] for _ in now]
    if now:
        for paragraph in (paragraph for text in texts for paragraph in text.split("\n\n")):
            alike = [likeness.likeness(paragraph, text) for text in now]
            shares[alike.index(max(alike))].append(paragraph)
    return ["\n\n".join(share) for share in shares]


def _lines(now: Sequence[str], then: Sequence[str]) -> likeness.LineMarks | None:
    """Compares new lines with old ones (`then`).

    Returns the marks of changed, new and removed lines, or None if nothing changed.
    """
    marks = likeness.line_marks(now, then)
    return marks if marks.any else None
