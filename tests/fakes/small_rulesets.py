"""Plain data, as YAML gives it -> a ruleset; no files, so also what the loader would refuse."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulebook.loading.chapters import cut_chapter
from rulebook.model.header import Header
from rulebook.model.ruleset import Collections, Ruleset

HEADER = {"title": "Small Wars", "edition": "1.2", "date": "2024-02-29"}
#: A chapter for rulesets whose tables matter more than their prose.
CHAPTER = "# Rules {#rules}\n\nSome words."


def ruleset_of(
    collections: Mapping[str, Any] | None = None,
    *chapters: str,
    annexes: tuple[str, ...] = (),
    **header: Any,
) -> Ruleset:
    """A ruleset of collections and of chapters in Markdown; scalars are text, as in content."""
    texts = chapters or (CHAPTER,)
    names = [f"chapter{number}.md" for number in range(len(texts) + len(annexes))]
    cuts = [
        cut_chapter(text, name, name).chapter
        for text, name in zip((*texts, *annexes), names, strict=True)
    ]
    return Ruleset(
        "small",
        Header.model_validate(
            {**HEADER, **header, "chapters": names[: len(texts)], "annexes": names[len(texts) :]}
        ),
        Collections.model_validate(collections or {}),
        tuple(
            replace(chapter, annex=number >= len(texts))
            for number, chapter in enumerate(cuts)
            if chapter is not None
        ),
    )
