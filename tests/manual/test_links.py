"""Every link of README and manual leads somewhere, and what they tell to type can be typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from rulebook.checking.all_checks import check
from rulebook.cli import COMMANDS, cli
from rulebook.loading.rulesets import load
from rulebook.manual.book import FOLDER, chapter, chapter_files, topics, write_manual

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
#: The README, and the chapters that are written.
WRITTEN = {
    "README.md": README,
    **{path.name: path.read_text("utf-8") for path in FOLDER.glob("*.md")},
}


def without_code(text: str) -> str:
    return re.sub(r"(?ms)^(`{3,}).*?^\1$", "", text)


def test_links_of_the_readme_lead_to_files_and_headings() -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", without_code(README))
    assert len(links) > 10
    for link in links:
        file, _, heading = link.partition("#")
        if not link.startswith(("http:", "https:", "mailto:")):
            assert not file or (ROOT / file).is_file(), link
            assert not heading or heading in topics(), link


def test_the_manual_is_a_ruleset_without_a_fault(tmp_path: Path) -> None:
    """So all its links lead to headings of its own, and all its chapters are there."""
    write_manual(tmp_path / "manual")
    loaded = load(tmp_path / "manual")
    assert loaded.ruleset is not None, list(loaded.report)
    assert list(check(loaded.ruleset)) == []
    assert [one.file for one in loaded.ruleset.chapters] == chapter_files()


def test_every_chapter_that_is_written_is_listed() -> None:
    assert {path.name for path in FOLDER.glob("*.md")} < set(chapter_files())


def typed_in(text: str) -> Iterator[list[str]]:
    """The words of each command that stands in a text or in lines of code."""
    for words in re.findall(r"(?:`|^\$ |^ {4}\$ )(?:\.venv/bin/)?rulebook ([^`\n]*)", text, re.M):
        yield words.split()


@pytest.mark.parametrize("file", WRITTEN)
def test_commands_have_the_options_that_are_named(file: str) -> None:
    for words in typed_in(WRITTEN[file]):
        before = next((at for at, word in enumerate(words) if not word.startswith("-")), 0)
        if words[0].startswith("-"):
            known: click.Command = cli
        else:
            assert words[before] in COMMANDS, words
            found = cli.get_command(click.Context(cli), words[before])  # type: ignore[attr-defined]
            assert found is not None
            known = found
        options = {name for one in known.params for name in (*one.opts, *one.secondary_opts)}
        named = {word.strip("(),.").partition("=")[0] for word in words if word.startswith("-")}
        assert named - {"--help"} <= options, words


@pytest.mark.parametrize("file", WRITTEN)
def test_topics_that_are_named_are_there(file: str) -> None:
    for words in typed_in(WRITTEN[file]):
        if (
            words[:1] == ["help"]
            and len(words) > 1
            and not words[1].startswith(("-", "[", "TOPIC"))
        ):
            assert words[1].lower().replace("-", "_") in topics(), words


@pytest.mark.parametrize("file", WRITTEN)
def test_codes_that_are_named_are_there(file: str) -> None:
    assert set(re.findall(r"\bR[1-8]\d\d\b", WRITTEN[file])) <= {name.upper() for name in topics()}


def test_ids_of_headings_are_given() -> None:
    """By them chapters are asked for; one that is made of its words changes with them."""
    for file in chapter_files():
        headings = re.findall(r"(?m)^#{1,4} .*$", without_code(chapter(file)))
        assert headings and all(re.search(r" \{#[a-z0-9_]+\}$", one) for one in headings), file
