"""`rulebook release` prints the edition, and records on which page everything stands."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from beside import beside
from frozen import change
from read_pdf import Printed

from rulebook.build import executors, publish
from rulebook.build import print_recording as recording
from rulebook.problems import Problem

CHAPTER = beside(__file__, "chapter")
TOPIC = beside(__file__, "topic")
HEADER = beside(__file__, "header")
FAULT = Problem("R601", "it does not fit")


@pytest.fixture
def arms(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset with something of each kind that is recorded, printed in this process."""
    monkeypatch.setattr(executors, "processors", lambda: 1)
    folder = here / "content" / "arms"
    folder.mkdir(parents=True)
    words = "\n\n".join(f"Rule {number} says what is to be done." for number in range(60))
    (folder / "ruleset.yaml").write_text(HEADER, "utf-8")
    (folder / "one.yaml").write_text(TOPIC, "utf-8")
    (folder / "one.md").write_text(CHAPTER.replace("{words}", words), "utf-8")
    return folder


def first_page(path: Path, words: str) -> int:
    """The first page behind the contents on which some words are printed."""
    texts = [re.sub(r"\s", "", text) for text in Printed(path.read_bytes()).texts]
    return next(
        number
        for number, text in enumerate(texts, start=1)
        if number > 2 and re.search(words, text)
    )


def test_the_record_tells_what_was_printed(run, arms):
    """Each page is that on which the words stand in the file, read by another program."""
    result = run("release", "arms", exits=0)
    assert "printing arms 1.0 to record its pages\nprinted 17 files in " in result.output
    assert run("build", "arms", "--jobs", "1").exit_code == 0
    out = Path("output/arms/1.0")
    record: dict[str, Any] = json.loads((arms / "releases" / "1.0.printed.json").read_text())
    manifest = json.loads((out / "manifest.json").read_text())
    made = {one["path"]: one["sha256"] for one in manifest["files"]}
    pictured = {path for path in made if path.startswith("thumbnails/")}
    assert pictured, "they are of what was printed, and not recorded"
    assert record["files"] == {path: made[path] for path in made.keys() - pictured}
    for path, sha256 in record["files"].items():
        assert hashlib.sha256((out / path).read_bytes()).hexdigest() == sha256
    snapshot = json.loads((arms / "releases" / "1.0.json").read_text())
    assert record["snapshot"] == snapshot["sha256"]
    for layout, file in (("a5", "booklet-a5.pdf"), ("large", "booklet-a4.pdf")):
        printed, path = record["booklets"][layout], out / file
        assert printed["pages"] == len(Printed(path.read_bytes()).texts)
        assert len(printed["words"]) == len(set(printed["words"])) == printed["pages"]
        assert printed["headings"] == {
            "marching": first_page(path, "1Marching"),
            "rivers": first_page(path, "1.1Rivers"),
            "arms": first_page(path, "1.2Arms"),
        }
        assert printed["tables"] == {
            "moves": first_page(path, r"Table\S{1,4}Movesofarms"),
            "nerve": first_page(path, r"Table\S{1,4}Nerveofarms"),
        }
        assert printed["cutouts"] == {"cone": first_page(path, r"Figure\S{1,4}Coneoffire")}
    assert record["sheets"] == {"a4": [["move-march"]], "a4-2": [["move-nerve"]]}
    foot, horse = (record["decks"]["arms"][card] for card in ("foot", "horse"))
    assert [foot["pages"][f"cards-arms-{of}.pdf"] for of in ("a4", "singles")] == [[1], [1]]
    singles = Printed((out / "cards-arms-singles.pdf").read_bytes()).texts
    (page,) = horse["pages"]["cards-arms-singles.pdf"]
    assert "Horse" in singles[page - 1] and "Foot" in singles[0]
    assert len(foot["faces"]) == 1 and foot["faces"] != horse["faces"]


def test_the_record_of_an_edition_that_was_released_without(run, mygame, unprinted):
    assert run("release", "mygame").exit_code == 0
    path = mygame / "releases" / "0.1.printed.json"
    before = path.read_bytes()
    path.unlink()
    assert run("release", "mygame").output == "mygame 0.1 is released already, as it stands\n"
    assert run("release", "mygame@0.1").exit_code == 2
    result = run("release", "mygame@0.1", "--record")
    assert result.output.endswith(f"recorded mygame 0.1: {path.as_posix()}\n")
    assert path.read_bytes() == before
    again = run("release", "mygame", "--record")
    assert again.output == "how mygame 0.1 was printed is recorded already\n"


def test_what_cannot_be_printed_is_not_released(run, arms):
    """A table that is too wide for the sheet, which only printing shows."""
    titles = ", ".join(f"f{n}: {{type: count, title: {'W' * 30}{n}}}" for n in range(12))
    cells = ", ".join(f"f{n}: 1" for n in range(12))
    wide = f"  wide: {{title: Wide, fields: {{{titles}}}, data: {{one: {{{cells}}}}}}}\n"
    topic = TOPIC.replace("modifiers:", f"{wide}modifiers:").replace("[moves]", "[moves, wide]")
    (arms / "one.yaml").write_text(topic, "utf-8")
    with (arms / "one.md").open("a") as chapter:
        chapter.write("\n{table: wide}\n")
    header = HEADER.replace("{papers: [a5, a4]}", "~").replace(
        "cards: {papers: [a4], inks: [full]}", "cards: ~"
    )
    (arms / "ruleset.yaml").write_text(header, "utf-8")
    result = run("release", "arms")
    assert (result.exit_code, "error[R604]" in result.output) == (1, True), result.output
    assert "arms 1.0 is not released: qrs-a4 cannot be printed" in result.output
    assert not (arms / "releases").exists()


def test_what_could_not_be_printed_is_known_until_the_content_changes(
    run, arms, own_cache, monkeypatch
):
    """`check` lays out nothing, and a release that was refused is refused again at once."""
    header = (arms / "ruleset.yaml").read_text("utf-8")
    assert run("check", "arms").exit_code == 0
    monkeypatch.setattr(recording, "print_and_record", lambda *_, **__: (None, {"qrs-a4": [FAULT]}))
    assert run("release", "arms").exit_code == 1
    told = run("check", "arms")
    assert (told.exit_code, told.output.splitlines()[:2]) == (
        1,
        ["arms: qrs-a4 could not be printed of this content:", "error[R601]: it does not fit"],
    )
    (found,) = json.loads(run("check", "arms", "--format", "json").output)["rulesets"]
    assert [(one["document"], one["problems"][0]["code"]) for one in found["unprinted"]] == [
        ("qrs-a4", "R601")
    ]
    monkeypatch.setattr(recording, "print_and_record", None)
    again = run("release", "arms")
    assert (again.exit_code, "error[R601]: it does not fit" in again.output) == (1, True)
    (arms / "ruleset.yaml").write_text(f"{header}# a remark\n", "utf-8")
    assert run("check", "arms").exit_code == 0


class TestOneWithoutTheOther:
    """The record is written first and the edition last."""

    @pytest.fixture(autouse=True)
    def stopped(self, run, mygame, unprinted, monkeypatch) -> None:
        """A release that was stopped between the two, and content that then moved on."""

        def stop(*_: Any) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(publish, "write_once", stop)
            assert run("release", "mygame").exit_code != 0
        assert [one.name for one in (mygame / "releases").iterdir()] == ["0.1.printed.json"]

    def test_the_next_release_writes_over_it(self, run, mygame):
        chapter = mygame / "moving.md"
        chapter.write_text(chapter.read_text("utf-8") + "\n\nAnd so on.\n", "utf-8")
        assert run("release", "mygame").exit_code == 0
        record, snapshot = (
            json.loads((mygame / "releases" / f"0.1{end}.json").read_text("utf-8"))
            for end in (".printed", "")
        )
        assert record["snapshot"] == snapshot["sha256"]
        assert run("check", "mygame").output.count("R808") == 0

    def test_there_is_no_edition_to_be_recorded(self, run):
        result = run("release", "mygame", "--record", exits=2)
        assert "has not released edition 0.1" in result.output


class TestAnEditionBeforeWithoutRecord:
    @pytest.fixture(autouse=True)
    def second(self, run, mygame, unprinted) -> None:
        assert run("release", "mygame").exit_code == 0
        change(mygame / "ruleset.yaml", 'edition: "0.1"', 'edition: "0.2"')

    def test_the_build_warns_once(self, run, mygame):
        (mygame / "releases" / "0.1.printed.json").unlink()
        result = run("build", "--only", "qrs.html", "--jobs", "1", exits=0)
        assert result.output.count("the pages of edition 0.1 were not recorded") == 1

    def test_a_damaged_one_stops_what_cites_it(self, run, mygame):
        path = mygame / "releases" / "0.1.printed.json"
        path.write_bytes(path.read_bytes()[:-20])
        result = run("build", "mygame", "--only", "qrs.html", exits=1)
        assert "content/mygame/releases/0.1.printed.json:1:1: error[R807]" in result.output
        assert "it breaks off" in result.output
        result = run("release", "mygame@0.1", "--record")
        assert (result.exit_code, "R807" in result.output) == (1, True)
