"""Braces and links in Markdown, with their places."""

import pytest
from beside import beside

from rulebook.loading.bindings import bindings_of, links_of, placed_at
from rulebook.problems import Span

HERE = Span("m.md", 10, 5)


def targets(text: str) -> list[tuple[str, str]]:
    bindings, problems = bindings_of(text, HERE)
    assert problems == ()
    for binding in bindings:
        assert text[binding.start] == "{"
        assert text[binding.end - 1] == "}"
    return [(binding.kind, binding.target) for binding in bindings]


def test_a_binding_may_be_broken_over_two_lines_but_not_over_two_paragraphs() -> None:
    assert targets("{m[0-8in,\nfirst]}") == [("value", "m[0-8in, first]")]
    _, problems = bindings_of("{m[0-8in,\n\nfirst]}", HERE)
    assert [problem.code for problem in problems] == ["R210"]


@pytest.mark.parametrize("text", beside(__file__, "what_is_text"))
def test_what_is_text(text: str) -> None:
    assert targets(text) == []


@pytest.mark.parametrize(("text", "code", "hint"), beside(__file__, "slips"))
def test_slips(text: str, code: str, hint: str) -> None:
    _, problems = bindings_of(text, HERE)
    assert (problems[0].code, problems[0].hint) == (code, hint)


def links(text: str) -> tuple[list[str], list[str]]:
    anchors, problems = links_of(text, placed_at(text, HERE))
    return [anchor.target for anchor in anchors], [problem.message for problem in problems]


def test_links_to_headings_and_outward() -> None:
    text = (
        "[a](#first-fire) [b](https://example.org/x_(y)) [c](HTTP://example.org 'title')"
        " [d](mailto:a@example.org) [e][1]\n\n[1]: https://example.org\n[2]: #charge"
    )
    assert links(text) == (["first_fire", "charge"], [])


@pytest.mark.parametrize(("text", "target"), beside(__file__, "links_that_lead_elsewhere"))
def test_links_that_lead_elsewhere(text: str, target: str) -> None:
    assert links(text) == ([], [f"a link to '{target}'"])


@pytest.mark.parametrize(
    "text", ["![a](x.png)", "> ![a][1]\n\n[1]: x.png", "- ![a](https://example.org/x.png)"]
)
def test_pictures(text: str) -> None:
    assert links(text) == ([], ["a picture stands here"])


def test_words_in_brackets_are_no_links() -> None:
    assert links("![a][1] [b] [c]: d `[e](f)` \\[g](h)") == ([], [])


def test_a_link_is_told_where_its_target_stands() -> None:
    text = "> [a][1] [b](#x)\n> [c](#x_y)\n\n1. a\n\n    [1]: //evil.example/x"
    anchors, problems = links_of(text, placed_at(text, HERE))
    assert [(anchor.target, anchor.span.line, anchor.span.column) for anchor in anchors] == [
        ("x", 10, 4 + text.index("#x)") + 1),
        ("x_y", 11, 7),
    ]
    assert [(problem.span.line, problem.span.column) for problem in problems if problem.span] == [
        (15, 10)
    ]


@pytest.mark.parametrize(
    "text", ["- " * 40, "[" * 6, "*a* " * 900, "> " * 8 + "a", "| a " * 400, "[x] `[y]`" * 200]
)
def test_markup_within_the_bounds(text: str) -> None:
    assert links(text) == ([], [])
