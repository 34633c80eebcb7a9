"""What a build could not print of an edition, or warned of -> what `check` tells of it.

It is kept under all that shapes the pages: the sources of the edition, the program, the templates,
options and lengths. So it is told of the same content only, and forgotten with the first change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulebook.build.cache_keys import program_key
from rulebook.cache import Cache, digest_of
from rulebook.loading.sources import sources_digest
from rulebook.model.lengths import Lengths
from rulebook.problems import Problem, from_plain, to_plain

#: The stage under which it is kept.
_STAGE = "unprinted"
#: What the codes of faults begin with that the machine or the program is to blame for.
_OF_MACHINE = "R7"

#: Faults and warnings by the documents that have them.
Unprinted = Mapping[str, Sequence[Problem]]


def edition_key(
    source: Path, cache: Cache, options: Sequence[str], lengths: Lengths | None
) -> str | None:
    """Under what an edition's results are kept, but for its pages; None where none are."""
    sources = sources_digest(source) if cache.folder else None
    if sources is None:
        return None
    return digest_of([program_key(), sources, list(options), repr(lengths)])


def keep_unprinted(cache: Cache, edition: str, templates: str, found: Unprinted) -> None:
    """Keep the faults of documents; what others have is kept as well, and none are forgotten.

    `edition` is its key and `templates` that of all templates.
    """
    kept = {name: list(faults) for name, faults in recall_unprinted(cache, edition, templates)}
    kept |= {name: list(faults) for name, faults in found.items()}
    plain = {
        name: [to_plain(one) for one in faults if not one.code.startswith(_OF_MACHINE)]
        for name, faults in kept.items()
    }
    cache.put_json(
        _STAGE, digest_of([edition, templates]), {name: one for name, one in plain.items() if one}
    )


def recall_unprinted(cache: Cache, edition: str, templates: str) -> list[tuple[str, list[Problem]]]:
    """The documents that could not be printed or of which a build warned, with the reasons."""
    known = cache.get_json(_STAGE, digest_of([edition, templates])) or {}
    return [(name, [from_plain(one) for one in known[name]]) for name in sorted(known)]
