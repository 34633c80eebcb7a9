"""`rulebook doctor`: a table, and the line that installs what is missing."""

import ctypes
import os
import re
import shutil
import tomllib
from pathlib import Path

import pytest

from rulebook.commands.doctor import (
    INSTALL,
    find_fonts,
    find_output_folder,
    line_to_type,
)
from rulebook.typefaces import Typeface

ROOT = Path(__file__).parents[2]
SUBSET = "libharfbuzz-subset.so.0"
LIBRARIES = {"libpango-1.0.so.0", "libpangoft2-1.0.so.0", "libharfbuzz.so.0", SUBSET}


@pytest.fixture
def machine(monkeypatch):
    """A machine of Debian on which `installed` says which libraries can be loaded."""
    installed: set[str] = set()

    def load(name: str) -> None:
        if name not in installed:
            raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", load)
    monkeypatch.setattr(shutil, "which", lambda name: name in ("apt-get", "sudo"))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    return installed


def test_all_well(run, machine):
    machine |= LIBRARIES
    assert "MISSING" not in run("doctor", exits=0).output
    assert run("-q", "doctor").output == ""


def test_what_is_missing_and_the_line(run, machine):
    result = run("doctor", exits=1)
    assert "Pango                     MISSING" in result.output
    assert "  sudo apt-get update && sudo apt-get install -y" in result.output


def test_a_slow_machine_is_well_enough(run, machine):
    machine |= LIBRARIES - {SUBSET}
    result = run("doctor", exits=0)
    assert "PDF takes longer without it" in result.output
    assert "libharfbuzz-subset0" in result.output


@pytest.mark.parametrize(
    ("manager", "user", "line"),
    [
        ("apt-get", 0, "apt-get update && apt-get install -y"),
        ("dnf", 1000, "sudo dnf install -y pango harfbuzz"),
        ("brew", 1000, "brew install pango harfbuzz"),
        (None, 1000, "see https://"),
    ],
)
def test_the_line_to_type(machine, monkeypatch, manager, user, line):
    monkeypatch.setattr(shutil, "which", lambda name: name in (manager, "sudo"))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert line_to_type().startswith(line)


def test_make_installs_the_same():
    makefile = (ROOT / "Makefile").read_text()
    for command in "; ".join(INSTALL.values()).split("; "):
        packages = command.partition("install ")[2].replace("-y ", "")
        assert packages.replace("--no-install-recommends ", "") in makefile


def test_make_installs_exact_versions_of_what_the_package_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [need for needs in project["optional-dependencies"].values() for need in needs]
    names = {re.split(r"[><=]", need)[0].lower() for need in [*project["dependencies"], *extras]}
    pinned = (ROOT / ".ci/constraints.txt").read_text().splitlines()
    assert all(re.match(r"[a-z0-9-]+==[0-9.a-z]+( ;|$)", line) for line in pinned)
    assert names <= {line.partition("==")[0] for line in pinned}


def test_fonts(monkeypatch):
    assert find_fonts().state == "ok"

    def damaged(*_: object) -> None:
        raise LookupError("Spectral")

    monkeypatch.setattr("rulebook.typefaces.EVERY_FACE", [Typeface("Spectral", 400, "normal")])
    monkeypatch.setattr("fontpkg.path", damaged)
    assert find_fonts().state == "MISSING"
    assert "Spectral" in find_fonts().detail


def test_output_folder(tmp_path, monkeypatch):
    assert find_output_folder(tmp_path / "not" / "yet").state == "ok"
    (tmp_path / "file").touch()
    assert find_output_folder(tmp_path / "file").state == "MISSING"
    assert find_output_folder(tmp_path / "file" / "below").state == "MISSING"
    monkeypatch.setattr("os.access", lambda *_: False)
    assert find_output_folder(tmp_path).state == "MISSING"
