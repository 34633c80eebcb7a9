"""`rulebook import`: what is written, what stays, and what is said when it cannot be."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from rulebook.cli import cli
from rulebook.importing.updating import merge

GUNS = 'Gun,Range,Hit\nRifle,6",4+\nMusket,12",5+\nCannon,24",3+\n'
SHEET = Path("content/guns/sheet.md")


@pytest.fixture
def guns(here: Path) -> Path:
    file = here / "Guns.csv"
    file.write_text(GUNS)
    return file


def test_a_sheet_is_written_that_checks_clean(run, guns):
    said = run("import", "Guns.csv", exits=0).output
    assert said == "wrote content/guns/sheet.md\nnow try: rulebook build guns\n"
    assert '| Musket | 12" | 5+ |\n' in SHEET.read_text()
    assert "1 table" in run("check", "guns", exits=0).output


def test_typed_tables_are_written_that_say_the_same(run, guns):
    run("import", "Guns.csv", "--to", "yaml", exits=0)
    assert sorted(path.name for path in SHEET.parent.glob("*")) == [
        *(".imported.ruleset.yaml", ".imported.tables.yaml"),
        *("ruleset.yaml", "tables.yaml"),
    ]
    tables = (SHEET.parent / "tables.yaml").read_text()
    assert "range: {type: length, title: Range}" in tables
    assert "cannon: {title: Cannon, range: 24in, hit: 3+}" in tables
    assert "1 table" in run("check", "guns", exits=0).output


def test_a_paste(here):
    result = CliRunner().invoke(cli, ["import", "-", "--name", "mine"], input=GUNS)
    assert result.exit_code == 0
    assert Path("content/mine/sheet.md").is_file()


def test_several_files_are_phases_of_one_sheet(run, guns):
    Path("Notes.md").write_text("Foot moves first.\n")
    run("import", "Guns.csv", "Notes.md", "--name", "all", exits=0)
    text = Path("content/all/sheet.md").read_text()
    assert text.index("# Guns") < text.index("Rifle") < text.index("# Notes\n\nFoot moves")


def test_what_is_edited_stays_when_the_file_changes(run, guns):
    run("import", "Guns.csv", exits=0)
    SHEET.write_text(SHEET.read_text().replace("title: Guns", "title: My guns"))
    assert "nothing new" in run("import", "Guns.csv", exits=0).output
    guns.write_text(GUNS.replace("3+", "2+") + 'Pike,2",4+\n')
    said = run("import", "Guns.csv", exits=0).output
    assert '-| Cannon | 24" | 3+ |\n+| Cannon | 24" | 2+ |\n+| Pike | 2" | 4+ |' in said
    assert "title: My guns" in SHEET.read_text()
    assert "| Pike |" in SHEET.read_text()


def test_where_both_were_changed_nothing_is_written(run, guns):
    run("import", "Guns.csv", exits=0)
    SHEET.write_text(edited := SHEET.read_text().replace("5+", "6+"))
    guns.write_text(GUNS.replace("5+", "4+"))
    result = run("import", "Guns.csv", exits=1)
    assert "content/guns/sheet.md:8:1: error[R702]: this was edited" in result.output
    assert 'now `| Musket | 12" | 4+ |`' in result.output
    assert "--keep-edits" in result.output
    assert SHEET.read_text() == edited
    assert "R702" in run("import", "Guns.csv", exits=1).output, "nor is it the next time"
    guns.write_text(GUNS.replace("5+", "4+").replace("3+", "2+"))
    for options, status in ([], 1), (["--keep-edits"], 0):
        assert SHEET.read_text() == edited
        said = run("import", "Guns.csv", *options, exits=status).output
        assert '-| Cannon | 24" | 3+ |\n+| Cannon | 24" | 2+ |' in said
    assert SHEET.read_text() == edited.replace("3+", "2+")
    assert "nothing new" in run("import", "Guns.csv", exits=0).output


def test_the_hint_at_a_conflict_can_be_obeyed(run, guns):
    run("import", "Guns.csv", exits=0)
    SHEET.write_text(edited := SHEET.read_text() + '| Bow | 9" | 4+ |\n')
    guns.write_text(GUNS + 'Pike,2",4+\n')
    run("import", "Guns.csv", exits=1)
    SHEET.write_text(both := edited + '| Pike | 2" | 4+ |\n')
    assert "nothing new" in run("import", "Guns.csv", exits=0).output
    assert SHEET.read_text() == both


def test_what_no_import_has_written_is_left_alone(run, mygame):
    Path("mygame.csv").write_text(GUNS)
    before = (mygame / "ruleset.yaml").read_bytes()
    result = run("import", "mygame.csv", exits=1)
    assert "R702" in result.output
    assert "--name" in result.output
    assert not (mygame / "sheet.md").exists()
    assert (mygame / "ruleset.yaml").read_bytes() == before
    run("import", "mygame.csv", "--to", "yaml", exits=1)


def test_a_file_that_is_not_there(run, here):
    result = run("import", "gnus.csv", exits=1)
    assert "gnus.csv:1:1: error[R101]" in result.output
    assert not Path("content").exists()


@pytest.mark.parametrize(
    ("edited", "new", "merged"),
    [
        ("abc", "abc", "abc"),
        ("Abc", "abC", "AbC"),
        ("ABc", "abC", "ABC"),
        ("abXc", "abc", "abXc"),
        ("abXc", "aBc", "aBXc"),
        ("abXc", "abXc", "abXc"),
        ("AXbc", "ABc", "AXBc"),
        ("aBBc", "aBc", "aBBc"),
        ("abXc", "abYc", None),
        ("aBc", "aXc", None),
        ("aBC", "ABX", None),
        ("ac", "aXc", None),
        ("c", "aXbc", None),
        ("", "abX", None),
    ],
)
def test_changes_are_merged_where_they_do_not_meet(edited, new, merged):
    old, edited, new = ("".join(f"{sign}\n" for sign in text) for text in ("abc", edited, new))
    text, conflicts = merge(old, edited, new)
    assert (None if conflicts else text.replace("\n", "")) == merged


def test_where_changes_meet_is_told():
    text, conflicts = merge("a\nb\nc\n", "x\na\nB\n", "A\nX\nd\n")
    assert text == "x\nA\nB\n"
    assert conflicts == [(3, "B\n", "X\n"), (4, "", "d\n")]
