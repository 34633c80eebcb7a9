"""The sheets of the American Civil War Game, read back from their PDFs: what stands where."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import takewhile

import pytest
from contrasts import contrast
from printed import acw, dice_of, document_of, printed
from read_pdf import Letter, Printed

from rulebook.documents.parts.binding import plain_text
from rulebook.documents.qrs.compose import HUES
from rulebook.documents.qrs.galley import FOOT, HEAD, MARGIN
from rulebook.model.cells import Cell
from rulebook.model.entities import Status
from rulebook.model.grids import Grid, humanise
from rulebook.model.record_tables import ModifierTable, RecordTable
from rulebook.model.sequence_and_examples import Step
from rulebook.packaged import templates_folder
from rulebook.paper_and_ink import paper_size

PAPERS = {name: paper_size(name, landscape=True) for name in ("a4", "letter")}
INKS = {"full": "", "low": "-low"}
FILES = [(paper, ink) for paper in PAPERS for ink in INKS]


@pytest.fixture(scope="module", params=FILES, ids="-".join)
def file(request: pytest.FixtureRequest) -> tuple[str, Printed]:
    paper, ink = request.param
    return paper, Printed(printed(f"qrs-{paper}{INKS[ink]}.pdf"))


@pytest.fixture(scope="module", params=PAPERS)
def sheet(request: pytest.FixtureRequest) -> tuple[str, Printed]:
    return request.param, Printed(printed(f"qrs-{request.param}.pdf"))


def steps() -> list[Step]:
    """The steps of all phases in the order of the turn: a panel on the first sheet for each."""
    listed = [step for phase in acw().sequence.values() for step in phase.steps.values()]
    return [step for step in listed if step.sheet == 1]


def is_footer(letter: Letter, height: float) -> bool:
    return letter.top > height - MARGIN - FOOT


def closed_up(text: str) -> str:
    """Text without white space, in capitals: lines and small capitals make no difference."""
    return re.sub(r"\s", "", text).upper()


def test_two_landscape_sides_of_the_paper(file: tuple[str, Printed]) -> None:
    paper, sheet = file
    assert len(sheet.sizes) == 2
    for size in sheet.sizes:
        assert size == pytest.approx(PAPERS[paper], abs=0.002)
    for page in sheet.pdf.pages:
        assert "/Rotate" not in page
        assert page.mediabox == page.cropbox


def _crowded(letters: list[Letter]) -> Iterator[tuple[Letter, Letter]]:
    """Pairs of letters whose ink lies on one another by more than kerning ever does."""
    squares: dict[tuple[int, int], list[Letter]] = defaultdict(list)
    for letter in letters:
        for x in range(int(letter.left // 4), int(letter.right // 4) + 1):
            for y in range(int(letter.top // 4), int(letter.bottom // 4) + 1):
                squares[x, y].append(letter)
    for square in squares.values():
        for index, one in enumerate(square):
            for other in square[index + 1 :]:
                across = min(one.right, other.right) - max(one.left, other.left)
                down = min(one.bottom, other.bottom) - max(one.top, other.top)
                ligature = one[2:] == other[2:] and one.text != other.text
                fraction = "\N{FRACTION SLASH}" in (one.text, other.text)
                if across > 0.3 and down > 0.15 and not ligature and not fraction:
                    yield one, other


def test_no_letters_are_printed_over_others(file: tuple[str, Printed]) -> None:
    _, sheet = file
    for number in range(2):
        assert list(_crowded(sheet.letters(number))) == []


def test_edition_date_title_and_side_stand_on_each_side(file: tuple[str, Printed]) -> None:
    paper, sheet = file
    height = PAPERS[paper][1]
    for number in range(2):
        letters = sheet.letters(number)
        head = "".join(letter.text for letter in letters if letter.top < MARGIN + HEAD)
        foot = "".join(letter.text for letter in letters if is_footer(letter, height))
        assert closed_up("The American Civil War Game") in closed_up(head)
        assert closed_up("Edition 2.1 · 23 November 2026") in closed_up(head)
        assert closed_up("1 Move 2 Fire 3 Charge 4 Mêlée 5 Morale") in closed_up(head)
        assert closed_up(f"Side {number + 1} of 2") in closed_up(foot)


def printed_cell(cell: Cell, row_of: str | None) -> str:
    """What a cell says; a row of another table by its title."""
    if cell.status is Status.MISSING:
        return ""
    if row_of and cell.value is not None:
        other = acw().tables[row_of]
        key = str(cell.value)
        return other.data[key].title or humanise(key)
    return str(cell)


def rows_of(table: Grid | RecordTable | ModifierTable) -> Iterator[str]:
    """Each row as one line: its labels, then its cells."""
    if isinstance(table, ModifierTable):
        for row in table.data.values():
            amounts = [str(row.cells.get(name, "")) for name in table.fields]
            yield " ".join([plain_text(row.when.markdown), *amounts])
    elif isinstance(table, Grid):
        above: tuple[str, ...] = ()
        for choices, cells in zip(table.positions("rows"), table.data, strict=True):
            titles = tuple(choice.title for choice in choices)
            # A label that stands over several rows is printed beside the first of them.
            pairs = zip(above, titles[:-1], strict=False)
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            above = titles
            yield " ".join([*titles[shared:], *(printed_cell(c, table.cells.table) for c in cells)])
    else:
        for key, record in table.data.items():
            specs = table.fields
            values = [printed_cell(c, specs[name].type.table) for name, c in record.cells.items()]
            yield " ".join([record.title or humanise(key), *values])


def on_the_sheet() -> dict[str, Grid | RecordTable | ModifierTable]:
    """Tables and modifiers of the first sheet; those that are marked off are named by no step."""
    tables = acw().all_tables
    return {name: tables[name] for step in steps() for name in step.tables if tables[name].qrs}


def is_there(rows: list[str], text: str) -> bool:
    """Row by row, or on its side: the labels of all rows in a line, and their figures in one."""
    if all(closed_up(row) in text for row in rows):
        return True
    labels, figures = zip(*(row.rpartition(" ")[::2] for row in rows), strict=True)
    return all(closed_up(" ".join(line)) in text for line in (labels, figures))


def test_every_table_that_is_not_marked_off_stands_on_it(
    file: tuple[str, Printed],
) -> None:
    _, sheet = file
    text = closed_up(" ".join(sheet.texts)).replace("*", "")
    tables = on_the_sheet()
    assert len(tables) >= 15
    assert [name for name in tables if not is_there(list(rows_of(tables[name])), text)] == []


def test_modifiers_of_one_roll_stand_together(sheet: tuple[str, Printed]) -> None:
    _, read = sheet
    tables = [table for table in on_the_sheet().values() if isinstance(table, ModifierTable)]
    assert tables
    for table in tables:
        whole = closed_up(" ".join(rows_of(table)))
        assert any(whole in closed_up(text) for text in read.texts), table.title


def test_every_panel_has_its_title_and_rule_number(sheet: tuple[str, Printed]) -> None:
    paper, read = sheet
    text = closed_up(" ".join(read.texts))
    for phase in document_of(f"qrs-{paper}.pdf").view.phases:
        first = phase.panels[0]
        opening = f"{phase.number} {phase.title} {first.title} {first.rule}"
        assert closed_up(opening) in text
        for panel in phase.panels:
            assert closed_up(f"{panel.title} {panel.rule}") in text


def test_panels_stand_in_the_order_of_the_turn(sheet: tuple[str, Printed]) -> None:
    _, read = sheet
    text = closed_up(" ".join(read.texts))
    at = 0
    for step in steps():
        at = text.index(closed_up(step.title), at)


def test_every_reminder_is_printed_whole(sheet: tuple[str, Printed]) -> None:
    paper, read = sheet
    text = closed_up(" ".join(read.texts))
    view = document_of(f"qrs-{paper}.pdf").view
    lines = [line for ph in view.phases for panel in ph.panels for line in panel.say]
    assert len(lines) == sum(len(step.say) for step in steps())
    assert [line for line in lines if closed_up(plain_text(line)) not in text] == []
    assert "{" not in text and "}" not in text


def test_words_stand_out_on_the_colours_of_every_phase() -> None:
    css = (templates_folder() / "styles" / "phases.css").read_text("utf-8")
    for hue in range(1, HUES + 1):
        (bar,) = re.findall(rf"\.p{hue} h2\.phase[^{{]*{{ background: (#\w+)", css)
        (pale,) = re.findall(rf"\.turn \.p{hue} i {{ background: (#\w+)", css)
        (tint,) = re.findall(rf"\.p{hue} table\.rules tbody[^{{]*{{ background: (#\w+)", css)
        assert contrast(bar, "#ffffff") >= 4.5, "white on the bar, headings on white"
        assert contrast(bar, pale) >= 4.5, "a phase of another side"
        assert contrast("#55504a", tint) >= 4.5, "the palest words in a row"
        assert 1.08 <= contrast(tint, "#ffffff") <= 1.3, "rows are told apart in grey"


def test_the_file_says_what_it_is(file: tuple[str, Printed]) -> None:
    _, sheet = file
    assert str(sheet.pdf.Root.Lang) == "en-GB"
    title = str(sheet.pdf.docinfo["/Title"])
    assert title == "The American Civil War Game – quick reference, edition 2.1"
    assert str(sheet.pdf.Root.ViewerPreferences.PrintScaling) == "/None"
    assert bool(sheet.pdf.Root.MarkInfo.Marked)
    ours = re.compile(r"[A-Z]{6}\+(IBM-Plex-Sans-Condensed|Spectral)")
    assert all(ours.match(name) for name, _ in sheet.fonts)
    assert all(inside for _, inside in sheet.fonts)


def test_pictures_are_told_to_those_who_cannot_see_them(file: tuple[str, Printed]) -> None:
    _, sheet = file
    drawn = [
        told
        for step in steps()
        for told in (
            *(acw().cutouts[cutout].title for cutout in step.cutouts),
            *(face for example in step.examples for face in dice_of(example)),
        )
    ]
    assert [str(figure.Alt) for figure in sheet.tags("/Figure")] == drawn
