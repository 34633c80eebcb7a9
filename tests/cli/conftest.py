"""An empty folder to work in, and the command line in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from dice_game import write_game

from rulebook.build import recording
from rulebook.cli import cli
from rulebook.loading.print_records import PrintRecord
from rulebook.render.print_records import print_record

Run = Callable[..., Result]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(here: Path) -> Run:
    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(cli, arguments)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def unprinted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release prints no file, which takes seconds, and records that there is none."""

    def nothing(snapshot: Any, ruleset: Any, *_: Any) -> tuple[PrintRecord, list[Any]]:
        return print_record(ruleset, snapshot.sha256, []), []

    monkeypatch.setattr(recording, "print_and_record", nothing)


@pytest.fixture
def mygame(run: Run) -> Path:
    """The starter."""
    assert run("new", "mygame").exit_code == 0
    return Path("content/mygame")


@pytest.fixture
def dice(here: Path) -> Path:
    """A small ruleset with a procedure of each kind."""
    return write_game(here / "content")
