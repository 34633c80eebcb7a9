"""A text in Markdown -> the faults of lines that look like something else than they print.

What prints otherwise than on GitHub and in other readers of Markdown is refused where words would
be lost, and warned of where signs are printed as they are typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from rulebook.limits import MOST_FAULTS
from rulebook.loading.safe_text import FORBIDDEN, character_references
from rulebook.loading.yaml_reader import Placing
from rulebook.markdown_lines import CODE, begins_table, count_cells, ends_table, is_dashed
from rulebook.model.lookup import slug
from rulebook.problems import Problem
from rulebook.typefaces import unprintable

#: A row of a table, by the bars at both ends or at one of them, or a line of a table in plus signs.
_ROW = re.compile(
    r"[ \t>]*(?:[-*+]|[0-9]+[.)])?[ \t]*(?:\|.*\S.*|.*\S.*\|[ \t]*|\+[-=+]{2,}\+[ \t]*)"
)
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_FENCED = re.compile(r"^([ \t]*(`{3,}|~{3,}))[^\n]*\n.*?(?:^[ \t]*\2[`~]*[ \t]*$|\Z)", re.M | re.S)
#: What is a mark elsewhere, and what to write instead of its WORDS.
_MARKS = (
    (r"\[\^[^\]\s]+\]:?", "write the note where it belongs, in brackets"),
    (r"~~(?=\S)[^~\n]+~~", "delete the words, or the ~~ around them"),
    (r"^[ \t]*[-*+] \[[ xX]\] ", "write '- ' without a box"),
    (r"^!!! .*", "write '> **Note:** ...', with > before each line"),
    (r"^[ \t]*> ?\[![A-Za-z]+\]", "write '> **Note:** ...'"),
    (r"(?<![\w$\\])\$(?=[^\s\d])[^$\n]{1,80}(?<=\S)\$(?![\w$])", "write it in plain words"),
    (r"==(?=\w)[^=\n]+==", "write **WORDS**"),
    (r"\[\[[^\[\]\n]+\]\]", "write {rule: WORDS} to refer to a rule"),
    (r"\{\{ ?\w+[.\[][^{}\n]*\}\}", "write {WORDS}"),
    (r"^[ \t]*\[TOC\][ \t]*$", "delete it; a booklet has a table of contents"),
)
_MARK = re.compile("|".join(f"({pattern})" for pattern, _ in _MARKS), re.MULTILINE)


def markdown_faults(text: str, place: Placing) -> Iterator[Problem]:
    """Yields a fault for each line that is no table though it looks like one, and for each row with
    more cells than the head; a warning for each mark of other readers that is printed as it is.

    `place` gives the place of a part of the text.
    """
    bare = _FENCED.sub(_blank, text)
    if "|" in bare or "+-" in bare:
        unquoted = _QUOTED.sub(_blank, bare)
        yield from islice(_faults_of_tables(unquoted.split("\n"), place), MOST_FAULTS)
    bare = CODE.sub(_blank, bare)
    for reference, character in islice(character_references(bare), MOST_FAULTS):
        if not any(unprintable(character)) and not FORBIDDEN.search(character):
            message = f"'{reference[0]}' stands for a character that can be typed"
            hint = f"write {character}" if character.strip() else "write a space"
            yield Problem("R226", message, place(*reference.span()), hint=hint, severity="warning")
    for match in islice(_MARK.finditer(bare), MOST_FAULTS):
        _, hint = _MARKS[match.lastindex - 1 if match.lastindex else 0]
        words = match[0].strip().strip("=[]{}")
        words = slug(words) if "rule:" in hint else words
        hint = hint.replace("WORDS", words[:40])
        message = f"'{match[0].strip():.40}' is no mark here, and is printed as it is typed"
        here = place(match.end() - len(match[0].lstrip()), match.end())
        yield Problem("R226", message, here, hint=hint, severity="warning")


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _faults_of_tables(lines: Sequence[str], place: Placing) -> Iterator[Problem]:
    """Yields the faults of lines outside of code, each line with a bar in it."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def fault(at: int, message: str, expected: str, hint: str) -> Problem:
        begin = starts[at] + len(lines[at]) - len(lines[at].lstrip())
        return Problem("R226", message, place(begin, starts[at] + len(lines[at])), expected, hint)

    at = 0
    while at < len(lines):
        line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
        if begins_table(line, below):
            wide, at = count_cells(line), at + 2
            while at < len(lines) and not ends_table(lines[at]):
                if count_cells(lines[at]) > wide:
                    message = f"{count_cells(lines[at])} cells in a row of a table with {wide}"
                    hint = "write \\| for a bar in a cell, or give the head another cell"
                    yield fault(at, message, f"up to {wide} cells", hint)
                at += 1
        elif (_ROW.fullmatch(line) and _ROW.fullmatch(below)) or (
            line.strip() and is_dashed(below)
        ):
            cells, dashes = count_cells(line), count_cells(below)
            message = "this looks like a table, and is none"
            hint = f"write {'| --- ' * max(cells, 2)}| below the head"
            if is_dashed(below) and cells:
                message = f"{cells} cells in the head of a table, and {dashes} in the dashes below"
            elif "--" in line and cells:
                hint = "begin a new line for the dashes below the head, and for each row"
            elif not cells:
                hint = f"begin and end each row with |, and {hint}"
            expected = "a head, and below it dashes for each of its cells"
            yield fault(at, message, expected, hint)
            while at < len(lines) and lines[at].strip():
                at += 1
        else:
            at += 1
