"""What a thousand rulesets take on a Dask cluster of two workers, and what fifty would wait for.

    python tests/benchmarks/many_rulesets_times.py [RULESETS]

Most of them are games grown at random, the others are cut and varied from those that ship; most
are printed on one paper, as on the server of a club. The scheduler, the workers and the build that
asks them are processes of their own. The build is killed when it has come to two fifths of the
rulesets, and begun again. Seconds of work are those of the processor. Not a part of `make bench`:
a thousand take an hour. What went over the network is all that this machine told itself meanwhile:
of nothing else where it runs in a namespace of its own (`unshare -n`, then `ip link set lo up`).

Claimed: the memory of the build does not grow with the number of rulesets by more than a tenth,
from the first tenth of them to all; and each file has the same bytes as where its ruleset is built
alone, here.
"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from claims import Claim, table_of, tell

sys.path.append(str(Path(__file__).parents[1] / "fakes"))
from many_rulesets import write_rulesets

from rulebook.build.build_request import BuildRequest
from rulebook.build.rulesets import build_rulesets
from rulebook.packaged import templates_folder

ALL = 1_000
WORKERS = 2
#: Memory is told for each tenth of the rulesets, and may grow by so much of itself.
TENTH = 1 / 10
#: The part of the rulesets at which the first build is killed.
KILLED_AT = 2 / 5
#: So many rulesets are built alone as well.
ALONE = 50
_WROTE = re.compile(r"wrote (\w[^/]*)/")


@dataclass
class Measured:
    """A build: files, seconds that passed, those of its processor, and for each tenth of the
    rulesets to which it came the most memory that it took, in MB.
    """

    files: int = 0
    passed: float = 0.0
    work: float = 0.0
    memory: dict[int, float] = field(default_factory=dict)


@dataclass
class Cluster:
    address: str
    scheduler: int
    workers: list[int]


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A scheduler and its workers, each a process."""
    log = (folder / "dask.log").open("w")
    place = folder / "scheduler.json"
    dask, told = str(Path(sys.executable).with_name("dask")), ["--scheduler-file", str(place)]
    scheduler = [dask, "scheduler", "--port", "0", "--no-dashboard", *told]
    worker = [dask, "worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", *told]
    started = [
        subprocess.Popen(one, stdout=log, stderr=log, cwd=folder)
        for one in (scheduler, *[worker] * WORKERS)
    ]
    try:
        while not place.is_file():
            if started[0].poll() is not None:
                raise SystemExit(f"no scheduler:\n{(folder / 'dask.log').read_text()}")
            time.sleep(0.1)
        address = json.loads(place.read_text())["address"]
        yield Cluster(address, started[0].pid, [one.pid for one in started[1:]])
    finally:
        for one in reversed(started):
            one.kill()  # a worker may wait for a scheduler that has gone
            one.wait()
        log.close()


def built(content: Path, out: Path, address: str, *, killed_at: int | None = None) -> Measured:
    """Build all rulesets of a folder, or end the build when it has come to so many of them."""
    number = len(list(content.iterdir()))
    command = [sys.executable, "-m", "rulebook", "--content", str(content)]
    command += ["--cache", f"{out}-cache", "build", "--out", str(out), "--cluster", address]
    began, seen, measured = time.monotonic(), set[str](), Measured()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        measured.passed, measured.work = time.monotonic() - began, work_of(process.pid)
        if (wrote := _WROTE.match(line)) is None:
            continue
        seen.add(wrote[1])
        measured.files += 1
        tenth = 10 * int(wrote[1][1:5]) // number
        most = max(measured.memory.get(tenth, 0.0), _resident(process.pid))
        if tenth not in measured.memory:
            say(
                f"tenth {tenth + 1}: {measured.passed:.0f} s, {measured.work:.0f} s of work, "
                f"{measured.files} files, {most:.0f} MB"
            )
        measured.memory[tenth] = most
        if killed_at is not None and len(seen) >= killed_at:
            os.kill(process.pid, signal.SIGKILL)
    if process.wait() and killed_at is None:
        raise SystemExit("the build has failed")
    return measured


def work_of(pid: int) -> float:
    """The seconds that a processor has worked for a process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int) -> float:
    """The memory of a process now, in MB."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * resource.getpagesize() / 1e6


def told_itself() -> float:
    """The MB that this machine has sent to itself."""
    (line,) = re.findall(r"lo:\s*(\d+)", Path("/proc/net/dev").read_text())
    return int(line) / 1e6


def differing(content: Path, names: list[str], out: Path, alone: Path) -> tuple[int, list[str]]:
    """How many files rulesets have where each is built by itself, and those that are other ones."""
    number, found = 0, []
    for name in names:
        request = BuildRequest(
            folders=(content / name,), templates=templates_folder(), out=alone, jobs=1
        )
        written = build_rulesets(request).written
        number += len(written)
        for path in written:
            other = out / path
            if not other.is_file() or (alone / path).read_bytes() != other.read_bytes():
                found.append(path)
    return number, found


def say(line: str) -> None:
    print(line, flush=True)


def main() -> int:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else ALL
    with TemporaryDirectory() as place:
        folder = Path(place)
        content, out = folder / "content", folder / "all"
        structures = write_rulesets(content, number)
        names = sorted(path.name for path in content.iterdir())
        with cluster(folder) as one:
            before = told_itself()
            first = built(content, out, one.address, killed_at=round(KILLED_AT * number))
            whole = len(list(out.glob("*/*/manifest.json")))
            say(f"killed with {first.files} files, and manifests of {whole} editions")
            second = built(content, out, one.address)
            sent = told_itself() - before
            scheduling = work_of(one.scheduler)
            rendering = [work_of(pid) for pid in one.workers]
        sample = names[:: max(1, number // ALONE)]
        compared, other = differing(content, sample, out, folder / "alone")
        files = [path for path in out.glob("*/*/**/*") if path.is_file()]
        size = sum(path.stat().st_size for path in files) / 1e6
    passed, own = first.passed + second.passed, first.work + second.work
    done = first.files + second.files
    rows = [
        ("files", f"{first.files} before the build was killed, {second.files} after it"),
        ("passed", f"{first.passed:.0f} s and {second.passed:.0f} s"),
        ("work of the build", f"{first.work:.0f} s and {second.work:.0f} s"),
        ("work of the workers", ", ".join(f"{seconds:.0f} s" for seconds in rendering)),
        ("work of the scheduler", f"{scheduling:.0f} s"),
        ("files an hour of a worker", f"{done * 3600 / sum(rendering):.0f}"),
        ("over the network", f"{sent:.0f} MB, {sent / number:.2f} MB for a ruleset"),
        ("written", f"{len(files)} files, {size:.0f} MB"),
        ("workers kept busy by the build", f"{sum(rendering) / own:.1f}"),
        ("workers kept busy by the scheduler", f"{sum(rendering) / scheduling:.0f}"),
        ("processors that had time", f"{(own + scheduling + sum(rendering)) / passed:.1f}"),
        *[
            (f"MB of memory, {told} build", ", ".join(f"{mb:.0f}" for mb in build.memory.values()))
            for told, build in (("first", first), ("second", second))
        ],
    ]  # fmt: skip
    title = f"{number} rulesets, {len(structures)} of them grown alone of their structure"
    most = max([*first.memory.values(), *second.memory.values()])
    least = first.memory[0]
    return tell(
        [table_of(title, ("", "measured"), rows)],
        [
            Claim(
                f"memory grows by {most / least - 1:.0%} from the first tenth to all",
                most <= least * (1 + TENTH),
            ),
            Claim(
                f"{len(other)} of {compared} files of {len(sample)} rulesets differ from those "
                f"built alone {' '.join(other[:5])}",
                bool(compared) and not other,
            ),
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
