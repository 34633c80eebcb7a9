"""The editions of the American Civil War Game are printed from their own files alone, all the same.

Every file is compared by its fingerprint, which is over all that it is made of, and some byte for
byte as well.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from rulebook.build.composing import Composed, compose

from rulebook.build.fingerprints import fingerprint, view_digest
from rulebook.build.listener import Listener
from rulebook.build.orders import Order
from rulebook.build.rulesets import build_rulesets
from rulebook.build.stages import stages_of_rulebook
from rulebook.shipped import content_folder, templates_folder

ACW = content_folder() / "acw"


def prints(source: Path) -> dict[str, str]:
    """Every file that is printed of an edition -> its fingerprint."""
    stages = stages_of_rulebook()
    found = compose(source, Path("out"), stages, Listener())
    assert isinstance(found, Composed), found
    assert not found.unread
    views = {id(one.publication): view_digest(one.publication) for one in found.targets}
    return {
        one.artefact.path: fingerprint(
            one,
            views[id(one.publication)],
            stages.ingredients(one.publication, templates_folder()),
        ).digest
        for one in found.targets
    }


def released(edition: str, folder: Path = ACW) -> Path:
    return folder / "releases" / f"{edition}.json"


def checkout(target: Path, *files: str) -> Path:
    """A folder of the ruleset that holds these files, and nothing else."""
    folder = target / ACW.name
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ACW / file, folder / file)
    return folder


def test_the_first_without_the_second(tmp_path: Path) -> None:
    before = prints(released("1.0"))
    folder = checkout(tmp_path, "releases/1.0.json")
    assert prints(released("1.0", folder)) == before
    assert len(before) > 40


def test_the_second_without_its_folder(tmp_path: Path) -> None:
    """With the notes, and the edition before and its record, which tell what changed."""
    before = ("releases/1.0.json", "releases/1.0.printed.json")
    folder = checkout(tmp_path, *before, "releases/2.0.json", "revisions.yaml")
    alone = prints(released("2.0", folder))
    rules = {path: print_ for path, print_ in prints(ACW).items() if "scenarios/" not in path}
    assert alone == rules, "scenarios come out beside an edition"
    assert any(path.startswith("changes-from-1.0") for path in alone)


def test_byte_for_byte(tmp_path: Path) -> None:
    alone = released("1.0", checkout(tmp_path / "content", "releases/1.0.json"))
    for source, out in ((released("1.0"), "beside"), (alone, "alone")):
        order = Order(
            folders=(source,),
            templates=templates_folder(),
            out=tmp_path / out,
            only=("booklet.html", "qrs-a4.pdf", "cutouts/*.svg", "cards-unit-cards-a4.pdf"),
            jobs=1,
        )
        assert build_rulesets(order).ok
    made, again = (
        {path.name: path.read_bytes() for path in (tmp_path / out / "acw" / "1.0").rglob("*.*")}
        for out in ("beside", "alone")
    )
    assert made == again and len(made) > 8
