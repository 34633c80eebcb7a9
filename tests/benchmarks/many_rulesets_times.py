"""What a thousand rulesets take on a Dask cluster of two workers, and what fifty would wait for.

    python tests/benchmarks/many_rulesets_times.py [RULESETS]

Half of them are games grown at random, the others are cut and varied from those that ship. All are
built twice: a fifth of them, and all. The scheduler, the workers and the build that asks them are
processes of their own. Seconds are those of the processor. Not a part of `make bench`: a thousand
take half an hour and more.

Claimed: the memory of the build does not grow with the number of rulesets by more than a tenth; and
each file has the same bytes as where its ruleset is built alone, here.
"""

import json
import pickle
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from claims import Claim, table_of, tell

sys.path.append(str(Path(__file__).parents[1] / "fakes"))
from many_rulesets import write_rulesets

from rulebook.build.build_request import BuildRequest
from rulebook.build.rulesets import build_rulesets
from rulebook.documents.catalogue import compose
from rulebook.loading.rulesets import load
from rulebook.packaged import templates_folder

ALL = 1_000
#: By what part of itself memory may grow from a fifth of the rulesets to all.
TENTH = 1 / 10
#: So many rulesets are built alone as well.
ALONE = 20
_WORK = re.compile(r"(?:tcp://[^ ]*|this machine): (?:(\d+) files?, )?([\d.]+) s of work")


@dataclass(frozen=True, slots=True)
class Measured:
    """A build: files, seconds that passed, work of this machine and of the workers, in seconds,
    and the most memory that it took, in MB.
    """

    rulesets: int
    files: int
    passed: float
    own: float
    workers: tuple[float, ...]
    memory: float

    @property
    def row(self) -> tuple[str, ...]:
        return (
            str(self.rulesets),
            str(self.files),
            f"{self.passed:.0f} s",
            f"{self.own:.0f} s",
            ", ".join(f"{one:.0f} s" for one in self.workers),
            f"{self.memory:.0f} MB",
        )


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A scheduler and two workers; the address of the scheduler."""
    log = (folder / "dask.log").open("w")
    place = folder / "scheduler.json"
    dask = [str(Path(sys.executable).with_name("dask"))]
    scheduler = [
        *dask,
        "scheduler",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(place),
    ]
    worker = [*dask, "worker", "--scheduler-file", str(place), "--nthreads", "1", "--no-dashboard"]
    started = [
        subprocess.Popen(one, stdout=log, stderr=log, cwd=folder)
        for one in (scheduler, worker, worker)
    ]
    while not place.is_file():
        if started[0].poll() is not None:
            raise SystemExit(f"no scheduler:\n{(folder / 'dask.log').read_text()}")
        time.sleep(0.1)
    address = json.loads(place.read_text())["address"]
    try:
        yield address
    finally:
        for one in reversed(started):
            one.terminate()
        for one in started:
            one.wait()
        log.close()


def built(content: Path, names: list[str], out: Path, address: str) -> Measured:
    command = [
        sys.executable,
        "-m",
        "rulebook",
        "--content",
        str(content),
        "--cache",
        str(out) + "-cache",
    ]
    began = time.monotonic()
    process = subprocess.Popen(
        [*command, "build", *names, "--out", str(out), "--cluster", address],
        stdout=subprocess.PIPE,
        text=True,
    )
    memory, own, files, workers = 0.0, 0.0, 0, []
    assert process.stdout is not None
    for line in process.stdout:
        memory = max(memory, _resident(process.pid))
        files += line.startswith("wrote ")
        if found := _WORK.match(line):
            if found[1] is None:
                own = float(found[2])
            else:
                workers.append(float(found[2]))
    if process.wait():
        raise SystemExit("the build has failed")
    return Measured(len(names), files, time.monotonic() - began, own, tuple(workers), memory)


def _resident(pid: int) -> float:
    """The memory of a process now, in MB."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * resource.getpagesize() / 1e6


def differing(content: Path, names: list[str], out: Path, alone: Path) -> list[str]:
    """The files of rulesets that come out otherwise where each is built by itself."""
    found = []
    for name in names:
        request = BuildRequest(
            folders=(content / name,), templates=templates_folder(), out=alone, jobs=1
        )
        outcome = build_rulesets(request)
        found += [
            path
            for path in outcome.written
            if (alone / path).read_bytes() != (out / path).read_bytes()
        ]
    return found


def views(content: Path, names: list[str]) -> float:
    """The mean of the kB that are sent to workers for a ruleset."""
    sizes = []
    for name in names:
        ruleset = load(content / name).ruleset
        assert ruleset is not None
        sizes.append(sum(len(pickle.dumps(one)) for one in compose(ruleset)))
    return sum(sizes) / len(sizes) / 1000


def main() -> int:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else ALL
    with TemporaryDirectory() as place:
        folder = Path(place)
        content, out = folder / "content", folder / "all"
        structures = write_rulesets(content, number)
        names = sorted(path.name for path in content.iterdir())
        with cluster(folder) as address:
            some = built(content, names[::5], folder / "some", address)
            every = built(content, names, out, address)
        sample = names[:: max(1, number // ALONE)]
        other = differing(content, sample, out, folder / "alone")
        sent = views(content, sample)
        received = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    headings = ("Rulesets", "Files", "Passed", "This machine", "Workers", "Memory")
    table = table_of(
        f"{number} rulesets, {len(structures)} of them grown alone of their structure",
        headings,
        [some.row, every.row],
    )
    rendered = sum(every.workers)
    print(f"{sent:.0f} kB sent and {received / number / 1000:.0f} kB received for a ruleset")
    print(f"this machine keeps {rendered / every.own:.1f} workers busy")
    return tell(
        [table],
        [
            Claim(
                f"memory grows by {every.memory / some.memory - 1:.0%} from a fifth to all",
                every.memory <= some.memory * (1 + TENTH),
            ),
            Claim(
                f"{len(other)} files of {len(sample)} rulesets differ from those built alone",
                not other,
            ),
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
