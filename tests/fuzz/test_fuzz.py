"""A few cases of each kind that `make fuzz` makes: none shows a slip of rulebook's own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).with_name("fuzz.py")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="caps need Linux")
def test_a_few_cases_of_each_kind_find_nothing(tmp_path: Path) -> None:
    """In a process of its own, from which each case is forked."""
    command = [sys.executable, FUZZ, "--cases", "4", "--seed", "7", "--keep", tmp_path / "kept"]
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=path)
    assert run.returncode == 0, run.stdout + run.stderr
    counts = re.findall(r"(\d+) [a-z ]+(?=[,)])", run.stdout)
    assert len(counts) == 9 and all(int(count) >= 3 for count in counts), run.stdout
