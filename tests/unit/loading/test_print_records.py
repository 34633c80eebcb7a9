"""Records of printed editions: read back as written, damage and forgery told by the place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from frozen import change, freeze, write_tiny

from rulebook.documents.marks.before import find_before
from rulebook.loading import print_records
from rulebook.loading.editions import load_standing
from rulebook.loading.print_records import (
    PrintedBooklet,
    PrintedCard,
    PrintRecord,
    RecordOf,
    read_print_record,
)
from rulebook.loading.releases import find_releases, record_path, strays

SHA = "0123456789abcdef" * 4
OF = RecordOf("tiny", "1.0", SHA, ["one", "two"])
RECORD = PrintRecord(
    format=2,
    ruleset="tiny",
    edition="1.0",
    rulebook="0.1.0",
    snapshot=SHA,
    booklets={
        "a5": PrintedBooklet(
            pages=12,
            headings={"one": 5, "two": 6},
            tables={"hits": 5},
            cutouts={"cone": 12},
            examples={"first_shot": 6},
            procedures={},
            words=(SHA,) * 12,
        )
    },
    sheets={"a4": (("fire-volley", "fire-volley.1"), ())},
    decks={"arms": {"foot": PrintedCard(faces=(SHA,), pages={"cards-arms-a4.pdf": (1, 3)})}},
    files={"booklet-a5.pdf": SHA},
)


def written(path: Path, record: PrintRecord = RECORD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(record.text(), "utf-8")
    return path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "tiny" / "releases" / "1.0.printed.json"


def codes(path: Path, of: RecordOf = OF) -> list[str]:
    found, problems = read_print_record(path, of)
    assert found is None
    assert all(one.span and one.span.path == path.as_posix() for one in problems)
    return [one.code for one in problems]


def test_it_is_read_as_it_was_written(place: Path) -> None:
    assert read_print_record(place, OF) == (None, []), "there is none"
    assert read_print_record(written(place), OF) == (RECORD, [])


def test_a_record_of_format_1_has_no_words_of_pages(place: Path) -> None:
    booklets = {"a5": RECORD.booklets["a5"].model_copy(update={"words": ()})}
    first = RECORD.model_copy(update={"format": 1, "booklets": booklets})
    assert '"words"' not in first.text()
    assert read_print_record(written(place, first), OF) == (first, [])


def test_the_text_is_canonical() -> None:
    text = RECORD.text()
    found = json.loads(text)
    flat = json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert text == flat + "\n"
    backwards = dict(reversed(list(RECORD.model_dump(mode="json").items())))
    assert PrintRecord.model_validate_json(json.dumps(backwards)).text() == text


@pytest.mark.parametrize("kept", [0, 1, 40, 300, -2, -1])
def test_cut_short(place: Path, kept: int) -> None:
    written(place).write_bytes(RECORD.text().encode()[:kept])
    assert codes(place) == ["R807"]


def test_every_byte_counts(place: Path) -> None:
    data = RECORD.text().encode()
    for at in range(0, len(data), 7):
        other = bytes([data[at] ^ 1])
        written(place).write_bytes(data[:at] + other + data[at + 1 :])
        assert codes(place) in (["R807"], ["R802"])


def sealed(change: Callable[[dict[str, Any]], None]) -> str:
    """The text of a record that was changed, with the right checksum over it."""
    found = json.loads(RECORD.text())
    del found["sha256"]
    change(found)
    return print_records._canonical({**found, "sha256": print_records._checksum(found)})


def of_a5(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda found: found["booklets"]["a5"].update(values)


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (lambda one: one.update(format=3), "R802", "format 3"),
        (lambda one: one.update(format="1"), "R807", "format: "),
        (lambda one: one.update(edition="1.1"), "R807", "edition 1.1 of 'tiny'"),
        (lambda one: one.update(ruleset="other"), "R807", "edition 1.0 of 'other'"),
        (lambda one: one.update(snapshot="f" * 64), "R807", "of other content"),
        (lambda one: one.update(snapshot="x"), "R807", "snapshot: "),
        (lambda one: one.update(more={}), "R807", "more: "),
        (lambda one: one.pop("files"), "R807", "files: "),
        (lambda one: one.update(booklets=[]), "R807", "booklets: "),
        (of_a5(pages=0), "R807", "booklets.a5.pages: "),
        (of_a5(pages=10**30), "R807", "booklets.a5.pages: "),
        (of_a5(pages=12.0), "R807", "booklets.a5.pages: "),
        (of_a5(pages=True), "R807", "booklets.a5.pages: "),
        (of_a5(pages=11), "R807", "booklets.a5: a page behind the last one"),
        (of_a5(headings={"one": 5}), "R807", "other headings"),
        (of_a5(headings={"one": 5, "two": 6, "six": 7}), "R807", "other headings"),
        (of_a5(headings={"one": 5, "two": "6"}), "R807", "booklets.a5.headings.two: "),
        (of_a5(words=[]), "R807", "booklets.a5.words: not those of all pages"),
        (lambda one: one.update(format=1), "R807", "as it was written"),
        (of_a5(tables={"": 5}), "R807", "booklets.a5.tables"),
        (of_a5(tables={"\x1b[31m": 5}), "R807", "as it was written"),
        (of_a5(tables={"\u202e": "five"}), "R807", "as it was written"),
    ],
)
def test_forged(place: Path, change: Any, code: str, told: str) -> None:
    written(place).write_text(sealed(change), "utf-8")
    _, (problem,) = read_print_record(place, OF)
    assert problem.code == code and told in problem.message
    assert problem.message.isprintable() and problem.message.isascii()


@pytest.mark.parametrize(
    "text",
    ["[]\n", "null\n", "1\n", "[" * 100_000, '{"format":' + "9" * 5000 + "}", "\ufeff{}", "NaN"],
)
def test_what_is_no_record(place: Path, text: str) -> None:
    written(place).write_text(text, "utf-8")
    assert codes(place) in (["R807"], ["R802"])


def test_letters_of_other_scripts_are_read_and_no_bytes_that_are_none(place: Path) -> None:
    other = RECORD.model_copy(update={"rulebook": "0.1 — naïve"})
    assert read_print_record(written(place, other), OF) == (other, [])
    place.write_bytes(RECORD.text().encode().replace(b"tiny", b"\xff\xfe"))
    assert codes(place) == ["R807"]


def test_spaces_and_keys_twice_are_damage(place: Path) -> None:
    text = RECORD.text()
    for other in (text + " ", text.replace(":", ": ", 1), text.replace("{", '{"format":1,', 1)):
        written(place).write_text(other, "utf-8")
        assert codes(place) == ["R807"]


def test_no_plain_file(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.mkdir(parents=True)
    assert codes(place) == ["R101"]
    place.rmdir()
    place.symlink_to(written(place.with_name("other")))
    assert codes(place) == ["R101"]
    place.unlink()
    monkeypatch.setattr(print_records, "LARGEST_RECORD", 100)
    assert codes(written(place)) == ["R102"]


class TestBesideEditions:
    """Records stand beside released editions and are never taken for one."""

    def test_a_record_is_no_edition(self, tmp_path: Path) -> None:
        path = freeze(write_tiny(tmp_path))
        folder = path.parent.parent
        written(record_path(path))
        assert find_releases(folder) == {"1.0": path}
        assert list(strays(folder)) == []

    def test_a_record_without_its_edition_is_told(self, tmp_path: Path) -> None:
        path = freeze(write_tiny(tmp_path))
        path.rename(path.with_name("2.0.json"))
        written(record_path(path))
        (problem,) = strays(path.parent.parent)
        assert (problem.code, problem.severity) == ("R808", "error")
        assert "edition '1.0' was printed, which was not released" in problem.message

    def test_an_edition_before_without_record_is_told(self, tmp_path: Path) -> None:
        path = freeze(write_tiny(tmp_path))
        folder = path.parent.parent
        change(folder / "ruleset.yaml", '"1.0"', '"1.1"')
        loaded = load_standing(folder)
        (problem,) = loaded.report
        assert (problem.code, problem.severity) == ("R808", "warning")
        assert "the pages of edition 1.0 were not recorded" in problem.message
        assert "rulebook release --record tiny@1.0" in problem.hint
        assert loaded.ruleset is not None
        before, faults = find_before(folder, loaded.ruleset)
        assert before is not None and before.printed is None and not faults
        written(record_path(path))
        assert list(load_standing(folder).report) == []
        before, (fault,) = find_before(folder, loaded.ruleset)
        assert before is None and fault.code == "R807", "it is of other content"
