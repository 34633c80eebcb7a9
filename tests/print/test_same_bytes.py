"""Two runs that share nothing but the content give the same bytes."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from beside import beside
from printed import printed

ROOT = Path(__file__).parents[2]
FILES = beside(__file__, "files")
PROGRAM = beside(__file__, "program")


def clone(folder: Path) -> Path:
    """A copy of all that has a part in rendering."""
    for name in ("rulebook", "content", "templates"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def rendered_by(root: Path, work: Path) -> dict[str, str]:
    """The digests of all files, rendered in the folder `work` by the clone at `root`."""
    work.mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(work),
        "PYTHONPATH": str(root),
        "PYTHONHASHSEED": "1",
        "TZ": "Asia/Tokyo",
    }
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, root / "content" / "acw", root / "templates", *FILES],
        cwd=work, env=environment, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    digests: dict[str, str] = json.loads(run.stdout)
    return digests


def test_a_clone_with_another_seed_gives_the_bytes_of_the_build(tmp_path: Path) -> None:
    """Those that a build has kept, in a process with a seed of its own, or that are made here."""
    kept = {path: printed(path) for path in FILES}
    assert all(len(data) > 1000 for data in kept.values())
    assert rendered_by(clone(tmp_path / "a clone" / "deep"), tmp_path / "work") == {
        path: hashlib.sha256(data).hexdigest() for path, data in kept.items()
    }
