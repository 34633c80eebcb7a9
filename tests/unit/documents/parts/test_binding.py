"""Values stand in the text as they are, whatever they hold; references lead to their rules."""

import html
import re

import pytest
from beside import as_written, beside
from hypothesis import given
from hypothesis import strategies as st
from small_rulesets import ruleset_of

from rulebook.documents.parts.binding import Binder, escape_markdown, plain_text
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Prose
from rulebook.typeset.markup import block, inline

HOSTILE = "*a* [b](c) { x } <i> | # 1. \\d `e` _f_ ![g](h) ~~j~~ & &amp; --- <k@l.mn> > - +"
GUNS = {
    "title": "Guns",
    "fields": {"reach": "length", "kills": "target", "crew": "count", "kind": "text"},
    "data": {
        "light": {
            "title": HOSTILE,
            "reach": "7.5in",
            "kills": "6/4+",
            "crew": {"status": "missing", "note": "Not given."},
            "kind": HOSTILE,
        },
        "heavy": {"reach": "60cm", "kills": "never", "crew": None, "kind": "iron"},
    },
}
FIRE = as_written(__file__, "fire")
CHAPTERS = (
    "# First {#first}\n\n## Sub {#sub}\n\n### Deep *[x](y)* {#deep}\n\n## Next {#next}",
    "# Second {#second}",
)


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return ruleset_of(
        {"tables": {"guns": GUNS, "fire": FIRE}},
        *CHAPTERS,
        annexes=("# By agreement {#annex}\n\n## More {#more}",),
        title=HOSTILE,
    )


def words_of(page: str) -> str:
    """What a reader sees of HTML."""
    return html.unescape(re.sub(r"<[^>]*>", "", page)).strip()


def bound(ruleset: Ruleset, markdown: str) -> str:
    return Binder(ruleset).prose(Prose(markdown))


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        *beside(__file__, "values_print_as_text"),
        ("guns.light.title", HOSTILE),
        ("guns.light.kind", HOSTILE),
        ("ruleset.title", HOSTILE),
    ],
)
def test_values_print_as_text(ruleset: Ruleset, path: str, printed: str) -> None:
    page = block(bound(ruleset, f"So {{{path}}} it is"))
    assert words_of(page) == f"So {printed} it is"
    assert re.findall(r"<[^>]*>", page) == ["<p>", "</p>"]


@pytest.mark.parametrize("value", ["1. x", "- x", "# x", "> x", "| x | y |", "1) x", "==="])
def test_a_value_at_the_start_of_a_line_begins_no_block(value: str) -> None:
    assert inline(escape_markdown(value)) == html.escape(value)


@given(
    st.text(
        st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="'\""), min_size=1
    )
)
def test_escaped_text_survives_markdown_and_its_undoing(text: str) -> None:
    assert words_of(inline(escape_markdown(text))) == text
    assert plain_text(escape_markdown(text)) == text


def test_what_stands_around_bindings_is_left_alone(ruleset: Ruleset) -> None:
    text = "*{guns.heavy.reach}*, \\{x} and {{ 7*7 }}: {guns.heavy.kills}."
    assert bound(ruleset, text) == "*60\u00a0cm*, \\{x} and {{ 7*7 }}: –."
    assert Binder(ruleset).prose(None) == ""


def test_a_reference_in_full_has_number_and_title(ruleset: Ruleset) -> None:
    page = block(bound(ruleset, "See {rule: deep} and {rule: more}."))
    assert page == (
        '<p>See <a href="#deep">1.1.1 Deep *[x](y)*</a> and <a href="#more">A.1 More</a>.</p>'
    )


@pytest.mark.parametrize(("markdown", "letters"), beside(__file__, "plain_text"))
def test_plain_text(markdown: str, letters: str) -> None:
    assert plain_text(markdown) == letters


def test_links_to_headings_lead_to_their_ids_however_written(ruleset: Ruleset) -> None:
    text = "See [fire](#first-fire) and [rest][r].\n\n[r]: #long-rest"
    bound = Binder(ruleset).text(text, ())
    assert "](#first_fire)" in bound
    assert "[r]: #long_rest" in bound
