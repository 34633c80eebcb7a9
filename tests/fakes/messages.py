"""The program and its templates -> all messages that they print; and a language that marks them.

In the language of tests a message is itself between angle quotes.
"""

from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from rulebook import translation
from rulebook.packaged import templates_folder

LISTED = translation.LOCALE / "rulebook.pot"
#: A language into which no documents are translated, with the plural forms of English.
MARKED = "eo"
OPEN, CLOSE = "‹", "›"
_FUNCTIONS = {
    "gettext": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_noop": (1, 2),
    "pgettext": ((1, "c"), 2),
    "_": None,
}
_OPTIONS = {"**.j2": {"silent": "false", "trimmed": "true", "newstyle_gettext": "true"}}


def extracted() -> bytes:
    """The list of all messages, each with the files that print it."""
    package = Path(translation.__file__).parent
    catalogue = Catalog(fuzzy=False)
    for folder, methods in (
        (package, [("**.py", "python")]),
        (templates_folder(), [("**.j2", "jinja2.ext:babel_extract")]),
    ):
        for file, _, message, _, context in extract_from_dir(
            folder, methods, _OPTIONS, keywords=_FUNCTIONS
        ):
            place = f"{folder.name}/{Path(file).as_posix()}"
            catalogue.add(message, locations=[(place, 0)], context=context)
    data = BytesIO()
    write_po(data, catalogue, omit_header=True, include_lineno=False, sort_by_file=True)
    return data.getvalue()


def write_marked(folder: Path) -> None:
    """Write translations of all messages into the language of tests."""
    catalogue = read_po(BytesIO(extracted()))
    for message in catalogue:
        if message.id:
            forms = message.id if isinstance(message.id, tuple) else (message.id,)
            marked = tuple(f"{OPEN}{form}{CLOSE}" for form in forms)
            message.string = marked if message.pluralizable else marked[0]
    path = folder / MARKED / "LC_MESSAGES" / "rulebook.po"
    path.parent.mkdir(parents=True)
    catalogue.locale = MARKED
    with path.open("wb") as file:
        write_po(file, catalogue)
