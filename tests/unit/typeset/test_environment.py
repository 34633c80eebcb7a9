"""Templates: everything is escaped, nothing may be missing, and what they import is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from beside import beside

from rulebook.typeset.environment import RenderFault, render_template, template_closure


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    files = beside(__file__, "files")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "escaped"),
    beside(__file__, "values_are_escaped_through_macros_too"),
)
def test_values_are_escaped_through_macros_too(templates: Path, text: str, escaped: str) -> None:
    page = render_template("parts/page.html.j2", {"x": text}, templates)
    assert page == f'<p title="{escaped}"><b><i>{escaped}</i></b></p>'


def test_prose_is_cleaned_and_drawings_pass(templates: Path) -> None:
    page = render_template("parts/prose.html.j2", {"x": "*a* <b>"}, templates)
    assert page == "<p><em>a</em> &lt;b&gt;</p>|<em>a</em> &lt;b&gt;"
    assert render_template("parts/svg.html.j2", {"x": "<svg/>"}, templates) == "<svg/>"


@pytest.mark.parametrize(
    ("name", "view", "said"),
    [
        ("parts/page.html.j2", {}, "'x' is undefined"),
        ("parts/deep.html.j2", {"x": {"there": 1}}, "has no attribute 'missing'"),
        ("none.html.j2", {}, "no such file, or one that cannot be read: none.html.j2"),
    ],
)
def test_what_is_missing_is_a_fault_of_the_template(
    templates: Path, name: str, view: dict[str, Any], said: str
) -> None:
    with pytest.raises(RenderFault) as fault:
        render_template(name, view, templates)
    (problem,) = fault.value.problems
    assert problem.code == "R605"
    assert said in problem.message
    assert problem.span.path == (templates / name).as_posix()


def test_a_fault_of_a_template_names_its_line(templates: Path) -> None:
    (templates / "broken.html.j2").write_text("<p>\n{% if x %}\n{% endmacr %}\n", "utf-8")
    with pytest.raises(RenderFault) as fault:
        render_template("broken.html.j2", {"x": 1}, templates)
    (problem,) = fault.value.problems
    assert (problem.span.path, problem.span.line) == (
        (templates / "broken.html.j2").as_posix(),
        3,
    )


@pytest.mark.parametrize(
    ("text", "said"),
    beside(__file__, "what_a_template_raises_is_told_at_its_line"),
)
def test_what_a_template_raises_is_told_at_its_line(templates: Path, text: str, said: str) -> None:
    (templates / "broken.html.j2").write_text(text, "utf-8")
    with pytest.raises(RenderFault) as fault:
        render_template("broken.html.j2", {"x": 1}, templates)
    (problem,) = fault.value.problems
    assert problem.message.startswith(said)
    assert str(problem.span) == f"{(templates / 'broken.html.j2').as_posix()}:2:1"


def test_a_page_without_html_is_a_fault_of_its_template(templates: Path) -> None:
    (templates / "broken.html.j2").write_text("<p>x</p>", "utf-8")
    with pytest.raises(RenderFault) as fault:
        render_template("broken.html.j2", {}, templates)
    (problem,) = fault.value.problems
    assert problem.message == "the template writes a page without <html>"
    assert str(problem.span) == f"{(templates / 'broken.html.j2').as_posix()}:1:1"


def test_a_fault_of_what_a_template_calls_is_one_of_the_program(templates: Path) -> None:
    (templates / "call.html.j2").write_text("<html>{{ x() }}</html>", "utf-8")

    def broken() -> None:
        raise KeyError("ours")

    with pytest.raises(KeyError):
        render_template("call.html.j2", {"x": broken}, templates)


def test_words_that_look_like_the_mark_of_fonts_stay(templates: Path) -> None:
    text = "<html><style>{{ embedded_faces('Spectral') }}</style>{{ x }}</html>"
    (templates / "faces.html.j2").write_text(text, "utf-8")
    page = render_template("faces.html.j2", {"x": "/*faces:Spectral*/"}, templates)
    assert "@font-face" in page
    assert page.endswith("</style>/*faces:Spectral*/</html>")


def test_the_closure_tells_of_a_template_that_cannot_be_read(templates: Path) -> None:
    (templates / "broken.html.j2").write_text("\n{% if %}", "utf-8")
    with pytest.raises(RenderFault) as fault:
        template_closure(["broken.html.j2"], templates)
    (problem,) = fault.value.problems
    assert str(problem.span) == f"{(templates / 'broken.html.j2').as_posix()}:2:1"


def test_lines_of_statements_leave_no_blank_lines(templates: Path) -> None:
    assert render_template("parts/loop.html.j2", {"x": [1, 2]}, templates) == "1\n2\n"


def test_the_closure_has_all_that_is_imported_and_no_more(templates: Path) -> None:
    page = {"parts/page.html.j2", "parts/a.html.j2", "parts/b.html.j2"}
    assert template_closure(["parts/page.html.j2"], templates) == page
    assert template_closure(["parts/other.html.j2"], templates) == {
        *page,
        "parts/other.html.j2",
        "parts/c.html.j2",
    }
    assert template_closure(["parts/svg.html.j2", "parts/loop.html.j2"], templates) == {
        "parts/svg.html.j2",
        "parts/loop.html.j2",
    }
    (templates / "parts/loop.html.j2").write_text("{% include 'parts/svg.html.j2' %}", "utf-8")
    assert template_closure(["parts/loop.html.j2"], templates) == {
        "parts/svg.html.j2",
        "parts/loop.html.j2",
    }
