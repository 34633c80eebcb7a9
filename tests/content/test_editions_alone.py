"""The editions of the American Civil War Game are printed from their own files alone, all the same.

Every file is compared by its fingerprint, which is over all that it is made of, and some byte for
byte as well.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

from rendered import shared

from rulebook.build.edition import Edition, Readings, open_edition
from rulebook.build.plan import BuildRequest, Target
from rulebook.build.stale import fingerprint
from rulebook.cache import digest_of
from rulebook.documents.catalogue import ingredients
from rulebook.documents.document_kind import Document
from rulebook.packaged import content_folder, templates_folder

ACW = content_folder() / "acw"


#: Documents that reckon the odds of both editions anew, and so are dear to compose.
DEAR = "changes-from-1.0"


def prints(source: Path, *, dear: bool = True) -> dict[str, str]:
    """Every file that is printed of an edition -> its fingerprint; nothing is known before."""
    request = BuildRequest((source,), templates_folder(), Path("out"), cache=shared())
    edition = open_edition(0, source, request, "", Readings())
    assert not edition.known.unread
    return {
        path: digest
        for document in edition.known.documents
        for path, digest in _prints(edition, document, dear=dear)
    }


def _prints(edition: Edition, document: Document, *, dear: bool) -> Iterator[tuple[str, str]]:
    if document.name == DEAR and not dear:
        yield from ((file.path, "not composed") for file in document.files)
        return
    composed = edition.compose(document)
    if composed is None:
        return
    view = digest_of(composed.view)
    shaped_by = ingredients(composed, templates_folder())
    for file in composed.files:
        yield file.path, fingerprint(Target(document, file), view, shaped_by).digest


def released(edition: str, folder: Path = ACW) -> Path:
    return folder / "releases" / f"{edition}.json"


def checkout(target: Path, *files: str) -> Path:
    """A folder of the ruleset that holds these files, and nothing else."""
    folder = target / ACW.name
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ACW / file, folder / file)
    return folder


def test_the_second_without_its_folder(tmp_path: Path) -> None:
    """With the notes, and the edition before, which tell what changed.

    The notes on changes are composed of the same edition before, the same notes and the same rules,
    so for them it is enough that they are there.
    """
    folder = checkout(tmp_path, "releases/1.0.json", "releases/2.0.json", "revisions.yaml")
    alone, beside = (prints(released("2.0", one), dear=False) for one in (folder, ACW))
    assert alone == beside
    assert any(path.startswith(DEAR) for path in alone)
