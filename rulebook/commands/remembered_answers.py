"""What a command found before -> the same again, where nothing that it read has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulebook.cache import Cache, digest_of


def remembered(
    cache: Cache, command: str, source: Path, asked: list[Any], find: Callable[[], Any]
) -> Any:
    """The answer of a command about one edition or ruleset as plain JSON data.

    `asked` is all else that the answer depends on. What `find` raises is not remembered.
    """
    from rulebook.build.cache_keys import program_key
    from rulebook.loading.sources import sources_digest

    sources = sources_digest(source) if cache.folder else None
    if sources is None:
        return find()
    key = digest_of([program_key(), sources, ascii(asked)])
    known = cache.get_json(command, key)
    if known is None:
        known = find()
        cache.put_json(command, key, known)
    return known
