"""`rulebook doctor`: a table, and the line that installs what is missing."""

import pytest

from rulebook.commands import installing, needs
from rulebook.commands.installing import Machine

ROOT = Machine("apt-get", root=True, sudo=False, passwordless=False)
USER = Machine("apt-get", root=False, sudo=True, passwordless=False)


@pytest.fixture
def machine(monkeypatch):
    """A machine on which `installed` says which libraries can be loaded."""
    installed: set[str] = set()

    def load(name: str) -> object:
        if name not in installed:
            raise OSError(name)
        return name

    def find_libraries(load=load):
        return [needs._find(library, load) for library in needs.LIBRARIES]

    monkeypatch.setattr(needs, "find_libraries", find_libraries)
    monkeypatch.setattr(installing, "this_machine", lambda: USER)
    return installed


ALL = {library.names[0] for library in needs.LIBRARIES}


def test_all_well(run, machine):
    machine |= ALL
    assert "MISSING" not in run("doctor", exits=0).output
    assert run("-q", "doctor").output == ""


def test_what_is_missing_and_the_line(run, machine):
    result = run("doctor", exits=1)
    assert "Pango                     MISSING" in result.output
    assert "  sudo apt-get update && sudo apt-get install -y" in result.output


def test_fix_where_it_may_not_tells_the_line(run, machine, monkeypatch):
    monkeypatch.setattr(installing, "run_visibly", pytest.fail)
    assert "  sudo apt-get update" in run("doctor", "--fix", exits=1).output


def test_fix_installs_and_looks_again(run, machine, monkeypatch):
    ran = []

    def install(command) -> int:
        ran.append(command[1])
        machine.update(ALL)
        return 0

    monkeypatch.setattr(installing, "this_machine", lambda: ROOT)
    monkeypatch.setattr(installing, "run_visibly", install)
    result = run("doctor", "--fix")
    assert ran == ["update", "install"]
    assert result.exit_code == 0
    assert "MISSING" not in result.output


def test_fix_that_fails(run, machine, monkeypatch):
    monkeypatch.setattr(installing, "this_machine", lambda: ROOT)
    monkeypatch.setattr(installing, "run_visibly", lambda _: 100)
    assert "the package manager reports a fault" in run("doctor", "--fix", exits=1).stderr


def test_a_slow_machine_is_well_enough(run, machine):
    machine |= ALL - {"libharfbuzz-subset.so.0"}
    result = run("doctor", exits=0)
    assert "PDF takes longer without it" in result.output
    assert "libharfbuzz-subset0" in result.output
