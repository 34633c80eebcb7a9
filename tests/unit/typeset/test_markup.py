"""Markdown becomes clean HTML, and the words of the index are found where they are used."""

from __future__ import annotations

import re

import pytest
from beside import beside

from rulebook.typeset.markup import IndexedMarkdown, block, inline

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


def test_entities_are_letters_and_never_markup() -> None:
    assert block("&lt;script&gt; &amp; &#60;b&#62;") == "<p>&lt;script&gt; &amp; &lt;b&gt;</p>"


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


def test_quotes_and_dashes_are_those_of_print() -> None:
    text = "\"Fire!\" -- it's 'his' dogs' --- so... 1861--65"
    assert block(text) == "<p>“Fire!” – it’s ‘his’ dogs’ — so… 1861–65</p>"


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


def test_two_terms_of_one_paragraph_share_its_anchor() -> None:
    index = IndexedMarkdown({"volley": ["volley"], "line": ["line"]})
    index.begin_section("one", "")
    page = index.convert("A line fires a volley.")
    (anchor,) = re.findall(r'id="([^"]*)"', page)
    assert index.places == {"volley": {"one": anchor}, "line": {"one": anchor}}


def test_words_of_links_and_code_are_left_alone() -> None:
    text = "[volley](#volley) and `volley` and [a *volley*](#x)"
    index = IndexedMarkdown({"volley": ["volley"]})
    index.begin_section("one", "")
    assert "id=" not in index.convert(text)
    assert index.places == {"volley": {}}


def test_the_longest_form_wins() -> None:
    terms = {"volley": ["volley"], "first": ["first volley"], "fire": ["fire"]}
    assert places(terms, "The first volley.", "A volley.", "first volley, volley") == {
        "volley": [1, 2],
        "first": [0, 2],
        "fire": [],
    }


def test_only_whole_words_are_found() -> None:
    assert places({"line": ["line"]}, "airline lines line_up", "on-line: LINE") == {"line": [1]}


@pytest.mark.parametrize(
    ("form", "text"),
    beside(__file__, "forms_are_found_however_they_are_written"),
)
def test_forms_are_found_however_they_are_written(form: str, text: str) -> None:
    assert places({"t": [form]}, text) == {"t": [0]}


def test_letters_that_are_only_alike_are_not_the_same() -> None:
    assert places({"line": ["line"]}, "lıne", "İn LİNE") == {"line": []}


def test_signs_behind_the_scenes_are_no_words() -> None:
    assert places({"n": ["46"], "m": ["x"]}, r"it’s 1\. x") == {"n": [], "m": [0]}


def test_no_terms_no_anchors() -> None:
    index = IndexedMarkdown({})
    index.begin_section("one", "")
    assert index.convert("Words.") == "<p>Words.</p>"


def test_the_list_of_forms_may_hold_signs_of_patterns() -> None:
    assert places({"t": ["a.c (x)", "a|b"]}, "abc", "An a.c (x) here", "a|b") == {"t": [1, 2]}


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


def test_no_soft_hyphen_in_code() -> None:
    assert block("    a\xadb") == "<pre><code>ab\n</code></pre>"
    assert block("a\xadb `c\xadd`") == "<p>a\xadb <code>cd</code></p>"


def test_signs_kept_by_a_backslash_are_no_cut_names() -> None:
    text = "\\*a\\* &amp; `b` *c \\_ d*"
    assert block(text) == "<p>*a* &amp; <code>b</code> <em>c _ d</em></p>"
