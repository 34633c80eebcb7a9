"""The words of faults: what is put into them, and which of several lines is told."""

from __future__ import annotations

from rulebook.faults import words_of
from rulebook.model.cells import Sought
from rulebook.problems import Problem, Span

HERE, THERE = Span("a.yaml", 1), Span("a.yaml", 7)


def test_braces_in_a_value_stay_as_they_are() -> None:
    said = words_of("R115 ending", {"ending": "{0.__class__}", "better": "}{"})
    assert said.message == "a file that ends in '{0.__class__}'"
    assert said.hint == "rename it to }{"


def test_the_first_line_that_is_not_empty_is_told() -> None:
    near = words_of("R310 option", {"name": Sought("nigth", ["night"]), "folder": "options"})
    assert (near.expected, near.hint) == ("night", "write 'night'")
    alone = words_of("R310 option", {"name": Sought("night", []), "folder": "options"})
    assert (alone.expected, alone.hint) == ("no options: there is no file in options/", "")


def test_a_second_place_is_told_with_what_stands_there() -> None:
    twice = Problem.of("R105 key twice", THERE, also=HERE, key="title")
    assert (twice.span, twice.also) == (THERE, (HERE, "it stands here first"))
    assert Problem.of("R403 face in two cells", HERE, also=None, face=6).also is None


def test_a_warning_is_one_wherever_it_is_told() -> None:
    assert Problem.of("R404 out of reach", HERE, score=7, highest=6).severity == "warning"
    assert Problem.of("R414 no chapters").severity == "error"


def test_a_long_word_is_cut_before_it_is_told() -> None:
    sought = Sought("x" * 99, ["musketry"])
    assert words_of("R301 procedure", {"name": sought}).message.count("x") == 60
