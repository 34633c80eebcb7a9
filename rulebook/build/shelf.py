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

from rulebook.build.cache_keys import program_key
from rulebook.build.checksums import sha256_of
from rulebook.build.order import Order
from rulebook.cache import digest_of
from rulebook.loading.releases import folder_of
from rulebook.loading.sources import sources_digest
from rulebook.plain_files import read_plain

INDEX = "index.html"
#: The stage whose results are the checksums of the pages.
_SHELF = "shelf"
_MADE = (INDEX, "editions.json", "feed.atom")
_MANIFEST = "manifest.json"


def write_shelf(
    order: Order,
    templates: str,
    render_template: Callable[[str, Mapping[str, Any], Path], str],
) -> None:
    """Write the lists of editions of the rulesets in the order, and the pages of all.

    `templates` is the key of the templates. Raises OSError, and whatever a faulty template raises.
    """
    folders = list(dict.fromkeys(map(folder_of, order.folders)))
    made_of = _made_of(order, folders, templates)
    if made_of is not None:
        known = order.cache.get_json(_SHELF, made_of)
        if known is not None and known == _pages(order.out):
            return
    from rulebook.build.archive import write_archive
    from rulebook.build.index import write_index

    for folder in folders:
        write_archive(folder, order.out)
    write_index(
        order.out,
        order.templates,
        render_template,
        {"templates": templates, "program": program_key()},
    )
    if made_of is not None:
        order.cache.put_json(_SHELF, made_of, _pages(order.out))


def _pages(out: Path) -> dict[str, str | None]:
    """The checksums of the pages and lists in the output folder, by their paths."""
    folders = [out, *sorted(path for path in out.iterdir() if path.is_dir())]
    return {
        path.relative_to(out).as_posix(): sha256_of(path)
        for folder in folders
        for path in (folder / name for name in _MADE)
        if path.is_file()
    }


def _made_of(order: Order, folders: list[Path], templates: str) -> str | None:
    """A digest of all that the pages are made of; None where that cannot be told."""
    if order.cache.folder is None:
        return None
    sources = [sources_digest(folder) for folder in folders]
    if None in sources:
        return None
    own = {folder.name for folder in folders}
    listed = [
        [path.parent.name, sha256_of(path)]
        for path in sorted(order.out.glob("*/editions.json"))
        if path.parent.name not in own
    ]
    printed = [
        [path.relative_to(order.out).as_posix(), sha256_of(path), list(_lost(path))]
        for path in sorted(order.out.glob(f"*/*/{_MANIFEST}"))
    ]
    return digest_of([program_key(), templates, sources, listed, printed])


def _lost(manifest: Path) -> Iterator[str]:
    """The files that a manifest lists and that are not there."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        for entry in json.loads(read_plain(manifest))["files"]:
            if not (manifest.parent / entry["path"]).is_file():
                yield entry["path"]
