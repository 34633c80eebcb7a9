"""The folder of a ruleset -> the files to read, its released editions, and a digest of it all.

A file's content may come from nowhere but the ruleset's own folder, so links out of it are refused.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulebook.limits import DEEPEST, LARGEST_RELEASE, MOST_FILES, MOST_ITEMS, beyond
from rulebook.loading.safe_text import unread
from rulebook.plain_files import read_plain, reason_of, stays_inside
from rulebook.problems import Problem, Span

HEADER_FILE = "ruleset.yaml"
#: All of a ruleset that is only a quick-reference sheet, unless there is a ruleset.yaml as well.
SHEET_FILE, SHEET_ENDING = "sheet.md", ".md"
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
    """The YAML and Markdown files below a folder, as sorted relative paths, and the faults."""

    yaml: list[str] = field(default_factory=list)
    markdown: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.yaml) + len(self.markdown)


def find_rulesets(content: Path) -> list[Path]:
    """Lists the folders in `content` with a ruleset in them, sorted, without dot folders."""
    found = _folders_in(content)
    return [folder for folder in found if (file := header_file(folder)) and file.parent == folder]


def header_file(folder: Path) -> Path | None:
    """Returns the file with the title and edition of a ruleset: ruleset.yaml, else sheet.md.

    A folder `thursday` that has neither stands for a file thursday.md beside it, which is a sheet.
    Returns None if there is no such file.
    """
    alone = folder.parent / f"{folder.name}{SHEET_ENDING}"
    files = (folder / HEADER_FILE, folder / SHEET_FILE, alone)
    return next((file for file in files if file.is_file()), None)


def is_alone(folder: Path) -> bool:
    """Whether a ruleset is a file beside its folder, which need not exist."""
    file = header_file(folder)
    return file is not None and file.parent != folder


def with_releases(content: Path) -> list[Path]:
    """Lists the folders in `content` that have a released edition, sorted, without dot folders.

    They may have no working copy.
    """
    return [folder for folder in _folders_in(content) if find_releases(folder)]


def _folders_in(content: Path) -> list[Path]:
    found = sorted(content.iterdir()) if content.is_dir() else []
    return [folder for folder in found if not folder.name.startswith(".")]


def find_files(folder: Path) -> Files:
    """Finds the content files below a folder, without dot files, releases/ and revisions.yaml.

    Returns the YAML and Markdown files, sorted, with the faults: a folder that has a bad name or no
    header, or files that cannot be read.
    """
    files = Files()
    header = header_file(folder)
    if header is None and not folder.is_dir():
        files.problems.append(unread(folder.as_posix(), "there is no such folder"))
        return files
    name, here = folder.name or folder.resolve().name, Span(folder.as_posix())
    if not RULESET_ID.fullmatch(name):
        message = f"'{name}' cannot be the name of a ruleset's folder"
        expected = "lower-case letters, digits and hyphens"
        hint = f"rename the {'file' if is_alone(folder) else 'folder'}"
        files.problems.append(Problem("R115", message, here, expected, hint))
    if is_alone(folder):
        return replace(files, markdown=[SHEET_FILE])
    _walk(folder, "", files)
    files.yaml.sort()
    files.markdown.sort()
    if header is None and not files.problems:
        hint = f"add a {HEADER_FILE} with title, edition and chapters, or a {SHEET_FILE}"
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
    """Adds a file to the YAML or Markdown files, or adds a fault if it may not be one of these.

    It must have one of the endings, and be a plain file inside the ruleset's folder. `relative` is
    its path below `folder`. Files of other types are ignored.
    """
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


RELEASES_FOLDER = "releases"
#: Between a ruleset and its edition: mygame@1.0.
AT = "@"
_NAME = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,4}){0,3}[a-z]?)\.json")


def is_release(source: Path) -> bool:
    """Tells whether a path is that of the file of a released edition, not of a ruleset's folder."""
    return source.suffix == ".json" and source.parent.name == RELEASES_FOLDER


def folder_of(source: Path) -> Path:
    """Returns the folder of the ruleset to which a working copy or a released edition belongs."""
    return source.parent.parent if is_release(source) else source


def name_of(source: Path) -> str:
    """Returns the name of a ruleset or an edition on the command line: mygame, mygame@1.0."""
    return f"{folder_of(source).name}{AT}{source.stem}" if is_release(source) else source.name


def edition_order(edition: str) -> tuple[tuple[int, ...], str]:
    """Returns the sort key of the number of an edition: 1.9 comes before 1.10, 2.0 before 2.0a."""
    letter = edition[-1] if edition[-1:].isalpha() else ""
    return tuple(int(part) for part in edition.removesuffix(letter).split(".")), letter


def find_releases(folder: Path) -> dict[str, Path]:
    """Returns the snapshot files of the released editions by their numbers, the oldest first."""
    found: dict[str, Path] = {}
    for path in _released(folder):
        match = _NAME.fullmatch(path.name)
        if match and path.is_file() and not path.is_symlink():
            found[match[1]] = path
    return {edition: found[edition] for edition in sorted(found, key=edition_order)}


def newest_edition(folder: Path) -> Path:
    """Returns the newest edition of a ruleset: the folder of the working copy, or the last release.

    The folder must hold one of them.
    """
    return folder if header_file(folder) else [*find_releases(folder).values()][-1]


def _released(folder: Path) -> list[Path]:
    """Lists all entries of releases/, sorted; none if releases/ is a symbolic link."""
    releases = folder / RELEASES_FOLDER
    there = releases.is_dir() and not releases.is_symlink()
    return sorted(releases.iterdir()) if there else []


def strays(folder: Path) -> Iterator[Problem]:
    """Yields faults of JSON files in releases/ that are not named or stored as releases must be.

    Yields one too if releases/ is a symbolic link.
    """
    releases = folder / RELEASES_FOLDER
    if releases.is_symlink():
        link = Span(releases.as_posix())
        yield Problem("R114", "a link to a folder stands here", link, hint="copy the files instead")
    known = set(find_releases(folder).values())
    for path in _released(folder):
        if path.suffix.lower() == ".json" and path not in known:
            code = "R115" if path.is_file() and not path.is_symlink() else "R101"
            message, hint = f"'{path.name:.60}' is no released edition", "move it to another folder"
            expected = "files that 'rulebook release' wrote, such as 1.0.json"
            yield Problem(code, message, Span(path.as_posix()), expected, hint)


def release_path(folder: Path, edition: str) -> Path:
    """Returns the path of the snapshot file of an edition."""
    return folder / RELEASES_FOLDER / f"{edition}.json"


#: `based_on: mygame@1.0` in a header, or the same in the JSON of a released edition.
_BASED_ON = re.compile(rb"based_on[\"']?\s*:\s*[\"']?([a-z0-9][a-z0-9-]{0,63})(@?)")


def sources_digest(source: Path) -> str | None:
    """Computes the SHA-256 of paths and contents of all files that reading an edition may open.

    The folders of its bases are included. Returns None if the files are too many or too large, or
    if one of them is no plain file.
    """
    whole = hashlib.sha256()
    frozen = is_release(source)
    first = folder_of(source), frozen
    waiting, known = [first], {first}
    whole.update(f"{source.as_posix()}\n".encode(errors="surrogateescape"))
    count = 0
    while waiting:
        folder, released = waiting.pop()
        for path in _files(folder, released=released):
            count += 1
            data = _read(path)
            if data is None or count > MOST_ITEMS:
                return None
            name = path.as_posix().encode(errors="surrogateescape")
            whole.update(b"%d %b %d\n" % (len(name), name, len(data)))
            whole.update(data)
            if path.name == HEADER_FILE or path.parent.name == RELEASES_FOLDER:
                for name, at in sorted(set(_bases_named(path, data))):
                    base = folder.parent / name.decode(), frozen or bool(at)
                    if base not in known:
                        known.add(base)
                        waiting.append(base)
        whole.update(b"end of folder\n")
    return whole.hexdigest()


def _bases_named(path: Path, data: bytes) -> Iterable[tuple[bytes, bytes]]:
    """Finds the bases that a header or a release names, each as its name and @ or nothing."""
    if path.suffix == ".json":
        return _BASED_ON.findall(data)
    if b"based_on" not in data and b"\\" not in data:
        return ()
    from rulebook.loading.nodes import MappingNode, Scalar  # seldom needed, and slow to import
    from rulebook.loading.yaml_reader import read_yaml

    root, _ = read_yaml(data.decode(errors="replace"), path.as_posix())
    based_on = root.get("based_on") if isinstance(root, MappingNode) else None
    text = based_on.text.strip() if isinstance(based_on, Scalar) else ""
    return re.findall(rb"^([a-z0-9][a-z0-9-]{0,63})(@?)", text.encode())


def _files(folder: Path, *, released: bool) -> Iterator[Path]:
    """Yields all files in a folder and below, in a fixed order, without dot files and dot folders.

    With `released` only those in releases/ and revisions.yaml.
    """
    if (file := header_file(folder)) and file.parent != folder:
        yield file
        return
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        here = Path(place)
        passed_over = released and here == folder
        if passed_over:
            folders[:] = [name for name in folders if name == RELEASES_FOLDER]
        for name in sorted(names):
            if not name.startswith(".") and (name == REVISIONS_FILE or not passed_over):
                yield here / name


def _read(path: Path) -> bytes | None:
    """Returns the bytes of a plain file; None if it cannot be read or is too large.

    It does not wait for a pipe or device.
    """
    with suppress(OSError, RuntimeError):  # a link may lead to itself
        data = read_plain(path.resolve(), LARGEST_RELEASE)
        if len(data) <= LARGEST_RELEASE:
            return data
    return None
