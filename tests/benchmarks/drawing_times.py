"""How fast sheets are drawn, against WeasyPrint on the same SVG; `make bench` runs it.

Seconds are those of the processor, so that what else runs on the machine does not count; of each
the best of some rounds.

Claimed: the sheets of all cutouts on A4 are drawn at least fifteen times faster from their SVG to
PDF than WeasyPrint draws the same SVG in the same process; to compose and to draw them takes less
than 0.6 s.
"""

from collections.abc import Callable
from time import process_time

from claims import RULESET, Claim, loaded, table_of, tell

from rulebook.documents.cutouts.compose import all_cutouts_view
from rulebook.documents.cutouts.layout import draw_sheets
from rulebook.documents.parts.views import CutoutView
from rulebook.packaged import templates_folder
from rulebook.typeset.pdf import lay_out, warm_up

#: How many times faster drawing has to be than the page maker, and seconds for the whole way.
FASTER, MOST = 15.0, 0.6
ROUNDS, SLOW_ROUNDS = 5, 2


def sheets_page(view: CutoutView) -> tuple[str, list[str]]:
    """The sheets as a page for a page maker: HTML with their SVG in it, and its styles."""
    sheets = list(enumerate(view.sheets, start=1))
    drawn = "".join(f'<div class="sheet-{number}">{sheet.svg}</div>' for number, sheet in sheets)
    sizes = "".join(
        f"@page sheet-{number}{{size:{sheet.width_mm}mm {sheet.height_mm}mm;margin:0}}"
        f".sheet-{number}{{page:sheet-{number};overflow:hidden;"
        f"width:{sheet.width_mm}mm;height:{sheet.height_mm}mm}}"
        for number, sheet in sheets
    )
    head = f"<head><title>{view.title.replace('&', '&amp;')}</title></head>"
    html = f'<html lang="{view.language}">{head}<body>{drawn}</body></html>'
    return html, ["body{margin:0}svg{display:block}", sizes]


def best(work: Callable[[], object], rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        begun = process_time()
        work()
        taken.append(process_time() - begun)
    return min(taken)


def main() -> int:
    """Measure, print the table, and return 1 where a claim does not hold."""
    ruleset = loaded()
    templates = templates_folder()
    warm_up(templates)
    view = all_cutouts_view(ruleset, "a4")
    html, styles = sheets_page(view)

    def page_maker() -> bytes:
        layout = lay_out(html, styles, templates=templates, name="sheets")
        return layout.pdf(print_hints=True)

    drawn = best(lambda: draw_sheets(view), ROUNDS)
    laid_out = best(page_maker, SLOW_ROUNDS)
    whole = best(lambda: draw_sheets(all_cutouts_view(ruleset, "a4")), ROUNDS)
    rows = [
        ("SVG to PDF by WeasyPrint", f"{laid_out:.3f}"),
        ("SVG to PDF, drawn", f"{drawn:.3f}"),
        ("composed and drawn", f"{whole:.3f}"),
    ]
    title = f"The {len(view.sheets)} sheets of all cutouts of {RULESET} on A4"
    ratio = laid_out / drawn
    claims = (
        Claim(f"drawing is {ratio:.0f} times faster than the page maker", ratio >= FASTER),
        Claim(f"all cutouts are composed and drawn in {whole:.2f} s", whole < MOST),
    )
    return tell([table_of(title, ("run", "seconds"), rows)], claims)


if __name__ == "__main__":
    raise SystemExit(main())
