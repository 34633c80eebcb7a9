"""An edition and the one before it -> what has changed in each printed part.

The composers of booklet and sheet ask here for each part that they make. It is compared with the
edition before as that would print today: with its rules, but with the words and values of the new
edition wherever only an editorial change was made. Whatever still differs is marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property

from rulebook.documents.marks.before import Before
from rulebook.documents.marks.causes import Causes, EarlierBinder
from rulebook.documents.marks.table_marks import TableMarker
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.charts import chart_views
from rulebook.documents.parts.examples import ExampleComposer
from rulebook.documents.parts.figures import drawing_of
from rulebook.documents.parts.views import ExampleView, ShortExampleView, TableView, ToldView
from rulebook.model.plain_data import chart_line
from rulebook.model.prose import COLLECTIONS_OF, Block, Chart, Remark, Section, Text
from rulebook.model.ruleset import Ruleset
from rulebook.model.sequence import Step
from rulebook.revisions.classes import OF_EDITION
from rulebook.revisions.text_marks import (
    ExampleMarks,
    GoneView,
    LineMarks,
    SinceView,
    likeness,
    line_marks,
)
from rulebook.translation import gettext, gettext_noop
from rulebook.typeset.chart_views import ChartView

SectionPart = Text | Block | Chart | Remark
#: Beside a bar that marks what differs from the base of a variant.
DIFFERENT = "≠"
#: What a part of the edition before is called where it is gone.
_CALLED = {
    "table": gettext_noop("Table: %(title)s"),
    "cutout": gettext_noop("Figure: %(title)s"),
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

    def _earlier(self, source: Ruleset) -> EarlierBinder:
        return EarlierBinder(
            source, self.binder.references, then=self.then, now=self.now, causes=self.causes
        )

    @cached_property
    def then_binder(self) -> EarlierBinder:
        """For the words of the edition before, as they are laid beside those of the new one."""
        return self._earlier(self.then)

    @cached_property
    def _now_binder(self) -> EarlierBinder:
        """For words that are editorial: those of the new edition, with the values of the old."""
        return self._earlier(self.now)

    @cached_property
    def _sections(self) -> dict[str, Section]:
        return {
            section.id: section for chapter in self.then.chapters for section in chapter.sections
        }

    @cached_property
    def _tables(self) -> TableMarker:
        return TableMarker(self.causes, self.then_binder, self._now_binder)

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

    def texts(self, section: Section) -> tuple[dict[int, str], tuple[GoneView, ...]]:
        """Of the texts of a section, by their places among its parts, what each was; what is gone.

        Texts that were the same are left out; what is new was empty.
        """
        editorial = self.causes.editorial("sections", section.id)
        old = section if editorial else self._section(section)
        binder = self._now_binder if editorial else self.then_binder
        before = [part for part in (old.parts if old else ()) if not _is_silent(part)]
        places = [at for at, part in enumerate(section.parts) if not _is_silent(part)]
        parts = [section.parts[at] for at in places]
        was: dict[int, str] = {}
        gone: list[GoneView] = []
        matcher = SequenceMatcher(
            None, list(map(_key, before)), list(map(_key, parts)), autojunk=False
        )
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
            gone += [GoneView(next_at, words) for words in (*left, *blocks) if words]
        now = {at: _bound(self.binder, section.parts[at]) for at in was}
        return {at: words for at, words in was.items() if words != now[at]}, tuple(gone)

    def _gone(self, part: SectionPart) -> str:
        """What is told of a block that is gone: its kind and title."""
        if not isinstance(part, Block):
            return ""
        collections = [getattr(self.then.collections, name) for name in COLLECTIONS_OF[part.kind]]
        found = next((one[part.target] for one in collections if part.target in one), None)
        return gettext(_CALLED[part.kind], title=getattr(found, "title", part.target))

    def table(self, view: TableView) -> TableView:
        """A table with marks where it has changed."""
        return replace(view, marks=self._tables.marks(view))

    def steps(self, now: ToldView) -> ToldView:
        """The steps of a procedure in words, with marks where they have changed."""
        path = ("collections", "procedures", now.id)
        was = self.causes.was(*path)
        then: Sequence[str] = ()
        if self.causes.editorial(*path, "steps"):
            then = self._now_binder.steps(now.id).steps
        elif was in self.then.procedures:
            then = self.then_binder.steps(was).steps
        return replace(now, marks=_if_any(line_marks(now.steps, then)))

    def short(self, now: ShortExampleView) -> ShortExampleView:
        """What the sheet prints of an example, and whether that has changed."""
        path = ("collections", "examples", now.id)
        was = self.causes.was(*path)
        if self.causes.editorial(*path):
            return now
        same = was in self.then.examples and self._examples.short(was).runs == now.runs
        return replace(now, marked=not same)

    def example(self, now: ExampleView) -> ExampleMarks | None:
        """What has changed in a worked example."""
        path = ("collections", "examples", now.id)
        if self.causes.editorial(*path):
            return None
        was = self.causes.was(*path)
        if was not in self.then.examples:
            return ExampleMarks(new=True)
        old = self._examples.whole(was)
        steps = tuple(one.markdown for one in old.steps)
        lines = line_marks([one.markdown for one in now.steps], steps)
        played = [one.run for one in old.steps] == [one.run for one in now.steps]
        marks = ExampleMarks(
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

    @cached_property
    def _charts(self) -> dict[str, ChartView]:
        views = chart_views(self.before.computed.charts)
        return {chart_line(line): view for line, view in views.items()}

    def chart(self, chart: Chart, now: ChartView) -> bool:
        """Whether a chart shows other odds than it did."""
        then = self._charts.get(chart_line(chart))
        return then is None or replace(then, id=now.id) != now

    def panel(self, phase_id: str, step_id: str) -> tuple[bool, LineMarks | None]:
        """Whether a panel of the sheet is new, and what has changed in its reminders."""
        path = ("collections", "sequence", phase_id, "steps", step_id)
        now = self.now.sequence[phase_id].steps[step_id]
        old = self._step(path)
        if old is None:
            return not self.causes.editorial(*path), None
        editorial = self.causes.editorial(*path, "say")
        binder, say = (self._now_binder, now.say) if editorial else (self.then_binder, old.say)
        then = [binder.prose(line) for line in say]
        return False, _if_any(line_marks([self.binder.prose(line) for line in now.say], then))

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


def since_of(ruleset: Ruleset, before: Before | None) -> SinceView | None:
    """The editions between which changes are marked; None where nothing but the number differs."""
    if before is None or all(
        change.path[:2] in OF_EDITION for change in before.revised.comparison.own
    ):
        return None
    if before.is_base:
        header = before.ruleset.header
        base = f"{header.title} {header.edition}"
        return SinceView(DIFFERENT, header.edition, base, lengths=bool(ruleset.lengths))
    return SinceView(ruleset.header.edition, before.ruleset.header.edition)


def _is_silent(part: SectionPart) -> bool:
    """Notes print elsewhere, and a text without words not at all."""
    return isinstance(part, Remark) or (isinstance(part, Text) and not part.markdown.strip())


def _key(part: SectionPart) -> tuple[str, ...]:
    """By what a part is known again."""
    if isinstance(part, Text):
        return ("text", " ".join(part.markdown.split()))
    if isinstance(part, Block):
        return (part.kind, part.target)
    return ("chart", chart_line(part)) if isinstance(part, Chart) else ("note",)


def _bound(binder: Binder, part: SectionPart) -> str:
    return binder.text(part.markdown, part.bindings).strip() if isinstance(part, Text) else ""


def _shared_out(texts: Sequence[str], now: Sequence[str]) -> list[str]:
    """The paragraphs of the edition before, each with the text of the new one it is most like."""
    if len(now) == 1:
        return ["\n\n".join(texts)]
    shares: list[list[str]] = [[] for _ in now]
    if now:
        for paragraph in (one for text in texts for one in text.split("\n\n")):
            alike = [likeness(paragraph, text) for text in now]
            shares[alike.index(max(alike))].append(paragraph)
    return ["\n\n".join(share) for share in shares]


def _unless_same(then: str, now: str) -> str | None:
    return None if then == now else then


def _if_any(marks: LineMarks) -> LineMarks | None:
    return marks if marks.any else None
