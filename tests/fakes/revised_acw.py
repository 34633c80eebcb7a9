"""The American Civil War Game 2.0 beside 1.0, both as released -> its marked documents."""

from functools import cache

import pikepdf
from read_pdf import MM, Printed
from rendered import composed_from

from rulebook.core.compute import compute
from rulebook.documents.before import Before, find_before
from rulebook.documents.catalogue import plan
from rulebook.documents.changes.notes import ChangesView
from rulebook.documents.document_kind import ComposedDocument, Planned
from rulebook.loading.editions import load_edition
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import content_folder

RELEASES = content_folder() / "acw" / "releases"


@cache
def drafts() -> tuple[Ruleset, Before]:
    """The second draft, and what is known of the first one."""
    source = RELEASES / "2.0.json"
    new = load_edition(source).ruleset
    before, problems = find_before(source, new)
    assert before is not None and not problems
    return new, before


@cache
def of_second(name: str, *, marked: bool = True) -> ComposedDocument:
    """A document of the second draft."""
    return composed_from(next(one for one in planned(marked) if one.document.name == name))


@cache
def planned(marked: bool) -> list[Planned]:
    new, before = drafts()
    return plan(new, compute(new), before if marked else None)


def notes() -> ChangesView:
    """The notes on the second draft."""
    return of_second("changes-from-1.0").view


def bars(printed: Printed, number: int) -> list[tuple[float, float, float]]:
    """The bars on a page: from the left, and from the top to the bottom, in millimetres.

    They are what an file fills before anything else is drawn.
    """
    page = printed.pdf.pages[number]
    _, _, _, top = (float(edge) for edge in page.mediabox)
    found: list[tuple[float, float, float]] = []
    rect: list[float] = []
    operators = pikepdf.parse_content_stream(page)
    if not operators or str(operators[0].operator) != "BMC":
        return []
    for one in operators:
        name = str(one.operator)
        if name == "EMC":
            break
        if name == "re":
            rect = [float(value) for value in one.operands]
        elif name == "f" and rect:
            x, y, _, height = rect
            found.append((x * MM, (top - y - height) * MM, (top - y) * MM))
            rect = []
    return found


def is_barred(printed: Printed, number: int, words: str) -> bool:
    """Whether a bar stands beside the middle of the first line of some words on a page."""
    letters = printed.letters(number)
    text = "".join(letter.text for letter in letters)
    at = text.index(words.replace(" ", ""))
    first = letters[at]
    middle = (first.top + first.bottom) / 2
    return any(top - 1 <= middle <= bottom + 1 for _, top, bottom in bars(printed, number))


def page_of(printed: Printed, words: str, after: int = 2) -> int:
    """The first page behind the contents on which some words stand."""
    squeezed = words.replace(" ", "")
    for number in range(after, len(printed.texts)):
        if squeezed in "".join(letter.text for letter in printed.letters(number)):
            return number
    raise AssertionError(f"not printed: {words}")
