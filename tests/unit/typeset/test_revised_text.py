"""Words that went and words that came, in HTML that stays well formed whatever they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from read_html import read_html

from rulebook.typeset.markup import block, revised_line, revised_text, revised_words


def line(then: str, now: str) -> str:
    return str(revised_line(now, then, screen=True))


def text(then: str, now: str, *, screen: bool = True) -> str:
    return str(revised_text(block(now), then, screen=screen))


def test_words_are_told_apart_one_by_one() -> None:
    told = line("Lay the device with its point.", "Lay the cone with its point.")
    assert told == "Lay the <del>device </del><ins>cone</ins> with its point."


def test_what_is_only_put_in_strikes_nothing() -> None:
    assert line("One two.", "One and two.") == "One <ins>and</ins> two."
    assert line("One and two.", "One two.") == "One <del>and </del>two."


def test_words_keep_their_emphasis_and_links() -> None:
    told = line("A **bold** word.", "A **bold** [word](#there) here.")
    assert "<strong>bold</strong>" in told and '<a href="#there">word</a>' in told
    assert "<del>word. </del>" not in told or "<ins>" in told


def test_links_that_went_lead_nowhere() -> None:
    told = line("See [4 Guns](#guns) for it.", "See for it.")
    assert "href" not in told and "<del>4 Guns </del>" in told


def test_another_text_altogether_is_struck_whole() -> None:
    told = line("Only heavy cavalry.", "Throw two dice for each gun.")
    assert told == "<del>Only heavy cavalry.</del> <ins>Throw two dice for each gun.</ins>"


def test_numbers_of_notes_are_no_words() -> None:
    assert text("As before.", "As before.\u2060[7](#note-7)").count("<ins>") == 0
    assert "revised" not in text("As before.", "As before.\u2060[7](#note-7)")


def test_on_paper_a_paragraph_is_marked_and_not_a_word_of_it() -> None:
    told = text("One. \n\nTwo here.", "One.\n\nTwo there.", screen=False)
    assert told.splitlines() == ["<p>One.</p>", '<p class="revised">Two there.</p>']
    assert text("", "New.", screen=False) == '<p class="revised">New.</p>'
    assert str(revised_text("<p>As it was.</p>", None, screen=True)) == "<p>As it was.</p>"


def test_lines_of_a_list_are_marked_by_themselves() -> None:
    told = text("- one\n- two\n- three", "- one\n- two more\n- four")
    page = read_html(told)
    marked = [item.text for item in page.all("li") if item.has_class("revised")]
    assert marked == ["two more", "four"]
    assert [item.text for item in page.of_class("gone")] == ["three"]


def test_what_went_stands_where_it_stood() -> None:
    told = text("First.\n\nSecond is long enough.\n\nThird.", "First.\n\nThird.")
    assert told.index("First") < told.index("Second") < told.index("Third")
    assert '<div class="gone"><del><p>Second is long enough.</p></del></div>' in told


def test_values_and_headings() -> None:
    assert revised_words("8", "10", screen=True) == "<del>10</del> <ins>8</ins>"
    assert revised_words("8", "", screen=True) == "8"
    assert revised_words("8", "–", screen=True) == "<ins>8</ins>"
    assert revised_words("<b>", "&", screen=True) == "<del>&amp;</del> <ins>&lt;b&gt;</ins>"
    assert revised_words("8", "10", screen=False) == "8"


WORDS = st.lists(
    st.sampled_from(
        [
            *("one", "two", "**bold**", "*slanted*", "[a link](#x)", "`code`", "a < b & c", "—"),
            *("\u2060[3](#note-3)", "\n\n", "\n- item", "\n\n1. first", "  \n", "<script>", "¶"),
            *("\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n", "\n\n> said", "***", "](", "{", "&amp;"),
        ]
    ),
    max_size=14,
).map(" ".join)


@given(WORDS, WORDS)
def test_pages_stay_well_formed(then: str, now: str) -> None:
    for screen in (True, False):
        page = read_html(f"<div>{revised_text(block(now), then, screen=screen)}</div>")
        assert not page.all("script")
        inline = read_html(f"<div>{revised_line(now, then, screen=screen)}</div>")
        assert not inline.all("script")


@given(WORDS, WORDS)
def test_without_what_went_the_new_words_are_left(then: str, now: str) -> None:
    """Hiding what is struck leaves the new text, word for word."""
    page = read_html(f"<div>{revised_text(block(now), then, screen=True)}</div>")
    kept = read_html(f"<div>{block(now)}</div>").text
    assert letters(page.text) - letters(*(one.text for one in page.all("del"))) == letters(kept)


def letters(*texts: str) -> int:
    """How many there are, white space apart."""
    return sum(len("".join(text.split())) for text in texts)


@pytest.mark.parametrize("marks", ["<", "&", "**", "[x](y)", "\u2060"])
def test_signs_in_what_went_stay_signs(marks: str) -> None:
    read_html(f"<div>{line(f'a {marks} b', 'a b')}</div>")


def test_a_word_is_the_same_with_the_mark_of_a_note_behind_it() -> None:
    marked = '<p>Throw one die for every 6 figures firing.\u2060<a href="#note-9">9</a></p>'
    shown = revised_text(marked, "Throw a die for every 6 figures firing.", screen=True)
    assert "<del>a </del><ins>one</ins>" in shown
    assert shown.count("firing.") == 1
