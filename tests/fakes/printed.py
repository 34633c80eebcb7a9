"""The shipped American Civil War Game -> its files; each document is rendered once in a process."""

from __future__ import annotations

from functools import cache

from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset
from rulebook.problems import format_report
from rulebook.publications.documents import compose
from rulebook.publications.publication import Publication
from rulebook.render.jobs import render
from rulebook.shipped import content_folder, templates_folder


@cache
def acw() -> Ruleset:
    loaded = load(content_folder() / "acw")
    assert loaded.ruleset is not None, format_report(loaded.report)
    return loaded.ruleset


def dice_of(example_id: str) -> list[str]:
    """The faces of all dice of an example, in the order in which they fall."""
    runs = acw().examples[example_id].runs.values()
    return [str(face) for run in runs for face in run.dice]


@cache
def acw_publications() -> tuple[Publication, ...]:
    return tuple(compose(acw()))


def publication_of(path: str) -> Publication:
    """The publication to which a file belongs."""
    return next(
        publication
        for publication in acw_publications()
        if any(artefact.path == path for artefact in publication.artefacts)
    )


@cache
def _files(name: str) -> dict[str, bytes]:
    publication = next(one for one in acw_publications() if one.name == name)
    wanted = frozenset(artefact.path for artefact in publication.artefacts)
    return {made.path: made.data for made in render(publication, templates_folder(), wanted)}


def printed(path: str) -> bytes:
    """The bytes of a file, such as qrs-a4.pdf."""
    return _files(publication_of(path).name)[path]
