"""Checking takes so many steps for each byte of content at most, however large a file is.

Steps are calls of functions, those of C among them: as many on every machine. The inputs are those
of the benchmark, where their seconds and their memory are measured, in files of other sizes.
"""

import re
import sys
from collections.abc import Callable
from cProfile import Profile
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import hostile_times

from rulebook.checking.all_checks import check
from rulebook.loading.rulesets import load
from rulebook.manual.book import chapter
from rulebook.problems import format_report

#: What the manual states.
STEPS = int(re.findall(r"at most (\d+) steps for each\s+byte", chapter("strangers.md"))[0])
#: Bytes of a file; below, what stands once weighs more than what is repeated.
SIZES = (1 << 12, 1 << 13, 1 << 14)
#: Where the same steps are taken for each byte, their number still differs a little.
GROWTH = 1.25
#: Inputs of one size, or that mean something else when they are cut.
FIXED = re.compile(
    "nothing|picture|option|map|chapters|misspelt|svg: uses|unknown keys|forms|.*bounds"
)
INPUTS = {name: make for name, make in hostile_times.inputs() if not FIXED.match(name)}


def steps_of(folder: Path) -> int:
    """What checking a ruleset calls, the report included."""
    profile = Profile()
    profile.enable()
    loaded = load(folder)
    report = check(loaded.ruleset) if loaded.ruleset and loaded.report.ok else loaded.report
    format_report(report)
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


@pytest.fixture
def valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset with as little in it as there can be, over which inputs are laid."""
    folder = tmp_path / "valid"
    folder.mkdir()
    header = "title: A Game\nedition: '1.0'\nchapters:\n  - first.md\ndocuments: {papers: [a4]}\n"
    (folder / "ruleset.yaml").write_text(header)
    (folder / "first.md").write_text("# First {#first}\n\nA word.\n")
    monkeypatch.setattr(hostile_times, "VALID", folder)
    return folder


@pytest.mark.parametrize("make", INPUTS.values(), ids=INPUTS)
def test_steps_for_each_byte(
    make: Callable[[], hostile_times.Files],
    valid: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load(valid)
    least, found = steps_of(valid), []
    for size in SIZES:
        monkeypatch.setattr(hostile_times, "MIB", size)
        folder = tmp_path / str(size)
        read = hostile_times.write(make(), folder)
        found.append((steps_of(folder) - least) / read)
    assert max(found) <= STEPS
    assert found[-1] <= GROWTH * max(found[:-1]) + 1
