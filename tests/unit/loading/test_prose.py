"""Braces and links in Markdown, with their places."""

from __future__ import annotations

import pytest

from rulebook.loading.prose import bindings_of, links_of, placed_at
from rulebook.problems import Span

HERE = Span("m.md", 10, 5)


def targets(text: str) -> list[tuple[str, str]]:
    bindings, problems = bindings_of(text, HERE)
    assert problems == ()
    for binding in bindings:
        assert text[binding.start] == "{"
        assert text[binding.end - 1] == "}"
    return [(binding.kind, binding.target) for binding in bindings]


def test_bindings() -> None:
    assert targets("{a.title}, {rule: first_fire} and {m[0-8in, first].killed}.") == [
        ("value", "a.title"),
        ("rule", "first_fire"),
        ("value", "m[0-8in, first].killed"),
    ]


def test_a_binding_may_be_broken_over_two_lines_but_not_over_two_paragraphs() -> None:
    assert targets("{m[0-8in,\nfirst]}") == [("value", "m[0-8in, first]")]
    _, problems = bindings_of("{m[0-8in,\n\nfirst]}", HERE)
    assert [problem.code for problem in problems] == ["R210"]


def test_bindings_in_code_are_bindings() -> None:
    assert targets("`{a.b}`") == [("value", "a.b")]


def test_hyphens_of_heading_ids_are_underscores() -> None:
    assert targets("{rule: first-fire}") == [("rule", "first_fire")]


@pytest.mark.parametrize(
    "text",
    [
        r"\{a.b}",
        "{{ jinja }}",
        "{% for x in y %}",
        "{# remark #}",
        "{{ {'a': b} }}",
        "{1}",
        "{}",
        "{ a }",
        "}",
        "{{ open",
        "{% open",
        "{{{{{{",
    ],
)
def test_what_is_text(text: str) -> None:
    assert targets(text) == []


def test_text_after_jinja_is_still_read() -> None:
    assert targets("{{ x }} {a.b} {% y {c.d} %} {e.f}") == [("value", "a.b"), ("value", "e.f")]


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("{a.b", "R210", "close it with }, or write \\{ for a brace"),
        ("{a.b {c.d}", "R210", "close it with }, or write \\{ for a brace"),
        ("{Musketry}", "R210", "write \\{ if a brace is meant"),
        ("{a b}", "R210", "write \\{ if a brace is meant"),
        ("{a.}", "R210", "write \\{ if a brace is meant"),
        ("{ruel: x}", "R210", "write 'rule'"),
        ("{Tabel: x}", "R210", "write 'table'"),
        ("{stairs: x}", "R210", ""),
        ("{rule:}", "R210", ""),
        (
            "see {table: x}",
            "R211",
            "put it on a line of its own with an empty line before and after",
        ),
        ("see {read: x}", "R211", "put an empty line before it"),
    ],
)
def test_slips(text: str, code: str, hint: str) -> None:
    _, problems = bindings_of(text, HERE)
    assert (problems[0].code, problems[0].hint) == (code, hint)


def test_places_follow_the_lines() -> None:
    bindings, _ = bindings_of("one {a.b}\ntwo {c.d}", HERE)
    assert [binding.span for binding in bindings] == [
        Span("m.md", 10, 9, 10, 14),
        Span("m.md", 11, 5, 11, 10),
    ]


def links(text: str) -> tuple[list[str], list[str]]:
    anchors, problems = links_of(text, placed_at(text, HERE))
    return [anchor.target for anchor in anchors], [problem.message for problem in problems]


def test_links_to_headings_and_outward() -> None:
    text = (
        "[a](#first-fire) [b](https://example.org/x_(y)) [c](HTTP://example.org 'title')"
        " [d](mailto:a@example.org) [e][1]\n\n[1]: https://example.org\n[2]: #charge"
    )
    assert links(text) == (["first_fire", "charge"], [])


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("[a](other.md)", "other.md"),
        ("[a](/etc/passwd)", "/etc/passwd"),
        ("[a](file:///etc/passwd)", "file:///etc/passwd"),
        ("[a](javascript:alert%281%29)", "javascript:alert%281%29"),
        ("[a]( JavaScript:alert )", "JavaScript:alert"),
        ("[a](java&#115;cript:alert)", "java&#115;cript:alert"),
        ("[a](data:text/html,x)", "data:text/html,x"),
        ("[a](//example.org)", "//example.org"),
        ("[a]: ../x", "../x"),
        ("[a]:\n  ../x", "../x"),
        ("[a](<x y>)", "x"),
    ],
)
def test_links_that_lead_elsewhere(text: str, target: str) -> None:
    assert links(text) == ([], [f"a link to '{target}'"])


def test_a_link_to_nothing() -> None:
    assert links("[a]()") == ([], ["a link to nothing"])


@pytest.mark.parametrize("text", ["![a](x.png)", "![a][1]", "![a](https://example.org/x.png)"])
def test_pictures(text: str) -> None:
    assert links(text) == ([], ["a picture stands here"])
