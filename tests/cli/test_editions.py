"""Released editions on the command line: mygame@0.1, and all of them on request."""

import json
import re
import shutil
from pathlib import Path

import pytest
from beside import beside
from frozen import SMALL_WARS, change, freeze

ONLY = ("--only", "qrs.html")
ALL = ("--all-editions", *ONLY)


def bare(folder: Path) -> None:
    """Leave nothing but what was released."""
    for path in folder.iterdir():
        if path.name != "releases":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def standing(edition: str) -> tuple[str | None, ...]:
    """What the manifest says of an edition: its number, how it stands, and why."""
    manifest = json.loads(Path(f"output/mygame/{edition}/manifest.json").read_text("utf-8"))
    return manifest["edition"], manifest["status"], manifest["reason"]


def test_all_editions_are_checked_and_the_newest_is_built(run, second):
    output = run("check").output
    assert "mygame 0.2: " in output and "mygame@0.1 0.1: " in output
    assert "1 written" in run("build", *ONLY, exits=0).output
    page, former = Path("output/mygame/index.html"), Path("output/mygame/0.1/qrs.html")
    assert "<code>rulebook build mygame@0.1</code> prints it" in page.read_text("utf-8")
    assert not former.exists()
    assert "1 written, 1 unchanged" in run("build", *ALL, exits=0).output
    assert "0 written, 1 unchanged" in run("build", *ONLY).output
    text = page.read_text("utf-8")
    assert former.is_file() and 'href="0.1/qrs.html"' in text and "rulebook build" not in text


def test_what_is_amiss_with_all_editions_is_told_once(run, second):
    (second / "revisions.yaml").write_text('withdrawn: {"7": A slip.}\n', "utf-8")
    assert run("check").output.count("edition 7 is withdrawn, and was not released") == 1
    assert run("build", *ALL).output.count("edition 7 is withdrawn, and was not released") == 1


def test_an_edition_by_its_name_and_the_working_copy_by_that_of_the_ruleset(run, second):
    assert "mygame@0.1" not in run("check", "mygame").output
    run("build", "mygame", *ONLY)
    assert not Path("output/mygame/0.1").exists()
    shutil.rmtree("output")
    assert run("build", "mygame@0.1", *ONLY).exit_code == 0
    assert not Path("output/mygame/0.2").exists()
    assert standing("0.1") == ("0.1", "released", None)


def test_what_is_released_under_the_number_of_the_working_copy_is_not_built_twice(run, second):
    change(second / "ruleset.yaml", '"0.2"', '"0.1"')
    assert "1 written" in run("build", *ALL).output
    assert standing("0.1") == ("0.1", "released", None)
    result = run("build", "mygame", "mygame@0.1", exits=2)
    assert "'mygame' and 'mygame@0.1' are both edition 0.1" in result.output


def test_a_working_copy_with_faults_leaves_what_was_released(run, second):
    (second / "ruleset.yaml").write_text("title: [")
    run("build", *ALL, exits=1)
    assert Path("output/mygame/0.1/qrs.html").is_file()


def test_a_damaged_release_is_told_and_costs_no_other(run, second):
    path = second / "releases" / "0.1.json"
    path.write_bytes(path.read_bytes().replace(b"Mygame", b"Ourgame"))
    result = run("check", "--format", "short", exits=1)
    assert "content/mygame/releases/0.1.json:1:1: error[R801]" in result.output
    result = run("build", *ALL, exits=1)
    assert Path("output/mygame/0.2/qrs.html").is_file()


def test_nothing_but_releases(run, second):
    bare(second)
    assert run("check").exit_code == 0
    assert run("build", *ONLY).exit_code == 0
    assert Path("output/mygame/0.1/qrs.html").is_file()
    result = run("build", "mygame", exits=2)
    assert "'mygame' has no ruleset.yaml\nthere are: mygame@0.1" in result.output
    assert run("odds", "mygame@0.1", "shots").exit_code == 0


@pytest.mark.parametrize(("name", "told"), beside(__file__, "no_such_edition"))
def test_no_such_edition(name, told, run, second):
    assert told in run("build", name, exits=2).output


def test_a_withdrawn_edition_is_marked(run, second):
    (second / "revisions.yaml").write_text('withdrawn: {"0.1": The *cone* is short.}\n', "utf-8")
    assert run("build", "mygame@0.1", "--only", "*.html", "--only", "*.svg").exit_code == 0
    for name in ("booklet", "qrs"):
        page = Path(f"output/mygame/0.1/{name}.html").read_text("utf-8")
        assert "<b>This edition is withdrawn.</b>\nThe <em>cone</em> is short." in page
        assert "dition 0.1 (withdrawn)" in page
    assert "0.1 (withdrawn)" in Path("output/mygame/0.1/cutouts/grapeshot.svg").read_text("utf-8")
    assert standing("0.1") == ("0.1", "withdrawn", "The *cone* is short.")
    (second / "revisions.yaml").unlink()
    assert "0 unchanged" in run("build", "mygame@0.1", "--only", "*.html", "--only", "*.svg").output
    assert "is withdrawn" not in Path("output/mygame/0.1/booklet.html").read_text("utf-8")


def test_an_edition_gives_the_bytes_that_its_folder_gave(run, here):
    """Every document, from a content folder that holds nothing but the release.

    What is told beside them of how they were made says what they were printed from.
    """
    folder = here / "content" / "small-wars"
    shutil.copytree(SMALL_WARS, folder)
    few = ("--paper", "a4", "--ink", "full", "--jobs", "1")
    rest = ("--only", "*.html", "--only", "*.svg", "--jobs", "1")
    freeze(folder)
    for some in (few, rest):
        assert run("build", "small-wars", *some).exit_code == 0
    bare(folder)
    for some in (few, rest):
        assert run("build", "small-wars@1.0", *some, "--out", "again").exit_code == 0
    made, again = (
        {
            path.relative_to(out).as_posix(): path.read_bytes()
            for path in Path(out).rglob("*")
            if path.is_file() and path.name != ".ledger.json"
        }
        for out in ("output", "again")
    )
    assert len([name for name in made if name.endswith((".pdf", ".html", ".svg"))]) > 20
    assert made == again


# A variant, from its first file to its release: marked against its base, printed without it.

HEADER = 'based_on: {}\ntitle: Mud\nedition: "1.0"\ndate: 2020-01-01\n{}'
DOCUMENTS = "documents: {booklet: ~, cutouts: ~, qrs: {papers: [a4]}}\n"
SLOWER = "changes: {tables: {moves: {data: {foot: {open: 5in}}}}}\n"
OWN = ("1.0/qrs-a4.pdf", "1.0/qrs-a4-low.pdf", "1.0/qrs.html")


@pytest.fixture
def mud(mygame: Path) -> Path:
    """A variant of the starter in which men on foot are slower."""
    folder = mygame.parent / "mud"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(HEADER.format("mygame", DOCUMENTS))
    (folder / "slower.yaml").write_text(SLOWER)
    return folder


def built(run, name: str, out: str) -> dict[str, bytes]:
    run("build", name, "--out", out, exits=0)
    folder = Path(out) / "mud"
    return {one: (folder / one).read_bytes() for one in OWN}


def told_on_screen(files: dict[str, bytes]) -> str:
    return files["1.0/qrs.html"].decode()


def test_the_sheet_marks_what_differs_from_the_base(run, mud):
    html = told_on_screen(built(run, "mud", "out"))
    assert "Show what differs from Mygame 0.1" in html
    (row,) = re.findall(r"<tr[^>]*>(?:(?!</tr>).)*On foot</th>.*?</tr>", html, re.DOTALL)
    assert "changed" in row
    assert "<del" in row and "6″" in row and "5″" in row
    assert html.count("<del") == 1


def test_of_turned_lengths_that_is_said_once(run, mud):
    lengths = "lengths: {read: {in: 2.5cm}}\n"
    (mud / "ruleset.yaml").write_text(HEADER.format("mygame", DOCUMENTS + lengths))
    html = told_on_screen(built(run, "mud", "out"))
    assert "Show what besides lengths differs from Mygame 0.1" in html
    assert html.count("<del") == 1
    html = html.replace("\N{NO-BREAK SPACE}", " ")
    assert "12½ cm" in html and "30 cm" in html
    (mud / "slower.yaml").unlink()
    html = told_on_screen(built(run, "mud", "out"))
    assert "<del" not in html and "<ins" not in html


@pytest.mark.parametrize("lost", ["changed", "gone"])
@pytest.mark.parametrize("base", ["mygame", "mygame@0.1"])
def test_a_release_prints_the_same_whatever_becomes_of_its_base(run, mud, base, lost):
    freeze(mud.parent / "mygame")
    (mud / "ruleset.yaml").write_text(HEADER.format(base, DOCUMENTS))
    result = run("release", "mud", exits=0)
    assert ("names no edition of mygame" in result.output) == (base == "mygame")
    files = built(run, "mud", "first")
    assert built(run, "mud@1.0", "frozen") == files
    assert ("differs from Mygame" in told_on_screen(files)) == (base != "mygame")
    game = mud.parent / "mygame"
    change(game / "moving.yaml", "open: 6in", "open: 8in")
    if lost == "gone":
        for file in game.iterdir():
            if file.is_file():
                file.unlink()
    assert built(run, "mud@1.0", "later") == files


def test_without_the_edition_of_its_base_a_release_has_no_bars_but_all_its_rules(run, mud):
    freeze(mud.parent / "mygame")
    (mud / "ruleset.yaml").write_text(HEADER.format("mygame@0.1", DOCUMENTS))
    assert run("release", "mud").exit_code == 0
    shutil.rmtree(mud.parent / "mygame")
    html = told_on_screen(built(run, "mud@1.0", "alone"))
    assert "5″" in html and "<del" not in html and "differs from" not in html
