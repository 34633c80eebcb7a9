"""A chapter of the manual -> what it shows of files and commands, written, run and compared.

A block of `yaml` or `markdown` is the content of a file, or what stands at its end; one of `diff`
changes a line of it; one of `console` holds commands, each with what it prints. The file is the
last `content/...` that the words before the block name, or that of the block before.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from rulebook.cli import cli
from rulebook.loading.chapters import cut_chapter
from rulebook.model.prose import Code, Text


@dataclass(frozen=True)
class Shown:
    """Lines of code with the words before them, and the line, from 0, on which they begin."""

    language: str
    text: str
    before: str
    line: int
    section: str


def blocks(text: str) -> Iterator[Shown]:
    """All lines of code of a chapter, in order."""
    chapter = cut_chapter(text, "chapter.md", "chapter.md").chapter
    assert chapter is not None
    for section in chapter.sections:
        words = ""
        for part in section.parts:
            if isinstance(part, Text):
                words = part.markdown
            elif isinstance(part, Code):
                yield Shown(part.language, part.text, words, part.span.line - 1, section.id)
                words = ""


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Each line behind a `$` with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def printed_by(typed: str) -> list[str]:
    """The lines that a command prints, all that it says of faults included."""
    program, *words = shlex.split(typed)
    assert program == "rulebook", typed
    result = CliRunner().invoke(cli, words, prog_name="rulebook")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output.rstrip().splitlines()


#: How a sheet came out is told only when it is laid out, not when it was kept.
_CHANGING = (
    (r"\d+ kB(; [^)]*)?", "9 kB"),
    (r" in [0-9.]+ s$", " in 9 s"),
    (r"\b[0-9a-f]{64}\b", "0" * 64),
    (r"^open output/.*/.*", "open output/9"),
)


def comparable(lines: list[str]) -> list[str]:
    """Lines without sizes, times and checksums, and what was written in the order of the names.

    Which file is the first to be opened is not compared either.
    """
    told = [line.rstrip() for line in lines]
    for pattern, same in _CHANGING:
        told = [re.sub(pattern, same, line) for line in told]
    written = sorted(line for line in told if line.startswith("wrote "))
    return [written.pop(0) if line.startswith("wrote ") else line for line in told]


def with_output(text: str, shown: Shown, printed: list[str]) -> str:
    """The chapter with these lines in the place of those that a block of commands shows."""
    lines = text.split("\n")
    end = shown.line + len(shown.text.split("\n"))
    return "\n".join([*lines[: shown.line], *printed, *lines[end:]])


def put_into(file: Path, shown: Shown) -> None:
    """Write, prolong or change the file as a block says."""
    if shown.language == "diff":
        lines = shown.text.split("\n")
        gone, come = ("\n".join(line[1:] for line in lines if line[0] == sign) for sign in "-+")
        text = file.read_text("utf-8")
        assert text.count(gone) == 1, gone
        file.write_text(text.replace(gone, come), "utf-8")
    elif "at the end of" in shown.before:
        file.write_text(f"{file.read_text('utf-8')}\n{shown.text}\n", "utf-8")
    else:
        assert not file.exists(), f"{file} is there already"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{shown.text}\n", "utf-8")


def file_of(shown: Shown) -> Path | None:
    """The file that the words before a block name last."""
    named = re.findall(r"`(content/[^`]+)`", shown.before)
    return Path(named[-1]) if named else None
