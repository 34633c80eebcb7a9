"""Templates: everything is escaped, nothing may be missing, and what they import is known."""

import base64
import hashlib
import html
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from beside import beside
from contrasts import contrast as measured
from fontTools.ttLib import TTFont

from rulebook.packaged import templates_folder
from rulebook.problems import Problem, RenderFault
from rulebook.typefaces import FACES
from rulebook.typeset.environment import (
    contrast,
    document_styles,
    embedded_face_rules,
    page_script,
    palette,
    render_template,
    screen_palette,
    stylesheet,
    template_closure,
)


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


def fault_of(name: str, view: dict[str, Any], templates: Path) -> Problem:
    with pytest.raises(RenderFault) as fault:
        render_template(name, view, templates)
    (problem,) = fault.value.problems
    assert problem.code == "R605"
    assert Path(problem.span.path).is_relative_to(templates)
    return problem


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
    problem = fault_of(name, view, templates)
    assert said in problem.message and problem.span.path.endswith(name)


@pytest.mark.parametrize(
    ("text", "line", "said"), beside(__file__, "what_a_template_raises_is_told_at_its_line")
)
def test_what_a_template_raises_is_told_at_its_line(
    templates: Path, text: str, line: int, said: str
) -> None:
    (templates / "broken.html.j2").write_text(text, "utf-8")
    problem = fault_of("broken.html.j2", {"x": 1}, templates)
    assert problem.message.startswith(said)
    assert str(problem.span) == f"{(templates / 'broken.html.j2').as_posix()}:{line}:1"


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


def test_the_closure_has_all_that_is_imported_and_no_more(templates: Path) -> None:
    page = {"parts/page.html.j2", "parts/a.html.j2", "parts/b.html.j2"}
    assert template_closure(["parts/page.html.j2"], templates) == page
    other = {*page, "parts/other.html.j2", "parts/c.html.j2"}
    assert template_closure(["parts/other.html.j2"], templates) == other
    two = {"parts/svg.html.j2", "parts/loop.html.j2"}
    assert template_closure([*two], templates) == two
    (templates / "parts/loop.html.j2").write_text("{% include 'parts/svg.html.j2' %}", "utf-8")
    assert template_closure(["parts/loop.html.j2"], templates) == two


# Colours stand before the sheets that use them.


def test_what_a_designer_saves_is_read_anew_in_the_same_process(tmp_path: Path) -> None:
    (tmp_path / "styles").mkdir()
    (tmp_path / "scripts").mkdir()
    hashes, sheets = set(), []
    for number in (40, 41):
        (tmp_path / "styles" / "mine.css").write_text(f".a {{ order: {number} }}", "utf-8")
        (tmp_path / "scripts" / "mine.js").write_text(f"let a = {number};", "utf-8")
        sheets.append(document_styles(("mine",), "#243b5e", tmp_path)[1])
        hashes.add(page_script("mine", tmp_path).hash)
    assert sheets == [".a { order: 40 }", ".a { order: 41 }"]
    assert len(hashes) == 2


def test_stylesheets_reach_for_nothing_outside() -> None:
    for sheet in sorted((templates_folder() / "styles").glob("*.css")):
        text = stylesheet(sheet.stem, templates_folder())
        assert "url(" not in text and "@import" not in text, sheet.name


# Colours follow from the accent; low ink has none.

#: Names that a page gives itself, by the stylesheet that uses them.
OF_PAGES = {
    "at-table": {"touch", "depth"},
    "cards-screen": {"kind"},
    "odds": {"second", "third", "bar"},
    "reader": {"bar", "more"},
    "search": {"lit"},
    "qrs-screen": {"hue", "row"},
    "site": {"spine"},
    "cards": {"width", "height", "bleed", "safe", "gap", "title", "side", "kind"},
    "booklet": {"u", "b"},
    "scenario-print": {"u"},
    "cover": {"u", "title", "subtitle"},
    "revised": {"edition"},
    "scenario": {"side", "u"},
    "scenario-sheets": {"side"},
}


def colours(accent: str, ink: str) -> dict[str, str]:
    css = palette(accent, ink)
    assert re.fullmatch(r":root\{(--[a-z-]+:(#[0-9a-f]{6}|none);)+\}", css)
    return dict(re.findall(r"--([a-z-]+):([^;]+);", css))


def test_both_inks_have_the_same_names() -> None:
    assert colours("#7a2b1d", "low").keys() == colours("#7a2b1d", "full").keys()


@pytest.mark.parametrize("accent", ["#243b5e", "#9c1c28", "#000000", "#f2c14e"])
def test_a_screen_has_its_colours_in_the_light_and_in_the_dark(accent: str) -> None:
    light, dark = (
        dict(re.findall(r"--([a-z-]+):(#[0-9a-f]{6});", part))
        for part in screen_palette(accent).split("@media screen and (prefers-color-scheme:dark)")
    )
    assert light.keys() == dark.keys() == colours(accent, "full").keys() | {"paper", "plate"}
    assert light["accent"] == light["fill"] == dark["fill"] == accent
    for words in ("accent", "text", "soft"):
        grounds = [dark[ground] for ground in ("paper", "tint", "pale")]
        assert min(measured(dark[words], ground) for ground in grounds) >= 4.5, words
    assert all(measured(light[words], light["tint"]) >= 4.5 for words in ("text", "soft"))


@pytest.mark.parametrize("pair", [("#000000", "#ffffff"), ("#243b5e", "#f3f0ea"), ("#777", "#777")])
def test_contrast_is_that_of_wcag(pair: tuple[str, str]) -> None:
    one, other = (colour if len(colour) == 7 else "#777777" for colour in pair)
    assert contrast(one, other) == pytest.approx(measured(other, one))


# Scripts that stand in a page are known to its policy by their sums.


def test_a_script_stands_in_a_page_with_the_sum_of_its_words(tmp_path: Path) -> None:
    head = (templates_folder() / "parts/head.html.j2").read_text("utf-8")
    page = (
        '{% from "parts/head.html.j2" import head %}'
        '<html>{{ head("A & B", "p {}", scripts=[script("one")]) }}</html>'
    )
    words = "'use strict'; a && b < 1 // “ok” {{ {% {#\n"
    for name, text in (
        ("page.html.j2", page),
        ("parts/head.html.j2", head),
        ("scripts/one.js", words),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    made = render_template("page.html.j2", {}, tmp_path)
    (stands,) = re.findall(r'<script type="module">(.*?)</script>', made, re.DOTALL)
    assert stands == words
    told = base64.b64encode(hashlib.sha256(stands.encode()).digest()).decode()
    assert f"script-src 'sha256-{told}'; style-src" in html.unescape(made)
    assert "<title>A &amp; B</title>" in made
    assert template_closure(["page.html.j2"], tmp_path) == {
        *("page.html.j2", "parts/head.html.j2", "scripts/one.js"),
    }


@pytest.mark.parametrize("words", ["a</script>b", "a<!--b"])
def test_a_script_that_ends_itself_is_refused(tmp_path: Path, words: str) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/one.js").write_text(words, "utf-8")
    (tmp_path / "page.html.j2").write_text('<html>{{ script("one").text }}</html>', "utf-8")
    assert fault_of("page.html.j2", {}, tmp_path).span.path.endswith("one.js")


def test_stylesheets_use_no_name_that_is_not_there() -> None:
    known = {"paper", "plate"} | colours("#7a2b1d", "full").keys()
    for sheet in sorted((templates_folder() / "styles").glob("*.css")):
        used = set(re.findall(r"var\(--([a-z-]+)\)", sheet.read_text("utf-8")))
        assert used - {"chars"} - OF_PAGES.get(sheet.stem, set()) <= known, sheet.name


# The embedded faces hold what rules are written with.

PLEX, SPECTRAL = "IBM Plex Sans Condensed", "Spectral"
#: Typed by hand: what quantities print, and what authors of rules write.
NEEDED = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    "ÀÁÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÜßàáâäåæçèéêëíîïñóôöøúüŁłŐőŒœŠšŽžŻż"
    "″′½¼¾⅓⅔⅛⅜⅝⅞⁄⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉−×÷±–—…“”‘’„•§†‡°·£€©®™←→↑↓≤≥≠✓"
)
RULE = re.compile(
    r"@font-face\{font-family:'([^']+)';font-weight:(\d+);font-style:(\w+);"
    r"src:url\(data:font/ttf;base64,([A-Za-z0-9+/=]+)\)\}"
)


def embedded(*families: str, text: str = "") -> dict[tuple[str, str, str], bytes]:
    css = embedded_face_rules(families, text)
    found = {rule[:3]: base64.b64decode(rule[3]) for rule in RULE.findall(css)}
    assert RULE.sub("", css).strip() == ""
    return found


@pytest.fixture(scope="module")
def files() -> dict[tuple[str, str, str], Any]:
    return {
        key: TTFont(BytesIO(data)) for key, data in embedded(PLEX, SPECTRAL, text=NEEDED).items()
    }


def test_only_the_families_asked_for_are_embedded() -> None:
    assert {key[0] for key in embedded(PLEX)} == {PLEX}
    assert {key[0] for key in embedded(SPECTRAL)} == {SPECTRAL}
    assert len(embedded(PLEX, SPECTRAL)) == 6
    assert embedded() == {}


def test_every_face_keeps_what_rules_are_written_with(files: dict[Any, Any]) -> None:
    for key, font in files.items():
        glyphs = font.getBestCmap()
        assert "".join(c for c in NEEDED if ord(c) not in glyphs) == "", key


def test_what_is_left_is_small_and_kerned(files: dict[Any, Any]) -> None:
    for face in FACES:
        data = embedded(face.family, text=NEEDED)[(face.family, str(face.weight), face.style)]
        assert len(data) < face.path.stat().st_size / 2
    for font in files.values():
        assert len(font.getGlyphOrder()) < 500
        features = {record.FeatureTag for record in font["GPOS"].table.FeatureList.FeatureRecord}
        assert "kern" in features


def test_figures_are_of_one_width(files: dict[Any, Any]) -> None:
    for font in files.values():
        glyphs = font.getBestCmap()
        assert len({font["hmtx"][glyphs[ord(figure)]][0] for figure in "0123456789"}) == 1


def test_the_embedded_faces_have_the_characters_of_their_page_alone() -> None:
    (data,) = (data for key, data in embedded(SPECTRAL, text="7½″").items() if key[2] == "italic")
    assert TTFont(BytesIO(data)).getBestCmap().keys() == {ord(c) for c in "7½″"}
