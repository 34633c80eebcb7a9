"""Every fixed word of a document is a message, and printed in the language of the ruleset."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from beside import rows
from jinja2 import Environment
from messages import LISTED, MARKED, extracted, write_marked

from rulebook import translation
from rulebook.packaged import templates_folder
from rulebook.translation import gettext, in_language, ngettext, untranslated


@pytest.fixture
def marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    write_marked(tmp_path)
    monkeypatch.setattr(translation, "LOCALE", tmp_path)
    translation._read.cache_clear()
    yield
    translation._read.cache_clear()


def test_all_messages_are_listed(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--accept"):
        LISTED.write_bytes(extracted())
    listed = LISTED.read_text("utf-8")
    assert extracted().decode() == listed, "run pytest --accept tests/unit/test_translation.py"


@pytest.mark.usefixtures("marked")
def test_messages_are_in_the_language_in_force() -> None:
    assert gettext("Odds") == "Odds"
    with in_language(f"{MARKED}-FR"):
        assert gettext("Edition %(edition)s", edition="2.0") == "‹Edition 2.0›"
        assert ngettext("%(length)s base", "%(length)s bases", 1, length="½") == "‹½ base›"
        assert ngettext("%(length)s base", "%(length)s bases", 2, length="2") == "‹2 bases›"
        with in_language("fr"):
            assert gettext("Odds") == "Odds"
    assert gettext("Odds") == "Odds"


def unmarked(source: str) -> set[str]:
    """Words that a template prints and that are no messages."""
    environment = Environment(extensions=["jinja2.ext.i18n"])
    tokens = [
        text if kind == "data" else "\0"
        for _, kind, text in environment.lex(_without_trans(source))
    ]
    page = re.sub(r"<style.*?</style>|<(title|meta)[^>]*>", " ", "".join(tokens), flags=re.DOTALL)
    shown = re.findall(r'(?:alt|title|aria-label|content|data-running)="([^"]*)"', page)
    text = " ".join([re.sub(r"<[^>]*>", " ", page), *shown])
    return set(re.findall(r"[A-Za-z]{3,}", re.sub(r"&\w+;", " ", text)))


def _without_trans(source: str) -> str:
    return re.sub(
        r"{% trans.*?{% endtrans %}|{% macro styles.*?{% endmacro %}", "", source, flags=re.DOTALL
    )


@pytest.mark.parametrize(
    "path", sorted(templates_folder().rglob("*.j2")), ids=lambda path: path.name
)
def test_templates_print_no_other_words(path: Path) -> None:
    assert not unmarked(path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("english", "translated", "sound"),
    rows(__file__, "sound"),
)
def test_a_translation_without_the_values_of_the_english_is_not_used(
    english: object, translated: object, sound: bool
) -> None:
    assert translation._is_sound(english, translated) is sound  # type: ignore[arg-type]


@pytest.fixture
def catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of translations in place of the one that ships."""
    monkeypatch.setattr(translation, "LOCALE", tmp_path)
    translation._read.cache_clear()
    yield tmp_path
    translation._read.cache_clear()


def _write_catalogue(folder: Path, text: bytes) -> None:
    path = folder / "de" / "LC_MESSAGES" / "rulebook.po"
    path.parent.mkdir(parents=True)
    path.write_bytes(text)


_HEAD = b'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'


def test_a_language_is_translated_by_its_own_file(catalogues: Path) -> None:
    _write_catalogue(catalogues, _HEAD + 'msgid "Odds"\nmsgstr "Würfe"\n'.encode())
    assert untranslated("de-AT") is None
    assert untranslated("en-GB") is None
    assert isinstance(untranslated("fr"), FileNotFoundError)
    with in_language("de-AT"):
        assert gettext("Odds") == "Würfe"


@pytest.mark.parametrize("text", [b"Odds = Chancen", b"\xff\xfe\x00"])
def test_a_file_that_cannot_be_read_leaves_documents_in_english(
    catalogues: Path, text: bytes
) -> None:
    _write_catalogue(catalogues, _HEAD + text)
    assert untranslated("de") is not None
    with in_language("de"):
        assert gettext("Odds") == "Odds"


def test_without_the_library_documents_stay_in_english(
    catalogues: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write_catalogue(catalogues, _HEAD + b'msgid "Odds"\nmsgstr "Chancen"\n')
    monkeypatch.setitem(sys.modules, "babel.messages.pofile", None)
    assert isinstance(untranslated("de"), ImportError)
    with in_language("de"):
        assert gettext("Odds") == "Odds"
