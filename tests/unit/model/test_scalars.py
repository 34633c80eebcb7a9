"""How deep Markdown may be nested: lists, quotations and brackets; and where it is too deep."""

import re

import pytest

from rulebook.limits import DEEPEST_PROSE, LONGEST_PROSE
from rulebook.model.scalars import too_deep
from rulebook.typeset.markup import block


def depth_of(markdown: str) -> int:
    """How deep lists and quotations are nested in what Markdown becomes."""
    deepest = depth = 0
    for tag in re.findall(r"<(/?)(?:ul|ol|blockquote)\b", block(markdown)):
        depth += -1 if tag else 1
        deepest = max(deepest, depth)
    return deepest


def lists(levels: int, mark: str) -> str:
    return "\n".join("    " * level + f"{mark} word" for level in range(levels))


@pytest.mark.parametrize(
    "nested",
    [
        lambda levels: "> " * levels + "word",
        lambda levels: lists(levels, "-"),
        lambda levels: lists(levels, "1."),
        lambda levels: "- " * (levels - 1) + "- word",
        lambda levels: "> " * (levels - 1) + "- word",
    ],
    ids=["quotations", "lists", "numbered", "in a line", "list in quotations"],
)
def test_as_deep_as_allowed_and_one_deeper(nested) -> None:
    """The depth that is counted in the text is that of what the page is made of."""
    assert depth_of(nested(DEEPEST_PROSE)) == DEEPEST_PROSE
    assert too_deep(nested(DEEPEST_PROSE)) is None
    found = too_deep(nested(DEEPEST_PROSE + 1))
    assert found is not None and found.code == "R102"


@pytest.mark.parametrize(
    "text",
    [
        "- - - - - - - - - -",
        "* * * * * * * * * *",
        " " * 60 + "code",
        "[a](#b) " * 100,
        "\\[" * 100,
        "[a\n\n" * 100,
        "1 - 2 - 3 - 4 - 5 - 6 - 7 - 8 - 9",
        ">= 6",
        "-6+1-2+3-4+5-6",
        "*" * 1000,
    ],
)
def test_what_is_not_nested(text: str) -> None:
    assert too_deep(text) is None


def test_the_place_of_what_is_too_deep() -> None:
    text = "One.\n\n" + "> " * 9 + "two"
    found = too_deep(text)
    assert found is not None and text[found.start : found.end] == "> " * 9
    text = "One [a](#b) " + "[" * 9
    found = too_deep(text)
    assert found is not None and found.start == text.index("[[") + DEEPEST_PROSE
    found = too_deep("a\n\n" * LONGEST_PROSE)
    assert found is not None and found.start == LONGEST_PROSE
