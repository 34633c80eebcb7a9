"""The tutorial, typed from its own text into an empty folder: every step gives what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from typed_manual import blocks, commands, comparable, file_of, printed_by, put_into, with_output

from rulebook.manual.book import FOLDER

TUTORIAL = FOLDER / "tutorial.md"


def test_the_tutorial_gives_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """With --accept what is printed is put into the tutorial, to be read."""
    text = TUTORIAL.read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    accept = request.config.getoption("--accept")
    found = []
    for shown in blocks(text):
        if shown.language != "console":
            file = file_of(shown)
            assert file is not None, shown
            put_into(file, shown)
            continue
        printed: list[str] = []
        for typed, told in commands(shown.text):
            lines = printed_by(typed)
            assert accept or comparable(told) == comparable(lines), typed
            printed += [f"$ {typed}", *lines]
        found.append((shown, printed))
    if accept:
        for shown, printed in reversed(found):
            text = with_output(text, shown, printed)
        TUTORIAL.write_text(text, "utf-8")
    assert len(found) >= 10
