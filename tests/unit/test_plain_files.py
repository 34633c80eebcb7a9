"""Links, pipes and devices are told at once, wherever a file of content or output is read."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest
from click.testing import CliRunner
from dice_game import write_game

from rulebook.cli import cli
from rulebook.plain_files import read_plain

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")


def test_only_plain_files_are_read(tmp_path: Path) -> None:
    plain, link, pipe = (tmp_path / name for name in ("plain", "link", "pipe"))
    plain.write_bytes(b"12345")
    link.symlink_to(plain)
    os.mkfifo(pipe)
    assert read_plain(plain) == b"12345" and read_plain(plain, 2) == b"123"
    assert read_plain(link, within=tmp_path) == b"12345"
    for path, why in ((link, "a link"), (pipe, "no plain file"), (tmp_path, "no plain file")):
        with pytest.raises(OSError, match=why):
            read_plain(path)
    with pytest.raises(OSError, match="a link"):
        read_plain(link, within=tmp_path / "elsewhere")
    with pytest.raises(FileNotFoundError):
        read_plain(tmp_path / "nothing")


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def rulebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """What runs a command; one that waits for what never comes fails after a minute."""

    def waited(number: int, frame: FrameType | None) -> None:
        raise AssertionError("a minute has passed")

    def run(*arguments: str) -> tuple[int, str]:
        signal.alarm(60)
        result = CliRunner().invoke(cli, ["--cache", str(tmp_path / "cache"), *arguments])
        signal.alarm(0)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.output

    monkeypatch.chdir(tmp_path)
    before = signal.signal(signal.SIGALRM, waited)
    yield run
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("place", ["revisions.yaml", "releases/1.0.json", "ruleset.yaml", "a.yaml"])
@pytest.mark.parametrize("kind", ["pipe", "link out"])
def test_content_that_is_no_plain_file_is_told(
    rulebook: Run, tmp_path: Path, place: str, kind: str
) -> None:
    game = write_game(tmp_path / "content")
    path = game / place
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        (tmp_path / "secret.yaml").write_text("secret: words")
        path.symlink_to(tmp_path / "secret.yaml")
    _, told = rulebook("check", "dice")
    assert "secret: words" not in told
    if (place, kind) == ("ruleset.yaml", "pipe"):
        assert "no ruleset in 'content'" in told
    else:
        assert f"content/dice/{place}" in told
    assert rulebook("list")[0] in {0, 1, 2}


def test_a_link_to_itself_is_a_fault(rulebook: Run, tmp_path: Path) -> None:
    game = write_game(tmp_path / "content")
    (game / "loop.md").symlink_to("loop.md")
    assert rulebook("check")[0] == 1
    assert rulebook("list")[0] in {0, 1}


def test_releases_in_another_place_are_not_read(rulebook: Run, tmp_path: Path) -> None:
    game = write_game(tmp_path / "content")
    (tmp_path / "other").mkdir()
    (game / "releases").symlink_to(tmp_path / "other")
    status, told = rulebook("check")
    assert status == 0 and "R114" in told


BUILD = ("build", "--jobs", "1", "--ink", "full", "--paper", "a4")


def test_pipes_in_the_output_folder_keep_nobody_waiting(rulebook: Run, tmp_path: Path) -> None:
    write_game(tmp_path / "content")
    assert rulebook(*BUILD)[0] == 0
    for path in (tmp_path / "output").rglob("*"):
        if path.suffix in {".html", ".json", ".pdf"}:
            path.unlink()
            os.mkfifo(path)
    status, told = rulebook(*BUILD)
    assert status == 0, told
    assert all(path.is_file() for path in (tmp_path / "output").rglob("*.pdf"))
    shutil.rmtree(tmp_path / "output")
