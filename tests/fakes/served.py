"""`rulebook serve` as a process of its own, and the processes that it starts."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def wait_until(holds: Callable[[], object], what: str) -> None:
    """A test that waits for ever is ended by whoever runs it; this says what it waited for."""
    for _ in range(3000):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError(f"it never came to this: {what}")


@dataclass(frozen=True)
class Served:
    """A server, the folder that it serves, and what it prints."""

    process: subprocess.Popen[bytes]
    folder: Path
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def get(self, path: str, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.get(f"{self.url}{path}", headers=named, timeout=120, follow_redirects=True)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """Another command in the same folder."""
        command = (sys.executable, "-m", "rulebook", *arguments)
        return subprocess.run(
            command, check=False, cwd=self.folder, env=environment(), capture_output=True
        )

    def processes(self) -> set[int]:
        """All that it has started and that still run."""
        return descendants(self.process.pid)

    def stop(self, sign: int = signal.SIGINT) -> int:
        self.process.send_signal(sign)
        return self.process.wait(60)


@contextmanager
def served(folder: Path, *arguments: str, port: int | None = None) -> Iterator[Served]:
    """Serves folder/content; killed at the end if it is still there."""
    port = port or free_port()
    log = folder / f"serve-{port}.log"
    command = (sys.executable, "-m", "rulebook", *arguments, "serve", "--port", str(port))
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=folder, env=environment(), stdout=out, stderr=subprocess.STDOUT
        )
    one = Served(process, folder, port, log)
    try:
        wait_until(
            lambda: b"serving" in log.read_bytes() or process.poll() is not None, "it serves"
        )
        yield one
    finally:
        process.kill()
        process.wait()


def descendants(pid: int) -> set[int]:
    """The processes that a process started, and those that these started."""
    parents: dict[int, list[int]] = {}
    for one in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((one / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):  # it has ended meanwhile
            continue
        parents.setdefault(parent, []).append(int(one.name))
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found.update(children)
        waiting += children
    return found


def runs(pid: int) -> bool:
    """Whether a process is there and not only its last word."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
