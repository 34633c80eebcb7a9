"""`rulebook help`: the manual in the terminal, and as a document."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import click
import pytest

from rulebook.cli import COMMANDS
from rulebook.commands import help as help_of
from rulebook.manual.book import FOLDER, NAME, chapters, topics


def test_the_topics_are_listed(run):
    told = run("help").output
    for chapter, parts in chapters():
        assert re.search(
            rf"(?m)^  {chapter.id.replace('_', '-')} +{re.escape(chapter.title)}$", told
        )
        assert all(part.id.replace("_", "-") in told for part in parts)


def test_a_chapter_is_told_without_signs_of_the_booklet(run):
    told = run("help", "chapters").output
    assert told.startswith("# Chapters and text\n")
    assert "{table: musketry}" in told and "\\{" not in told and "{#" not in told.split("```")[0]
    assert "[Charts](rulebook help charts)" in told


def test_lines_of_code_stay_as_they_are(run):
    text = (FOLDER / "chapters.md").read_text("utf-8")
    (code,) = re.findall(r"(?ms)^```markdown\n.*?^```$", text)
    assert "{#" in code and code in run("help", "chapters").output


@pytest.mark.parametrize("typed", ["steps", "Steps", "the-turn", "the turn"])
def test_a_heading_is_asked_for_by_id_or_words(typed, run):
    wanted = "steps" if typed.lower() == "steps" else "sequence"
    assert run("help", *typed.split()).output.rstrip() == topics()[wanted].text


def test_a_heading_ends_where_the_next_begins(run):
    told = run("help", "grids").output
    assert "## Grids" in told and "## Record tables" not in told
    assert run("help", "tables").output.count("\n## ") >= 6


@pytest.mark.parametrize("code", ["R421", "r421"])
def test_a_code_is_explained(code, run):
    told = run("help", code).output
    assert told.startswith("### R421\n\nA value in an expression")
    assert "*To mend it:*" in told


def test_the_help_of_a_command(run):
    shown = run("build", "--help").output.splitlines()
    assert run("help", "build").output.rstrip().splitlines()[1:] == shown[1:]


@pytest.mark.parametrize(("typed", "hint"), [("tabels", "write 'tables'"), ("vari", "options")])
def test_a_topic_that_is_not_there(typed, hint, run):
    result = run("help", typed)
    assert result.exit_code == 2
    assert "the manual has no topic" in result.output and hint in result.output


def test_every_command_has_help_of_its_own_or_a_topic(run):
    assert all(run("help", name).exit_code == 0 for name in COMMANDS)


def test_in_a_terminal_it_is_set_and_paged(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    shown = []
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(click, "echo_via_pager", shown.append)
    help_of._show(topics()["grids"].text, markdown=True)
    (text,) = shown
    assert "\x1b[" in text and "## " not in text and "Musketry" in text
    assert max(len(re.sub("\x1b[^m]*m", "", line)) for line in text.split("\n")) <= help_of.WIDEST


def test_it_is_printed_and_stands_on_the_shelf(run, here: Path, monkeypatch):
    """One small chapter, for what the whole of it looks like is seen where it is printed."""
    monkeypatch.setattr("rulebook.manual.book.chapter_files", lambda: ["mistakes.md"])
    monkeypatch.setattr(
        "rulebook.manual.book.header",
        lambda: (
            'title: M\nedition: "1"\nchapters: [mistakes.md]\n'
            "documents: {papers: [a4], inks: [full], qrs: ~}\n"
        ),
    )
    text = re.sub(r"\[([^]]*)\]\(#\w+\)", r"\1", (FOLDER / "mistakes.md").read_text("utf-8"))
    monkeypatch.setattr("rulebook.manual.book.chapter", lambda file: text)
    run("help", "--page", exits=0)
    assert not list((here / "output").rglob("*.pdf"))
    run("help", "--print", exits=0)
    assert list((here / "output").rglob("booklet-a4.pdf"))
    page = (here / "output" / NAME / "1" / "booklet.html").read_text("utf-8")
    assert 'class="code"' in page and "IBM Plex Mono" in page
    assert f'href="{NAME}/index.html"' in (here / "output/index.html").read_text("utf-8")
    assert 'href="1/booklet.html"' in (here / "output" / NAME / "index.html").read_text("utf-8")
    assert not (here / "content").exists()
