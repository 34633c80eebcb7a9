"""A kind of document: how its files are made of a view, and what else shapes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulebook.cache import Cache
from rulebook.documents.parts.publication import (
    Artefact,
    Document,
    Planned,
    Publication,
    Rendered,
)
from rulebook.documents.parts.views import as_view

if TYPE_CHECKING:
    from rulebook.model.ruleset import Ruleset
    from rulebook.typeset.kept_charts import Charts

View = Mapping[str, Any]
#: The wanted files of a view with the templates of a folder; raises RenderFault.
Render = Callable[[View, Sequence[Artefact], Path, Cache], Iterable[Rendered]]
#: The page of a file as HTML, and its styles.
Page = Callable[[View, Artefact, Path], tuple[str, list[str]]]


def _nothing(_: View) -> tuple[Any, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Kind:
    """The one declaration of a kind of document, in the room of its document.

    `group` is what the way in calls it. `templates` and `styles` are those that its pages are set
    with, `decks` the views of decks of cards in its view, `libraries` what it is made with besides
    the libraries of all pages. `page` is told of what is one page of HTML, for other programs to
    print. `with_offset` adds to a view of what is printed back to back by how much the backs are
    to be moved, right and up, in mm. What prints pages of others again is made `after_others`.

    A declaration imports what composes and lays out its documents when it is called: what documents
    there are is told without either.
    """

    name: str
    render: Render
    group: str = ""
    templates: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    decks: Callable[[View], Sequence[View]] = _nothing
    libraries: Callable[[View], tuple[str, ...]] = _nothing
    page: Page | None = None
    with_offset: Callable[[View, tuple[float, float]], View] | None = None
    after_others: bool = False


def screen(page: Callable[[View, Path], str]) -> Render:
    """What makes a page for a screen."""
    return charted_screen(lambda view, templates, _: page(view, templates))


def charted_screen(page: Callable[[View, Path, Charts], str]) -> Render:
    """What makes a page for a screen with charts."""

    def pages(
        view: View, artefacts: Sequence[Artefact], templates: Path, cache: Cache
    ) -> Iterable[Rendered]:
        from rulebook.typeset.kept_charts import Charts

        for artefact in artefacts:
            yield Rendered(artefact.path, page(view, templates, Charts(cache)).encode(), None)

    return pages


def planned(
    ruleset: Ruleset,
    kind: str,
    name: str,
    title: str,
    view: Callable[[], object],
    *artefacts: Artefact,
) -> Planned:
    """A document of a ruleset, whose view is composed by `view`."""
    document = Document(ruleset.id, ruleset.form, kind, name, title, artefacts)

    def composed() -> Publication:
        return Publication(ruleset.id, ruleset.form, kind, name, title, as_view(view()), artefacts)

    return Planned(document, composed)


def of_ink(name: str, ink: str) -> str:
    """The name of a file in an ink: that of full ink has no ending."""
    return name if ink == "full" else f"{name}-{ink}"
