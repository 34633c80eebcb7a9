"""Markdown becomes clean HTML, and the words of the index are found where they are used."""

import re

import pytest
from beside import beside
from hypothesis import given
from hypothesis import strategies as st
from read_html import read_html

from rulebook.typeset.markup import (
    IndexedMarkdown,
    block,
    inline,
    revised_line,
    revised_text,
    revised_words,
)

HARMLESS = {"p", "em", "strong", "code", "ul", "ol", "li", "blockquote", "a", "br", "hr"}


def tags_of(page: str) -> set[str]:
    return set(re.findall(r"<([a-z0-9]+)", page))


@pytest.mark.parametrize("text", beside(__file__, "raw_html_prints_as_text"))
def test_raw_html_prints_as_text(text: str) -> None:
    page = block(text)
    assert tags_of(page) <= HARMLESS
    assert "&lt;" in page
    assert tags_of(inline(text)) <= HARMLESS
    assert tags_of(IndexedMarkdown({"t": ["alert"]}).convert(text)) <= HARMLESS


@pytest.mark.parametrize(("text", "page"), beside(__file__, "blocks"))
def test_a_block_as_a_page(text: str, page: str) -> None:
    assert block(text) == page


@pytest.mark.parametrize("target", beside(__file__, "links_that_run_or_read_lead_nowhere"))
def test_links_that_run_or_read_lead_nowhere(target: str) -> None:
    for text in (f"[x]({target})", f"[x](<{target}>)", f"[x][y]\n\n[y]: {target}", f"<{target}>"):
        assert "href" not in block(text), text


@pytest.mark.parametrize(
    "target", ["https://example.org/a?b=c", "http://example.org", "mailto:a@b.org", "#rule"]
)
def test_honest_links_stay(target: str) -> None:
    assert block(f"[x]({target})") == f'<p><a href="{target}">x</a></p>'


def test_pictures_are_left_out() -> None:
    assert tags_of(block("![x](file:///etc/passwd) ![y](https://x.y/z.png)")) == {"p"}


def test_lists_and_tables() -> None:
    assert tags_of(block("1. a\n2. b\n\nx\n\n- c")) == {"ol", "ul", "li", "p"}
    page = block("| a | b |\n| - | - |\n| c | d |")
    assert [re.findall(f"<{tag}>(.*?)</{tag}>", page) for tag in ("th", "td")] == [
        ["a", "b"],
        ["c", "d"],
    ]


def test_a_line_has_no_paragraph_around_it() -> None:
    assert inline("*One* line.") == "<em>One</em> line."
    assert inline("One.\n\nTwo\nlines.") == "One.<br>Two\nlines."


def test_no_words_are_lost_where_a_line_is_more_than_paragraphs() -> None:
    page = inline("Either:\n\n- this\n- that\n\nSo.")
    assert re.sub(r"<[^>]*>|\s+", " ", page).split() == ["Either:", "this", "that", "So."]
    assert inline("1. First") != ""


def places(terms: dict[str, list[str]], *sections: str) -> dict[str, list[int]]:
    """The numbers of the sections in which each term is found."""
    index = IndexedMarkdown(terms)
    for number, text in enumerate(sections):
        assert index.begin_section(f"s{number}", "") == f"s{number}"
        index.convert(text)
    return {term: [int(name[1:]) for name in found] for term, found in index.places.items()}


def test_a_term_is_found_once_in_each_section_that_uses_it() -> None:
    index = IndexedMarkdown({"volley": ["volley", "volleys"]})
    index.begin_section("one", "")
    first = index.convert("A volley. More volleys.\n\nAnd volleys.")
    again = index.convert("Another volley.")
    index.begin_section("two", "")
    index.convert("None here.")
    index.begin_section("three", "")
    other = index.convert("- x\n- Volleys")
    anchors = re.findall(r'id="([^"]*)"', first + again + other)
    assert len(anchors) == len(set(anchors)) == 2
    assert index.places == {"volley": {"one": anchors[0], "three": anchors[1]}}
    assert re.search(rf'<p id="{anchors[0]}">A volley', first)
    assert re.search(rf'<li id="{anchors[1]}">\s*Volleys', other)


def test_words_of_links_and_code_are_left_alone() -> None:
    text = "[volley](#volley) and `volley` and [a *volley*](#x)"
    index = IndexedMarkdown({"volley": ["volley"]})
    index.begin_section("one", "")
    assert "id=" not in index.convert(text)
    assert index.places == {"volley": {}}


@pytest.mark.parametrize(("forms", "texts", "found"), beside(__file__, "forms_are_found"))
def test_forms_are_found_as_whole_words_however_they_are_written(
    forms: list[str], texts: list[str], found: list[list[int]]
) -> None:
    """The longest wins; each form is one of a term of its own, with a list of sections."""
    terms = {form: form.split(" / ") for form in forms}
    assert list(places(terms, *texts).values()) == found


@pytest.mark.parametrize(
    ("text", "page"),
    beside(__file__, "emphasis_within_like_emphasis_is_one"),
)
def test_emphasis_within_like_emphasis_is_one(text: str, page: str) -> None:
    assert inline(text) == page


@pytest.mark.parametrize("unit", ["*", "_", "*a _b "])
def test_emphasis_is_nested_no_deeper_than_it_shows(unit: str) -> None:
    """However many marks there are, no page is nested as deep."""
    count = 4_000
    page = block(unit * count + "x" + unit[::-1] * count)
    depth = deepest = 0
    for closing in re.findall(r"<(/?)(?:em|strong)>", page):
        depth += -1 if closing else 1
        deepest = max(deepest, depth)
    assert deepest <= 2


@pytest.mark.parametrize("read", [block, IndexedMarkdown({}).convert])
@pytest.mark.parametrize("text", ["***a*\n* *b[c](#d)*", "***a*\n*\n10. *b[c](#d)*"])
def test_emphasis_that_the_reader_loses_count_of_stays_as_it_is_written(read, text) -> None:
    """It would cut the name under which it keeps the link; the next text is read as ever."""
    page = read(text)
    assert "\x02" not in page
    assert '<a href="#d">c</a>' in page
    assert read("*a*") == "<p><em>a</em></p>"


# Words that went and words that came, in HTML that stays well formed whatever they were.


def line(then: str, now: str) -> str:
    return str(revised_line(now, then, screen=True))


def text(then: str, now: str, *, screen: bool = True) -> str:
    return str(revised_text(block(now), then, screen=screen))


@pytest.mark.parametrize(("then", "now", "told"), beside(__file__, "told_apart"))
def test_words_and_signs_are_told_apart(then: str, now: str, told: str) -> None:
    """But another text altogether is struck whole."""
    assert line(then, now) == told


SENTENCES = st.lists(
    st.sampled_from(
        [
            *("one", "two", "of", "a", "6″", "the", "all", "man’s"),
            *("gun,", "guns.", "fires;", "(see", "4),", "‘so’", "3–4", "fire:", "it!"),
        ]
    ),
    min_size=1,
    max_size=12,
).map(" ".join)


@given(SENTENCES, SENTENCES)
def test_what_is_shown_and_what_is_hidden_read_as_the_two_editions(then: str, now: str) -> None:
    told = line(then, now)
    hidden = re.sub(r"<del>.*?</del>|</?ins>", "", told)
    assert " ".join(hidden.split()) == now
    struck = re.sub(r"<ins>.*?</ins>|</?del>", "", told)
    assert " ".join(struck.split()).replace(" ", "") == then.replace(" ", "")


def test_words_keep_their_emphasis_and_links() -> None:
    told = line("A **bold** word.", "A **bold** [word](#there) here.")
    assert "<strong>bold</strong>" in told and '<a href="#there">word</a>' in told
    assert "<del>word. </del>" not in told or "<ins>" in told


def test_links_that_went_lead_nowhere() -> None:
    told = line("See [4 Guns](#guns) for it.", "See for it.")
    assert "href" not in told and "<del>4 Guns </del>" in told


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


def test_a_word_is_the_same_with_the_mark_of_a_note_behind_it() -> None:
    marked = '<p>Throw one die for every 6 figures firing.\u2060<a href="#note-9">9</a></p>'
    shown = revised_text(marked, "Throw a die for every 6 figures firing.", screen=True)
    assert "<del>a </del><ins>one</ins>" in shown
    assert shown.count("firing.") == 1
