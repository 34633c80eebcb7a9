"""The chapters of the manual hold true: what they show to write checks, runs and prints alike.

All that the chapters behind the tutorial show makes one game, `mygame`, in the order in which it
stands. The chapter that begins makes a game of its own.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
import yaml
from beside import beside
from typed_manual import (
    Shown,
    blocks,
    commands,
    comparable,
    file_of,
    printed_by,
    put_into,
    with_output,
)

from rulebook.checking.all_checks import check
from rulebook.core.odds import odds
from rulebook.loading.rulesets import load
from rulebook.manual.book import FOLDER, chapter
from rulebook.model.ruleset import Collections, Ruleset

#: In the order in which the game is written.
OF_THE_GAME = (
    *("tables.md", "chapters.md", "procedures.md", "cutouts.md", "cards.md", "scenarios.md"),
    *("options.md", "printing.md", "editions.md"),
)
#: What no other block of the game places, in a chapter of its own.
PLACED = beside(__file__, "placed")
HEADER = 'title: Mygame\nedition: "1.0"\ndate: 2020-01-01\n'


def shown_in(file: str) -> list[Shown]:
    return list(blocks(chapter(file)))


def write_game(content: Path) -> Path:
    """The game in a content folder; parts of its header stand in several chapters."""
    folder = content / "mygame"
    (folder / "options").mkdir(parents=True)
    header, chapters = HEADER, ["placed.md"]
    (folder / "placed.md").write_text(PLACED, "utf-8")
    for file in OF_THE_GAME:
        for number, shown in enumerate(shown_in(file)):
            name = f"{Path(file).stem}_{number}"
            if shown.language == "markdown":
                chapters.append(f"{name}.md")
                words = f"# From {name} {{#{name}}}\n\n{shown.text}\n"
                (folder / f"{name}.md").write_text(words, "utf-8")
            elif shown.language == "yaml":
                keys = set(yaml.safe_load(shown.text))
                if keys <= {"muster", "documents"}:
                    header += f"{shown.text}\n"
                elif "`options/" in shown.before:
                    (folder / "options/steady.yaml").write_text(shown.text, "utf-8")
                elif keys <= set(Collections.model_fields):
                    (folder / f"{name}.yaml").write_text(shown.text, "utf-8")
                else:
                    assert "based_on" in keys or "editions" in keys, shown
    header += f"chapters: [{', '.join(chapters)}]\n"
    (folder / "ruleset.yaml").write_text(header, "utf-8")
    return folder


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_game(Path("content"))


def ruleset_in(folder: Path, *options: str) -> Ruleset:
    loaded = load(folder, options)
    assert loaded.ruleset is not None, list(loaded.report)
    return loaded.ruleset


def test_the_game_of_the_manual_has_no_fault(game):
    assert list(check(ruleset_in(game))) == []


def test_its_option_changes_what_it_says(game):
    defaults = [
        odds(ruleset_in(game, *options), "volley").inputs["firers"] for options in ((), ("steady",))
    ]
    assert defaults == [24, 30]


def test_its_variant_is_in_centimetres(game):
    (shown,) = (one for one in shown_in("options.md") if "based_on" in one.text)
    other = game.parent / "mygame-cm"
    other.mkdir()
    text = shown.text.replace("mygame@1.0", "mygame")
    (other / "ruleset.yaml").write_text(text, "utf-8")
    variant = ruleset_in(other)
    assert list(check(variant)) == []
    assert str(variant.tables["ranges"].data["rifled_musket"].cells["far"].value) == "30 cm"  # type: ignore[union-attr]


def test_the_odds_that_it_shows_are_those_of_all_throws():
    """Every throw gone through by hand, and what the chapters print of it."""
    told = chapter("procedures.md")
    for deduction, mean in ((2, "6.67"), (3, "4.00"), (4, "2.00")):
        lost = Fraction(sum(max(0, die - deduction) for die in range(1, 7)), 6)
        assert f"{float(24 // 6 * lost):.2f}" == mean
        assert re.search(rf"(?m)^\S+ +{mean} ", told)
    for answer, bonus in (("stall", 0), ("brace", 1)):
        leads = [attack - defence - bonus for attack in range(1, 7) for defence in range(1, 7)]
        fates = [sum(lead <= 0 for lead in leads), sum(lead > 2 for lead in leads)]
        stands, routs = (f"{float(100 * Fraction(count, 36)):.1f}%" for count in fates)
        assert re.search(rf"(?m)^{answer} +{stands} .* {routs}$", told)
    for needed, mean in ((3, "4.00"), (4, "3.00"), (5, "2.00")):
        hits = [sum(die >= needed for die in dice) for dice in product(range(1, 7), repeat=6)]
        assert f"{sum(hits) / len(hits):.2f}" == mean
        none = f"{100 * hits.count(0) / len(hits):.1f}%"
        assert re.search(rf"(?m)^\S+ +{mean} +{none} ", chapter("tutorial.md"))


def test_its_changes_can_be_released(game):
    """The second edition that the chapter on editions tells of, with the reasons that it gives."""
    from frozen import freeze

    freeze(game)
    (changes,) = (one for one in shown_in("editions.md") if one.text.startswith("editions:"))
    (game / "revisions.yaml").write_text(changes.text, "utf-8")
    for name, before, after in (
        ("ruleset.yaml", 'edition: "1.0"', 'edition: "1.1"'),
        ("tables_0.yaml", "[[2, 3, 1, 2]", "[[1, 2, 1, 2]"),
        ("chapters_0.md", "Rifled muskets reach", "All rifled muskets reach"),
    ):
        text = (game / name).read_text("utf-8")
        assert before in text
        (game / name).write_text(text.replace(before, after), "utf-8")
    told = "\n".join(printed_by("rulebook diff mygame"))
    assert "Musketry at close range" in told
    assert "WITHOUT A CLASS" not in told


def run_all(file: str, request: pytest.FixtureRequest) -> int:
    """Run the commands of a chapter, one after another; with --accept put in what they print."""
    text = chapter(file)
    accept = request.config.getoption("--accept")
    found = []
    for shown in blocks(text):
        if shown.language == "console":
            printed: list[str] = []
            for typed, told in commands(shown.text):
                lines = printed_by(typed)
                assert accept or comparable(told) == comparable(lines), typed
                printed += [f"$ {typed}", *lines]
            found.append((shown, printed))
        elif (at := file_of(shown)) is not None:
            put_into(at, shown)
    if accept:
        for shown, printed in reversed(found):
            text = with_output(text, shown, printed)
        (FOLDER / file).write_text(text, "utf-8")
    return len(found)


@pytest.mark.parametrize("file", OF_THE_GAME)
def test_commands_print_what_is_shown(file, game, request):
    consoles = [shown for shown in shown_in(file) if shown.language == "console"]
    assert run_all(file, request) == len(consoles)


@pytest.mark.parametrize(
    ("file", "least"), [("start.md", 1), ("tonight.md", 1), ("tutorial.md", 10)]
)
def test_what_is_typed_from_an_empty_folder(file, least, tmp_path, monkeypatch, request):
    """Every step gives what it shows."""
    monkeypatch.chdir(tmp_path)
    assert run_all(file, request) >= least


def test_commands_are_in_blocks_that_are_run():
    ran = {*OF_THE_GAME, "start.md", "tonight.md", "tutorial.md"}
    for file in sorted({path.name for path in FOLDER.glob("[!r]*.md")}):
        for shown in shown_in(file):
            assert shown.language in ("yaml", "markdown", "console", "diff", "text"), shown
            assert file in ran or shown.language == "text", f"{file}: {shown.text}"
