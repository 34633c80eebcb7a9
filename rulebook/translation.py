"""The fixed words of documents, in English -> the same in the language of a ruleset.

What a document says beside the words of its author is marked where it stands, in modules by
`gettext` and its like, in templates by `_` and `{% trans %}`; the English text is the key to its
translation. `locale/rulebook.pot` lists all of it, and `locale/<language>/LC_MESSAGES/rulebook.po`
holds it in another language. Where there is no such file, or it lacks a message, documents are
printed in English. The text says where values stand by their names, `Edition %(edition)s`; a per
cent sign is written twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

#: The folder of translations.
LOCALE = Path(__file__).parent / "locale"
_ENGLISH = NullTranslations()
_in_force: ContextVar[NullTranslations] = ContextVar("translations", default=_ENGLISH)


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Within this context, messages are translated into a language such as `en-GB` or `fr`.

    A message stays English if it has no translation, or one that is fuzzy, has other placeholders
    than the English message, or adds characters special in HTML. All stay English for a language
    for which `untranslated` returns an error.
    """
    token = _in_force.set(_read(language)[0])
    try:
        yield
    finally:
        _in_force.reset(token)


def translations() -> NullTranslations:
    """Returns the translations of the current language."""
    return _in_force.get()


def gettext(message: str, /, **values: object) -> str:
    """Translates a message into the current language and fills in its named `values`."""
    return translations().gettext(message) % values


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """Translates a message in the plural form for `number`, and fills in `number` and `values`."""
    return translations().ngettext(one, many, number) % {"number": number, **values}


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Translates a message whose English is ambiguous, and fills in its named `values`.

    `context` says which sense is meant.
    """
    return translations().pgettext(context, message) % values


def gettext_noop(message: str) -> str:
    """Returns a constant unchanged; the call marks it for translators.

    `gettext` translates it where it is used.
    """
    return message


def ngettext_noop(one: str, many: str) -> tuple[str, str]:
    """Returns singular and plural of a constant unchanged; the call marks them for translators.

    `ngettext` translates them where they are used.
    """
    return one, many


def untranslated(language: str) -> Exception | None:
    """Returns the reason why documents in a language come out in English, or None if they do not.

    None also if the language is English. FileNotFoundError means that there is no file of
    translations, ImportError that Babel is missing; any other error that the file cannot be read.
    """
    return None if language.partition("-")[0] == "en" else _read(language)[1]


def _file_of(language: str) -> Path | None:
    """Returns the file with the translations of a language; of `de-AT`, else that of `de`.

    Returns None if there is neither.
    """
    for name in (language.replace("-", "_"), language.partition("-")[0]):
        path = LOCALE / name / "LC_MESSAGES" / "rulebook.po"
        if path.is_file():
            return path
    return None


@lru_cache(maxsize=8)
def _read(language: str) -> tuple[NullTranslations, Exception | None]:
    """Reads the translations of a language; if that fails, returns English ones and the error."""
    path = _file_of(language)
    if path is None:
        return _ENGLISH, FileNotFoundError(language)
    try:
        return _compiled(path), None
    except Exception as fault:  # of a file, of its encoding, of Babel's reader
        return _ENGLISH, fault


def _compiled(path: Path) -> GNUTranslations:
    """Reads a file of translations and compiles it, without translations that are not sound."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.parts[-3], abort_invalid=True)
    for message in catalogue:
        if message.id and not _is_sound(message.id, message.string):
            message.string = ""
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


_VALUE = re.compile(r"%\(\w+\)s|%%|%")
_OF_HTML = re.compile(r"[<>\"&]")


def _is_sound(english: str | Sequence[str], translated: str | Sequence[str] | None) -> bool:
    """Whether a translation has the placeholders of the English, and no other HTML characters.

    Where a message has a plural, a form may write out the number and leave out its placeholder.
    """
    forms = [translated] if isinstance(translated, str) else [*(translated or ())]
    meant = [english] if isinstance(english, str) else [*english]
    wanted = set(_VALUE.findall(meant[-1]))
    least = wanted - {"%(number)s"} if len(meant) > 1 else wanted
    html = set(_OF_HTML.findall(meant[-1]))
    return all(
        least <= set(_VALUE.findall(form)) <= wanted and set(_OF_HTML.findall(form)) <= html
        for form in forms
        if form
    )
