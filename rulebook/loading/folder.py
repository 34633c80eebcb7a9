"""The folder of a ruleset -> the files to read, and faults for those that may not be read.

A file's content may come from nowhere but the ruleset's own folder, so links out of it are refused.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from rulebook.limits import DEEPEST, MOST_FILES, beyond
from rulebook.loading.safe_text import unread
from rulebook.plain_files import reason_of, stays_inside
from rulebook.problems import Problem, Span

HEADER_FILE = "ruleset.yaml"
#: Where the optional rules stand, a file for each.
OPTIONS_FOLDER = "options"
RULESET_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")

#: What its author says of the editions of a ruleset.
REVISIONS_FILE = "revisions.yaml"
#: Frozen editions and their notes are read by other stages.
_PASSED_OVER = ("releases", REVISIONS_FILE)
_OTHER_ENDINGS = {".yml": ".yaml", ".markdown": ".md", ".mdown": ".md", ".mkd": ".md"}


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
        files.problems.append(unread(folder.as_posix(), "there is no such folder"))
        return files
    name, here = folder.name or folder.resolve().name, Span(folder.as_posix())
    if not RULESET_ID.fullmatch(name):
        message = f"'{name}' cannot be the name of a ruleset's folder"
        expected = "lower-case letters, digits and hyphens"
        files.problems.append(Problem("R115", message, here, expected, "rename the folder"))
    _walk(folder, "", files)
    files.yaml.sort()
    files.markdown.sort()
    if HEADER_FILE not in files.yaml and not files.problems:
        hint = f"add a {HEADER_FILE} with title, edition and chapters"
        message = f"there is no {HEADER_FILE} in this folder"
        files.problems.append(Problem("R101", message, here, hint=hint))
    return files


def _walk(folder: Path, under: str, files: Files) -> None:
    try:
        found = sorted(os.scandir(folder / under), key=lambda entry: entry.name)
    except OSError as error:
        files.problems.append(unread((folder / under).as_posix(), reason_of(error)))
        return
    for entry in found:
        if entry.name.startswith(".") or (not under and entry.name in _PASSED_OVER):
            continue
        relative = f"{under}/{entry.name}" if under else entry.name
        if entry.is_dir(follow_symlinks=False):
            if relative.count("/") < DEEPEST:
                _walk(folder, relative, files)
            else:
                of = "folders in each other"
                files.problems.append(beyond(DEEPEST, of, Span(folder.as_posix())))
        else:
            _sort_in(entry, folder, relative, files)
        if len(files) >= MOST_FILES:
            if not any(problem.code == "R102" for problem in files.problems):
                here, hint = Span(folder.as_posix()), "put files of one topic together"
                files.problems.append(beyond(MOST_FILES, "files", here, hint))
            return


def _sort_in(entry: os.DirEntry[str], folder: Path, relative: str, files: Files) -> None:
    """Put one file into its list, or say why it cannot be read."""
    ending = Path(entry.name).suffix
    meant = _OTHER_ENDINGS.get(ending.lower(), ending.lower())
    span = Span((folder / relative).as_posix())
    if meant not in (".yaml", ".md"):
        if not (entry.is_symlink() and entry.is_dir()):
            return
    elif meant != ending:
        hint = f"rename it to {Path(entry.name).with_suffix(meant).name}"
        message = f"a file that ends in '{ending}'"
        files.problems.append(Problem("R115", message, span, hint=hint))
        return
    if entry.is_symlink() and not (stays_inside(Path(entry.path), folder) and entry.is_file()):
        message = "a link that leads to a folder, or out of that of the ruleset"
        expected = "files of the ruleset's own folder"
        files.problems.append(
            Problem("R114", message, span, expected, "copy the file into the folder")
        )
    elif not entry.is_file():
        files.problems.append(unread(span.path, "it is no plain file"))
    else:
        (files.yaml if ending == ".yaml" else files.markdown).append(relative)
