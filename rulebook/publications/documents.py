"""A ruleset -> all its publications, each a view model and the files that it becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

from rulebook.core.charts import ChartOdds
from rulebook.core.compute import Computed, compute
from rulebook.cutouts.drawing import Drawing
from rulebook.cutouts.elements import Look
from rulebook.cutouts.svg import svg, svg_miniature
from rulebook.model.prose import Chart
from rulebook.model.ruleset import ALL_TOGETHER, Ruleset
from rulebook.paper import PaperName
from rulebook.publications.before import Before
from rulebook.publications.binding import Binder
from rulebook.publications.booklet import BookletView, compose_booklet
from rulebook.publications.cards import CardsView, DeckView, compose_deck
from rulebook.publications.cutout_sheets import (
    ALL_CUTOUTS,
    all_cutouts_view,
    cutout_view,
    drawing_of,
)
from rulebook.publications.figures import MOST, FigureRow, figure_rows
from rulebook.publications.marks import Marks, since_of
from rulebook.publications.publication import (
    Artefact,
    Document,
    Imposition,
    Planned,
    Publication,
)
from rulebook.publications.qrs import PhaseView, QrsView, compose_phases
from rulebook.publications.revision_documents import revision_documents
from rulebook.publications.scenario_documents import scenario_documents
from rulebook.publications.scenario_maps import DrawingView
from rulebook.publications.small_pictures import CARD_PICTURE, QRS_PICTURE, is_long, small_picture
from rulebook.publications.views import Identity, as_view
from rulebook.quantities import format_date

#: How the booklet is laid out, and the papers that each layout serves: A4 and Letter agree page for
#: page.
BOOKLET_LAYOUTS = {"a5": ("a5",), "large": ("a4", "letter")}
#: The layout whose pages are folded from sheets of twice their size.
FOLDED_LAYOUT = "a5"


def compose(
    ruleset: Ruleset, computed: Computed | None = None, before: Before | None = None
) -> list[Publication]:
    """All documents that the ruleset asks for, composed: see `plan`."""
    made = (planned.compose() for planned in plan(ruleset, computed or compute(ruleset), before))
    return [publication for publication in made if publication is not None]


def plan(ruleset: Ruleset, computed: Computed, before: Before | None) -> list[Planned]:
    """All documents that the ruleset asks for: sheet, booklet, cards, cutouts, scenarios.

    `computed` is what follows from the ruleset. What changed since the edition `before` is marked,
    or what of a variant differs from its base, unless the ruleset has it otherwise.
    """
    read, ruleset = ruleset, computed.ruleset
    shown = (before.marked or before) if before and ruleset.header.documents.marks else None
    to_read = list(_to_read(computed, shown))
    made = [*to_read, *_cutouts(ruleset)]
    if before is not None and not before.is_base:
        marked = to_read if shown is before else list(_to_read(computed, before))
        old = list(_cards_of_before(ruleset, before))
        made += revision_documents(read, before, identity_of(ruleset), marked=marked, old=old)
    return [*made, *scenario_documents(read, computed, identity_of(ruleset))]


def _cards_of_before(ruleset: Ruleset, before: Before) -> Iterator[Planned]:
    """The cards of the edition before; what is only editorial is as it is now."""
    old = before.computed.ruleset
    binder = Marks(before, Binder(ruleset, references="number")).then_binder
    yield from _cards(old, identity_of(old), binder)


def _to_read(computed: Computed, before: Before | None) -> Iterator[Planned]:
    """Sheet, booklet and cards."""
    ruleset = computed.ruleset
    identity = identity_of(ruleset)
    yield from _qrs(ruleset, identity, before)
    yield from _booklet(ruleset, identity, computed.charts, before)
    yield from _cards(ruleset, identity)


def identity_of(ruleset: Ruleset) -> Identity:
    """What every document says of the ruleset; the date in words, if it has one."""
    header = ruleset.header
    return Identity(
        ruleset=ruleset.id,
        title=header.title,
        subtitle=header.subtitle or "",
        edition=ruleset.edition_told,
        date=format_date(header.date) if header.date else "",
        language=header.language,
        accent=header.accent,
        asked=ruleset.asked_of(ruleset.lengths),
        optional=bool(ruleset.chosen),
        withdrawn=ruleset.standing.reason or "",
    )


def _booklet_pictures(ruleset: Ruleset) -> dict[FigureRow, tuple[str, ...]]:
    """The rows of figures of the booklet, and their pictures."""
    look = Look(accent=ruleset.header.accent)
    drawings = {cutout: drawing_of(ruleset, cutout) for cutout in ruleset.cutouts}
    rows = figure_rows(ruleset.chapters, lambda cutout: _room_beside(drawings[cutout]))
    return {
        row: tuple(svg_miniature(drawings[cutout], row.width, look) for cutout in row.cutouts)
        for row in rows
    }


def _room_beside(drawing: Drawing) -> int:
    """How many such drawings may stand in a row: more words and measures need more room."""
    shown = drawing.picture or drawing
    if is_long(drawing):
        return 1
    return MOST if max(len(shown.captions), len(shown.measures)) < 3 else 2


def _planned(
    ruleset: Ruleset,
    kind: str,
    name: str,
    title: str,
    view: Callable[[], object],
    *artefacts: Artefact,
) -> Planned:
    document = Document(ruleset.id, ruleset.form, kind, name, title, artefacts)

    def composed() -> Publication:
        return Publication(ruleset.id, ruleset.form, kind, name, title, as_view(view()), artefacts)

    return Planned(document, composed)


def _qrs(ruleset: Ruleset, identity: Identity, before: Before | None) -> Iterator[Planned]:
    spec = ruleset.header.documents.qrs
    if spec is None:
        return

    @cache
    def phases() -> tuple[PhaseView, ...]:
        picture = partial(small_picture, ruleset, QRS_PICTURE)
        return compose_phases(ruleset, picture, before=before)

    def view(paper: PaperName | None) -> QrsView:
        since = since_of(ruleset, before)
        return QrsView(identity, paper, spec.sides, spec.columns, phases(), since)

    title = "Quick reference"
    for paper in spec.papers:
        artefacts = (
            Artefact(f"qrs-{paper}{_suffix(ink)}.pdf", "pdf", paper, ink) for ink in spec.inks
        )
        yield _planned(ruleset, "qrs", f"qrs-{paper}", title, partial(view, paper), *artefacts)
    page = Artefact("qrs.html", "html")
    yield _planned(ruleset, "qrs-screen", "qrs", title, partial(view, None), page)


def _suffix(ink: str) -> str:
    return "" if ink == "full" else f"-{ink}"


def _booklet(
    ruleset: Ruleset,
    identity: Identity,
    charts: Mapping[Chart, ChartOdds],
    before: Before | None,
) -> Iterator[Planned]:
    spec = ruleset.header.documents.booklet
    if spec is None:
        return

    @cache
    def pictures() -> dict[FigureRow, tuple[str, ...]]:
        return _booklet_pictures(ruleset)

    def view(layout: str | None) -> BookletView:
        return compose_booklet(ruleset, identity, layout, pictures(), charts, before=before)

    for layout, papers in BOOKLET_LAYOUTS.items():
        artefacts = tuple(
            Artefact(f"booklet-{paper}.pdf", "pdf", paper, "full")
            for paper in spec.papers
            if paper in papers
        )
        if layout == FOLDED_LAYOUT:
            artefacts += tuple(
                Artefact(f"booklet-{paper}-imposed.pdf", "pdf", paper, "full", "saddle stitch")
                for paper in spec.imposed or ()
            )
        if artefacts:
            name = f"booklet-{layout}"
            yield _planned(ruleset, "booklet", name, "Booklet", partial(view, layout), *artefacts)
    page = Artefact("booklet.html", "html")
    yield _planned(ruleset, "booklet-screen", "booklet", "Booklet", partial(view, None), page)


def _cards(ruleset: Ruleset, identity: Identity, binder: Binder | None = None) -> Iterator[Planned]:
    """A file for each paper and ink of each deck, its cards one by one, and a page with all decks.

    The single cards, with bleed and in the first ink, are what printing services ask for.
    """
    spec = ruleset.header.documents.cards
    if spec is None or not ruleset.decks:
        return

    @cache
    def view(deck_id: str) -> DeckView:
        picture = partial(small_picture, ruleset, CARD_PICTURE)
        return compose_deck(ruleset, deck_id, identity, picture, spec, binder=binder)

    for deck_id, deck in ruleset.decks.items():
        how: Imposition = "gutterfold" if spec.gutterfold and deck.back else "n-up"
        name = f"cards-{deck_id.replace('_', '-')}"
        sheets = (
            Artefact(f"{name}-{paper}{_suffix(ink)}.pdf", "pdf", paper, ink, how)
            for paper in spec.papers
            for ink in spec.inks
        )
        singles = Artefact(f"{name}-singles.pdf", "pdf", ink=spec.inks[0])
        yield _planned(ruleset, "cards", name, deck.title, partial(view, deck_id), *sheets, singles)
    page = Artefact("cards.html", "html")
    yield _planned(
        ruleset,
        "cards-screen",
        "cards",
        "Cards",
        lambda: CardsView(identity, tuple(map(view, ruleset.decks))),
        page,
    )


def _cutouts(ruleset: Ruleset) -> Iterator[Planned]:
    spec = ruleset.header.documents.cutouts
    if spec is None:
        return
    for cutout_id, cutout in ruleset.cutouts.items():
        name = f"cutouts/{cutout_id.replace('_', '-')}"
        for paper in spec.papers:
            artefact = Artefact(f"{name}-{paper}.pdf", "pdf", paper, "full")
            sheets = partial(cutout_view, ruleset, cutout_id, paper)
            yield _planned(ruleset, "cutout", f"{name}-{paper}", cutout.title, sheets, artefact)
        picture = Artefact(f"{name}.svg", "svg")
        drawing = partial(_drawing_file, ruleset, cutout_id)
        yield _planned(ruleset, "drawing", name, cutout.title, drawing, picture)
    if len(ruleset.cutouts) < 2 or not spec.together:
        return
    for paper in spec.papers:
        name = f"cutouts/{ALL_TOGETHER}-{paper}"
        artefact = Artefact(f"{name}.pdf", "pdf", paper, "full")
        sheets = partial(all_cutouts_view, ruleset, paper)
        yield _planned(ruleset, "cutout", f"cutouts/all-{paper}", ALL_CUTOUTS, sheets, artefact)


def _drawing_file(ruleset: Ruleset, cutout_id: str) -> DrawingView:
    return DrawingView(svg(drawing_of(ruleset, cutout_id)))
