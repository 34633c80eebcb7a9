"""Two runs that share nothing but the content give the same bytes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from beside import beside

ROOT = Path(__file__).parents[2]
FILES = beside(__file__, "files")
PROGRAM = beside(__file__, "program")


def clone(folder: Path) -> Path:
    """A copy of all that has a part in rendering."""
    for name in ("rulebook", "content", "templates"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def start(root: Path, work: Path, seed: str, zone: str) -> subprocess.Popen[str]:
    """A rendering by the clone at `root`, begun in the folder `work`."""
    work.mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(work),
        "PYTHONPATH": str(root),
        "PYTHONHASHSEED": seed,
        "TZ": zone,
    }
    arguments = [str(root / "content" / "acw"), str(root / "templates"), *FILES]
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finish(run: subprocess.Popen[str]) -> dict[str, list[str | int]]:
    out, complaints = run.communicate(timeout=600)
    assert run.returncode == 0, complaints
    made: dict[str, list[str | int]] = json.loads(out)
    return made


def test_the_same_bytes_from_two_clones_with_two_seeds(tmp_path: Path) -> None:
    runs = [
        start(ROOT, tmp_path / "one", "1", "Asia/Tokyo"),
        start(clone(tmp_path / "a clone" / "deep"), tmp_path / "two", "2", "America/New_York"),
    ]
    first, second = map(finish, runs)
    assert set(first) == set(FILES)
    assert all(int(size) > 1000 for _, size in first.values())
    assert first == second
