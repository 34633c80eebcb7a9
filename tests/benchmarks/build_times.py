"""How fast a build is, as ratios of one run on one machine; `make bench` runs it.

The measure is W: the seconds of the processor that one run of the `weasyprint` program takes for the
page of the A4 quick reference in `pages/`. That page never changes, so that W stands for the machine.
Of each figure the median of some runs is told, beside what it was when the page was kept and what is
claimed. Nothing is printed again but what the figure names: all builds share one cache and one folder.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import fontpkg
from claims import RULESET, Claim, Taken, loaded, run, rulebook, tell
from rich.table import Table

from rulebook.publications.documents import compose
from rulebook.render.fonts import FACES
from rulebook.render.jobs import print_html
from rulebook.shipped import content_folder, templates_folder

#: Documents that are pages and nothing else: another program can print them from one page. Cards,
#: sheets to fold, rosters and what is printed again are made of pages that stand in other files.
KINDS = ("qrs", "booklet", "cutout", "scenario")
PAGE = Path(__file__).parent / "pages" / "qrs-a4.html"
SHEET = f"{RULESET}/2.0/qrs-a4.pdf"
#: The value that is changed: a file, and two texts of it in turn.
CHANGED = ("movement.yaml", "Barge on a canal, move: 7.5in", "Barge on a canal, move: 8in")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
RUNS = 3
#: Seconds that the help may take.
INSTANT = 0.3


class Bench:
    """A copy of the content, a cache and an output folder, and how long commands take there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.content = folder / "content"
        self.options = ("--content", str(self.content), "--cache", str(folder / "cache"))
        shutil.copytree(content_folder(), self.content)
        self.page = folder / "qrs-a4.html"
        self.page.write_text(with_fonts(PAGE.read_text("utf-8")), "utf-8")

    def weasyprint(self, page: Path) -> Taken:
        pdf = str(page.with_suffix(".pdf"))
        return run(sys.executable, "-m", "weasyprint", "--pdf-variant", "pdf/ua-1", str(page), pdf)

    def build(self, *arguments: str, out: str = "output", cold: bool = False) -> Taken:
        options = ("--content", str(self.content)) if cold else self.options
        if cold:
            options += ("--cache", str(self.folder / f"cold-{time.monotonic_ns()}"))
        return rulebook(*options, "build", *arguments, "--out", str(self.folder / out))

    def ask(self, *arguments: str) -> Taken:
        return rulebook(*self.options, *arguments)

    def change(self) -> None:
        """Another value in a table; the next change takes it back, to a number never seen."""
        path = self.content / RULESET / CHANGED[0]
        text = path.read_text("utf-8")
        before = CHANGED[1] if CHANGED[1] in text else self._last
        self._changes = getattr(self, "_changes", 0) + 1
        self._last = CHANGED[2].replace("8in", f"{8 + self._changes}in")
        path.write_text(text.replace(before, self._last), "utf-8")


def with_fonts(page: str) -> str:
    """The page with the addresses of the typefaces on this machine."""
    for face in FACES:
        path = fontpkg.path(*face)
        page = page.replace(f"url(font:{path.name})", f"url({path.as_uri()})")
    return page


def median(work: Callable[[], float], runs: int = RUNS) -> float:
    return statistics.median(work() for _ in range(runs))


def write_pages(folder: Path) -> dict[str, Path]:
    """By the path of each PDF its page, as the page maker gets it in a build; not timed."""
    pages = {}
    for publication in compose(loaded()):
        for artefact in publication.artefacts:
            if publication.kind in KINDS and artefact.format == "pdf" and not artefact.imposition:
                page = folder / artefact.path.replace("/", "-").replace(".pdf", ".html")
                page.write_text(page_of(publication, artefact), "utf-8")
                pages[artefact.path] = page
    return pages


def page_of(publication, artefact) -> str:  # type: ignore[no-untyped-def]
    if publication.kind == "cutout":
        from drawing_times import sheets_page

        html, styles = sheets_page(publication.view)
        return html.replace("</head>", f"<style>{''.join(styles)}</style></head>", 1)
    return print_html(publication, artefact, templates_folder())


def watched(bench: Bench, path: str, *, same_heights: bool) -> float:
    """Seconds from saving a value to the file that shows it."""
    out = bench.folder / "output" / path
    command = (sys.executable, "-m", "rulebook", *bench.options, "build", RULESET, "--watch")
    only = (f"--only={path}", "--out", str(bench.folder / "output"))
    with subprocess.Popen([*command, *only], stdout=subprocess.DEVNULL) as process:
        try:
            time.sleep(12)  # it has built once, and waits
            taken = []
            for _ in range(RUNS):
                before = out.stat().st_mtime_ns
                if same_heights:
                    bench.change()
                else:
                    bench.lengthen()
                begun = time.perf_counter()
                while out.stat().st_mtime_ns == before and time.perf_counter() - begun < 60:
                    time.sleep(0.005)
                taken.append(time.perf_counter() - begun)
                time.sleep(1)
        finally:
            process.terminate()
    return statistics.median(taken)
