"""What the README shows is true: its samples check clean, its odds are those of the rules."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from asked_odds import game as shipped
from click.testing import CliRunner
from tried_cases import OF_ROOM
from what_ships import differing, held, table

from rulebook import problems, quantities
from rulebook.checking import scenarios
from rulebook.checking.all_checks import check
from rulebook.cli import COMMANDS, cli
from rulebook.core import weights
from rulebook.core.odds import odds
from rulebook.documents.scenario.forces import order_of_battle
from rulebook.loading import (
    chapters,
    folder,
    loaded,
    pictures,
    print_records,
    rulesets,
    safe_text,
    snapshots,
    svg_pictures,
    yaml_reader,
)
from rulebook.loading.rulesets import load
from rulebook.model import expressions, maps, nesting, scalars, tables, units
from rulebook.model.cards import deal

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
SECTION = README[README.index("## Rules that run") : README.index("## When something is wrong")]
CONTENT = Path(__file__).parents[2] / "content"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A ruleset of the samples: the grid that they look things up in, and all that runs."""
    grid = next(
        block for block in re.findall(r"```yaml\n(.*?)```", README, re.S) if "musketry:" in block
    )
    *topics, option = re.findall(r"```yaml\n(.*?)```", SECTION, re.S)
    folder = tmp_path / "readme"
    (folder / "options").mkdir(parents=True)
    for number, text in enumerate((grid, *topics)):
        (folder / f"{number}.yaml").write_text(text, "utf-8")
    (folder / "options/steady.yaml").write_text(option, "utf-8")
    (folder / "ruleset.yaml").write_text(
        'title: R\nedition: "1"\ndate: 2020-01-01\nchapters: [a.md]\ndocuments: {qrs: ~}\n', "utf-8"
    )
    blocks = re.findall(r"\{(?:steps|chart): [^}]+\}", SECTION)
    assert len(blocks) == 3
    chapter = ["# A {#steady_men}", "Words.", "{table: musketry}", "{table: volley_losses}"]
    chapter += [*blocks, "{example: first_fire}", "{example: two_charges}"]
    (folder / "a.md").write_text("\n\n".join(chapter) + "\n", "utf-8")
    return folder


def test_the_samples_check_clean(game: Path) -> None:
    loaded = load(game)
    assert loaded.ruleset is not None, list(loaded.report)
    assert list(check(loaded.ruleset)) == []
    before = odds(loaded.ruleset, "volley").inputs["firers"]
    after = load(game, ("steady",)).ruleset
    assert (before, odds(after, "volley").inputs["firers"]) == (24, 30)


def test_the_odds_are_those_of_the_rules() -> None:
    typed, told = re.findall(r"^    \$ rulebook (.*)\n((?:    .*\n|\n)+)", SECTION, re.M)[0]
    result = CliRunner().invoke(cli, ["--content", str(CONTENT), *shlex.split(typed)])
    shown = [line.removeprefix("    ") for line in told.splitlines()]
    assert result.output.splitlines() == "\n".join(shown).strip().splitlines()


SPOKEN = re.findall(r"`rulebook ((?:odds|roll) acw [^`]*)`", README)


def helpful_commands() -> list[str]:
    """What the help of the commands gives as examples: they are for the game that `new` starts."""
    found = []
    for name in ("odds", "roll", "cutout"):
        told = CliRunner().invoke(cli, [name, "--help"]).output
        found += re.findall(rf"^  rulebook ({name} mygame .*)$", told, re.M)
    return found


@pytest.mark.parametrize("typed", SPOKEN)
def test_the_examples_of_commands_run(typed: str) -> None:
    result = CliRunner().invoke(cli, ["--content", str(CONTENT), *shlex.split(typed)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("typed", helpful_commands())
def test_the_examples_of_the_help_run(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (["new", "mygame"], shlex.split(typed)):
        result = CliRunner().invoke(cli, ["--content", "content", *words])
        assert result.exit_code == 0, result.output


def test_examples_of_commands_are_found() -> None:
    assert len(SPOKEN) >= 3
    assert len(helpful_commands()) >= 8


def test_every_command_is_listed() -> None:
    listed = README[README.index("## Commands") :]
    assert not [name for name in COMMANDS if f"    rulebook {name} " not in listed]


def test_every_ruleset_is_told_of() -> None:
    assert sorted(table()) == sorted(path.parent.name for path in CONTENT.glob("*/ruleset.yaml"))


@pytest.mark.parametrize("name", table())
def test_what_ships_is_counted_right(name: str) -> None:
    """Pages are counted where they are printed."""
    assert not differing(name, held(shipped(name).ruleset))


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", README, re.S))
def test_samples_are_yaml(block: str) -> None:
    assert yaml.safe_load(block)


def test_the_units_and_cards_check_clean_and_are_dealt(tmp_path: Path) -> None:
    section = README[README.index("## Units and cards") : README.index("## Scenarios")]
    (sample,) = re.findall(r"```yaml\n(.*?)```", section, re.S)
    folder = tmp_path / "readme"
    folder.mkdir()
    (folder / "units.yaml").write_text(sample, "utf-8")
    (folder / "units.md").write_text("# Units {#units}\n\n{table: strengths}\n", "utf-8")
    (folder / "ruleset.yaml").write_text(
        'title: R\nedition: "1"\ndate: 2020-01-01\nchapters: [units.md]\ndocuments: {qrs: ~}\n',
        "utf-8",
    )
    loaded = load(folder)
    assert loaded.ruleset is not None, list(loaded.report)
    assert list(check(loaded.ruleset)) == []
    for deck in ("army", "tricks"):
        assert [card.boxes for card in deal(loaded.ruleset, deck)] == [24 if deck == "army" else 0]


def test_the_scenario_checks_clean(tmp_path: Path) -> None:
    section = README[README.index("## Units and cards") : README.index("## Rules that run")]
    units, scenario, muster = re.findall(r"```yaml\n(.*?)```", section, re.S)
    folder = tmp_path / "readme"
    folder.mkdir()
    going = "tables: {going: {title: Going, fields: {less: length}, data: {wood: {less: 2in}}}}\n"
    for name, text in {"units": units, "scenario": scenario, "going": going}.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    chapter = "# Units {#units}\n\n{table: strengths}\n\n{table: going}\n"
    (folder / "units.md").write_text(chapter, "utf-8")
    header = 'title: R\nedition: "1"\nchapters: [units.md]\ndocuments: {qrs: ~}\n'
    (folder / "ruleset.yaml").write_text(header + muster, "utf-8")
    loaded = load(folder)
    assert loaded.ruleset is not None, list(loaded.report)
    assert list(check(loaded.ruleset)) == []
    blue, red = order_of_battle(loaded.ruleset, "mill")
    assert (blue.counts, red.counts) == ({"figures": 3 * 24}, {"figures": 2 * 24})


def _limits() -> list[tuple[object, ...]]:
    """The limits of content in the order of the README's table, taken from where they are asked."""
    of_file, of_ruleset = safe_text.LARGEST_FILE >> 20, rulesets.LARGEST_RULESET >> 20
    drawn, points = pictures.LARGEST_DRAWN >> 20, pictures.LARGEST_OF_POINTS >> 20
    edition, record = snapshots.LARGEST_SNAPSHOT >> 20, print_records.LARGEST_RECORD >> 20
    return [
        (of_file,),
        (of_ruleset, folder.MOST_FILES, folder.DEEPEST_FOLDER, loaded.MOST_NODES),
        (yaml_reader.MOST_NODES, yaml_reader.DEEPEST, yaml_reader.MOST_KEYS),
        (min(scalars.LONGEST_TEXT, yaml_reader.LONGEST_SCALAR), scalars.LONGEST_LINE),
        (chapters.MOST_SECTIONS, nesting.LONGEST_PROSE),
        (nesting.DEEPEST_NESTING,),
        (expressions.LONGEST_EXPRESSION, expressions.MOST_PARTS, expressions.DEEPEST_EXPRESSION),
        (quantities.MOST_DICE, quantities.MOST_SIDES),
        (weights.MOST_STATES, weights.MOST_MOVES),
        (tables.LARGEST_TABLE, units.MOST_CARDS),
        (scenarios.MOST_UNITS, maps.MOST_FEATURES),
        (drawn, svg_pictures.MOST_ELEMENTS, points, pictures.MOST_POINTS),
        (edition, record),
        (problems.MOST_PROBLEMS_TOLD,),
    ]


def test_the_limits_of_content_are_those_that_are_asked() -> None:
    section = README[README.index("## Content from strangers") : README.index("## How it works")]
    rows = [line.split("|")[2] for line in section.splitlines() if line.startswith("| ")][2:]
    numbers = [
        tuple(int(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,]*(?<!,)", row))
        for row in rows
    ]
    assert numbers == _limits()


def test_the_faults_of_room_that_no_check_foresees_are_named() -> None:
    """Those of rendering that the fuzzer lets pass, and no others."""
    named = "R601, R604, R606 to R608"
    assert named in " ".join(README.split())
    first, second, *rest = re.findall("R[0-9]{3}", named)
    span = range(int(rest[0][1:]), int(rest[1][1:]) + 1)
    assert (first, second, *(f"R{number}" for number in span)) == OF_ROOM
