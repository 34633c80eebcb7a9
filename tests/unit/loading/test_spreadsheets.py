"""Spreadsheets in the place of rows: what is read of them, and what is refused."""

import zipfile
from pathlib import Path

import pytest
from beside import beside

from rulebook.checking.all_checks import check
from rulebook.limits import LARGEST_FILE, MOST_ITEMS
from rulebook.loading.folder import sources_digest
from rulebook.loading.rulesets import load
from rulebook.loading.safe_text import Unreadable
from rulebook.loading.spreadsheets import Sheet, read_spreadsheet
from rulebook.model.plain_data import frozen_ruleset
from rulebook.problems import Problem, Report, Span, column_letters, format_report

HERE = Span("game/guns.yaml", 7, 11, 7, 19)


def faults(folder: Path, name: str) -> tuple[Problem, ...]:
    with pytest.raises(Unreadable) as fault:
        read_spreadsheet(folder, name, HERE)
    return fault.value.problems


def sheet_of(folder: Path, text: str) -> Sheet:
    (folder / "guns.csv").write_bytes(text.encode())
    return read_spreadsheet(folder, "guns.csv", HERE)


ROWS = (("id", "move", "note"), ("light", "7,5in", 'six "pounders"'))


@pytest.mark.parametrize(
    "text",
    beside(__file__, "rows_are_the_same_however_they_are_separated"),
    ids=["commas", "semicolons", "tabs", "byte-order mark", "spaces"],
)
def test_rows_are_the_same_however_they_are_separated(tmp_path: Path, text: str) -> None:
    assert sheet_of(tmp_path, text).rows == ROWS


def test_the_line_that_tells_excel_what_separates_is_no_row(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, "sep=|\nid|move\nlight|6in\n")
    assert sheet.rows == ((), ("id", "move"), ("light", "6in"))
    assert str(sheet.span(2, 1)).endswith("guns.csv:3:B")


def test_a_row_counts_as_in_the_spreadsheet_also_behind_cells_of_several_lines(
    tmp_path: Path,
) -> None:
    sheet = sheet_of(tmp_path, 'id,text\na,"one\r\ntwo"\n\nb,three\n')
    assert sheet.rows[1] == ("a", "one\ntwo")
    assert str(sheet.span(3, 0)).endswith("guns.csv:4:A")


def test_what_excel_saves_for_true_is_true(tmp_path: Path) -> None:
    assert sheet_of(tmp_path, "id,a,b\nx,TRUE,FALSE\n").rows[1] == ("x", "true", "false")


@pytest.mark.parametrize(
    ("written", "cell"),
    [("'+1", "+1"), ("'=x.y", "=x.y"), ("'1/2", "1/2"), ("'3-6", "3-6"), ("''+1", "'+1")]
    + [(same, same) for same in ("4+", "24in", "2d6", "~", "it's", "'quoted'", "8-16in")],
)
def test_an_apostrophe_that_kept_a_cell_is_none_of_it(
    tmp_path: Path, written: str, cell: str
) -> None:
    assert sheet_of(tmp_path, f"id,cell\na,{written}\n").rows[1] == ("a", cell)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("id,a\nx,schön\n".encode("latin-1"), "2:6: R103"),
        ("id,a\nx,y\n".encode("utf-16"), "1:1: R103"),
        (b"id\n" + b"x" * LARGEST_FILE, "1:1: R102"),
        (b"id\n" + b"x\n" * MOST_ITEMS, "1:1: R102"),
        (b'id,a\nx,"open\ny,z\n', "2:B: R116"),
        (b'id,a\nw,v\nx,"Old Bess" musket\n', "3:B: R116"),
        (b'id,a,b\nx,1,"plain\ny,2,"fancy"\n', "2:C: R116"),
        (b'id,a,b\nx,1,"plain\ny,2,6",3\n', "2:C: R116"),
    ],
    ids=[
        "latin-1",
        "utf-16",
        "large",
        "many rows",
        "not closed",
        "words behind",
        "next",
        "too many",
    ],
)
def test_files_that_are_not_read(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "guns.csv").write_bytes(data)
    (problem,) = faults(tmp_path, "guns.csv")
    assert f"{problem.span}: {problem.code}" == f"{tmp_path.as_posix()}/guns.csv:{told}"


@pytest.mark.parametrize(
    ("written", "row"),
    [
        ('a|b|c\n1|"x|y"|z\n', ("1", "x|y", "z")),
        ('a,b,c\n1,"two\nlines",""\n', ("1", "two\nlines", "")),
        ('a,b,c\r\n1,"say ""6""",""""\r\n', ("1", 'say "6"', '"')),
        ('a,b,c\n1,6" barrel,\n', ("1", '6" barrel', "")),
        ("a;b;c\n1;;", ("1", "", "")),
    ],
)
def test_cells_in_quotes_and_without(tmp_path: Path, written: str, row: tuple[str, ...]) -> None:
    assert sheet_of(tmp_path, written).rows[1] == row


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("id\nx\n")
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "guns.csv").symlink_to(tmp_path / "secret.csv")
    assert [problem.code for problem in faults(folder, "guns.csv")] == ["R116"]


# Workbooks, as small as they can be.


def zipped(path: Path, parts: dict[str, str], rows: str) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in parts.items():
            made.writestr(name, text.replace("ROWS", rows))


def ods(folder: Path, rows: str) -> None:
    """An ODS file with a sheet of these rows, and one before it that holds nothing."""
    zipped(folder / "army.ods", beside(__file__, "ods"), rows)


def ods_row(*cells: str | float | bool) -> str:
    def cell(value: str | float | bool) -> str:
        if isinstance(value, bool):
            flag = str(value).lower()
            said = f'office:value-type="boolean" office:boolean-value="{flag}"'
        elif isinstance(value, str):
            said = 'office:value-type="string"'
        else:
            said = f'office:value-type="float" office:value="{value}"'
        return f"<table:table-cell {said}><text:p>{value}</text:p></table:table-cell>"

    return f"<table:table-row>{''.join(map(cell, cells))}</table:table-row>"


def xlsx(folder: Path, rows: str) -> None:
    """An XLSX file with one sheet."""
    zipped(folder / "army.xlsx", beside(__file__, "xlsx"), rows)


def xlsx_row(number: int, *cells: str) -> str:
    made = "".join(
        f'<c r="{column_letters(at)}{number}" t="inlineStr"><is><t>{text}</t></is></c>'
        if not text.replace(".", "").isdecimal()
        else f'<c r="{column_letters(at)}{number}"><v>{text}</v></c>'
        for at, text in enumerate(cells, start=1)
    )
    return f'<row r="{number}">{made}</row>'


WORKED_OUT = (("id", "crew", "share", "range"), ("light", "4", "0.5", "20in"))


def test_a_sheet_of_an_ods_workbook(tmp_path: Path) -> None:
    ods(tmp_path, ods_row("id", "crew", "share", "range") + ods_row("light", 4.0, 0.5, "20in"))
    sheet = read_spreadsheet(tmp_path, "army.ods#Guns", HERE)
    assert sheet.rows == WORKED_OUT
    assert str(sheet.span(1, 3)) == f"{tmp_path.as_posix()}/army.ods#Guns:2:D"


def test_the_first_sheet_of_an_xlsx_workbook(tmp_path: Path) -> None:
    xlsx(tmp_path, xlsx_row(1, *WORKED_OUT[0]) + xlsx_row(2, *WORKED_OUT[1]))
    assert read_spreadsheet(tmp_path, "army.xlsx", HERE).rows == WORKED_OUT


def test_a_sheet_that_is_not_there(tmp_path: Path) -> None:
    ods(tmp_path, ods_row("id"))
    problems = faults(tmp_path, "army.ods#Gun")
    assert [(one.code, one.span, one.hint) for one in problems] == [("R116", HERE, "write 'Guns'")]


def test_a_date_that_a_spreadsheet_has_made_of_a_cell(tmp_path: Path) -> None:
    date = '<table:table-cell office:value-type="date" office:date-value="2026-02-01">'
    row = f"<table:table-row>{date}<text:p>1. Feb</text:p></table:table-cell></table:table-row>"
    ods(tmp_path, ods_row("id") + row)
    (problem,) = faults(tmp_path, "army.ods#Guns")
    assert (problem.code, str(problem.span).rpartition("#")[2]) == ("R116", "Guns:2:A")
    assert "a date" in problem.message


FAR_ROW = '<row r="{}"><c r="{}"><v>1</v></c></row>'
REPEATED = '<table:table-row table:number-rows-repeated="1048570">{}</table:table-row>'
FILLED = "<table:table-cell office:value-type='string'><text:p>x</text:p></table:table-cell>"
FAR = {
    "army.xlsx": [
        xlsx_row(1, "id") + FAR_ROW.format(1048576, "XFD1048576"),
        xlsx_row(1, "id") + FAR_ROW.format(2, "XFD2"),
        xlsx_row(1, "id") + FAR_ROW.replace(' r="{}">', ">", 1).format("A1048576"),
    ],
    "army.ods#Guns": [
        ods_row("id") + REPEATED.format("<table:table-cell/>") + ods_row("far"),
        ods_row("id") + REPEATED.format(FILLED),
    ],
}


@pytest.mark.parametrize(("name", "rows"), [(name, one) for name in FAR for one in FAR[name]])
def test_a_cell_at_the_end_of_a_sheet_takes_no_memory(tmp_path: Path, name: str, rows: str) -> None:
    """A library that makes room for all cells before it would end the whole program."""
    (xlsx if name == "army.xlsx" else ods)(tmp_path, rows)
    assert [one.code for one in faults(tmp_path, name)] == ["R102"]


def test_many_empty_rows_at_the_end_are_nothing(tmp_path: Path) -> None:
    """LibreOffice writes them wherever the format of a column was changed."""
    empty = REPEATED.format("<table:table-cell/>")
    ods(tmp_path, ods_row("id", "crew") + ods_row("light", 4.0) + empty)
    sheet = read_spreadsheet(tmp_path, "army.ods#Guns", HERE)
    assert sheet.rows == (("id", "crew"), ("light", "4"))


def test_a_packed_part_larger_than_any_table_is_not_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "army.ods", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("content.xml", b" " * (17 << 20))
    assert (tmp_path / "army.ods").stat().st_size < LARGEST_FILE
    assert [one.code for one in faults(tmp_path, "army.ods")] == ["R102"]


# Sheets as nodes.

GUNS = beside(__file__, "guns")
IN_YAML = beside(__file__, "in_yaml")
CSV = beside(__file__, "csv")


def test_a_table_of_a_spreadsheet_is_the_same_edition(game: Path, tmp_path: Path) -> None:
    (game / "guns.yaml").write_text(GUNS.replace("{0}", IN_YAML))
    written = load(game)
    assert written.ruleset is not None, format_report(written.report)
    before = sources_digest(game)
    (game / "guns.yaml").write_text(GUNS.replace("{0}", "guns.csv"))
    (game / "guns.csv").write_text(CSV, "utf-8-sig")
    loaded = load(game)
    assert loaded.ruleset is not None, format_report(loaded.report)
    assert frozen_ruleset(loaded.ruleset) == frozen_ruleset(written.ruleset)
    assert check(loaded.ruleset).ok
    assert sources_digest(game) != before


def test_units_grids_modifiers_cards_and_options_take_spreadsheets(game: Path) -> None:
    for name, text in beside(__file__, "more").items():
        (game / name).write_text(text)
    loaded = load(game)
    ruleset = loaded.ruleset
    assert ruleset is not None, format_report(loaded.report)
    foot = ruleset.units["foot"]
    assert [str(row) for row in foot.rows] == ["charges.foot", "ranges.musket"]
    assert [(mark.at, str(mark.label)) for mark in foot.tracks["men"].marks] == [(6, "half")]
    losses = frozen_ruleset(ruleset)["collections"]["tables"]["losses"]["data"]  # type: ignore[index,call-overload]
    assert losses == {
        "0-8in": {"foot": {"note": "Ours.", "status": "house", "value": "4"}, "horse": "3"},
        "8-16in": {"foot": "2", "horse": "1"},
    }
    assert ruleset.decks["tricks"].cards is not None
    angry = load(game, ["anger"]).ruleset
    rows = [one.modifiers["tempers"].data["angry"] for one in (ruleset, angry)]
    assert [row.cells["tries"].value.amount for row in rows] == [1, 2]


def test_json_tells_the_cell() -> None:
    report = Report([Problem("R204", "no", Span("guns.csv", 30, 28, 30, 29, "x"))])
    assert '"cell": "AB30"' in format_report(report, "json")
