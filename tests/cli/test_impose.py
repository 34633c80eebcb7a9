"""`rulebook impose` and `rulebook printer-test`: files of sheets, and what is said against them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from beside import beside
from click.testing import Result
from read_sheets import Sheets, numbered_pages

from rulebook.paper_and_ink import paper_size

Run = Callable[..., Result]


@pytest.fixture
def pages(here: Path) -> str:
    (here / "pages.pdf").write_bytes(numbered_pages(6, 148, 210))
    return "pages.pdf"


def test_a_booklet_is_what_is_made_if_nothing_is_said(run: Run, pages: str) -> None:
    result = run("impose", pages, "-o", "sheets.pdf", exits=0)
    assert "wrote sheets.pdf" in result.output
    assert "2 sheets of a4, both sides, flipped on the short edge" in result.output
    read = Sheets(Path("sheets.pdf").read_bytes())
    sides = [[number for number, *_ in read.numbers(side)] for side in range(4)]
    assert sides == [[1], [2], [6, 3], [4, 5]]
    assert str(read.pdf.Root.ViewerPreferences.Duplex) == "/DuplexFlipShortEdge"


@pytest.mark.parametrize(
    ("options", "sheets"),
    beside(__file__, "other_arrangements"),
)
def test_other_arrangements(run: Run, pages: str, options: list[str], sheets: str) -> None:
    assert sheets in run("impose", pages, *options, "-o", "sheets.pdf", exits=0).output


@pytest.mark.parametrize(("arguments", "status", "said"), beside(__file__, "mistakes_are_told"))
def test_mistakes_are_told(
    run: Run, pages: str, arguments: list[str], status: int, said: str
) -> None:
    Path("text.pdf").write_text("no pages at all")
    assert said in " ".join(run("impose", *arguments, exits=status).output.split())
    assert not Path("x.pdf").exists()


def test_to_standard_output(run: Run, pages: str) -> None:
    result = run("impose", pages, "-o", "-", exits=0)
    assert result.stdout_bytes.startswith(b"%PDF-")
    assert len(Sheets(result.stdout_bytes).sizes) == 4


def test_a_printer_test_is_named_after_its_paper(run: Run, here: Path) -> None:
    result = run("printer-test", "--paper", "letter", exits=0)
    assert "wrote printer-test-letter.pdf" in result.output
    read = Sheets(Path("printer-test-letter.pdf").read_bytes())
    assert read.sizes == [pytest.approx(paper_size("letter"), abs=0.001)] * 2


@pytest.mark.parametrize(
    ("offset", "said"),
    [
        *beside(__file__, "offsets_that_no_printer_has_are_refused"),
        ("x=" + "9" * 5000 + "mm,y=0mm", "is no length"),
    ],
)
@pytest.mark.parametrize("command", [["printer-test"], ["build"]])
def test_offsets_that_no_printer_has_are_refused(
    run: Run, here: Path, command: list[str], offset: str, said: str
) -> None:
    (here / "content").mkdir()
    result = run(*command, "--offset", offset, exits=2)
    told = " ".join(result.output.split())
    assert said in told
    assert "write it as x=1mm,y=-0.5mm" in told


@pytest.mark.parametrize("offset", ["x=1mm,y=-0.5mm", "y = −1/2mm , X=+0.1cm", "x=0in,y=0mm"])
def test_offsets_are_written_in_several_ways(run: Run, here: Path, offset: str) -> None:
    assert run("printer-test", "--offset", offset).exit_code == 0
