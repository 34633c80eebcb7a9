"""The view of all that may be found -> a script: the library that searches, and what it searches.

A script, since a page that was opened from a disk may fetch nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from rulebook.cache import Cache
from rulebook.documents.document_kind import File, Rendered
from rulebook.documents.search.compose import FoundView, SearchView
from rulebook.documents.search.declaration import LIBRARY
from rulebook.typeset.environment import design_faults
from rulebook.typeset.markup import words


def search_index(
    view: SearchView, files: Sequence[File], templates: Path, _: Cache
) -> Iterable[Rendered]:
    """The index of an edition; the page that loads it takes it from `rulebookSearch`."""
    with design_faults(templates, LIBRARY):
        library = (templates / LIBRARY).read_text(encoding="utf-8")
    index = {
        "title": view.title,
        "edition": view.edition,
        "language": view.language,
        "terms": view.terms,
        "found": [_entry(one) for one in view.found],
    }
    told = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    script = f"{library}\n(globalThis.rulebookSearch ??= []).push({told});\n"
    for file in files:
        yield Rendered(file.path, script.encode(), None)


def _entry(one: FoundView) -> dict[str, str | bool]:
    """What is empty is left out."""
    told = {
        "id": one.address,
        "kind": one.kind,
        "title": one.title,
        "number": one.number,
        "inside": one.inside,
        "rule": one.rule,
        "aside": one.aside,
        "text": words(one.words),
    }
    return {name: text for name, text in told.items() if text}
