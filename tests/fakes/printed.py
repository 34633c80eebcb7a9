"""The shipped rulesets -> their files; each is rendered once for all tests."""

from __future__ import annotations

from functools import cache

from rendered import rendered_file
from shipped_rulesets import shipped

from rulebook.model.ruleset import Ruleset
from rulebook.publications.documents import compose
from rulebook.publications.publication import Publication


def acw() -> Ruleset:
    return shipped("acw")


def dice_of(example_id: str) -> list[str]:
    """The faces of all dice of an example, in the order in which they fall."""
    runs = acw().examples[example_id].runs.values()
    return [str(face) for run in runs for face in run.dice]


@cache
def publications(name: str) -> tuple[Publication, ...]:
    return tuple(compose(shipped(name)))


def acw_publications() -> tuple[Publication, ...]:
    return publications("acw")


def publication_of(path: str, name: str = "acw") -> Publication:
    """The publication of a ruleset to which a file belongs."""
    return next(
        publication
        for publication in publications(name)
        if any(artefact.path == path for artefact in publication.artefacts)
    )


def printed(path: str, name: str = "acw") -> bytes:
    """The bytes of a file of a ruleset, such as qrs-a4.pdf."""
    return rendered_file(publication_of(path, name), path)
