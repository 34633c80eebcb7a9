"""Crafted files that got past a bound: no end, no memory, no traceback, nothing outside the folder.

The files of each folder in hostile/ are laid over the valid ruleset of tests/bad. The program runs
as a process of its own, whose time and memory are measured.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

HERE = Path(__file__).parent / "hostile"
VALID = Path(__file__).parents[1] / "bad" / "valid"
FOLDERS = sorted(folder.name for folder in HERE.iterdir())

SECONDS = 10
SECONDS_OF_CHECK = 3
MEBIBYTES = 600
PASSES = 3000
OTHER_FILES = 6000


#: Runs Python, which the system ends after so many seconds on a processor, and prints how it ended
#: and what it took. A process that is begun by a large one would be counted as large as that.
MEASURED = """
import json, resource, subprocess, sys
seconds = int(sys.argv[1])
limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
ended = subprocess.run([sys.executable, *sys.argv[2:]], stdout=sys.stderr, preexec_fn=limit)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([ended.returncode, used.ru_maxrss, used.ru_utime + used.ru_stime]))
"""


class Ended:
    """A run of the program that has come to its end: how, what it said and what it took."""

    def __init__(self, *arguments: str, seconds: int = SECONDS) -> None:
        environment = os.environ | {"RULEBOOK_CACHE": str(Path("cache").absolute())}
        with Path("told.txt").open("wb") as told:
            measured = subprocess.run(
                [sys.executable, "-c", MEASURED, str(seconds), "-m", "rulebook", *arguments],
                stdout=subprocess.PIPE,
                stderr=told,
                env=environment,
                check=True,
            ).stdout
        self.code, kibibytes, self.seconds = json.loads(measured)
        self.told = Path("told.txt").read_text("utf-8", "replace")
        self.mebibytes = kibibytes / 1024

    def assert_well(self, *codes: int) -> None:
        assert "Traceback" not in self.told, self.told
        assert self.code in codes, f"{self.code} after {self.seconds:.1f} s: {self.told}"
        assert self.mebibytes < MEBIBYTES


@pytest.fixture
def content(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = getattr(request, "param", "")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(VALID, "content")
    if name:
        shutil.copytree(HERE / name, "content", dirs_exist_ok=True)
    if name == "jpg_progressive_scans":
        Path("content/game/c.jpg").write_bytes(picture_of_many_passes())
    if name == "many_other_files":
        Path("content/game/junk").mkdir()
        for number in range(OTHER_FILES):
            Path(f"content/game/junk/f{number}.txt").write_text("x\n")
    return str(name)


def picture_of_many_passes() -> bytes:
    """A grey JPEG whose last pass, a few bytes, is made again and again."""
    file = BytesIO()
    Image.new("L", (5000, 7070)).save(file, "JPEG", progressive=True)
    made = file.getvalue()
    last = made[made.rindex(b"\xff\xda") : -2]
    return made[:-2] + last * PASSES + made[-2:]


@pytest.mark.parametrize("content", FOLDERS, indirect=True)
def test_what_is_checked_ends_and_what_is_accepted_is_printed(content: str) -> None:
    checked = Ended("check", "game")
    checked.assert_well(0, 1)
    assert checked.seconds < SECONDS_OF_CHECK
    if checked.code == 0:
        Ended("build", "game", "--only", "*booklet-a5.pdf", seconds=6 * SECONDS).assert_well(0)
    else:
        assert re.search(r"^content/game/\S+: error\[R\d+\]", checked.told, re.MULTILINE)


@pytest.mark.parametrize(
    "based_on",
    ["based_on: >-\n  game", "based_on: game # the base", '"based_on": "g\\u0061me"'],
    ids=["folded", "with a remark", "escaped"],
)
def test_a_variant_hears_of_its_base(content: str, based_on: str) -> None:
    Path("content/var").mkdir()
    Path("content/var/ruleset.yaml").write_text(f'{based_on}\ntitle: V\nedition: "1.0"\n')
    Ended("check", "var").assert_well(0)
    with Path("content/game/fighting.md").open("a") as chapter:
        chapter.write("\n\nNew {nothing_called_so}.\n")
    checked = Ended("check", "var")
    checked.assert_well(1)
    assert "nothing_called_so" in checked.told


def test_a_broken_ledger_is_mended(content: str) -> None:
    build = ["build", "game", "--only", "*booklet.html", "--out", "out"]
    Ended(*build).assert_well(0)
    (ledger,) = Path("out").glob("**/.ledger.json")
    whole = ledger.read_text()
    for broken in ("{}", "[", '{"files": 3}'):
        ledger.write_text(broken)
        Ended(*build).assert_well(0)
        assert ledger.read_text() == whole


@pytest.mark.parametrize(
    ("link", "command"),
    [("game/releases", "release game"), (".schema", "schema --write")],
    ids=["releases", "schema"],
)
def test_nothing_is_written_through_a_link(content: str, link: str, command: str) -> None:
    outside = Path("outside").absolute()
    outside.mkdir()
    (Path("content") / link).symlink_to(outside, target_is_directory=True)
    ended = Ended(*command.split())
    ended.assert_well(1)
    assert list(outside.iterdir()) == []
    assert link in ended.told
