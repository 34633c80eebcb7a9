"""How fast a build is, as ratios of one run on one machine; `make bench` runs it.

Claimed: a cold build of documents is at least three times faster than the `weasyprint` program
run once for each of them, one after another, on the same pages; a second build of a whole
ruleset with nothing changed renders nothing and takes less than a fifth of the first;
`rulebook --help` answers in 0.3 s.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from claims import RULESET, Claim, loaded, of_rulebook, seconds, tell
from drawing_times import sheets_page
from rich.table import Table

from rulebook.publications.documents import compose
from rulebook.publications.publication import Artefact, Publication
from rulebook.render.fonts import face_rules_by_file
from rulebook.render.jobs import print_html
from rulebook.shipped import templates_folder

#: How many times faster a cold build has to be than one run of the program for each document.
FASTER = 3.0
#: What part of a cold build the second one may take.
PART = 1 / 5
#: Seconds that the help may take.
INSTANT = 0.3


#: Documents that are pages and nothing else. Cards, sheets to fold, rosters and what is printed
#: again are made of pages that stand in other files, or of many small ones.
KINDS = ("qrs", "booklet", "cutout", "scenario")


def page_of(publication: Publication, artefact: Artefact) -> str:
    """A document as one HTML file, fonts by file address; cutouts as the SVG of their sheets."""
    if publication.kind != "cutout":
        return print_html(publication, artefact, templates_folder())
    html, styles = sheets_page(publication.view)
    css = "\n".join([face_rules_by_file(), *styles])
    return html.replace("</head>", f"<style>{css}</style></head>", 1)


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


def main() -> int:
    """Measure, print the table, and return 1 where a claim does not hold."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        pages = write_pages(folder)
        same = [f"--only={path}" for path in pages]
        alike = of_rulebook("build", RULESET, *same, "--out", str(folder / "alike"))
        cold, again = (
            of_rulebook("build", RULESET, "--out", str(folder / "output")) for _ in range(2)
        )
        asked = of_rulebook("--help")
        apart = {
            page.stem: seconds(
                *(sys.executable, "-m", "weasyprint", "--pdf-variant", "pdf/ua-1"),
                *(str(page), str(page.with_suffix(".pdf"))),
            )
            for page in pages.values()
        }
    one_by_one = sum(apart.values())
    table = Table(title=f"Building {RULESET}: {len(pages)} PDF documents")
    table.add_column("run")
    table.add_column("seconds", justify="right")
    for document, taken in apart.items():
        table.add_row(f"weasyprint {document}", f"{taken:.2f}", style="dim")
    table.add_row("weasyprint, all one after another", f"{one_by_one:.2f}")
    table.add_row("rulebook build of the same, cold", f"{alike:.2f}")
    table.add_row("rulebook build of all files, cold", f"{cold:.2f}")
    table.add_row("rulebook build, nothing changed", f"{again:.2f}")
    table.add_row("rulebook --help", f"{asked:.2f}")
    claims = (
        Claim(f"cold build is {one_by_one / alike:.1f} times faster", one_by_one / alike >= FASTER),
        Claim(f"second build takes {again / cold:.3f} of the first", again / cold < PART),
        Claim(f"the help takes {asked:.2f} s", asked < INSTANT),
    )
    return tell([table], claims)


if __name__ == "__main__":
    raise SystemExit(main())
