"""`rulebook release`: every way that it ends."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from beside import beside
from fake_stages import use
from frozen import change

from rulebook.loading.snapshots import Snapshot
from rulebook.packaged import content_folder

pytestmark = pytest.mark.usefixtures("blank_files")

REVISIONS = beside(__file__, "revisions")


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def new_edition(mygame: Path, edition: str = "0.2", before: str = "0.1") -> None:
    change(mygame / "ruleset.yaml", f'edition: "{before}"', f'edition: "{edition}"')


def test_a_first_edition(run, mygame):
    result = run("release", "mygame", exits=0)
    path = mygame / "releases" / "0.1.json"
    found = json.loads(path.read_text("utf-8"))
    sha256 = found.pop("sha256")
    text = json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(f"{text}\n".encode()).hexdigest() == sha256
    assert result.output.endswith(
        "released mygame 0.1: content/mygame/releases/0.1.json\n"
        f"sha256 {sha256}\n"
        "give ruleset.yaml the number of the next edition before you change anything\n"
    )
    assert names(path.parent) == ["0.1.json"]


def test_the_same_again(run, released):
    path = released / "releases" / "0.1.json"
    before = path.read_bytes(), path.stat().st_mtime_ns
    change(released / "shooting.yaml", "# ", "# said otherwise: ")
    (released / "moving.yaml").rename(released / "walking.yaml")
    result = run("release", "mygame", exits=0)
    assert result.output == "mygame 0.1 is released already, as it stands\n"
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_other_content_is_refused(run, released):
    path = released / "releases" / "0.1.json"
    before = path.read_bytes()
    change(released / "shooting.yaml", "[3+, 4+]", "[2+, 4+]")
    result = run("release", "mygame", exits=1)
    assert "content/mygame/ruleset.yaml:12:10: error[R803]" in result.output
    assert "content/mygame/releases/0.1.json:1:1: the released edition" in result.output
    assert "edition 0.1 was released already with other content: 1 thing changed" in result.output
    assert "'rulebook diff mygame 0.1'" in result.output
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [("[3+, 4+]", "[3+, 4]", "R204"), ("gives: {hits: 1}", "gives: {hits: 2}", "R504")],
)
def test_faults_are_told_and_nothing_is_released(run, mygame, right, wrong, code):
    change(mygame / "shooting.yaml", right, wrong)
    result = run("release", "mygame")
    assert (result.exit_code, f"error[{code}]" in result.output) == (1, True)
    assert not (mygame / "releases").exists()


def test_a_change_without_a_class(run, changed):
    result = run("release", "mygame", exits=1)
    assert "error[R804]: 1 thing changed in the rules without a class" in result.stderr
    assert "content/mygame/revisions.yaml at the end" in result.stderr
    assert result.stdout == (beside(__file__, "a_change_without_a_class"))
    assert not (changed / "releases" / "0.2.json").exists()


def test_what_went_and_what_came_is_listed(run, second):
    """With the line that makes one thing of two ids; then there is nothing to tell."""
    change(second / "moving.yaml", "loaded: {title", "laden: {title")
    told = run("release", "mygame", exits=1).stderr
    assert "since 0.1, data of moves: gone are loaded; new are laden\n" in told
    assert "write below it:\n\n    was: loaded\n" in told
    change(second / "moving.yaml", "laden: {", "laden: {was: loaded, ")
    assert "gone are" not in run("release", "mygame").stderr


def filled(stub: str) -> str:
    return re.sub(r"(title|why):\n", r"\1: Words of ours.\n", stub)


def test_things_are_counted_alike_and_named_shortly(run, changed):
    """`diff`, `release` and the lines to be filled in go by tables and headings, not by cells."""
    change(changed / "shooting.yaml", "[5+, 6+]", "[4+, 5+]")
    change(changed / "moving.yaml", "open: 6in", "open: 7in")
    change(changed / "moving.yaml", "rough: 4in", "rough: 5in")
    change(changed / "fighting.md", "\n\n", "\n\nMore words.\n\n")
    assert "3 things changed without a class" in run("diff", "mygame").output
    result = run("release", "mygame")
    assert "R804]: 3 things changed in the rules without a class" in result.stderr
    named = re.findall("of: (.*)", result.stdout)
    assert sorted(named) == ["['#fighting_chapter']", "[moves.foot]", "[to_hit]"]
    (changed / "revisions.yaml").write_text(filled(result.stdout), "utf-8")
    result = run("release", "mygame", exits=0)
    change(changed / "moving.yaml", "open: 7in", "open: 8in")
    told = run("release", "mygame").output
    assert "released already with other content: 1 thing changed" in told


def test_a_stub_left_empty_is_told(run, changed):
    (changed / "revisions.yaml").write_text(run("release", "mygame").stdout, "utf-8")
    result = run("release", "mygame", exits=1)
    assert "content/mygame/revisions.yaml:6:9: error[R112]" in result.output


def test_the_stub_fits_into_what_is_there(run, changed):
    """At the end, at the end of the editions, below an edition, and below its changes."""
    file = changed / "revisions.yaml"
    for there, where in (
        ("", "at the end"),
        ("withdrawn: {}\n", "at the end"),
        ('editions:\n  "0.1": {summary: The first.}\n', "at the end of 'editions'"),
        ('editions:\n  "0.2":\n    summary: Better.\n', 'below "0.2"'),
    ):
        file.write_text(there, "utf-8") if there else file.unlink(missing_ok=True)
        result = run("release", "mygame")
        assert f"revisions.yaml {where}:" in result.stderr
        file.write_text(there + filled(result.stdout), "utf-8")
        result = run("release", "mygame", exits=0)
        (changed / "releases" / "0.2.json").unlink()
    change(changed / "moving.yaml", "open: 6in", "open: 7in")
    result = run("release", "mygame")
    assert "below the last of the 'changes' of \"0.2\":" in result.stderr
    assert "to_hit" not in result.stdout and "moves.foot" in result.stdout
    with file.open("a", encoding="utf-8") as notes:
        notes.write(filled(result.stdout))
    assert run("release", "mygame").exit_code == 0


@pytest.mark.usefixtures("no_documents")
def test_the_stub_of_a_whole_revision(run, here):
    """Each place that the stub names is found again, and none is idle."""
    folder = here / "content" / "acw"
    shutil.copytree(content_folder() / "acw", folder)
    for edition in ("2.0", "2.1"):
        (folder / "releases" / f"{edition}.json").unlink()
    (folder / "revisions.yaml").unlink()
    result = run("release", "acw", exits=1)
    (folder / "revisions.yaml").write_text(filled(result.stdout), "utf-8")
    result = run("release", "acw", exits=0)


def test_after_another_than_the_last(run, changed):
    """A slip in the second edition is mended in one that comes after the first."""
    (changed / "revisions.yaml").write_text(REVISIONS, "utf-8")
    assert run("release", "mygame").exit_code == 0
    new_edition(changed, "0.3", "0.2")
    change(changed / "shooting.yaml", "[2+, 4+]", "[3+, 4+]")
    assert run("release", "mygame").exit_code == 1
    with (changed / "revisions.yaml").open("a") as notes:
        notes.write('  "0.3": {after: "0.1"}\n')
    assert run("release", "mygame").exit_code == 0


def test_changes_with_nothing_before(run, mygame):
    (mygame / "revisions.yaml").write_text(REVISIONS.replace("0.2", "0.1"), "utf-8")
    result = run("release", "mygame", exits=1)
    assert "changes are noted of edition 0.1, and none was released before it" in result.output


def test_an_edition_before_that_is_damaged(run, second):
    path = second / "releases" / "0.1.json"
    path.write_bytes(path.read_bytes()[:-100])
    result = run("release", "mygame")
    assert (result.exit_code, "R801" in result.output) == (1, True)
    assert not (second / "releases" / "0.2.json").exists()


@pytest.mark.parametrize(("notes", "told"), beside(__file__, "faults_of_the_notes"))
def test_faults_of_the_notes(notes, told, run, second):
    (second / "revisions.yaml").write_text(notes + "\n", "utf-8")
    output = run("release", "mygame", exits=1).output
    for line in told:
        assert line in output
    assert not (second / "releases" / "0.2.json").exists()


def test_a_folder_that_cannot_be_written(run, mygame):
    (mygame / "releases").write_text("a file")
    result = run("release", "mygame", exits=1)
    assert "error[R702]: content/mygame/releases/0.1.json cannot be written" in result.output


@pytest.mark.parametrize("what", ["folder", "link", "lost link"])
def test_a_place_that_is_taken(what, run, mygame):
    path = mygame / "releases" / "0.1.json"
    path.parent.mkdir()
    if what == "folder":
        path.mkdir()
    else:
        other = path.with_name("other")
        other.write_text("x") if what == "link" else None
        path.symlink_to(other)
    assert "error[R1" in run("release", "mygame", exits=1).output
    assert path.is_symlink() or path.is_dir()


def test_notes_that_hold_only_remarks_are_none(run, second):
    """So that what is printed may be sent into the file at once."""
    file = second / "revisions.yaml"
    for text in (
        "",
        "\n\n",
        "# yaml-language-server: $schema=x\n",
        "\ufeff# Remarks.\n  # More.\n",
    ):
        file.write_text(text, "utf-8")
        assert "revisions.yaml" not in run("check", "mygame").output
    change(second / "shooting.yaml", "[3+, 4+]", "[2+, 4+]")
    file.write_text("", "utf-8")  # as the shell does before anything is printed
    file.write_text(filled(run("release", "mygame").stdout), "utf-8")
    assert run("release", "mygame").exit_code == 0


def test_without_a_date_it_is_told_how_the_feed_learns_of_it(run, mygame):
    header = mygame / "ruleset.yaml"
    header.write_text(re.sub(r"(?m)^date:.*\n", "", header.read_text("utf-8")), "utf-8")
    output = run("release", "mygame").output
    assert output.endswith(
        "it has no date, so no feed tells of it; you can say the day of its release\n"
        "in content/mygame/revisions.yaml, below \"0.1\" under 'editions':\n\n"
        "    released: 2010-07-16\n"
    )
    notes = f'editions:\n  "0.1":\n{output.splitlines()[-1]}\n'
    (mygame / "revisions.yaml").write_text(notes, "utf-8")
    assert run("build", "mygame", "--only", "qrs.html").exit_code == 0
    assert "2010-07-16" in Path("output/mygame/feed.atom").read_text("utf-8")
    assert "16 July 2010" in Path("output/mygame/index.html").read_text("utf-8")


class TestWithdrawn:
    """An edition that is not in use any more is not what the next one is compared with."""

    @pytest.fixture
    def third(self, run, changed: Path) -> Path:
        """The first edition, a second one that was withdrawn, and a third to be released."""
        self.notes(changed, REVISIONS)
        assert run("release", "mygame").exit_code == 0
        new_edition(changed, "0.3", "0.2")
        self.notes(changed, f'{REVISIONS}withdrawn: {{"0.2": A slip.}}\n')
        return changed

    def notes(self, folder: Path, text: str) -> None:
        (folder / "revisions.yaml").write_text(text, "utf-8")

    def documents(self, run, edition: str) -> list[str]:
        (ruleset,) = json.loads(run("list", "--json").output)["rulesets"]
        assert ruleset["edition"] == edition
        names = [path.rpartition("/")[2] for path in ruleset["documents"]]
        return [one for one in names if one.startswith("changes-from") and one.endswith(".html")]

    def test_the_working_copy_is_compared_with_one_in_use(self, run, third):
        assert self.documents(run, "0.3") == ["changes-from-0.1.html"]

    def test_the_stub_says_what_it_is_compared_with(self, run, third):
        result = run("release", "mygame", exits=1)
        assert '  "0.3":\n    after: "0.1"\n' in result.stdout
        assert "R805" not in result.output

    def test_where_nothing_is_to_be_classed_it_must_be_said(self, run, third):
        change(third / "shooting.yaml", "[2+, 4+]", "[3+, 4+]")
        result = run("release", "mygame", exits=1)
        assert "edition 0.2 is withdrawn, and nothing says what comes before" in result.stderr
        assert 'after: "0.1"' in result.stderr
        assert not (third / "releases" / "0.3.json").exists()
        withdrawn = 'withdrawn: {"0.2": A slip.}\n'
        self.notes(third, f'{REVISIONS}  "0.3": {{after: "0.1"}}\n{withdrawn}')
        assert run("release", "mygame").exit_code == 0

    def test_what_was_released_stays_what_it_was(self, run, changed):
        """It was compared with an edition that was in use, whatever is withdrawn later."""
        self.notes(changed, REVISIONS)
        assert run("release", "mygame").exit_code == 0
        new_edition(changed, "0.3", "0.2")
        change(changed / "shooting.yaml", "title: To hit", "title: The throw to hit")
        assert run("release", "mygame").exit_code == 0
        before = self.documents(run, "0.3")
        self.notes(changed, f'{REVISIONS}withdrawn: {{"0.2": A slip.}}\n')
        assert self.documents(run, "0.3") == before == ["changes-from-0.2.html"]
        assert "released already, as it stands" in run("release", "mygame").output

    def test_where_all_are_withdrawn_it_is_the_last(self, run, changed):
        self.notes(changed, f'{REVISIONS}withdrawn: {{"0.1": A slip.}}\n')
        assert self.documents(run, "0.2") == ["changes-from-0.1.html"]
        assert run("release", "mygame").exit_code == 0


def test_what_another_released_meanwhile_stays(run, mygame, own_cache, monkeypatch):
    """Two release at once: the second finds what stands there, and never writes over it."""
    from rulebook.build import publish

    path = mygame / "releases" / "0.1.json"
    write = publish.write_whole
    for other, code, told in ((b"{}\n", 1, "R801"), (None, 0, "is released already")):

        def late(at: Path, data: bytes, other: bytes | None = other) -> None:
            write(at, data)
            if at.suffix == ".part":
                path.write_bytes(data if other is None else other)

        monkeypatch.setattr(publish, "write_whole", late)
        result = run("release", "mygame")
        assert (result.exit_code, told in result.output) == (code, True)
        assert names(path.parent) == ["0.1.json"]
        assert other is None or path.read_bytes() == other
        path.unlink()


#: A release of another process that may write no file of this size.
LIMITED = beside(__file__, "limited")


def test_a_disk_that_is_full_half_way(run, mygame):
    """Nothing is left of the edition, and the next try has it whole."""
    script = LIMITED.format(largest=3000)
    command = [sys.executable, "-B", "-c", script, "release", "mygame"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 1, result.stderr
    assert "error[R702]: content/mygame/releases/0.1.json cannot be written" in result.stderr
    assert "Traceback" not in result.stderr
    assert list((mygame / "releases").iterdir()) == []
    assert run("release", "mygame").exit_code == 0


def test_many_at_once_release_one(mygame):
    """Whoever is first releases; the rest learn that it is released as it stands."""
    kinds = ("booklet", "cards", "qrs", "scenarios")
    little = "".join(f"  {kind}: ~\n" for kind in kinds)
    change(mygame / "ruleset.yaml", "  qrs: {sides: 1, columns: 2}\n", little)
    command = [sys.executable, "-c", "from rulebook.cli import main; main()", "release", "mygame"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = sorted(process.communicate(timeout=120)[0] for process in running)
    assert [process.returncode for process in running] == [0, 0, 0]
    assert ["is released already" in text for text in said] == [True, True, False]
    assert names(mygame / "releases") == ["0.1.json"]


def test_what_is_released_is_printed(run, mygame, monkeypatch):
    """So the build after it has nothing to do, and reads nothing."""
    run("release", "mygame", exits=0)
    manifest = json.loads(Path("output/mygame/0.1/manifest.json").read_text("utf-8"))
    assert manifest["status"] == "released" and len(manifest["files"]) > 10
    use(monkeypatch, load=None, render=None)
    assert "0 written, " in run("build", exits=0).output


@pytest.mark.parametrize("built", [True, False])
def test_what_cannot_be_printed_is_not_released(run, mygame, built):
    """Whether or not a build found it; `check` repeats what a build found."""
    stick = "\ncutouts:\n  stick:\n    shape: stick\n    title: Ranges\n    marks:\n"
    marks = "      - {name: Point-blank, to: 1mm}\n      - {name: Far, to: 100mm}\n"
    (mygame / "ranges.yaml").write_text(stick + marks, encoding="utf-8")
    (mygame / "shooting.md").open("a", encoding="utf-8").write("\n{cutout: stick}\n")
    told = "content/mygame/ranges.yaml:7:16: error[R445]"
    run("check", "mygame", exits=0)
    if built:
        run("build", "mygame", exits=1)
        assert told in run("check", "mygame", exits=1).output
    result = run("release", "mygame", exits=1)
    assert "mygame 0.1 is not released: " in result.stderr and told in result.stderr
    assert not (mygame / "releases").exists()
    manifest = json.loads(Path("output/mygame/0.1/manifest.json").read_text("utf-8"))
    assert manifest["status"] == "working copy"


def test_what_could_not_be_read_again_is_not_released(run, mygame, own_cache, monkeypatch):
    """It could never be mended, so the release itself reads it once."""
    from rulebook.loading import snapshots

    monkeypatch.setattr(snapshots, "LARGEST_RELEASE", 100)
    result = run("release", "mygame", exits=1)
    assert "what was to be released cannot be read: this edition is too large" in result.output
    assert not (mygame / "releases").exists()


def test_an_edition_made_by_hand_is_told_before_it_is_compared(run, released):
    """The right checksum over something that is no ruleset."""
    path = released / "releases" / "0.1.json"
    for content in ({"collections": "none"}, {"collections": {"tables": []}, "header": None}, {}):
        path.write_text(Snapshot("mygame", "0.1", content).text(), "utf-8")
        result = run("release", "mygame")
        assert (result.exit_code, "releases/0.1.json" in result.output) == (1, True)
        new_edition(released)
        for command in ("release", "check", "diff", "build"):
            result = run(command, "mygame", *(["--only", "qrs.html"] * (command == "build")))
            assert result.exit_code in (0, 1)
            assert "fault of the program" not in result.output
        assert not (released / "releases" / "0.2.json").exists()
        new_edition(released, "0.1", "0.2")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (["mygame@0.1"], "'mygame@0.1' is released already"),
        (["mygaem"], "did you mean 'mygame'?"),
        ([], "Missing argument"),
    ],
)
def test_usage(name, told, run, released):
    assert told in run("release", *name, exits=2).output


class TestWorkingCopy:
    """One that moved on under the number of what was released."""

    @pytest.mark.parametrize(
        "command", [["check", "mygame"], ["build", "mygame", "--only", "qrs.html"]]
    )
    def test_it_is_warned_of(self, run, released, command):
        change(released / "shooting.yaml", "[3+, 4+]", "[2+, 4+]")
        output = run(*command, exits=0).output
        assert "content/mygame/ruleset.yaml:12:10: warning[R803]" in output
        assert "give it a new number; see 'rulebook diff mygame 0.1'" in output

    def test_a_renamed_file_is_no_change(self, run, released):
        (released / "moving.yaml").rename(released / "walking.yaml")
        assert "warning" not in run("check", "mygame", exits=0).output

    def test_withdrawing_what_was_never_released(self, run, released):
        (released / "revisions.yaml").write_text('withdrawn: {"7": A slip.}\n', "utf-8")
        result = run("check", "mygame", "--format", "short", exits=0)
        assert "content/mygame/revisions.yaml:1:18: warning[R805]" in result.output

    def test_what_is_no_edition_is_told(self, run, released):
        releases = released / "releases"
        (releases / "v2.json").write_text("{}")
        (releases / "3.0.json").mkdir()
        (releases / "4.0.json").symlink_to(releases / "0.1.json")
        (releases / "notes.txt").write_text("not looked at")
        output = run("check", "mygame", "--format", "short").output
        told = [line.split(" ", 2)[:2] for line in output.splitlines() if "releases/" in line]
        assert told == [
            ["content/mygame/releases/3.0.json:1:1:", "warning[R101]:"],
            ["content/mygame/releases/4.0.json:1:1:", "warning[R101]:"],
            ["content/mygame/releases/v2.json:1:1:", "warning[R115]:"],
        ]
        assert "2 warnings" not in output and "3 warnings" in output


def test_a_faulty_file_of_notes_is_a_fault_of_the_folder_and_not_of_what_was_released(
    run, released
):
    (released / "revisions.yaml").write_text('editions: {"0.2": {changes: 3}}\n', "utf-8")
    assert "error[R203]" in run("check", "mygame").output
    assert "warning[R203]" in run("check", "mygame@0.1", exits=0).output
