"""An office file (XLSX, ODS, DOCX) -> its XML parts, as trees of elements without namespaces.

Such a file is a ZIP archive of XML. It may come from a stranger: a part is read only if it is not
larger than the limit, and is refused if its elements are nested deeper than any program writes.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import PurePosixPath
from posixpath import dirname, join, normpath
from typing import BinaryIO
from xml.etree.ElementTree import Element, ParseError, iterparse

from rulebook.limits import LARGEST_UNPACKED, beyond, mebibytes
from rulebook.loading.safe_text import Unreadable
from rulebook.problems import Problem, Span

#: What ZIP, XML, and reading a number or an item that should be there raise in a broken file.
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, ParseError, EOFError),
    *(LookupError, ValueError, ArithmeticError),
)
_UNSUPPORTED = (NotImplementedError, RuntimeError, OSError)
_DEEPEST_XML = 200
#: How files begin that are encrypted, or those of before 2007.
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"


class OfficeFile:
    """The parts of an office file; `shown` is its path in reports."""

    def __init__(self, file: BinaryIO, shown: str) -> None:
        self.shown = shown
        begin = file.read(len(_OLD_OFFICE))
        file.seek(0)
        if begin == _OLD_OFFICE:
            raise Unreadable(unreadable(shown, "it has a password, or is of a program before 2007"))
        self._archive = zipfile.ZipFile(file)
        self._room = LARGEST_UNPACKED

    def names(self) -> list[str]:
        return self._archive.namelist()

    def part(self, name: str) -> Element | None:
        """Returns the root element of a part; None if there is none of this name."""
        try:
            info = self._archive.getinfo(name)
        except KeyError:
            return None
        self._room -= info.file_size
        if self._room < 0:
            hint = "delete what stands far below or beside the tables, and cut it into several"
            of = "of text in an office file"
            raise Unreadable(beyond(mebibytes(LARGEST_UNPACKED), of, Span(self.shown), hint))
        return _tree(self._archive.read(info))

    def needed(self, name: str) -> Element:
        root = self.part(name)
        if root is None:
            raise Unreadable(unreadable(self.shown, f"it has no {name}"))
        return root

    def related(self, name: str) -> list[tuple[str, str, str]]:
        """Returns the parts to which a part refers: the id, the last word of its type, the name.

        The name of what is no part of the file, such as the page of a link, is its address.
        """
        path = PurePosixPath(name)
        root = self.part(f"{path.parent}/_rels/{path.name}.rels")
        return [
            (
                one.get("Id", ""),
                one.get("Type", "").rpartition("/")[2],
                one.get("Target", "")
                if one.get("TargetMode") == "External"
                else normpath(join("/", dirname(name), one.get("Target", ""))).lstrip("/"),
            )
            for one in (() if root is None else root)
        ]


def _tree(data: bytes) -> Element:
    depth = 0
    root: Element | None = None
    for event, element in iterparse(BytesIO(data), ("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > _DEEPEST_XML:
            raise ParseError("nested too deep")
        if event == "start":
            element.tag = _bare(element.tag)
            for name in [name for name in element.attrib if name.startswith("{")]:
                element.attrib.setdefault(_bare(name), element.attrib[name])
            root = element if root is None else root
    if root is None:
        raise ParseError("no element")
    return root


def _bare(name: str) -> str:
    return name.rpartition("}")[2]


def unreadable(shown: str, why: str) -> Problem:
    """Returns the fault that a file cannot be read as that which its ending says."""
    ending = PurePosixPath(shown.partition("#")[0]).suffix
    hint = f"open it in its program and save it again as {ending}, without a password"
    message = f"this cannot be read as a file of the kind {ending}: {why}"
    return Problem("R116", message, Span(shown), f"a whole {ending} file", hint)


@contextmanager
def reading(shown: str) -> Iterator[None]:
    """Raises Unreadable if what is read in the context proves to be broken."""
    try:
        yield
    except _BROKEN:
        raise Unreadable(unreadable(shown, "it is damaged, or another kind of file")) from None
    except _UNSUPPORTED:
        raise Unreadable(unreadable(shown, "it is packed in a way that is not known")) from None
