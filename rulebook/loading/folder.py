"""The folder of a ruleset -> the files to read, and faults for those that may not be read.

A file's content may come from nowhere but the ruleset's own folder, so links out of it are refused.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from rulebook.plain_files import reason_of, stays_inside
from rulebook.problems import Problem, Span

HEADER_FILE = "ruleset.yaml"
#: Where the optional rules stand, a file for each.
OPTIONS_FOLDER = "options"
MOST_FILES = 500
DEEPEST_FOLDER = 8
RULESET_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")

#: What its author says of the editions of a ruleset.
REVISIONS_FILE = "revisions.yaml"
#: Frozen editions and their notes are read by other stages.
_PASSED_OVER = ("releases", REVISIONS_FILE)
_OTHER_ENDINGS = {
    ".yml": ".yaml",
    ".markdown": ".md",
    ".mdown": ".md",
    ".mkd": ".md",
}


@dataclass(slots=True)
class Files:
    """The YAML and Markdown files below a folder as paths relative to it, sorted."""

    yaml: list[str] = field(default_factory=list)
    markdown: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.yaml) + len(self.markdown)


def find_rulesets(content: Path) -> list[Path]:
    """The folders in `content` with a ruleset.yaml, sorted; dot folders are passed over."""
    if not content.is_dir():
        return []
    return sorted(
        folder
        for folder in content.iterdir()
        if not folder.name.startswith(".") and (folder / HEADER_FILE).is_file()
    )


def find_files(folder: Path) -> Files:
    """Every content file below the folder; dot files, releases/, revisions.yaml are passed over."""
    files = Files()
    if not folder.is_dir():
        files.problems.append(Problem.of("R101 no folder", Span(folder.as_posix())))
        return files
    name = folder.name or folder.resolve().name
    if not RULESET_ID.fullmatch(name):
        files.problems.append(
            Problem.of("R115 name of a folder", Span(folder.as_posix()), name=name)
        )
    _walk(folder, "", files)
    files.yaml.sort()
    files.markdown.sort()
    if HEADER_FILE not in files.yaml and not files.problems:
        files.problems.append(
            Problem.of("R101 no header", Span(folder.as_posix()), file=HEADER_FILE)
        )
    return files


def _walk(folder: Path, under: str, files: Files) -> None:
    try:
        found = sorted(os.scandir(folder / under), key=lambda entry: entry.name)
    except OSError as error:
        reason = reason_of(error)
        where = Span((folder / under).as_posix())
        files.problems.append(Problem.of("R101 folder unread", where, reason=reason))
        return
    for entry in found:
        if entry.name.startswith(".") or (not under and entry.name in _PASSED_OVER):
            continue
        relative = f"{under}/{entry.name}" if under else entry.name
        if entry.is_dir(follow_symlinks=False):
            if relative.count("/") < DEEPEST_FOLDER:
                _walk(folder, relative, files)
            else:
                files.problems.append(
                    Problem.of("R102 many folders", Span(folder.as_posix()), most=8)
                )
        else:
            _sort_in(entry, folder, relative, files)
        if len(files) >= MOST_FILES:
            if not any(problem.code == "R102" for problem in files.problems):
                files.problems.append(
                    Problem.of("R102 many files", Span(folder.as_posix()), most=MOST_FILES)
                )
            return


def _sort_in(entry: os.DirEntry[str], folder: Path, relative: str, files: Files) -> None:
    """Put one file into its list, or say why it cannot be read."""
    ending = Path(entry.name).suffix
    meant = _OTHER_ENDINGS.get(ending.lower(), ending.lower())
    span = Span((folder / relative).as_posix())
    if meant not in (".yaml", ".md"):
        if entry.is_symlink() and entry.is_dir():
            files.problems.append(Problem.of("R114 link to a folder", span))
        return
    if meant != ending:
        better = Path(entry.name).with_suffix(meant).name
        files.problems.append(Problem.of("R115 ending", span, ending=ending, better=better))
    elif entry.is_symlink() and not stays_inside(Path(entry.path), folder):
        files.problems.append(Problem.of("R114 link leads out", span))
    elif not entry.is_file():
        files.problems.append(Problem.of("R101 no plain file", span))
    else:
        (files.yaml if ending == ".yaml" else files.markdown).append(relative)
