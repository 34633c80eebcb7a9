"""Two runs that share nothing but the content give the same bytes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = (
    "qrs.html",
    "booklet.html",
    "qrs-a4.pdf",
    "booklet-a5.pdf",
    "cards-unit-cards-a4.pdf",
    "cards-rule-cards-letter-low.pdf",
    "cards.html",
    "cutouts/canister-cone-a4.pdf",
    "cutouts/canister-cone-letter.pdf",
    "cutouts/shell-burst-letter.pdf",
    "cutouts/canister-cone.svg",
    "cutouts/shell-burst.svg",
    "scenarios/wagon-train.html",
    "scenarios/wagon-train-map.svg",
    "scenarios/wagon-train-sheets-a4.pdf",
)
PROGRAM = """
import hashlib, json, sys
from pathlib import Path
from rulebook.core.compute import compute
from rulebook.loading.rulesets import load
from rulebook.documents.catalogue import plan
from rulebook.documents.catalogue import render
content, templates, *wanted = sys.argv[1:]
made = {}
ruleset = load(Path(content)).ruleset
for one in plan(ruleset, compute(ruleset), None):
    if not any(artefact.path in wanted for artefact in one.document.artefacts):
        continue
    for file in render(one.compose(), Path(templates), frozenset(wanted)):
        made[file.path] = [hashlib.sha256(file.data).hexdigest(), len(file.data)]
json.dump(made, sys.stdout)
"""


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
