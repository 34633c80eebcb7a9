"""What stands in the output folder -> the pages that lead to it, made again if they may differ.

What the pages are made of is small and soon read: the manifests, the lists of editions, and what
was released. Where all of it is as it was, and so are the pages, nothing is done.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulebook.build.build_request import BuildRequest
from rulebook.build.cache_keys import program_key
from rulebook.build.checksums import sha256_of
from rulebook.cache import digest_of
from rulebook.loading.releases import folder_of
from rulebook.loading.sources import sources_digest
from rulebook.plain_files import read_plain

INDEX = "index.html"
#: The stage whose results are the checksums of the pages.
_SHELF = "shelf"
#: What is made of the shelf in each folder.
MADE = (INDEX, "editions.json", "feed.atom")
_MANIFEST = "manifest.json"


def write_shelf(
    request: BuildRequest,
    templates: str,
    render_template: Callable[[str, Mapping[str, Any], Path], str],
) -> None:
    """Write the lists of editions of the rulesets in the request, and the pages of all.

    `templates` is the key of the templates. Raises OSError, and whatever a faulty template raises.
    """
    folders = list(dict.fromkeys(map(folder_of, request.folders)))
    made_of = _made_of(request, folders, templates)
    if made_of is not None:
        known = request.cache.get_json(_SHELF, made_of)
        if known is not None and known == _pages(request.out):
            return
    from rulebook.build.archive import write_archive
    from rulebook.build.index import write_index

    for folder in folders:
        write_archive(folder, request.out)
    write_index(request.out, request.templates, render_template)
    if made_of is not None:
        request.cache.put_json(_SHELF, made_of, _pages(request.out))


def _pages(out: Path) -> dict[str, str | None]:
    """The checksums of the pages and lists in the output folder, by their paths."""
    folders = [out, *sorted(path for path in out.iterdir() if path.is_dir())]
    return {
        path.relative_to(out).as_posix(): sha256_of(path)
        for folder in folders
        for path in (folder / name for name in MADE)
        if path.is_file()
    }


def _made_of(request: BuildRequest, folders: list[Path], templates: str) -> str | None:
    """A digest of all that the pages are made of; None where that cannot be told."""
    if request.cache.folder is None:
        return None
    sources = [sources_digest(folder) for folder in folders]
    if None in sources:
        return None
    own = {folder.name for folder in folders}
    listed = [
        [path.parent.name, sha256_of(path)]
        for path in sorted(request.out.glob("*/editions.json"))
        if path.parent.name not in own
    ]
    printed = [
        [path.relative_to(request.out).as_posix(), sha256_of(path), list(_lost(path))]
        for path in sorted(request.out.glob(f"*/*/{_MANIFEST}"))
    ]
    return digest_of([program_key(), templates, sources, listed, printed])


def _lost(manifest: Path) -> Iterator[str]:
    """The files that a manifest lists and that are not there."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        for entry in json.loads(read_plain(manifest))["files"]:
            if not (manifest.parent / entry["path"]).is_file():
                yield entry["path"]
