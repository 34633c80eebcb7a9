"""The shipped rulesets -> their files; each is rendered once for all tests."""

from functools import cache

from rendered import composed_from, rendered_file
from shipped_rulesets import shipped

from rulebook.core.compute import compute
from rulebook.documents.before import find_before
from rulebook.documents.catalogue import plan
from rulebook.documents.document_kind import ComposedDocument, Planned
from rulebook.model.prose import Block
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import content_folder


def acw() -> Ruleset:
    return shipped("acw")


def blocks() -> list[Block]:
    """Tables, cutouts, figures and what else stands in the text of acw, in its order."""
    return [
        part
        for chapter in acw().chapters
        for section in chapter.sections
        for part in section.parts
        if isinstance(part, Block)
    ]


def drawn_title(block: Block) -> str:
    """Of a cutout or a figure that stands in the text."""
    titled = acw().cutouts if block.kind == "cutout" else acw().figures
    return titled[block.target].title


def dice_of(example_id: str) -> list[str]:
    """The faces of all dice of an example, in the order in which they fall."""
    runs = acw().examples[example_id].runs.values()
    return [str(face) for run in runs for face in run.dice]


@cache
def planned(name: str, *, marked: bool = True) -> tuple[Planned, ...]:
    """The documents of a ruleset, as a build prints them, or without marks of what changed."""
    ruleset = shipped(name)
    before, problems = find_before(content_folder() / name, ruleset)
    assert not problems
    return tuple(plan(ruleset, compute(ruleset), before if marked else None))


@cache
def _composed(document: str, name: str, *, marked: bool = True) -> ComposedDocument:
    one = next(one for one in planned(name, marked=marked) if one.document.name == document)
    return composed_from(one)


def cards_of(name: str) -> list[ComposedDocument]:
    """The decks of a ruleset."""
    of_cards = [one.document for one in planned(name) if one.document.kind == "cards"]
    return [_composed(one.name, name) for one in of_cards]


def document_of(path: str, name: str = "acw", *, marked: bool = True) -> ComposedDocument:
    """The document of a ruleset to which a file belongs; no other is composed."""
    document = next(
        one.document
        for one in planned(name, marked=marked)
        if any(file.path == path for file in one.document.files)
    )
    return _composed(document.name, name, marked=marked)


def printed(path: str, name: str = "acw", *, marked: bool = True) -> bytes:
    """The bytes of a file of a ruleset, such as qrs-a4.pdf."""
    return rendered_file(document_of(path, name, marked=marked), path)
