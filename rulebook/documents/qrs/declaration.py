"""The quick reference: a sheet on each paper in each ink, and a page for a screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.cache import Cache
from rulebook.documents.parts.document import (
    File,
    Kind,
    LaidOut,
    Planned,
    Rendered,
    of_ink,
    planned,
    screen,
)
from rulebook.translation import gettext, gettext_noop

if TYPE_CHECKING:
    from rulebook.documents.marks.before import Before
    from rulebook.documents.parts.views import Identity
    from rulebook.documents.qrs.views import PhaseView, QrsView
    from rulebook.model.ruleset import Ruleset
    from rulebook.paper import PaperName

GROUP = gettext_noop("Quick reference")


def plan_qrs(ruleset: Ruleset, identity: Identity, before: Before | None) -> Iterator[Planned]:
    """The documents of the quick reference, if the ruleset asks for it."""
    spec = ruleset.header.documents.qrs
    if spec is None:
        return

    @cache
    def phases() -> tuple[PhaseView, ...]:
        from rulebook.documents.parts.cutout_drawings import QRS_PICTURE, small_picture
        from rulebook.documents.qrs.compose import compose_phases

        picture = partial(small_picture, ruleset, QRS_PICTURE)
        return compose_phases(ruleset, picture, before=before)

    def view(paper: PaperName | None) -> QrsView:
        from rulebook.documents.marks.all_marks import since_of
        from rulebook.documents.qrs.views import QrsView

        since = since_of(ruleset, before)
        return QrsView(identity, paper, spec.sides, spec.columns, phases(), since)

    title = gettext(GROUP)
    for paper in spec.papers:
        name = f"qrs-{paper}"
        files = (File(f"{of_ink(name, ink)}.pdf", "pdf", paper, ink) for ink in spec.inks)
        yield planned(ruleset, "qrs", name, title, partial(view, paper), *files)
    page = File("qrs.html", "html")
    yield planned(ruleset, "qrs-screen", "qrs", title, partial(view, None), page)


def _sheets(
    view: QrsView, files: Sequence[File], templates: Path, cache: Cache
) -> Iterable[Rendered]:
    from rulebook.documents.qrs.layout import sheet_pages

    inks = tuple(dict.fromkeys(file.ink or "full" for file in files))
    sides = sheet_pages(view, inks, templates, cache)
    for file in files:
        made = sides[file.ink or "full"]
        yield Rendered(file.path, made.data, made.count, LaidOut(made.count, made.stands))


def _page(view: QrsView, file: File, templates: Path) -> tuple[str, list[str]]:
    from rulebook.documents.qrs.galley import Galleys
    from rulebook.documents.qrs.layout import arrange, sheet_page

    galleys = Galleys(view, templates)
    return sheet_page(galleys, arrange(galleys), file.ink or "full")


def _screen(view: QrsView, templates: Path) -> str:
    from rulebook.documents.parts.screens import screen_page

    return screen_page(SCREEN, view, templates, screen=True)


SHEET = Kind(
    "qrs",
    _sheets,
    GROUP,
    templates=("qrs.html.j2", "qrs-galley.html.j2", "parts/qrs-block.html.j2"),
    styles=("tables", "dice", "qrs"),
    page=_page,
)
SCREEN = Kind(
    "qrs-screen",
    screen(_screen),
    GROUP,
    templates=("qrs-screen.html.j2",),
    styles=("tables", "dice", "qrs-screen", "revised"),
)
KINDS = (SHEET, SCREEN)
