"""The view of all that may be found -> a script: the library that searches, and what it searches.

It is a script since a page that is opened from a disk can load nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from rulebook.cache import Cache
from rulebook.documents.document_kind import KINDS, File, Rendered
from rulebook.documents.search.compose import FoundView, SearchView
from rulebook.frozen_view import fields_of
from rulebook.typeset.environment import design_faults
from rulebook.typeset.markup import words


def search_index(
    view: SearchView, files: Sequence[File], templates: Path, _: Cache
) -> Iterable[Rendered]:
    """The index of an edition, which adds itself to `rulebookSearch`; raises RenderFault."""
    index = {
        "title": view.identity.title,
        "language": view.identity.language,
        "terms": view.terms,
        "found": [_entry(one) for one in view.found],
    }
    data = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    added = f"{{base: document.currentScript.src, index: {data}}}"
    script = "\n".join(
        [
            *(_script(name, templates) for name in KINDS["search"].templates),
            f"(globalThis.rulebookSearch ??= []).push({added});\n",
        ]
    )
    for file in files:
        yield Rendered(file.path, script.encode(), None)


def _script(name: str, templates: Path) -> str:
    with design_faults(templates, name):
        return (templates / name).read_text(encoding="utf-8")


def _entry(one: FoundView) -> dict[str, str | bool]:
    """The words are plain; what is empty is left out."""
    found = {**fields_of(one), "words": words(one.words)}
    return {name: value for name, value in found.items() if value}
