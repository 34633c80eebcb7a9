"""Any text at all in a content file gives a report, never an exception."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.checking.all_checks import check
from rulebook.loading.bindings import bindings_of
from rulebook.loading.rulesets import load
from rulebook.problems import Report, Span, format_report

VALID = Path(__file__).parents[1] / "bad" / "valid" / "game"
YAML_SIGNS = st.sampled_from(
    ["a", ":", ": ", "- ", "\n", "\n  ", "{", "}", "[", "]", ",", "'", '"', "|", ">", "&a", "*a",
     "!!t", "#", "?", "~", "%", "@", "\t", "---", "<<", "=", "=a.b", "tables", "title", "é"]
)  # fmt: skip
PROSE_SIGNS = st.sampled_from(
    ["a", " ", "\n", "\n\n", "#", "# ", "## ", "{", "}", "{{", "{%", "{table: musketry}",
     "{rule: night}", "{read: x}", "\\", "[", "](", ")", "![", "<b>", "---", "===", "> ",
     "- ", "{musketry.title}", "`"]
)  # fmt: skip
YAML = (
    st.sampled_from(["a: {b", "\x85", "? - a"])
    | st.text()
    | st.lists(YAML_SIGNS, max_size=40).map("".join)
)
PROSE = st.text() | st.lists(PROSE_SIGNS, max_size=40).map("".join)


@contextmanager
def game_with(file: str, data: bytes) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder) / "game"
        shutil.copytree(VALID, game)
        (game / file).write_bytes(data)
        yield game


def report_of(game: Path) -> Report:
    loaded = load(game)
    assert (loaded.ruleset is None) == (not loaded.report.ok)
    report = check(loaded.ruleset) if loaded.ruleset else loaded.report
    for problem in report:
        assert problem.span.line >= 1
        assert problem.span.column >= 1
    assert format_report(report).isprintable() or format_report(report).count("\n")
    return report


@given(PROSE)
def test_bindings_do_not_overlap(text: str) -> None:
    bindings, _ = bindings_of(text, Span("m.md"))
    end = 0
    for binding in bindings:
        assert end <= binding.start < binding.end
        assert text[binding.start] == "{"
        assert text[binding.end - 1] == "}"
        end = binding.end


@pytest.mark.parametrize(
    ("file", "text"), [("extra.yaml", YAML), ("ruleset.yaml", YAML), ("annex.md", PROSE)]
)
@given(data=st.data())
def test_any_bytes_in_a_file(file: str, text: st.SearchStrategy[str], data: st.DataObject) -> None:
    with game_with(file, data.draw(text.map(str.encode) | st.binary())) as game:
        report = report_of(game)
        assert file != "ruleset.yaml" or not report.ok


VALUES = st.recursive(
    st.sampled_from(["~", "1", "4+", "8in", "d6", "a", "true", "0-8in", "=musketry.title", "{x.y}"])
    | st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=6).map(
        lambda text: "'" + text.replace("'", "''") + "'"
    ),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
    | st.dictionaries(
        st.sampled_from(
            ["title", "rows", "columns", "cells", "data", "fields", "changes", "shape", "zones",
             "length", "steps", "status", "note", "value", "when", "kills", "ring", "a", "d6"]
        ),
        inner,
        max_size=5,
    ).map(lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs.items()) + "}"),
    max_leaves=12,
)  # fmt: skip


HEADER = {"title": "A", "edition": "'1'", "date": "2024-03-01", "chapters": "[annex.md]"}
IN_HEADER = ["title", "edition", "date", "credits", "scale", "chapters", "documents"]
COLLECTIONS = ["tables", "modifiers", "examples", "sequence", "cutouts", "terms"]


@settings(max_examples=100)
@given(st.sampled_from([*COLLECTIONS, *IN_HEADER]), VALUES)
def test_values_of_any_shape(key: str, value: str) -> None:
    """Where entities belong, and in the header, no fault is in the words of pydantic."""
    file, text = "extra.yaml", f"{key}: {{new: {value}}}\n"
    if key in IN_HEADER:
        file, lines = "ruleset.yaml", {**HEADER, key: value}
        text = "".join(f"{name}: {line}\n" for name, line in lines.items())
    with game_with(file, text.encode()) as game:
        for problem in report_of(game):
            assert "Input should" not in problem.message
            assert key in IN_HEADER or "valid" not in problem.message
