"""Missing native libraries -> the commands that install them here, and whether we may run them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from rulebook.commands.needs import Library

Manager = Literal["apt-get", "dnf", "brew"]
#: How each installs, in the order in which they are looked for.
_INSTALL: dict[Manager, tuple[str, ...]] = {
    "apt-get": ("install", "-y", "--no-install-recommends"),
    "dnf": ("install", "-y"),
    "brew": ("install",),
}
_ELSEWHERE = "https://doc.courtbouillon.org/weasyprint/stable/first_steps.html#installation"

Which = Callable[[str], str | None]
#: Runs a command and returns its exit status.
Run = Callable[[Sequence[str]], int]


@dataclass(frozen=True, slots=True)
class Machine:
    """What of a machine decides how software gets on it."""

    manager: Manager | None
    root: bool
    sudo: bool
    passwordless: bool

    @property
    def may_install(self) -> bool:
        """Whether we can install without a question to the user."""
        if self.manager == "brew":
            return not self.root  # brew refuses root
        return self.manager is not None and (self.root or self.passwordless)

    @property
    def needs_root(self) -> bool:
        """Whether the line has to be typed by someone who is root."""
        return self.manager in ("apt-get", "dnf") and not self.root and not self.sudo

    @property
    def prefix(self) -> tuple[str, ...]:
        return ("sudo",) if self.manager != "brew" and not self.root and self.sudo else ()


def this_machine(which: Which = shutil.which, run: Run | None = None) -> Machine:
    """Look, without changing anything."""
    manager = next((name for name in _INSTALL if which(name)), None)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    sudo = which("sudo") is not None
    passwordless = sudo and not root and (run or run_quietly)(["sudo", "-n", "true"]) == 0
    return Machine(manager, root, sudo, passwordless)


def commands(machine: Machine, missing: Sequence[Library]) -> list[list[str]]:
    """The commands that install what is missing; none where no package manager is known."""
    if machine.manager is None or not missing:
        return []
    apt = machine.manager == "apt-get"
    packages = dict.fromkeys(one.apt if apt else one.elsewhere for one in missing)
    install = [machine.manager, *_INSTALL[machine.manager], *packages]
    plain = [["apt-get", "update"], install] if apt else [install]
    return [[*machine.prefix, *command] for command in plain]


def line(machine: Machine, missing: Sequence[Library]) -> str:
    """What the user types to install what is missing."""
    planned = commands(machine, missing)
    if not planned:
        names = ", ".join(library.title for library in missing)
        return f"install {names}: {_ELSEWHERE}"
    return " && ".join(shlex.join(command) for command in planned)


def install(machine: Machine, missing: Sequence[Library], run: Run) -> bool:
    """Install; whether the package manager says that all went well.

    Older releases have no package of their own for what is not required: then the rest is tried
    alone.
    """
    *first, last = commands(machine, missing)
    for command in first:
        run(command)  # an update that fails, as it does off line, leaves the known packages
    if run(last) == 0:
        return True
    required = [library for library in missing if library.required]
    if not required or len(required) == len(missing):
        return False
    return run(commands(machine, required)[-1]) == 0


def run_quietly(command: Sequence[str]) -> int:
    return _run(command, subprocess.DEVNULL)


def run_visibly(command: Sequence[str]) -> int:
    """Its output goes to standard error: what the doctor says himself is on standard output."""
    return _run(command, sys.stderr.fileno())


def _run(command: Sequence[str], output: int) -> int:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(
            command, check=False, env=quiet, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        ).returncode
    except OSError:
        return 127


def hint_for_mac(platform: str = sys.platform) -> str:
    """Libraries of brew lie where a Python from elsewhere does not look."""
    if platform != "darwin":
        return ""
    return 'export DYLD_FALLBACK_LIBRARY_PATH="$(brew --prefix)/lib"'
