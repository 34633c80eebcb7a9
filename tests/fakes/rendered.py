"""A publication -> its files, each rendered once for all tests and kept as a build keeps it.

A file is asked for by its fingerprint, which is over all that shapes its bytes; so what a build
rendered is not rendered again, and what would come out otherwise is. Tests of rendering itself
call `render`.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

from rulebook.build.fingerprints import fingerprint, view_digest
from rulebook.build.targets import Target
from rulebook.cache import Cache, open_cache
from rulebook.documents.catalogue import ingredients, render
from rulebook.documents.parts.publication import Artefact, Document, Planned, Publication, Rendered
from rulebook.packaged import templates_folder

#: The stage under which a build keeps whole files.
FILES = "files"


@cache
def shared() -> Cache:
    return open_cache(Path(os.environ["RULEBOOK_CACHE"]))


def publication_from(planned: Planned) -> Publication:
    """A document that has something to tell, composed."""
    made = planned.compose()
    assert made is not None
    return made


def rendered(publication: Publication, *paths: str) -> list[Rendered]:
    """The files at these paths, in the order of the publication; all if none is named."""
    wanted = [one for one in publication.artefacts if not paths or one.path in paths]
    keys = _keys(publication, wanted)
    found = {path: shared().get(FILES, key) for path, key in keys.items()}
    missing = frozenset(path for path, data in found.items() if data is None)
    made = {}
    if missing:
        for one in render(publication, templates_folder(), missing):
            made[one.path] = one
            pages = json.dumps(one.pages).encode() + b"\n"
            shared().put(FILES, keys[one.path], pages + one.data)
    return [made.get(path) or _kept(path, data) for path, data in found.items()]


def rendered_file(publication: Publication, path: str) -> bytes:
    """The bytes of one file."""
    (made,) = rendered(publication, path)
    return made.data


def _keys(publication: Publication, wanted: list[Artefact]) -> dict[str, str]:
    whole = {name: getattr(publication, name) for name in Document.__dataclass_fields__}
    document = Document(**whole)
    view, parts = view_digest(publication), ingredients(publication, templates_folder())
    return {one.path: fingerprint(Target(document, one), view, parts).digest for one in wanted}


def _kept(path: str, data: bytes | None) -> Rendered:
    assert data is not None
    pages, _, rest = data.partition(b"\n")
    return Rendered(path, rest, json.loads(pages))
