"""Which commands would install what, and whether they may run: decided with invented machines."""

import pytest

from rulebook.commands.installing import Machine, commands, install, line, this_machine
from rulebook.commands.needs import LIBRARIES, find_fonts, find_place, find_python
from rulebook.typefaces import Typeface

PANGO, PANGOFT2, HARFBUZZ, SUBSET = LIBRARIES
ROOT = Machine("apt-get", root=True, sudo=False, passwordless=False)
USER = Machine("apt-get", root=False, sudo=True, passwordless=False)
TRUSTED = Machine("apt-get", root=False, sudo=True, passwordless=True)
POOR = Machine("apt-get", root=False, sudo=False, passwordless=False)
FEDORA = Machine("dnf", root=True, sudo=True, passwordless=False)
MAC = Machine("brew", root=False, sudo=True, passwordless=False)
STRANGE = Machine(None, root=True, sudo=False, passwordless=False)


@pytest.mark.parametrize(
    ("machine", "may"),
    [
        (ROOT, True),
        (USER, False),
        (TRUSTED, True),
        (POOR, False),
        (FEDORA, True),
        (MAC, True),
        (Machine("brew", root=True, sudo=True, passwordless=False), False),
        (STRANGE, False),
    ],
)
def test_who_may_install(machine, may):
    assert machine.may_install is may


@pytest.mark.parametrize(
    ("machine", "typed"),
    [
        (
            ROOT,
            "apt-get update && apt-get install -y --no-install-recommends "
            "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
        ),
        (
            USER,
            "sudo apt-get update && sudo apt-get install -y --no-install-recommends "
            "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
        ),
        (FEDORA, "dnf install -y pango harfbuzz"),
        (MAC, "brew install pango harfbuzz"),
    ],
)
def test_the_line_to_type(machine, typed):
    assert line(machine, [PANGO, PANGOFT2, SUBSET]) == typed


def test_where_no_package_manager_is_known_the_line_leads_to_the_manual():
    assert line(STRANGE, [PANGO]).startswith("install Pango: https://")
    assert commands(STRANGE, [PANGO]) == []


def test_only_root_can_type_it_where_there_is_no_sudo():
    assert POOR.needs_root
    assert not USER.needs_root
    assert not ROOT.needs_root


class Shell:
    """Keeps what it was asked to run; fails where a word in the command is unknown to it."""

    def __init__(self, *unknown: str) -> None:
        self.unknown = set(unknown)
        self.ran: list[str] = []

    def __call__(self, command) -> int:
        self.ran.append(" ".join(command))
        return 100 if self.unknown & set(command) else 0


def test_install_runs_update_first():
    shell = Shell()
    assert install(ROOT, [PANGO], shell)
    assert shell.ran == [
        "apt-get update",
        "apt-get install -y --no-install-recommends libpango-1.0-0",
    ]


def test_an_update_that_fails_does_not_stop_the_install():
    assert install(ROOT, [PANGO], Shell("update"))


def test_older_releases_have_no_package_for_subsetting():
    shell = Shell("libharfbuzz-subset0")
    assert install(ROOT, [PANGO, SUBSET], shell)
    assert shell.ran[-1] == "apt-get install -y --no-install-recommends libpango-1.0-0"
    assert not install(ROOT, [SUBSET], Shell("libharfbuzz-subset0"))


def test_what_cannot_be_installed_is_told():
    assert not install(ROOT, [PANGO], Shell("libpango-1.0-0"))


def test_looking_at_a_machine():
    def which(*known: str):
        return lambda name: f"/usr/bin/{name}" if name in known else None

    assert this_machine(which("dnf", "sudo"), lambda _: 1).manager == "dnf"
    assert this_machine(which("brew"), lambda _: 1) == Machine(
        "brew", this_machine(which(), lambda _: 1).root, sudo=False, passwordless=False
    )
    assert this_machine(which(), lambda _: 1).manager is None


# What the doctor finds on invented machines.


def test_python():
    assert find_python((3, 10, 4)).state == "missing"
    assert find_python((3, 11, 0)).state == "there"
    assert find_python((4, 0, 0)).state == "there"


def test_fonts(monkeypatch):
    assert find_fonts().state == "there"

    def damaged(*_: object) -> None:
        raise LookupError("Spectral")

    monkeypatch.setattr("rulebook.typefaces.EVERY_FACE", [Typeface("Spectral", 400, "normal")])
    monkeypatch.setattr("fontpkg.path", damaged)
    assert find_fonts().state == "missing"
    assert "Spectral" in find_fonts().detail


def test_place(tmp_path, monkeypatch):
    assert find_place(tmp_path / "not" / "yet").state == "there"
    (tmp_path / "file").touch()
    assert find_place(tmp_path / "file").state == "missing"
    assert find_place(tmp_path / "file" / "below").state == "missing"
    monkeypatch.setattr("os.access", lambda *_: False)
    assert find_place(tmp_path).state == "missing"
