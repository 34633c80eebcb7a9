"""An empty folder to work in, and the command line in this process."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from dice_game import write_game
from fake_stages import blank, use
from frozen import change, freeze

from rulebook.cli import cli

Run = Callable[..., Result]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(here: Path) -> Run:
    """Runs a command; `exits` is the status with which it has to end, if that is looked at."""

    def run(*arguments: str, exits: int | None = None) -> Result:
        result = CliRunner().invoke(cli, arguments)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert exits in (None, result.exit_code), result.output
        return result

    return run


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content folder that `rulebook new` makes, to be copied and not to be changed."""
    content = tmp_path_factory.mktemp("new") / "content"
    assert CliRunner().invoke(cli, ["--content", str(content), "new", "mygame"]).exit_code == 0
    return content


@pytest.fixture(scope="session")
def starter_released(starter: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the first edition released."""
    content = tmp_path_factory.mktemp("released") / "content"
    shutil.copytree(starter, content)
    freeze(content / "mygame")
    return content


@pytest.fixture
def blank_files(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is printed is empty, and is made in this process."""
    use(monkeypatch, render=blank)
    monkeypatch.setattr("rulebook.build.run.processors", lambda: 1)


@pytest.fixture
def no_documents(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is printed."""
    use(monkeypatch, plan=lambda *_: [])


@pytest.fixture
def mygame(starter: Path, here: Path) -> Path:
    """The starter."""
    shutil.copytree(starter, here / "content")
    return Path("content/mygame")


@pytest.fixture
def released(starter_released: Path, here: Path) -> Path:
    """The starter, its first edition released."""
    shutil.copytree(starter_released, here / "content")
    return Path("content/mygame")


@pytest.fixture
def second(released: Path) -> Path:
    """It with the number of the second edition."""
    change(released / "ruleset.yaml", 'edition: "0.1"', 'edition: "0.2"')
    return released


@pytest.fixture
def changed(second: Path) -> Path:
    """The second edition, in which men hit more often."""
    change(second / "shooting.yaml", "[3+, 4+]", "[2+, 4+]")
    return second


@pytest.fixture
def dice(here: Path) -> Path:
    """A small ruleset with a procedure of each kind."""
    return write_game(here / "content")


@pytest.fixture
def wet(mygame: Path) -> Path:
    """The starter with an option, told in an annex."""
    (mygame / "options").mkdir(exist_ok=True)
    change(mygame / "ruleset.yaml", "title:", "annexes: [rain.md]\ntitle:")
    (mygame / "rain.md").write_text("# Rain {#the_rain}\n\nCrowds scatter in the rain.\n")
    removed = "removes: {modifiers: {shooting: {rows: [crowd]}}}"
    (mygame / "options" / "rain.yaml").write_text(f"title: Rain\nrule: the_rain\n{removed}\n")
    return mygame
