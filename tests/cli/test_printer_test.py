"""`rulebook printer-test`: its file, and the offset that it and `build` take."""

from pathlib import Path

import pytest
from beside import beside
from read_sheets import Sheets

from rulebook.paper_and_ink import paper_size


def test_a_printer_test_is_named_after_its_paper(run):
    result = run("printer-test", "--paper", "letter", exits=0)
    assert "wrote printer-test-letter.pdf" in result.output
    read = Sheets(Path("printer-test-letter.pdf").read_bytes())
    assert read.sizes == [pytest.approx(paper_size("letter"), abs=0.001)] * 2


@pytest.mark.parametrize(
    ("offset", "said"),
    [
        *beside(__file__, "offsets_that_no_printer_has_are_refused"),
        ("x=" + "9" * 5000 + "mm,y=0mm", "is no offset"),
    ],
)
@pytest.mark.parametrize("command", [["printer-test"], ["build"]])
def test_offsets_that_no_printer_has_are_refused(run, here, command, offset, said):
    (here / "content").mkdir()
    result = run(*command, "--offset", offset, exits=2)
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize("offset", ["x=1mm,y=-0.5mm", "y = −1/2mm , X=+0.1cm", "x=0in,y=0mm"])
def test_offsets_are_written_in_several_ways(run, offset):
    assert run("printer-test", "--offset", offset).exit_code == 0
