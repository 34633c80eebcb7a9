"""Files as players have them: what is a table, a head, a title, a sentence; and what is doubted."""

import zipfile
from pathlib import Path

import pytest
from beside import beside

from rulebook.importing.files import PASTED, read_pages
from rulebook.importing.sheets import sheet_of
from rulebook.loading.safe_text import Unreadable
from rulebook.loading.sheet_file import COLLECTIONS, read_sheet
from rulebook.loading.workbooks import shown_number

HABITS = beside(__file__, "habits")


def imported(folder: Path, name: str, data: bytes) -> tuple[str, list[str]]:
    """The sheet of a file, below its title, and the doubts."""
    file = folder / name
    file.write_bytes(data)
    page = read_pages([file])
    sheet = sheet_of(page)
    read, faults = read_sheet(sheet, "sheet.md", "game")
    assert not faults
    assert read[COLLECTIONS]
    return sheet.partition("---\n\n")[2], list(map(str, page.doubts))


@pytest.mark.parametrize("habit", HABITS)
def test_habits_of_players(tmp_path: Path, habit: str) -> None:
    of = HABITS[habit]
    sheet, doubts = imported(tmp_path, of["file"], of["holds"].encode())
    assert sheet == of["sheet"]
    assert doubts == of.get("doubts", [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_the_encoding_is_found_out(tmp_path: Path, encoding: str) -> None:
    sheet, doubts = imported(tmp_path, "a.csv", 'Gun;Move\nLöwe;6½"\nBär;12"\n'.encode(encoding))
    assert '| Löwe | 6½" |' in sheet
    guessed = 'a.csv: it is not UTF-8, and read as text of Windows: `Löwe;6½"`'
    assert doubts == ([guessed] if encoding == "cp1252" else [])


def test_what_is_pasted() -> None:
    page = read_pages([Path(PASTED)], b'Arm\tMove\nFoot\t6"\nHorse\t12"\n')
    assert '| Arm | Move |\n| --- | --- |\n| Foot | 6" |' in sheet_of(page)


@pytest.mark.parametrize(("number", "form", "shown"), beside(__file__, "formats"))
def test_numbers_as_their_formats_show_them(number: float, form: str, shown: str) -> None:
    assert shown_number(number, form) == shown


def xlsx(path: Path, sheets: dict[str, str], more: dict[str, str] | None = None) -> Path:
    """An XLSX file of the XML of each sheet, and of other parts."""
    parts = dict(beside(__file__, "xlsx"))
    tabs = enumerate(sheets.items(), start=1)
    listed = related = ""
    for number, (name, content) in tabs:
        state = "hidden" if name.startswith("(") else "visible"
        listed += f'<sheet name="{name}" state="{state}" r:id="r{number}"/>'
        related += f'<Relationship Id="r{number}" Type="x/worksheet" Target="sheet{number}.xml"/>'
        parts[f"xl/sheet{number}.xml"] = f"<worksheet>{content}</worksheet>"
    with zipfile.ZipFile(path, "w") as made:
        for name, text in {**parts, **(more or {})}.items():
            made.writestr(name, text.replace("SHEETS", listed).replace("RELATED", related))
    return path


def test_a_workbook(tmp_path: Path) -> None:
    """Formats, dates, errors, merged heads, hidden tabs and comments."""
    of = beside(__file__, "workbook")
    file = xlsx(tmp_path / "game.xlsx", of["sheets"], of["parts"])
    page = read_pages([file])
    assert sheet_of(page) == of["sheet"]
    assert list(map(str, page.doubts)) == of["doubts"]


@pytest.mark.parametrize("name", ["game.ods", "rules.docx"])
def test_files_of_open_office_and_word(tmp_path: Path, name: str) -> None:
    of = beside(__file__, name)
    with zipfile.ZipFile(tmp_path / name, "w") as made:
        for part, text in of["parts"].items():
            made.writestr(part, text)
    page = read_pages([tmp_path / name])
    assert sheet_of(page).partition("---\n\n")[2] == of["sheet"]
    assert [str(doubt).rpartition("/")[2] for doubt in page.doubts] == of["doubts"]


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.xlsx", b"PK\x03\x04 broken", "R116"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1", "R116"),
        ("a.docx", b"no archive", "R116"),
        ("a.xls", b"", "R116"),
        ("a.csv", b"", "R116"),
        ("a.csv", bytes(range(256)) * 4, "R103"),
        ("a.csv", b"x" * (17 << 20), "R102"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, data: bytes, code: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Unreadable) as fault:
        read_pages([tmp_path / name])
    (problem,) = fault.value.problems
    assert (problem.code, bool(problem.span), bool(problem.hint)) == (code, True, True)
