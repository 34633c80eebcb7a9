"""What a document of a ruleset is to the build: values that one job turns into files.

Which documents there are, and their files, follows from the header and the ids of a ruleset; each
is composed when one of its files is wanted and may be stale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rulebook.views import View

#: How pages become sheets; a file without any has the pages as they are read.
Imposition = Literal["saddle stitch", "n-up", "gutterfold"]


@dataclass(frozen=True, slots=True)
class Artefact:
    """One file of a publication, its path relative to output/<ruleset>/<edition>/.

    `imposition` is told of sheets that are folded or cut; `paper` is then that of the sheets.
    `title` is given where it is not that of the publication.
    """

    path: str
    format: Literal["pdf", "html", "svg"]
    paper: str | None = None
    ink: str | None = None
    imposition: Imposition | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Publication:
    """A document composed but not rendered.

    `view` is that of its kind, and complete: rendering needs nothing else but templates, styles and
    fonts. The artefacts of one publication share work (measuring, for one) and are rendered by one
    job.
    """

    ruleset: str
    edition: str
    kind: str
    name: str
    title: str
    view: View
    artefacts: tuple[Artefact, ...]
    #: That of its fixed words.
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Document:
    """What is known of a document before it is composed: what it is called, and its files."""

    ruleset: str
    edition: str
    kind: str
    name: str
    title: str
    artefacts: tuple[Artefact, ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """A document and what composes it.

    `compose` returns None where nothing is to be told: of an edition that changed nothing there are
    no notes on changes. Then, and where a publication has fewer artefacts, the rest of the planned
    files are not printed.
    """

    document: Document
    compose: Callable[[], Publication | None]


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Where things stand in a document: its pages, and those of each thing by its id, from 1.

    A booklet has the same on sheets to fold as page by page. `words` are those on the faces of
    each card.
    """

    pages: int
    stands: Mapping[str, tuple[int, ...]]
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rendered:
    """One file: its path in the folder of the edition, its bytes, its pages if it has any.

    `laid_out` is told of booklets, quick references and cards.
    """

    path: str
    data: bytes
    pages: int | None
    laid_out: LaidOut | None = None
