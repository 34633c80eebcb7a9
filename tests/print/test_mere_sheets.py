"""Sheets that are one file of notes, read back from their PDFs and their pages for a screen."""

from pathlib import Path

import pytest
from read_pdf import Printed
from rendered import composed_from, rendered_file

from rulebook.core.compute import compute
from rulebook.documents.catalogue import plan
from rulebook.loading.rulesets import load
from rulebook.problems import Problem


def printed(folder: Path, path: str) -> bytes:
    """A file that is printed of the ruleset of a folder."""
    loaded = load(folder)
    assert loaded.ruleset is not None, list(loaded.report)
    (document,) = (
        one
        for one in plan(loaded.ruleset, compute(loaded.ruleset), None)
        if any(file.path == path for file in one.document.files)
    )
    return rendered_file(composed_from(document), path)


def sheet(folder: Path, text: str, path: str) -> bytes:
    """A file that is printed of a page of notes."""
    (folder / "thursday.md").write_text(text, "utf-8")
    return printed(folder / "thursday", path)


def problems(folder: Path, text: str) -> list[Problem]:
    (folder / "thursday.md").write_text(text, "utf-8")
    return list(load(folder / "thursday").report)


NOTES = """---
title: Thursday
papers: [a5]
orientation: portrait
columns: 1
colours: ["#334455", "#005f00"]
---
# Move
| Situation | Die |
| --- | --- |
| In cover | -1 |
| Again | +1 |

# Fire
- Roll.

# Fight
- Roll again.
"""


def test_phases_have_the_colours_that_are_given_in_turn(tmp_path):
    html = sheet(tmp_path, NOTES, "qrs.html").decode()
    assert ".p1 h2.phase, section.p1 > h2, .turn .p1.here i { background: #334455" in html
    assert html.count('<section class="phase p1"') == 2
    fills = Printed(sheet(tmp_path, NOTES, "qrs-a5.pdf")).colours()
    bars = {tuple(round(part * 255) for part in fill.channels) for fill in fills}
    assert {(0x33, 0x44, 0x55), (0x00, 0x5F, 0x00)} <= bars
    assert (0x2F, 0x5D, 0x50) not in bars


@pytest.mark.parametrize("given", ["#ffffff", "red"])
def test_a_colour_must_be_dark(tmp_path, given):
    (problem,) = problems(tmp_path, NOTES.replace("#005f00", given))
    assert (problem.code, problem.span.line) == ("R204", 6)
    assert problem.expected.endswith("such as '#7a2b1d'")


def test_each_row_of_a_table_is_printed_in_one_line(tmp_path):
    html = sheet(tmp_path, NOTES, "qrs.html").decode()
    assert html.index(">In cover<") < html.index(">−1<") < html.index(">Again<")
    letters = Printed(sheet(tmp_path, NOTES, "qrs-a5.pdf")).letters(0)
    tops = {text: {round(letter.top) for letter in letters if letter.text in text} for text in "−+"}
    assert len(tops["−"]) == len(tops["+"]) == 1
    assert min(tops["+"]) > max(tops["−"]) + 3
