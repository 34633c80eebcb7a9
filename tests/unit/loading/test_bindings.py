"""Braces and links with their places; plain texts bound everywhere, in every variant, once."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from beside import beside
from caps import capped
from pydantic import BaseModel

from rulebook.core.compute import compute
from rulebook.documents.parts.binding import Binder
from rulebook.documents.parts.tables import TableComposer
from rulebook.loading.bindings import bindings_of, links_of, placed_at
from rulebook.loading.rulesets import load
from rulebook.model.lookup import find, printed
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Prose, Unbound
from rulebook.problems import Span, format_report

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


EXTRA = beside(__file__, "extra")


@pytest.fixture
def bound(game: Path) -> Ruleset:
    (game / "extra.yaml").write_text(EXTRA, encoding="utf-8")
    header = game / "ruleset.yaml"
    text = header.read_text()
    header.write_text(text.replace("title: ", "subtitle: Edition {ruleset.edition}\ntitle: ", 1))
    with (game / "fighting.md").open("a") as chapter:
        chapter.write("\n## Within {ranges.musket.short}, {near[8-16in]} {#within}\n\nWords.\n")
    loaded = load(game)
    assert format_report(loaded.report) == ""
    assert loaded.ruleset is not None
    return loaded.ruleset


def strings(value: object) -> list[str]:
    """Every text in a model, wherever it is."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, BaseModel):
        parts = [getattr(value, name) for name in type(value).model_fields]
    elif isinstance(value, dict):
        parts = [*value.keys(), *value.values()]
    elif isinstance(value, tuple | list | frozenset):
        parts = list(value)
    elif is_dataclass(value):
        parts = [getattr(value, one.name) for one in fields(value)]
    else:
        return []
    return [text for part in parts for text in strings(part)]


def test_no_text_is_left_unbound(bound: Ruleset) -> None:
    texts = strings((bound.header, bound.collections, dict(bound.options), bound.chapters))
    assert len(texts) > 100
    assert [text for text in texts if isinstance(text, Unbound)] == []


@pytest.mark.parametrize(("path", "told"), beside(__file__, "found"))
def test_found(bound: Ruleset, path: str, told: str) -> None:
    if path == "ruleset.subtitle":
        told = f"Edition {bound.header.edition}"
    assert printed(find(bound, path)) == told


def test_heads_labels_and_sources(bound: Ruleset) -> None:
    table = TableComposer(Binder(bound)).view("fates", 100)
    assert [cell.text for cell in table.head[0]] == ["Then", "Beyond 24″"]
    assert table.about == "As Foot, 3″ and Ranges\\.".replace("\\.", ".")
    near = bound.tables["near"]
    assert near.rows[0].choices[0].title == "To 8″"  # type: ignore[union-attr,index]
    assert near.data[1][0].source == "p. –"  # type: ignore[union-attr]
    assert bound.modifiers["reasons"].title_of("score") == "From As Foot, 3″"
    trial = bound.procedures["trial"].inputs["far"]
    assert trial.label == "At 24″"
    assert bound.terms["volley_fire"].forms[0] == "fire at 24″"


def test_headings(bound: Ruleset) -> None:
    titles = {section.id: section.title for one in bound.chapters for section in one.sections}
    assert titles["within"] == "Within 8″, As Foot, 3″"
    assert Binder(bound).prose(Prose("{rule: within}")).endswith("Within 8″, As Foot, 3″](#within)")


def test_computed_tables_have_bound_places(bound: Ruleset) -> None:
    grid = compute(bound).ruleset.tables["losses"]
    assert grid.rows[0].choices[0].title == "To 8″"  # type: ignore[union-attr,index]


def test_an_option_changes_what_titles_tell(bound: Ruleset, game: Path) -> None:
    option = game / "options" / "long_arms.yaml"
    option.parent.mkdir(exist_ok=True)
    option.write_text(
        "title: Long arms, {ranges.musket.short}\n"
        "changes: {tables: {ranges: {data: {musket: {short: 9in}}}}}\n"
    )
    loaded = load(game)
    longer = loaded.ruleset.with_options(["long_arms"]).ruleset
    assert printed(find(longer, "fates.title")) == "Fates within 9″"
    assert printed(find(loaded.ruleset, "fates.title")) == "Fates within 8″"
    assert longer.options["long_arms"].title == "Long arms, 9″"


def test_texts_that_grow_are_refused_before_they_fill_the_memory(game: Path) -> None:
    rows = ["a0: {t: " + "x" * 200 + "}"]
    rows += [f"a{n}: {{t: '" + f"{{big.a{n - 1}.t}} " * 9 + "'}" for n in range(1, 60)]
    text = "tables:\n  big:\n    title: Big\n    fields: {t: text}\n    data:\n"
    (game / "extra.yaml").write_text(text + "".join(f"      {row}\n" for row in rows))
    with capped(seconds=20, mebibytes=500):
        loaded = load(game)
    assert {problem.code for problem in loaded.report} == {"R102"}


def test_long_chains_are_followed(game: Path) -> None:
    rows = [f"a{n}: {{t: '{{big.a{n + 1}.t}}'}}" for n in range(1100)] + ["a1100: {t: end}"]
    text = "tables:\n  big:\n    title: Big\n    qrs: false\n    booklet: false\n"
    text += "    fields: {t: text}\n    data:\n" + "".join(f"      {row}\n" for row in rows)
    (game / "extra.yaml").write_text(text)
    loaded = load(game)
    assert format_report(loaded.report) == ""
    assert loaded.ruleset is not None
    assert printed(find(loaded.ruleset, "big.a0.t")) == "end"
