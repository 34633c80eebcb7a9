"""Markdown -> sections, text, blocks and notes."""

from rulebook.loading.chapters import cut_chapter
from rulebook.model.entities import Status
from rulebook.model.prose import Block, Chapter, Code, Section, Text, fence_around
from rulebook.problems import Span


def cut(text: str) -> Chapter:
    found = cut_chapter(text, "m.md", "game/m.md")
    assert found.problems == ()
    assert found.chapter is not None
    return found.chapter


def codes(text: str) -> list[tuple[str, int]]:
    found = cut_chapter(text, "m.md", "game/m.md")
    return [(fault.code, fault.span.line if fault.span else 0) for fault in found.problems]


def only(text: str) -> Section:
    (section,) = cut(text).sections
    return section


def test_sections_and_their_ids() -> None:
    chapter = cut(
        "# Musketry {#fire}\n\n## First fire {#first-fire}\n### Close range, and far!\n#### 3rd #\n"
    )
    assert [(section.level, section.id, section.title) for section in chapter.sections] == [
        (1, "fire", "Musketry"),
        (2, "first_fire", "First fire"),
        (3, "close_range_and_far", "Close range, and far!"),
        (4, "section_5", "3rd"),
    ]
    assert (chapter.id, chapter.title, chapter.annex) == ("fire", "Musketry", False)
    assert chapter.sections[1].span == Span("game/m.md", 3, 4, 3, 14)


def test_paragraphs_make_one_text_until_something_else_stands() -> None:
    section = only(
        "# A\n\none\n\n- two\n- {a.b}\n\n{table: musketry}\n\nthree\n\n\n{cutout: cone-a}\n"
        "\n{example: e}\n"
    )
    one, table, three, cutout, example = section.parts
    assert one.markdown == "one\n\n- two\n- {a.b}"
    assert one.span == Span("game/m.md", 3, 1, 6, 8)
    assert one.bindings[0].span == Span("game/m.md", 6, 3, 6, 8)
    assert table == Block("table", "musketry", Span("game/m.md", 8, 9, 8, 17))
    assert three.markdown == "three"
    assert (cutout.kind, cutout.target) == ("cutout", "cone_a")
    assert isinstance(example, Block)


def test_notes() -> None:
    section = only(
        "# A\n\nText.\n{rule: a}\n\n{missing: How far}\nThe source\nis {a.b} silent.\n\nMore."
    )
    text, remark, more = section.parts
    assert isinstance(text, Text)
    assert (remark.status, remark.title) == (Status.MISSING, "How far")
    assert remark.text.markdown == "The source\nis {a.b} silent."
    assert remark.text.bindings[0].span == Span("game/m.md", 8, 4, 8, 9)
    assert more.markdown == "More."


def test_a_rule_between_paragraphs_is_no_heading() -> None:
    (text,) = only("# A\n\none\n\n---\n\ntwo").parts
    assert text.markdown == "one\n\n---\n\ntwo"


def test_every_fault_of_a_file_is_told() -> None:
    assert codes("# A\n\n{a b}\n\n<i>\n\n### B\n\n![c](d)") == [
        ("R113", 5),
        ("R210", 3),
        ("R209", 7),
        ("R213", 9),
    ]


def test_links_to_headings_are_gathered() -> None:
    found = cut_chapter("# A\n\n[b](#c-d)\n\n{house: e}\n[f](#g)\n", "m.md", "game/m.md")
    assert [(anchor.target, anchor.span.line) for anchor in found.anchors] == [("c_d", 3), ("g", 6)]


def test_lines_of_code_are_never_read() -> None:
    code = "# remark\n## two\n<b>{a.b}</b> &lrm; {table: x} [a](#b)\n===\n\n``\n  ```"
    section = only(f"# A\n\none\n```yaml\n{code}\n```\ntwo\n")
    one, lines, two = section.parts
    assert isinstance(one, Text)
    assert isinstance(two, Text)
    assert (one.markdown, two.markdown) == ("one", "two")
    assert lines == Code(code, "yaml", Span("game/m.md", 5, 1, 11, 6))


def test_more_backquotes_hold_fewer() -> None:
    inner = "```yaml\na: 1\n```"
    section = only(f"# A\n\n````markdown\n{inner}\n`````\n")
    (lines,) = section.parts
    assert isinstance(lines, Code)
    assert (lines.text, lines.language) == (inner, "markdown")
    assert fence_around(lines.text) == "````"
    assert fence_around("a ```` b") == "```"


def test_code_before_the_title() -> None:
    assert codes("```\na\n```\n# A\n") == [("R208", 1)]


def test_characters_of_code_are_looked_at() -> None:
    assert codes("# A\n\n```\n\u2603\n```\n") == [("R416", 4)]
    assert codes("# A\n\n```\n\u2588\u2502\n```\n\n\u2588\n") == [("R416", 7)]
