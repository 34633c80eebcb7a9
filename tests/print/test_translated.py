"""A ruleset in a language of its own: no fixed word of its documents is left in English.

All messages are translated into themselves between angle quotes. What stands outside of these must
be the author's.
"""

import re
import shutil
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path

import jinja2
import pytest
from beside import beside
from messages import CLOSE, MARKED, OPEN, write_marked

from rulebook import translation
from rulebook.core.compute import compute
from rulebook.documents.catalogue import KINDS, plan, render
from rulebook.documents.document_kind import ComposedDocument, Planned
from rulebook.documents.parts.views import CutoutView
from rulebook.documents.search import SearchView
from rulebook.drawing.svg import svg_text
from rulebook.loading.rulesets import load
from rulebook.packaged import templates_folder

VALID = Path(__file__).parents[1] / "bad" / "valid" / "game"
#: Names and units that are the same in all languages.
_SAME = ("kB", "mm", "cm", "in", "Letter", "PDF", "HTML", "SVG", "IBM Plex Sans Condensed")
#: The game has no edition before.
_OF_TWO_EDITIONS = ("changes", "errata")
#: What the author's words become beside numbers and bound values.
_BOUND = ("a night", "for powder and steel beginners")
_OWN = re.compile(
    rf"{re.escape(OPEN)}(?!\[)(?:(?!{re.escape(OPEN)}).)*?{re.escape(CLOSE)}", re.DOTALL
)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A game in the language of tests, which is known while this module is tested."""
    folder = tmp_path_factory.mktemp("translated")
    write_marked(folder / "locale")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(translation, "LOCALE", folder / "locale")
        translation._read.cache_clear()
        yield _written(folder / "game")
    translation._read.cache_clear()


def _written(folder: Path) -> Path:
    shutil.copytree(VALID, folder)
    for name, text in (("ruleset.yaml", "header"), ("fighting.md", "chapter")):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(beside(__file__, text))
    (folder / "more.yaml").write_text(beside(__file__, "more"), encoding="utf-8")
    return folder


@cache
def planned(game: Path) -> tuple[Planned, ...]:
    ruleset = load(game).ruleset
    assert ruleset is not None
    with translation.in_language(MARKED):
        computed = compute(ruleset)
    return tuple(plan(ruleset, computed, None))


@cache
def written_by_author(game: Path) -> str:
    """All that the author wrote, in small letters, with bars between what is not one phrase."""
    files = [path.read_text("utf-8") for path in sorted(game.rglob("*")) if path.is_file()]
    return _in_phrases(re.sub(r"\n\s*", " ", "\n".join(files)).replace("_", " "))


def _in_phrases(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[^a-z -]+", " | ", text.lower()))


def not_translated(page: str, known: str) -> set[str]:
    """Phrases of a page of HTML or SVG that are neither messages nor the author's."""
    page = re.sub(r"<(style|script).*?</\1>|<meta[^>]*>", " ", page, flags=re.DOTALL)
    page = re.sub(r"[\w-]+\.(pdf|svg|html)\b", " | ", page)
    shown = re.findall(r'(?:alt|title|aria-label|content|data-running)="([^"]*)"', page)
    text = unescape(" | ".join([re.sub(r"<[^>]*>", " | ", page), *shown]))
    text = re.sub(r"[\w-]+\.(pdf|svg|html)\b", " | ", text)
    while text != (text := _OWN.sub(" | ", text)):
        pass
    found = {phrase.strip(" -") for phrase in _in_phrases(text).split("|")}
    same = {word.lower() for word in _SAME} | set(_BOUND)
    return {
        phrase
        for phrase in found - same
        if len(phrase) > 1 and not re.search(rf"(?<![a-z]){re.escape(phrase)}(?![a-z])", known)
    }


def pages_of(composed: ComposedDocument, patched: pytest.MonkeyPatch) -> Iterator[str]:
    """All HTML and SVG of a document, of what is printed as well."""
    yield composed.title
    if isinstance(composed.view, CutoutView):
        yield from (svg_text(sheet) for sheet in composed.view.sheets)
        return
    if isinstance(composed.view, SearchView):
        # its words are those of the other documents, without the marks between phrases
        yield from (f"{one.title} | {one.inside}" for one in composed.view.found)
        return
    made: list[str] = []
    whole = jinja2.Template.render

    def kept(template: jinja2.Template, *given: object, **more: object) -> str:
        made.append(whole(template, *given, **more))
        return made[-1]

    patched.setattr(jinja2.Template, "render", kept)
    first = composed.files[0]
    for one in render(composed, templates_folder(), frozenset({first.path})):
        yield "" if first.format == "pdf" else one.data.decode()
    yield from made


@pytest.mark.parametrize("kind", [name for name in KINDS if name not in _OF_TWO_EDITIONS])
def test_no_fixed_word_is_left_in_english(
    game: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [one for one in planned(game) if one.document.kind == kind]
    assert documents
    found = {
        phrase
        for composed in (one.compose() for one in documents)
        if composed is not None
        for page in pages_of(composed, monkeypatch)
        for phrase in not_translated(page, written_by_author(game))
    }
    assert not found
