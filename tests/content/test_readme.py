"""What the README shows is true, and what the manual promises of content from strangers."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from tried_cases import OF_ROOM
from typed_manual import printed_by

from rulebook import limits, problems, quantities
from rulebook.cli import COMMANDS, cli
from rulebook.manual.book import chapter

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
CONTENT = Path(__file__).parents[2] / "content"
HEADERS = sorted(CONTENT.glob("*/ruleset.yaml"))
STRANGERS = chapter("strangers.md")


def samples() -> dict[str, str]:
    """The files of the first ruleset, by the names that stand before them."""
    return dict(re.findall(r"`(content/[^`]+)`:\n\n```[a-z]+\n(.*?)```", README, re.S))


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first ruleset, typed as it stands."""
    monkeypatch.chdir(tmp_path)
    for name, text in samples().items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")
    return Path("content/mygame")


def test_the_first_ruleset_checks_clean(game):
    assert len(samples()) == 3
    assert printed_by("rulebook check mygame") == [
        "mygame 0.1: 1 table, 0 cutouts, 0 examples, 1 chapter, no faults"
    ]


def test_the_sheet_for_tonight_is_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (text,) = re.findall(r"```text\n(---\n.*?)```", README, re.S)
    Path("thursday.md").write_text(text, "utf-8")
    assert printed_by("rulebook build thursday.md --only qrs*")[-1].startswith("open ")
    assert {path.name for path in Path("output/thursday/1").glob("qrs*")} == {
        *("qrs-a4.pdf", "qrs-a4-low.pdf", "qrs.html")
    }


def test_its_slip_is_told_as_shown(game):
    typed, told = re.findall(r"^    \$ (rulebook .*)\n((?:    .*\n|\n)+)", README, re.M)[0]
    text = (game / "shooting.md").read_text("utf-8")
    (game / "shooting.md").write_text(text.replace("{to_hit[", "{to_hitt[", 1), "utf-8")
    shown = [line.removeprefix("    ").rstrip() for line in told.rstrip().splitlines()]
    assert [line.rstrip() for line in printed_by(typed)] == shown


def helpful_commands() -> list[str]:
    """What the help of the commands gives as examples: they are for the game that `new` starts."""
    found = []
    for name in ("odds", "roll", "cutout"):
        told = CliRunner().invoke(cli, [name, "--help"]).output
        found += re.findall(rf"^  rulebook ({name} mygame .*)$", told, re.M)
    assert len(found) >= 8
    return found


@pytest.mark.parametrize("typed", helpful_commands())
def test_the_examples_of_the_help_run(typed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (["new", "mygame"], shlex.split(typed)):
        result = CliRunner().invoke(cli, ["--content", "content", *words])
        assert result.exit_code == 0, result.output


def test_every_command_is_listed():
    listed = re.findall(r"(?m)^\| `rulebook ([a-z-]+)", chapter("commands.md"))
    assert sorted(listed) == sorted(COMMANDS)


def test_every_ruleset_is_told_of():
    told = re.findall(r"(?m)^\| \*(.+)\* \| `([a-z-]+)` \|", README)
    headers = {one.parent.name: yaml.safe_load(one.read_text("utf-8")) for one in HEADERS}
    assert sorted(told) == sorted((one["title"], name) for name, one in headers.items())


def test_the_limits_of_content_are_those_that_are_asked():
    rows = [line.split("|")[2] for line in STRANGERS.splitlines() if line.startswith("| ")][2:]
    numbers = [
        tuple(int(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,]*(?<!,)", row))
        for row in rows
    ]
    assert numbers == [
        (limits.LARGEST_FILE >> 20,),
        (limits.LARGEST_RULESET >> 20, limits.MOST_FILES, limits.MOST_VALUES),
        (limits.MOST_WORK,),
        (limits.MOST_ITEMS,),
        (limits.DEEPEST,),
        (limits.LONGEST_TEXT, limits.MOST_LINES),
        (limits.LONGEST_LINE,),
        (limits.LONGEST_PROSE,),
        (limits.DEEPEST_PROSE,),
        (limits.LARGEST_PICTURE >> 20, limits.MOST_POINTS),
        (limits.LARGEST_RELEASE >> 20,),
        (quantities.MOST_DICE, quantities.MOST_SIDES),
        (limits.MOST_FAULTS, problems.MOST_PROBLEMS_SHOWN),
    ]


def test_the_faults_of_room_that_no_check_foresees_are_named():
    """Those of rendering that the fuzzer lets pass, and no others."""
    named = "R601, R604, R606 to R608"
    assert named in " ".join(STRANGERS.split())
    first, second, *rest = re.findall("R[0-9]{3}", named)
    span = range(int(rest[0][1:]), int(rest[1][1:]) + 1)
    assert (first, second, *(f"R{number}" for number in span)) == OF_ROOM
