"""A document -> its files, each rendered once for all tests and kept as a build keeps it.

A file is asked for by its fingerprint, which is over all that shapes its bytes; so what a build
rendered is not rendered again, and what would come out otherwise is. Tests of rendering itself
call `render`.
"""

import json
import os
from functools import cache
from pathlib import Path

from rulebook.build.plan import Target
from rulebook.build.stale import fingerprint, program_key, templates_key
from rulebook.cache import Cache, digest_of, open_cache
from rulebook.documents.catalogue import ingredients, render
from rulebook.documents.document_kind import ComposedDocument, Document, File, Planned, Rendered
from rulebook.packaged import templates_folder

#: The stage under which a build keeps whole files.
FILES = "files"


@cache
def shared() -> Cache:
    return open_cache(Path(os.environ["RULEBOOK_CACHE"]))


@cache
def stages() -> Cache:
    """What stages of rendering keep, under the keys of a build."""
    return shared().salted(program_key() + templates_key(templates_folder()))


def composed_from(planned: Planned) -> ComposedDocument:
    """A document that has something to tell, composed."""
    made = planned.compose()
    assert made is not None
    return made


def rendered(composed: ComposedDocument, *paths: str) -> list[Rendered]:
    """The files at these paths, in the order of the document; all if none is named."""
    wanted = [one for one in composed.files if not paths or one.path in paths]
    keys = _keys(composed, wanted)
    found = {path: shared().get(FILES, key) for path, key in keys.items()}
    missing = frozenset(path for path, data in found.items() if data is None)
    made = {}
    if missing:
        for one in render(composed, templates_folder(), missing, stages()):
            made[one.path] = one
            pages = json.dumps(one.pages).encode() + b"\n"
            shared().put(FILES, keys[one.path], pages + one.data)
    return [made.get(path) or _kept(path, data) for path, data in found.items()]


def rendered_file(composed: ComposedDocument, path: str) -> bytes:
    """The bytes of one file."""
    (made,) = rendered(composed, path)
    return made.data


def _keys(composed: ComposedDocument, wanted: list[File]) -> dict[str, str]:
    whole = {name: getattr(composed, name) for name in Document.__dataclass_fields__}
    document = Document(**whole)
    view, parts = digest_of(composed.view), ingredients(composed, templates_folder())
    return {one.path: fingerprint(Target(document, one), view, parts).digest for one in wanted}


def _kept(path: str, data: bytes | None) -> Rendered:
    pages, _, rest = data.partition(b"\n")
    return Rendered(path, rest, json.loads(pages))
