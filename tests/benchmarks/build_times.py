"""How fast a build is, as ratios of one run on one machine; `make bench` runs it.

The measure is W: the seconds of the processor that one run of the `weasyprint` program takes for
the page of the A4 quick reference in `pages/`. That page is kept, so that W stands for the machine.
Each figure is a median, or one run of what takes long, and is printed beside what is claimed. All
builds but the cold ones share a copy of the content, a cache and an output folder.
"""

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from claims import RULESET, Claim, Taken, rulebook, run, table_of, tell
from playwright.sync_api import Page

from rulebook.build.building import build_rulesets
from rulebook.build.plan import BuildRequest
from rulebook.loading.editions import edition_of
from rulebook.packaged import content_folder, templates_folder
from rulebook.typefaces import FACES
from rulebook.typeset import pdf

sys.path.append(str(Path(__file__).parents[1] / "fakes"))
from in_browser import FLAGS, chromium
from served import Served, served

PAGE = Path(__file__).parent / "pages" / "qrs-a4.html"
EDITION = edition_of(content_folder() / RULESET)
FOLDER = f"{RULESET}/{EDITION}"
SHEET, SCREEN = f"{FOLDER}/qrs-a4.pdf", f"{FOLDER}/qrs.html"
BOOKLET = f"{FOLDER}/booklet.html"
BATTLE = f"{FOLDER}/scenarios/gettysburg-a5.pdf"
RUNS = 3
#: After how many saves an open page is compared with a build.
COMPARED = 25
#: Seconds until a server that has begun waits for changes.
SETTLED = 30.0
#: Seconds that the help may take.
INSTANT = 0.3
PROGRAM = (sys.executable, "-m", "rulebook")


@dataclass
class Edit:
    """A place in a file of the ruleset that is written again and again, never twice alike.

    `write` gives the text for a number, and `shown` what a page has then.
    """

    path: Path
    now: str
    write: Callable[[int], str]
    shown: Callable[[int], Sequence[str]]

    def save(self, number: int) -> None:
        old, self.now = self.now, self.write(number)
        text = self.path.read_text("utf-8")
        assert text.count(old) == 1, old
        self.path.write_text(text.replace(old, self.now), "utf-8")


def barges(number: int) -> tuple[int, int]:
    """Moves of two barges, in inches, neither of which is that of the edition before."""
    return 20 + number // 24, 6 + number % 24


def value_of(movement: Path) -> Edit:
    """Two lengths of the movement table."""
    up, canal = "Barge upstream, move: {}in", "Barge on a canal, move: {}in"
    text = movement.read_text("utf-8")
    now = text[text.index(up.format(6)) : text.index(canal.format(7.5)) + len(canal.format(7.5))]
    written = now.replace(up.format(6), "<up>").replace(canal.format(7.5), "<canal>")

    def write(number: int) -> str:
        first, second = barges(number)
        return written.replace("<up>", up.format(first)).replace("<canal>", canal.format(second))

    def shown(number: int) -> list[str]:
        first, second = barges(number)
        # Behind the values of the edition before, which are struck out.
        return [f"Barge upstream6″ {first}″", f"Barge on a canal7½″ {second}″"]

    return Edit(movement, now, write, shown)


def sentence_of(movement: Path) -> Edit:
    """A sentence of the rules."""

    def write(number: int) -> str:
        return f"You may stop short of it by {number} inches."

    return Edit(movement, "You may always stop short.", write, lambda number: [write(number)])


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, what is claimed, and whether that is reached."""

    name: str
    measured: str
    claimed: str
    holds: bool


def figure(name: str, measured: float, most: float, unit: str = "W") -> Figure:
    return Figure(name, f"{measured:.2f}", f"{most:g} {unit}", measured <= most)


class Bench:
    """A copy of the content with a cache and an output folder, in which commands are timed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.content, self.out = folder / "content", folder / "output"
        self.numbers = count()
        shutil.copytree(content_folder(), self.content)
        ours = self.content / RULESET
        self.value = value_of(ours / "movement.yaml")
        self.sentence = sentence_of(ours / "movement.md")
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

    def changed(self, *arguments: str) -> float:
        """Seconds of the processor of a command after a change of a value in a table."""
        self.value.save(next(self.numbers))
        return self.ask(*arguments)

    def first_sheet(self) -> float:
        """Seconds by the clock from the start of a cold build to the first quick reference."""
        out, begun = self.folder / "first", time.perf_counter()
        command = (*PROGRAM, *self.options("cache-first"), "build", "--out", str(out))
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            while not any(out.glob("*/*/qrs-*.pdf")) and process.poll() is None:
                time.sleep(0.02)
            taken = time.perf_counter() - begun
            process.terminate()
        return taken

    def released(self) -> float:
        """Seconds of a build of an edition that has just been released."""
        game = f"game-{next(self.numbers)}"
        self.ask("new", game)
        rulebook(*self.options(), "release", game, "--out", str(self.out))
        return self.build(game)


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


@dataclass
class OpenPage:
    """A page of `rulebook serve` that is open in Chromium, and what is saved to change it."""

    bench: Bench
    path: str
    edit: Edit
    page: Page

    def save(self) -> float:
        """Seconds by the clock from a save to the page that shows it."""
        time.sleep(0.4)
        number = next(self.bench.numbers)
        begun = time.perf_counter()
        self.edit.save(number)
        holds = "texts => texts.every(text => document.body?.textContent.includes(text))"
        self.page.wait_for_function(holds, arg=self.edit.shown(number), polling=5, timeout=60_000)
        return time.perf_counter() - begun

    def is_as_built(self) -> bool:
        """Whether the page has the words of a fresh build of the same content."""
        self.bench.build(f"--only={self.path}")
        built = self.page.context.new_page()
        built.goto((self.bench.out / self.path).as_uri())
        alike = words(built) == words(self.page)
        built.close()
        return alike


def words(page: Page) -> str:
    """All that is written in the parts of a page that its author fills."""
    main: str = page.evaluate("document.querySelector('main').textContent")
    return main


def memory_of(server: Served) -> int:
    """Bytes that a server and the processes it started hold."""
    held = 0
    for process in {server.process.pid, *server.processes()}:
        status = Path(f"/proc/{process}/statm")
        held += int(status.read_text().split()[1]) * 4096 if status.exists() else 0
    return held


def served_figures(bench: Bench, w: float) -> Iterator[Figure]:
    """From saves to open pages in a browser."""
    with served(bench.folder, *bench.options()) as server, chromium() as browser:
        page = browser.new_context().new_page()
        for name, path, edit, saves in (
            ("a value to the quick reference", SCREEN, bench.value, 200),
            ("a sentence to the booklet", BOOKLET, bench.sentence, 50),
        ):
            page.goto(f"{server.url}{path}")
            page.wait_for_selector(".follow-over[data-saves]", state="attached")
            time.sleep(SETTLED)
            shown = OpenPage(bench, path, edit, page)
            shown.save()  # what is imported for a change is there afterwards
            taken, held, alike = [], 0, True
            for number in range(1, saves + 1):
                taken.append(shown.save())
                if number % COMPARED == 0:
                    alike &= shown.is_as_built()
                    time.sleep(SETTLED / 10)
                held = held or memory_of(server)
            yield figure(f"serve: {name}, median", statistics.median(taken) / w, 0.15)
            yield figure(f"serve: {name}, the longest of {saves}", max(taken) / w, 0.4)
            later, sooner = statistics.median(taken[-10:]), statistics.median(taken[:10])
            yield figure(f"serve: {name}, the last ten to the first", later / sooner, 1.2, "times")
            yield figure(f"serve: {name}, memory", memory_of(server) / held, 1.3, "times")
            yield Figure(f"serve: {name}, words as built", str(alike), "True", alike)
        bench.value.save(next(bench.numbers))
        begun = time.perf_counter()
        server.get(SHEET)
        yield figure("serve: the sheet as PDF after a save", (time.perf_counter() - begun) / w, 0.5)


def pages_of(bench: Bench) -> list[Path]:
    """The pages that WeasyPrint gets for the PDFs of an edition, one for each PDF.

    The page of a sheet is without its blocks, which are laid out by themselves.
    """
    styles: list[str] = []
    found: list[Path] = []
    page_of, style, write = pdf._page, pdf._PageMaker.style, pdf.Layout.pdf

    def style_kept(maker: Any, css: str) -> Any:
        styles.append(css)
        return style(maker, css)

    def page_kept(html: str, *given: Any) -> Any:
        page = page_of(html, *given)
        css = f"<style>{''.join(styles)}</style></head>"
        page.source = with_fonts(html.replace("</head>", css, 1))
        styles.clear()
        return page

    def write_kept(layout: Any, **how: Any) -> bytes:
        path = bench.folder / f"page-{len(found)}.html"
        path.write_text(layout._page.source, "utf-8")
        found.append(path)
        return write(layout, **how)

    pdf._page, pdf._PageMaker.style, pdf.Layout.pdf = page_kept, style_kept, write_kept
    try:
        asked = BuildRequest(
            (bench.content / RULESET,),
            templates_folder().resolve(),
            bench.folder / "pages",
            only=("*.pdf",),
            jobs=1,
        )
        outcome = build_rulesets(asked)
    finally:
        pdf._page, pdf._PageMaker.style, pdf.Layout.pdf = page_of, style, write
    assert outcome.written and not outcome.failed
    return found


def printed_by_chromium(program: str, page: Path) -> Taken:
    profile = page.with_suffix(".profile")
    target = f"--print-to-pdf={page.with_suffix('.pdf')}"
    return run(program, "--headless", *FLAGS, f"--user-data-dir={profile}", target, page.as_uri())


def figures_against_others(bench: Bench) -> Iterator[Figure]:
    """A cold build of all PDFs of an edition against programs that print its pages one by one."""
    ours = bench.cold(RULESET, "--only=*.pdf").wall
    pages = pages_of(bench)
    theirs = sum(weasyprint(page).wall for page in pages)
    name = f"{len(pages)} PDFs of {RULESET}: weasyprint one by one takes longer by"
    yield Figure(name, f"{theirs / ours:.1f}", "9 times", theirs >= 9 * ours)
    if program := shutil.which("chromium"):
        theirs = sum(printed_by_chromium(program, page).wall for page in pages)
        yield Figure("the same: Chromium", f"{theirs / ours:.1f}", "4 times", theirs >= 4 * ours)


def built_figures(bench: Bench, w: float) -> Iterator[Figure]:
    """Seconds of the processor, but for the first sheet."""
    cold = rulebook(*bench.options(), "build", "--out", str(bench.out))
    yield figure("cold, all of content/", cold.processor / w, 85)
    yield figure("the same, by the clock", cold.wall / w, 60)
    yield figure("cold, the first sheet, by the clock", bench.first_sheet() / w, 5)
    yield figure(f"cold {RULESET}, all files", bench.cold(RULESET).processor / w, 14)
    yield figure("list, the first after a build", bench.ask("list") / w, 0.3)
    for command in (("check", RULESET), ("odds", RULESET, "volley")):
        bench.ask(*command)
    warm: list[tuple[str, Callable[[], float], float]] = [
        ("nothing changed, all of content/", bench.build, 0.25),
        ("list again", lambda: bench.ask("list"), 0.15),
        ("check again", lambda: bench.ask("check", RULESET), 0.1),
        ("odds again", lambda: bench.ask("odds", RULESET, "volley"), 0.1),
        ("a value changed: check", lambda: bench.changed("check", RULESET), 0.5),
        (
            "a value changed: the quick reference",
            lambda: bench.changed("build", f"--only={SHEET}", "--out", str(bench.out)),
            1.1,
        ),
        ("build after release", bench.released, 0.25),
        ("imports of what loads content", imports, 0.15),
    ]
    for name, work, most in warm:
        yield figure(name, median(work) / w, most)
    changed = bench.changed("build", RULESET, "--out", str(bench.out)) / w
    yield figure(f"a value changed: all of {RULESET}", changed, 11)
    bench.changed("list")
    battle = bench.build(f"--only={BATTLE}") / w
    yield figure("the booklet of a battle, the rules being read", battle, 1.2)


def imports() -> float:
    """Seconds of the processor for what a command imports to load content."""
    nothing = run(sys.executable, "-c", "pass").processor
    return run(sys.executable, "-c", "import rulebook.loading.editions").processor - nothing


def main() -> int:
    """Measures, prints the table, and returns 1 where a claim does not hold."""
    with TemporaryDirectory() as name:
        bench = Bench(Path(name))
        w = median(lambda: weasyprint(bench.page).processor)
        figures = []
        parts = built_figures(bench, w), served_figures(bench, w), figures_against_others(bench)
        for each in chain(*parts):
            # Told at once, since all of them take long.
            print(f"{each.name}: {each.measured} ({each.claimed})", file=sys.stderr, flush=True)
            figures.append(each)
        asked = median(lambda: rulebook("--help").wall)
    rows = [(each.name, each.measured, each.claimed) for each in figures]
    title = f"Building; W is {w:.2f} s of the processor"
    table = table_of(title, ("figure", "measured", "claimed"), rows)
    claims = [Claim(f"{f.name}: {f.measured} ({f.claimed})", f.holds) for f in figures]
    return tell([table], [*claims, Claim(f"the help takes {asked:.2f} s", asked < INSTANT)])


if __name__ == "__main__":
    raise SystemExit(main())
