"""An edition and the one before it -> what of each printed part changed, and is not editorial."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rulebook.documents.marks.before import Before
from rulebook.documents.marks.keyed_tables import KeyedTable, keyed_table
from rulebook.documents.parts.binding import (
    Binder,
    escape_markdown,
    title_of_heading,
    unbroken,
)
from rulebook.documents.parts.charts import chart_views
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.figures import drawing_of, figure_svg
from rulebook.documents.parts.tables import TableComposer
from rulebook.documents.parts.turn import TurnWords, steps_told
from rulebook.documents.parts.views import ExampleView, ShortExampleView, TableView, ToldView
from rulebook.drawing.charts import ChartView
from rulebook.figures.drawing import notes_of
from rulebook.model.lookup import LookupFault, find, parse_path, printed
from rulebook.model.plain_data import chart_line
from rulebook.model.prose import (
    COLLECTIONS_OF,
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
from rulebook.model.revisions import CLASSES, part_name
from rulebook.model.ruleset import Ruleset
from rulebook.model.sequence import SEQUENCE, Step
from rulebook.revisions import text_marks
from rulebook.revisions.changes import Ordered, Path, names_of
from rulebook.revisions.classes import OF_EDITION
from rulebook.revisions.release import Revised
from rulebook.translation import gettext, gettext_noop


@dataclass(frozen=True)
class Causes:
    """Of each part of the new edition, whether it changed, and whether that was only editorial."""

    revised: Revised

    @cached_property
    def _changes(self) -> list[tuple[Path, bool]]:
        """The paths of all changes that have a class, and whether that is editorial."""
        classing = self.revised.classing
        found = [
            (change, not CLASSES[one.class_].marked)
            for one in classing.classed
            for change in one.changes
        ]
        found += [(change, False) for change in classing.unclassed]
        return [(one.path, editorial) for one, editorial in found if not isinstance(one, Ordered)]

    @cached_property
    def _by_path(self) -> _Editorial:
        return _Editorial(self._changes)

    @cached_property
    def _by_name(self) -> _Editorial:
        """The same of values, by the keys with which bindings name them."""
        return _Editorial(
            (tuple(names_of(path)), editorial)
            for path, editorial in self._changes
            if path[0] in ("collections", "header") and len(path) > 1
        )

    def was(self, *path: str) -> str:
        """What the last key of a path was called in the edition before."""
        return self.revised.comparison.was(*path)

    def editorial(self, *path: str) -> bool:
        """Whether what changed here, inside of it or around it is editorial and nothing else.

        What changed without a change of its own follows from a rule.
        """
        follows = (
            self.editorial_value(source)
            for other, source in self.revised.comparison.follows.items()
            if other[: len(path)] == path[: len(other)]
        )
        return _all_editorial([*self._by_path.about(path), *follows])

    def editorial_value(self, target: str) -> bool:
        """The same of the value that a binding names."""
        try:
            path = parse_path(target)
        except LookupFault:
            return False
        keys = [key.text for key in (*(path.keys or ()), *path.parts)]
        return _all_editorial(self._by_name.about(tuple(map(part_name, (path.name.text, *keys)))))


class _Editorial:
    """Whether changes are editorial, by the paths of what they change."""

    def __init__(self, changes: Iterable[tuple[Path, bool]]) -> None:
        self._of: dict[Path, list[bool]] = defaultdict(list)
        self._inside: dict[Path, list[bool]] = defaultdict(list)
        for path, editorial in changes:
            self._of[path].append(editorial)
            for depth in range(len(path)):
                self._inside[path[:depth]].append(editorial)

    def about(self, path: Path) -> list[bool]:
        """Those of a part, of what is inside it and of what is around it."""
        around = [one for depth in range(len(path) + 1) for one in self._of.get(path[:depth], ())]
        return around + self._inside.get(path, [])


def _all_editorial(found: Sequence[bool]) -> bool:
    return bool(found) and all(found)


@dataclass(frozen=True)
class EarlierBinder(Binder):
    """Binds the values of the edition before, except where only words of them changed.

    Rules have the numbers of the new edition, `now`, as far as it has them, since a number that
    moved is no change of a rule.
    """

    now: Ruleset = field(kw_only=True)
    causes: Causes = field(kw_only=True)

    def numbers(self) -> dict[str, str]:
        return self._numbers

    @cached_property
    def _numbers(self) -> dict[str, str]:
        return {**rule_numbers(self.ruleset.chapters), **rule_numbers(self.now.chapters)}

    def _value(self, binding: Binding) -> str:
        if binding.kind == "rule":
            return self._reference(binding.target)
        found = list(self._found(binding.target))
        return escape_markdown(found[0]) if found else ""

    def _found(self, target: str) -> Iterator[str]:
        """The value as it prints in either edition, first that which is wanted."""
        editions = [self.ruleset, self.now]
        if self.causes.editorial_value(target):
            editions.reverse()
        for ruleset in editions:
            try:
                yield unbroken(printed(find(ruleset, target)))
            except (LookupFault, KeyError):
                continue

    def _title(self, heading: str) -> str:
        return title_of_heading(heading, self.now, self.ruleset)


#: The columns of a table are counted in characters; here no column is measured.
_ANY_ROOM = 76
#: Beside a bar that marks what differs from the base of a variant.
DIFFERENT = "≠"
#: What a part of the edition before is called where it is gone.
_CALLED = {
    "table": gettext_noop("Table: %(title)s"),
    "cutout": gettext_noop("Figure: %(title)s"),
    "figure": gettext_noop("Figure: %(title)s"),
    "example": gettext_noop("Example: %(title)s"),
    "steps": gettext_noop("Steps: %(title)s"),
}


@dataclass(frozen=True)
class Marks:
    """What has changed in an edition since the one before.

    `binder` is that of the new edition, with which the parts are composed; its computed tables
    stand in both rulesets.
    """

    before: Before
    binder: Binder

    @property
    def now(self) -> Ruleset:
        return self.binder.ruleset

    @property
    def then(self) -> Ruleset:
        return self.before.computed.ruleset

    @cached_property
    def causes(self) -> Causes:
        return Causes(self.before.revised)

    @cached_property
    def then_binder(self) -> EarlierBinder:
        """For the words of the edition before, as they are laid beside those of the new one."""
        return EarlierBinder(self.then, self.binder.references, now=self.now, causes=self.causes)

    @cached_property
    def _sections(self) -> dict[str, Section]:
        return {
            section.id: section for chapter in self.then.chapters for section in chapter.sections
        }

    def _section(self, section: Section) -> Section | None:
        return self._sections.get(self.causes.was("sections", section.id))

    def heading(self, section: Section) -> str | None:
        """The heading that a section had, if that is not only editorial."""
        if self.causes.editorial("sections", section.id):
            return None
        old = self._section(section)
        if old is None:
            return ""
        return None if old.title == section.title else old.title

    def texts(self, section: Section) -> tuple[dict[int, str], tuple[text_marks.GoneView, ...]]:
        """Of the texts of a section, by their places among its parts, what each was; what is gone.

        Texts that were the same are left out; what is new was empty.
        """
        # Of words that are editorial those of the new edition, with the values of the old one.
        editorial = self.causes.editorial("sections", section.id)
        old, binder = section if editorial else self._section(section), self.then_binder
        before = [part for part in (old.parts if old else ()) if not _is_silent(part)]
        places = [at for at, part in enumerate(section.parts) if not _is_silent(part)]
        parts = [section.parts[at] for at in places]
        was: dict[int, str] = {}
        gone: list[text_marks.GoneView] = []
        matcher = text_marks.Matcher(list(map(_key, before)), list(map(_key, parts)))
        for _, first, last, start, end in matcher.get_opcodes():
            here = [at for at in places[start:end] if isinstance(section.parts[at], Text)]
            texts = [_bound(binder, part) for part in before[first:last] if isinstance(part, Text)]
            blocks = [
                self._gone(part)
                for part in before[first:last]
                if _key(part) not in map(_key, parts)
            ]
            shared = _shared_out(texts, [_bound(self.binder, section.parts[at]) for at in here])
            was |= dict(zip(here, shared, strict=True))
            next_at = places[start] if start < len(places) else len(section.parts)
            left = [] if here else texts
            gone += [text_marks.GoneView(next_at, words) for words in (*left, *blocks) if words]
        now = {at: _bound(self.binder, section.parts[at]) for at in was}
        return {at: words for at, words in was.items() if words != now[at]}, tuple(gone)

    def code(self, section: Section, part: Code) -> bool:
        """Whether lines of code stood otherwise in the section, or not at all."""
        old = self._section(section)
        editorial = self.causes.editorial("sections", section.id)
        return not editorial and _key(part) not in map(_key, old.parts if old else ())

    def _gone(self, part: Part) -> str:
        """What is told of a block that is gone: its kind and title."""
        if not isinstance(part, Block):
            return ""
        collections = [getattr(self.then.collections, name) for name in COLLECTIONS_OF[part.kind]]
        found = next((one[part.target] for one in collections if part.target in one), None)
        return gettext(_CALLED[part.kind], title=getattr(found, "title", part.target))

    def table(self, view: TableView) -> TableView:
        """A table with marks where it has changed: not where only words did."""
        kind = "modifiers" if view.id in self.now.modifiers else "tables"
        path = ("collections", kind, view.id)
        was = self.causes.was(*path)
        if was in self.then.tables or was in self.then.modifiers:
            then = keyed_table(self.then, self._earlier_tables.view(was, _ANY_ROOM))
            old = then.renamed(path, self.before.revised.comparison.now)
            marks = self._between(path, keyed_table(self.now, view), old)
            return replace(view, marks=marks if marks.any else None)
        new = not self.causes.editorial(*path)
        return replace(view, marks=text_marks.TableMarks(new=True) if new else None)

    @cached_property
    def _earlier_tables(self) -> TableComposer:
        return TableComposer(self.then_binder, rules={}, notes={})

    def _between(self, path: Path, new: KeyedTable, old: KeyedTable) -> text_marks.TableMarks:
        """What changed in a table; `old` has the ids of the new edition."""
        editorial = self.causes.editorial
        data, fields, _ = new.keys
        order = list(new.rows)

        def behind(row: str) -> int:
            """Behind how many rows of the new edition a row stood that is gone."""
            before = list(old.rows)[: list(old.rows).index(row)]
            return max((order.index(one) + 1 for one in before if one in new.rows), default=0)

        return text_marks.TableMarks(
            new=False,
            about=old.about if old.about != new.about and not editorial(*path, "about") else None,
            rows=tuple(self._row((*path, data, row), new, old) for row in new.rows),
            gone=tuple(
                text_marks.GoneRow(
                    behind(row),
                    old.rows[row][-1],
                    tuple(old.cells.get((row, column), "") for column in new.columns),
                )
                for row in old.rows
                if row not in new.rows and not editorial(*path, data, row)
            ),
            columns=tuple(
                heads[-1]
                for column, heads in old.columns.items()
                if heads and column not in new.columns and not editorial(*path, fields, column)
            ),
        )

    def _row(self, path: Path, new: KeyedTable, old: KeyedTable) -> text_marks.RowMarks:
        key, editorial = path[-1], self.causes.editorial
        if key not in old.rows:
            return text_marks.RowMarks(not editorial(*path), None, (None,) * len(new.columns))
        cells = []
        for column in new.columns:
            before, after = old.cells.get((key, column)), new.cells.get((key, column))
            same = before == after or editorial(*path, column)
            cells.append(None if same else before or "")
        label = old.rows[key][-1]
        same_label = label == new.rows[key][-1] or editorial(*path, new.keys[2])
        return text_marks.RowMarks(False, None if same_label else label, tuple(cells))

    def steps(self, now: ToldView) -> ToldView:
        """The steps of a procedure in words, with marks where they have changed."""
        path = ("collections", "procedures", now.id)
        was = self.causes.was(*path)
        then: Sequence[str] = ()
        if self.causes.editorial(*path, "steps"):
            return now
        if was in self.then.procedures or (now.id == SEQUENCE and self.then.sequence):
            then = steps_told(self.then_binder, was).steps
        return replace(now, marks=_if_any(text_marks.line_marks(now.steps, then)))

    def short(self, now: ShortExampleView) -> ShortExampleView:
        """What the sheet prints of an example, and whether that has changed."""
        path = ("collections", "examples", now.id)
        was = self.causes.was(*path)
        if self.causes.editorial(*path):
            return now
        same = was in self.then.examples and self._examples.short(was).runs == now.runs
        return replace(now, marked=not same)

    def example(self, now: ExampleView) -> text_marks.ExampleMarks | None:
        """What has changed in a worked example."""
        path = ("collections", "examples", now.id)
        if self.causes.editorial(*path):
            return None
        was = self.causes.was(*path)
        if was not in self.then.examples:
            return text_marks.ExampleMarks(new=True)
        old = self._examples.whole(was)
        steps = tuple(one.markdown for one in old.steps)
        lines = text_marks.line_marks([one.markdown for one in now.steps], steps)
        played = [one.run for one in old.steps] == [one.run for one in now.steps]
        marks = text_marks.ExampleMarks(
            new=False,
            situation=_unless_same(old.situation, now.situation),
            steps=lines.was,
            outcome=_unless_same(old.outcome, now.outcome),
        )
        same = played and marks.situation is None and marks.outcome is None and not lines.any
        return None if same else marks

    @cached_property
    def _examples(self) -> ExampleComposer:
        return ExampleComposer(self.then_binder)

    def picture(self, cutout_id: str) -> bool:
        """Whether a cutout is drawn or used differently than before."""
        path = ("collections", "cutouts", cutout_id)
        was = self.causes.was(*path)
        if self.causes.editorial(*path):
            return False
        if was not in self.then.cutouts:
            return True
        use = self.binder.prose(self.now.cutouts[cutout_id].use)
        if self.then_binder.prose(self.then.cutouts[was].use) != use:
            return True
        # The name and the number of an edition stand on each drawing, and are no difference.
        named = replace(self.then, header=self.now.header, standing=self.now.standing)
        return drawing_of(named, was) != drawing_of(self.now, cutout_id)

    def figure(self, figure_id: str) -> bool:
        """Whether a picture of a rule shows or says something else than before."""
        path = ("collections", "figures", figure_id)
        was = self.causes.was(*path)
        if self.causes.editorial(*path):
            return False
        if was not in self.then.figures:
            return True
        now, then = self.now.figures[figure_id], self.then.figures[was]
        notes = [
            [binder.prose(one) for one in (figure.about, *(note.note for note in notes_of(figure)))]
            for binder, figure in ((self.binder, now), (self.then_binder, then))
        ]
        return notes[0] != notes[1] or (
            figure_svg(self.binder, figure_id) != figure_svg(self.then_binder, was)
        )

    @cached_property
    def _charts(self) -> dict[str, ChartView]:
        views = chart_views(self.before.computed.charts)
        return {chart_line(line): view for line, view in views.items()}

    def chart(self, chart: Chart, now: ChartView) -> bool:
        """Whether a chart shows other odds than it did."""
        then = self._charts.get(chart_line(chart))
        return then is None or replace(then, id=now.id) != now

    def panel(self, phase_id: str, step_id: str) -> tuple[bool, text_marks.LineMarks | None]:
        """Whether a panel of the sheet is new, and what has changed in its reminders."""
        path = ("collections", "sequence", phase_id, "steps", step_id)
        if self._step(path) is None:
            return not self.causes.editorial(*path), None
        now = TurnWords(self.binder).panel(phase_id, step_id)
        if self.causes.editorial(*path, "say"):
            return False, None
        was = self.causes.was(*path[:3]), self.causes.was(*path)
        then = TurnWords(self.then_binder).panel(*was)
        return False, _if_any(text_marks.line_marks(now, then))

    def _step(self, path: tuple[str, ...]) -> Step | None:
        phase = self.then.sequence.get(self.causes.was(*path[:3]))
        return phase.steps.get(self.causes.was(*path)) if phase else None

    def gone_panels(self, phase_id: str) -> Iterator[str]:
        """The titles of the panels that were removed from a phase."""
        path = ("collections", "sequence", phase_id)
        old = self.then.sequence.get(self.causes.was(*path))
        kept = {
            self.causes.was(*path, "steps", step_id)
            for step_id in self.now.sequence[phase_id].steps
        }
        for step_id, step in old.steps.items() if old else ():
            if step_id not in kept and not self.causes.editorial(*path, "steps", step_id):
                yield step.title


def since_of(ruleset: Ruleset, before: Before | None) -> text_marks.SinceView | None:
    """The editions between which changes are marked; None where nothing but the number differs."""
    if before is None or all(
        change.path[:2] in OF_EDITION for change in before.revised.comparison.own
    ):
        return None
    if before.is_base:
        header = before.ruleset.header
        base = f"{header.title} {header.edition}"
        return text_marks.SinceView(DIFFERENT, header.edition, base, lengths=bool(ruleset.lengths))
    return text_marks.SinceView(ruleset.header.edition, before.ruleset.header.edition)


def _is_silent(part: Part) -> bool:
    """Notes print elsewhere, and a text without words not at all."""
    return isinstance(part, Remark) or (isinstance(part, Text) and not part.markdown.strip())


def _key(part: Part) -> tuple[str, ...]:
    """By what a part is known again."""
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
    """The paragraphs of the edition before, each with the text of the new one it is most like."""
    if len(now) == 1:
        return ["\n\n".join(texts)]
    shares: list[list[str]] = [[] for _ in now]
    if now:
        for paragraph in (one for text in texts for one in text.split("\n\n")):
            alike = [text_marks.likeness(paragraph, text) for text in now]
            shares[alike.index(max(alike))].append(paragraph)
    return ["\n\n".join(share) for share in shares]


def _unless_same(then: str, now: str) -> str | None:
    return None if then == now else then


def _if_any(marks: text_marks.LineMarks) -> text_marks.LineMarks | None:
    return marks if marks.any else None
