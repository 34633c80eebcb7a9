"""Editors mark, complete and explain content files: yaml-language-server is driven as they do."""

from collections.abc import Iterator
from pathlib import Path

import language_server
import pytest
from language_server import Editor, editor

from rulebook.commands.new import KINDS
from rulebook.model.ruleset import Header
from rulebook.model.tables import Grid

pytestmark = pytest.mark.skipif(bool(language_server.MISSING), reason=language_server.MISSING)


def place(file: Path, words: str) -> tuple[int, int]:
    """Where words stand first in a file: line and column from 0."""
    lines = file.read_text("utf-8").splitlines()
    return next((line, text.index(words)) for line, text in enumerate(lines) if words in text)


@pytest.fixture(scope="module")
def shown() -> Iterator[Editor]:
    with editor() as one:
        yield one


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_marked_in_a_starter(run, here, kind, shown):
    run("new", "mygame", "--like", kind, exits=0)
    for file in sorted(Path("content/mygame").rglob("*.yaml")):
        shown.show(file)
        assert shown.faults() == [], file


def test_keys_are_proposed_with_what_they_mean(mygame, shown):
    file = mygame / "shooting.yaml"
    text = file.read_text("utf-8")
    file.write_text(text.replace("    title: To hit\n", "    title: To hit\n    \n", 1), "utf-8")
    line, _ = place(file, "title: To hit")
    shown.show(file)
    proposed = shown.proposed(line + 1, 4)
    assert {"qrs", "core", "booklet", "notes", "status"} <= proposed.keys()
    assert "title" not in proposed, "it is there already"
    assert "false: not for the quick-reference sheet" in proposed["qrs"]
    header = mygame / "ruleset.yaml"
    header.write_text(header.read_text("utf-8") + "\n", "utf-8")
    shown.show(header)
    proposed = shown.proposed(len(header.read_text("utf-8").splitlines()) - 1, 0)
    assert str(Header.model_fields["annexes"].description) in proposed["annexes"]


def test_keys_are_explained(mygame, shown):
    file = mygame / "shooting.yaml"
    shown.show(file)
    line, column = place(file, "cells: target")
    assert str(Grid.model_fields["cells"].description) in shown.explained(line, column + 1)
    line, column = place(file, "when: The firer moved")
    assert "the condition, as players read it" in shown.explained(line, column + 1)


def test_what_is_wrong_is_marked(mygame, shown):
    """What is right is explained all the same."""
    file = mygame / "ruleset.yaml"
    file.write_text(file.read_text("utf-8").replace("credits:", "kredits:"), "utf-8")
    shown.show(file)
    ((line, told),) = shown.faults()
    assert (line, "kredits" in told) == (place(file, "kredits")[0], True)
    assert str(Header.model_fields["chapters"].description) in shown.explained(
        *place(file, "chapters: [")
    )
    broken = mygame / "moving.yaml"
    broken.write_text(broken.read_text("utf-8").replace("title: Moves", "title Moves"), "utf-8")
    shown.show(broken)
    assert place(broken, "title Moves")[0] in [line for line, _ in shown.faults()]
