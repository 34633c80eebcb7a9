"""Stages that cost nothing: what a build does with them is what the tests look at.

They are functions of a module, so that worker processes find them too.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rulebook.build.report import Listener, Outcome
from rulebook.build.run import Job, JobResult
from rulebook.cache import NOTHING_KEPT, Cache
from rulebook.core.compute import Computed
from rulebook.documents.document_kind import ComposedDocument, Document, File, Planned, Rendered
from rulebook.loading.loaded import Loaded
from rulebook.model.header import Header
from rulebook.model.ruleset import Collections, Ruleset
from rulebook.problems import Problem, RenderFault, Report, Span


@dataclass(frozen=True, slots=True)
class Fate:
    """What befalls a document when it is rendered."""

    fate: str
    offset: tuple[float, float] | None = None


def load(folder: Path, *_: object, resolving: bool = True) -> Loaded:
    """The file `text` of the folder is the ruleset; `fault` in it is a fault of the content."""
    text = (folder / "text").read_text("utf-8")
    if text == "explode":
        raise ZeroDivisionError("one over none")
    if text == "fault":
        problem = Problem("R301", "no table 'musketery'", Span(str(folder / "text")))
        return Loaded(None, Report([problem]), 1)
    header = Header.model_validate(
        {"title": f"The {folder.name}", "edition": "2.0", "date": "2010-07-16", "chapters": []}
    )
    ruleset = Ruleset(folder.name, header, Collections(), (), {("text",): Span(text)})
    return Loaded(ruleset, Report(), 1)


def compute(ruleset: Ruleset) -> Computed:
    return Computed(ruleset, {})


def check(ruleset: Ruleset, computed: Computed, cache: Cache) -> Report:
    return Report()


def before(folder: Path, ruleset: Ruleset) -> tuple[None, list[Problem]]:
    return None, []


def plan(ruleset: Ruleset, *_: object) -> list[Planned]:
    """One document for each line of the text: its name, what befalls it, its files."""
    text = ruleset.places[("text",)].path
    return [planned(composed(ruleset.id, *line.split("|"))) for line in text.splitlines()]


def planned(made: ComposedDocument) -> Planned:
    document = Document(*(getattr(made, name) for name in Document.__dataclass_fields__))
    fate = made.view.fate
    if fate == "empty":
        return Planned(document, lambda: None)
    return Planned(document, lambda: made.view, place=lambda *at: Span("/".join(map(str, at))))


def composed(ruleset: str, name: str, fate: str, *paths: str) -> ComposedDocument:
    paths = paths or (f"{name}-a4.pdf", f"{name}-letter.pdf", f"{name}.html")
    files = tuple(
        File(
            path,
            "html" if path.endswith("html") else "pdf",
            next((paper for paper in ("a4", "letter") if paper in path), None),
            "low" if "low" in path else ("full" if path.endswith("pdf") else None),
        )
        for path in paths
    )
    kind = name if name in ("qrs", "booklet", "cards") else "cutout"
    called = (kind, name, name.capitalize(), "en")
    return ComposedDocument(ruleset, "2.0", *called, files, Fate(fate))


def ingredients(composed: ComposedDocument, templates: Path) -> dict[str, str]:
    files = sorted(path for path in templates.glob("*") if path.is_file())
    return {path.name: path.read_text("utf-8") for path in files}


def render(
    composed: ComposedDocument, templates: Path, wanted: frozenset[str], cache: Cache = NOTHING_KEPT
) -> list[Rendered]:
    fate = composed.view.fate
    if fate == "fault":
        raise RenderFault((Problem("R601", f"{composed.name} does not fit"),))
    if fate == "crash":
        raise KeyError("lost")
    if fate == "library":
        raise OSError("cannot load library 'libpango-1.0-0': no such file")
    if fate == "die":
        os._exit(3)
    if fate == "exit":
        raise SystemExit(9)
    if fate == "nothing":
        return []
    if fate == "unpicklable":
        return [Rendered("x", lambda: None, None)]  # type: ignore[arg-type]
    if fate == "crowded":
        warning = Problem("R475", "no room", severity="warning")
        return [Rendered(path, b"", 1, "", ((("map",), warning),)) for path in sorted(wanted)]
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return [
        Rendered(path, f"{path} {fate} {epoch}".encode(), 2 if path.endswith("pdf") else None)
        for path in sorted(wanted)
    ]


def blank(
    composed: ComposedDocument, templates: Path, wanted: frozenset[str], cache: Cache
) -> list[Rendered]:
    """Empty files of any document."""
    return [Rendered(path, b"", None) for path in sorted(wanted)]


def warm_up(templates: Path) -> None:
    pass


def bad_warm_up(templates: Path) -> None:
    raise OSError("cannot load library")


def render_template(name: str, view: Mapping[str, Any], templates: Path) -> str:
    return f"{name} {view}"


#: Where a build finds each stage.
STAGES = {
    "load": "rulebook.loading.editions.load_standing",
    "compute": "rulebook.core.compute.compute",
    "check": "rulebook.checking.all_checks.check",
    "before": "rulebook.documents.before.find_before",
    **{
        name: f"rulebook.documents.catalogue.{name}"
        for name in ("plan", "ingredients", "render", "warm_up")
    },
    "render_template": "rulebook.typeset.environment.render_template",
}


def use(patch: pytest.MonkeyPatch, **stages: Any) -> None:
    """Have builds take these stages, or None that are not to be called; all fakes, by default."""
    for name, stage in (stages or {name: globals()[name] for name in STAGES}).items():
        patch.setattr(STAGES[name], stage)


@dataclass
class Ear(Listener):
    """Keeps what it hears."""

    reasons: dict[str, str] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    stops: list[Exception] = field(default_factory=list)

    def ended(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)

    def stopped(self, fault: Exception) -> None:
        self.stops.append(fault)

    def stale(self, path: str, reason: str) -> None:
        self.reasons[path] = reason

    def wrote(self, path: str, entry: Any, remark: str = "") -> None:
        self.written.append(path)

    def noted(self, text: str) -> None:
        self.notes.append(text)


NAMES = ["one", "two", "three", "four", "five"]


def jobs(templates: Path, **fates: str) -> list[Job]:
    """One for each name, which renders one file, or meets its fate."""
    made = [composed("acw", name, fates.get(name, "ok")) for name in NAMES]
    return [
        Job(number, one, templates, frozenset([f"{one.name}-a4.pdf"]))
        for number, one in enumerate(made)
    ]


def told(results: Iterable[JobResult]) -> dict[int, str]:
    """By the number of each job the file that it rendered, or the code of its fault."""
    return {
        result.number: result.problems[0].code if result.problems else result.rendered[0].path
        for result in results
    }
