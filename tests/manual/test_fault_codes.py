"""The manual explains every code that the program reports, and no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from rulebook.manual.book import topics

PACKAGE = Path(__file__).parents[2] / "rulebook"
CODE = re.compile(r"R[1-8]\d\d")


def reported() -> set[str]:
    """All codes that stand as texts of their own in the package."""
    return {
        node.value
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if CODE.fullmatch(node.value)
    }


def test_every_code_is_explained_with_its_cause_and_its_cure() -> None:
    explained = {id.upper(): one.text for id, one in topics().items() if CODE.match(id.upper())}
    assert sorted(explained) == sorted(reported())
    for code, text in explained.items():
        _, cause, cure = text.split("\n\n")
        assert len(cause) > 20, code
        assert cure.startswith("*To mend it:* "), code
