"""How fast a build is, as ratios of one run on one machine; `make bench` runs it.

The measure is W: the seconds of the processor that one run of the `weasyprint` program takes for
the page of the A4 quick reference in `pages/`. That page is kept, so that W stands for the machine.
Of each figure the median of some runs is told beside what is claimed. All builds but the cold ones
share a copy of the content, a cache and an output folder.
"""

import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from claims import RULESET, Claim, Taken, rulebook, run, table_of, tell

from rulebook.loading.editions import edition_of
from rulebook.packaged import content_folder
from rulebook.typefaces import FACES

PAGE = Path(__file__).parent / "pages" / "qrs-a4.html"
FOLDER = f"{RULESET}/{edition_of(content_folder() / RULESET)}"
SHEET, SCREEN = f"{FOLDER}/qrs-a4.pdf", f"{FOLDER}/qrs.html"
#: The file and the text with the value that is changed; then a length, or words besides.
CHANGED = ("movement.yaml", "title: Barge on a canal, move: 7.5in")
SAME_HEIGHT = "title: Barge on a canal, move: {}in"
HIGHER = "title: Barge on a canal or on a river dammed to float it and its load, move: {}in"
RUNS = 3
#: Seconds until a watch that has begun waits for changes.
SETTLED = 20.0
#: Seconds that the help may take.
INSTANT = 0.3


class Bench:
    """A copy of the content with a cache and an output folder, in which commands are timed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.content, self.out = folder / "content", folder / "output"
        self.numbers = count(8)
        self.text = CHANGED[1]
        shutil.copytree(content_folder(), self.content)
        self.page = folder / "qrs-a4.html"
        self.page.write_text(with_fonts(PAGE.read_text("utf-8")), "utf-8")

    def options(self, cache: str = "cache") -> tuple[str, ...]:
        return ("--content", str(self.content), "--cache", str(self.folder / cache))

    def ask(self, *arguments: str) -> float:
        """Seconds of the processor of a command."""
        return rulebook(*self.options(), *arguments).processor

    def build(self, *arguments: str) -> float:
        return self.ask("build", *arguments, "--out", str(self.out))

    def cold(self, *arguments: str) -> Taken:
        """A build to an empty folder with an empty cache."""
        number = next(self.numbers)
        out = str(self.folder / f"cold-{number}")
        return rulebook(*self.options(f"cache-{number}"), "build", *arguments, "--out", out)

    def change(self, text: str = SAME_HEIGHT) -> None:
        """A value in a table that was never there before."""
        path = self.content / RULESET / CHANGED[0]
        new = text.format(next(self.numbers))
        path.write_text(path.read_text("utf-8").replace(self.text, new), "utf-8")
        self.text = new

    def changed(self, *arguments: str) -> float:
        """Seconds of a build after a change, of all that is made again."""
        self.change()
        return self.build(*arguments)


def with_fonts(page: str) -> str:
    """The page with the addresses of the typefaces on this machine."""
    for face in FACES:
        page = page.replace(f"url(font:{face.path.name})", f"url({face.path.as_uri()})")
    return page


def weasyprint(page: Path) -> Taken:
    pdf = str(page.with_suffix(".pdf"))
    return run(sys.executable, "-m", "weasyprint", "--pdf-variant", "pdf/ua-1", str(page), pdf)


def median(work: Callable[[], float]) -> float:
    return statistics.median(work() for _ in range(RUNS))


def watched(bench: Bench, path: str, text: str) -> float:
    """Seconds by the clock from saving a value to the file that shows it."""
    file = bench.out / path
    watch = ("build", RULESET, "--watch", f"--only={path}", "--out", str(bench.out))
    command = (sys.executable, "-m", "rulebook", *bench.options(), *watch)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:

        def once() -> float:
            time.sleep(1.5)
            before, begun = file.stat().st_mtime_ns, time.perf_counter()
            bench.change(text)
            while file.stat().st_mtime_ns == before:
                if process.poll() is not None or time.perf_counter() - begun > 120:
                    raise SystemExit(f"the watch of {path} has not built it again")
                time.sleep(0.005)
            return time.perf_counter() - begun

        try:
            time.sleep(SETTLED)
            once()  # what is imported for a change is there afterwards
            return median(once)
        finally:
            process.terminate()


def served(bench: Bench, path: str) -> float:
    """Seconds by the clock from saving a value to an open page that has what shows it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    serve = ("serve", RULESET, "--port", str(port), "--out", str(bench.out))
    command = (sys.executable, "-m", "rulebook", *bench.options(), *serve)
    server = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120)
    with server, subprocess.Popen(command, stdout=subprocess.PIPE) as process:

        def once() -> float:
            time.sleep(1.5)
            before, begun = server.get(f"/{path}").content, time.perf_counter()
            bench.change()
            for _ in events:
                if server.get(f"/{path}").content != before:
                    break
            return time.perf_counter() - begun

        try:
            assert process.stdout is not None and process.stdout.readline()
            with server.stream("GET", f"/api/events?page=/{path}") as told:
                events = (line for line in told.iter_lines() if line.startswith("data:"))
                time.sleep(SETTLED)
                once()
                return median(once)
        finally:
            process.terminate()


def against_w(bench: Bench, w: float) -> list[tuple[str, float, str, bool]]:
    """What is done again, in parts of W."""
    figures: list[tuple[str, Callable[[], float], float]] = [
        (f"cold {RULESET}, all files", lambda: bench.cold(RULESET).processor, 25),
        ("nothing changed, all of content/", bench.build, 0.25),
        ("list again", lambda: bench.ask("list"), 0.2),
        ("check again", lambda: bench.ask("check"), 0.2),
        ("odds again", lambda: bench.ask("odds", RULESET, "volley"), 0.2),
        ("a value changed: the quick reference", lambda: bench.changed(f"--only={SHEET}"), 1.0),
        (f"a value changed: all of {RULESET}", lambda: bench.changed(RULESET), 9),
        ("watch: the quick reference, same heights", lambda: watched_in(SHEET, SAME_HEIGHT), 0.6),
        ("watch: the quick reference, other heights", lambda: watched_in(SHEET, HIGHER), 1.5),
        ("watch: its page for a screen", lambda: watched_in(SCREEN, SAME_HEIGHT), 0.15),
        ("serve: the quick reference, same heights", lambda: served(bench, SHEET), 0.6),
        ("serve: its page for a screen", lambda: served(bench, SCREEN), 0.2),
    ]

    def watched_in(path: str, text: str) -> float:
        return watched(bench, path, text)

    rows = []
    for told, work, most in figures:
        one = work() if told.startswith(("cold", "watch", "serve")) else median(work)
        rows.append((told, one / w, f"{most:g} W", one / w <= most))
    return rows


def main() -> int:
    """Measure, print the table, and return 1 where a claim does not hold."""
    with TemporaryDirectory() as name:
        bench = Bench(Path(name))
        w = median(lambda: weasyprint(bench.page).processor)
        bench.build()
        for command in (("list",), ("check",), ("odds", RULESET, "volley")):
            bench.ask(*command)
        rows = against_w(bench, w)
        asked = median(lambda: rulebook("--help").wall)
    told = [(figure, f"{measured:.2f}", claimed) for figure, measured, claimed, _ in rows]
    title = f"Building; W is {w:.2f} s of the processor"
    table = table_of(title, ("figure", "measured", "claimed"), told)
    claims = [Claim(f"{told}: {one:.2f} ({claimed})", holds) for told, one, claimed, holds in rows]
    return tell([table], [*claims, Claim(f"the help takes {asked:.2f} s", asked < INSTANT)])


if __name__ == "__main__":
    raise SystemExit(main())
