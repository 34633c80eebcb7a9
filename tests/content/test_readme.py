"""What the README shows is true, and what the manual promises of content from strangers."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from tried_cases import OF_ROOM
from typed_manual import printed_by

from rulebook import problems, quantities
from rulebook.checking import scenarios
from rulebook.cli import COMMANDS, cli
from rulebook.core import weights
from rulebook.loading import (
    chapters,
    folder,
    loaded,
    pictures,
    rulesets,
    safe_text,
    snapshots,
    svg_pictures,
    yaml_reader,
)
from rulebook.manual.book import chapter
from rulebook.model import expressions, maps, nesting, scalars, tables, units

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


def test_the_first_ruleset_checks_clean(game: Path) -> None:
    assert len(samples()) == 3
    assert printed_by("rulebook check mygame") == [
        "mygame 0.1: 1 table, 0 cutouts, 0 examples, 1 chapter, no faults"
    ]


def test_its_slip_is_told_as_shown(game: Path) -> None:
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
    return found


@pytest.mark.parametrize("typed", helpful_commands())
def test_the_examples_of_the_help_run(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (["new", "mygame"], shlex.split(typed)):
        result = CliRunner().invoke(cli, ["--content", "content", *words])
        assert result.exit_code == 0, result.output


def test_examples_of_commands_are_found() -> None:
    assert len(helpful_commands()) >= 8


def test_every_command_is_listed() -> None:
    listed = re.findall(r"(?m)^\| `rulebook ([a-z-]+)", chapter("commands.md"))
    assert sorted(listed) == sorted(COMMANDS)


def test_every_ruleset_is_told_of() -> None:
    told = re.findall(r"(?m)^\| \*(.+)\* \| `([a-z-]+)` \|", README)
    headers = {one.parent.name: yaml.safe_load(one.read_text("utf-8")) for one in HEADERS}
    assert sorted(told) == sorted((one["title"], name) for name, one in headers.items())


def _limits() -> list[tuple[object, ...]]:
    """The limits of content in the order of the manual's table, taken from where they are asked."""
    of_file, of_ruleset = safe_text.LARGEST_FILE >> 20, rulesets.LARGEST_RULESET >> 20
    drawn, points = pictures.LARGEST_DRAWN >> 20, pictures.LARGEST_OF_POINTS >> 20
    return [
        (of_file,),
        (of_ruleset, folder.MOST_FILES, folder.DEEPEST_FOLDER, loaded.MOST_NODES),
        (rulesets.MOST_LINES, rulesets.MOST_SIGNS),
        (rulesets.MOST_LINKS, chapters.MOST_LINKS),
        (yaml_reader.MOST_NODES, yaml_reader.DEEPEST, yaml_reader.MOST_KEYS),
        (min(scalars.LONGEST_TEXT, yaml_reader.LONGEST_SCALAR), scalars.LONGEST_LINE),
        (chapters.MOST_SECTIONS, nesting.LONGEST_PROSE),
        (scalars.LONGEST_LINE,),
        (nesting.DEEPEST_NESTING,),
        (expressions.LONGEST_EXPRESSION, expressions.MOST_PARTS, expressions.DEEPEST_EXPRESSION),
        (quantities.MOST_DICE, quantities.MOST_SIDES),
        (weights.MOST_STATES, weights.MOST_MOVES),
        (tables.LARGEST_TABLE, units.MOST_CARDS),
        (scenarios.MOST_UNITS, maps.MOST_FEATURES),
        (drawn, svg_pictures.MOST_ELEMENTS, points, pictures.MOST_POINTS),
        (snapshots.LARGEST_SNAPSHOT >> 20,),
        (problems.MOST_PROBLEMS_TOLD,),
    ]


def test_the_limits_of_content_are_those_that_are_asked() -> None:
    rows = [line.split("|")[2] for line in STRANGERS.splitlines() if line.startswith("| ")][2:]
    numbers = [
        tuple(int(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,]*(?<!,)", row))
        for row in rows
    ]
    assert numbers == _limits()


def test_the_faults_of_room_that_no_check_foresees_are_named() -> None:
    """Those of rendering that the fuzzer lets pass, and no others."""
    named = "R601, R604, R606 to R608"
    assert named in " ".join(STRANGERS.split())
    first, second, *rest = re.findall("R[0-9]{3}", named)
    span = range(int(rest[0][1:]), int(rest[1][1:]) + 1)
    assert (first, second, *(f"R{number}" for number in span)) == OF_ROOM
