"""Released editions: read back as they were, the same however they are typed, faults told."""

import copy
import hashlib
import json
import os
import shutil
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from beside import as_written, beside
from composed import compose
from frozen import (
    RELEASED,
    SMALL_WARS,
    SMALL_WARS_CM,
    change,
    freeze,
    loaded,
    put,
    snapshot_of,
    write_tiny,
)
from pydantic import BaseModel
from shipped_rulesets import SHIPPED

from rulebook.limits import LARGEST_RELEASE
from rulebook.loading.editions import load_edition
from rulebook.loading.snapshots import FORMAT, Snapshot, load_snapshot, read_snapshot
from rulebook.model.plain_data import (
    canonical,
    checksum,
    frozen_ruleset,
    header_of_edition,
    plain,
    plain_ruleset,
)
from rulebook.packaged import content_folder
from rulebook.problems import format_report


def codes(path: Path) -> list[str]:
    """The faults of a released edition, which are told without a traceback."""
    found = load_snapshot(path)
    assert (found.ruleset is None) == (not found.report.ok)
    assert format_report(found.report)
    return [problem.code for problem in found.report]


class TestRoundTrip:
    @pytest.mark.parametrize("name", [*SHIPPED, SMALL_WARS.name, SMALL_WARS_CM.name])
    def test_a_snapshot_is_the_ruleset(self, name: str, tmp_path: Path) -> None:
        folder = (content_folder() if name in SHIPPED else RELEASED) / name
        before = loaded(folder)
        frozen = Snapshot(before.id, before.header.edition, frozen_ruleset(before))
        found = load_snapshot(put(tmp_path, frozen))
        assert list(found.report) == []
        after = found.ruleset
        assert after.header == header_of_edition(before.header)
        if name not in SHIPPED or name == "last-wagon":
            # A released edition is that of the rules, without battles.
            collections = before.collections.model_copy(update={"scenarios": {}})
            assert compose(after) == compose(replace(before, collections=collections))
        assert after.options == before.options
        assert after.cover == before.cover
        assert plain_ruleset(after) == plain_ruleset(before)
        again = Snapshot(after.id, after.header.edition, frozen_ruleset(after))
        assert again.text() == frozen.text()

    def test_options_are_chosen_of_it(self, tmp_path: Path) -> None:
        option = "moonlight"
        path = freeze(SMALL_WARS, tmp_path)
        folder, frozen = (load_edition(one, [option]).ruleset for one in (SMALL_WARS, path))
        assert frozen.collections == folder.collections
        assert frozen.chosen == (option,)

    def test_fields_may_have_any_name(self, tmp_path: Path) -> None:
        """Also those by which the file tells things that stand in an order."""
        folder = write_tiny(tmp_path)
        (folder / "two.yaml").write_text(
            "tables:\n  ranks:\n    title: Ranks\n    qrs: false\n"
            "    fields: {named: text, order: count}\n"
            "    data:\n"
            "      first: {title: First, named: Alpha, order: 1}\n"
            "      second: {named: {value: Beta, status: house, note: Ours.}, order: ~}\n",
            "utf-8",
        )
        (folder / "one.md").write_text("# One {#one}\n\n{table: hits}\n\n{table: ranks}\n")
        found = load_snapshot(freeze(folder))
        assert list(found.report) == [] and found.ruleset is not None
        assert found.ruleset.tables["ranks"] == loaded(folder).tables["ranks"]

    def test_lines_of_code_stay_as_they_are(self, tmp_path: Path) -> None:
        """Whatever stands in them, and however many backquotes they hold themselves."""
        folder = write_tiny(tmp_path)
        code = "# no heading\n<b>{none.such}</b> \u2588\u2502\n```yaml\na: [*b]\n```"
        words = f"# One {{#one}}\n\n{{table: hits}}\n\n````text\n{code}\n````\n\nMore.\n"
        (folder / "one.md").write_text(words, "utf-8")
        found = load_snapshot(freeze(folder))
        assert list(found.report) == [] and found.ruleset is not None
        before, after = (
            one.chapters[0].sections[0].parts for one in (loaded(folder), found.ruleset)
        )
        assert [getattr(part, "text", "") for part in after] == ["", code, ""]
        assert [type(part) for part in before] == [type(part) for part in after]

    def test_the_text_is_canonical(self) -> None:
        snapshot = snapshot_of(SMALL_WARS)
        text = snapshot.text()
        found = json.loads(text)
        assert text.endswith("}\n") and text.count("\n") == 1
        flat = json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        assert text == flat + "\n"
        del found["sha256"]
        sealed = json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        assert snapshot.sha256 == hashlib.sha256(f"{sealed}\n".encode()).hexdigest()
        assert found["format"] == str(FORMAT)


def _retyped(edit: Callable[[Path], None], tmp_path: Path) -> str:
    folder = tmp_path / "small-wars"
    shutil.copytree(SMALL_WARS, folder)
    edit(folder)
    return snapshot_of(folder).sha256


class TestSpelling:
    """What an author types differently and means alike has one checksum."""

    def test_line_ends_and_a_byte_order_mark(self, tmp_path: Path) -> None:
        def change(folder: Path) -> None:
            for file in [*folder.rglob("*.yaml"), *folder.rglob("*.md")]:
                text = file.read_text("utf-8").replace("\n", "\r\n")
                file.write_bytes(b"\xef\xbb\xbf" + text.encode())

        assert _retyped(change, tmp_path) == snapshot_of(SMALL_WARS).sha256

    @pytest.mark.parametrize(
        ("file", "typed", "other"), beside(__file__, "one_value_typed_otherwise")
    )
    def test_one_value_typed_otherwise(
        self, file: str, typed: str, other: str, tmp_path: Path
    ) -> None:
        made = _retyped(lambda folder: change(folder / file, typed, other), tmp_path)
        assert made == snapshot_of(SMALL_WARS).sha256

    @pytest.mark.parametrize(
        ("file", "typed", "other"), beside(__file__, "another_value_is_another_edition")
    )
    def test_another_value_is_another_edition(
        self, file: str, typed: str, other: str, tmp_path: Path
    ) -> None:
        def edit(folder: Path) -> None:
            change(folder / file, typed, other)
            if "gone" in other:  # it is placed by its name
                change(folder / "odds.md", "{table: lost}", "{table: gone}")

        assert _retyped(edit, tmp_path) != snapshot_of(SMALL_WARS).sha256


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The file of the smallest released edition."""
    return freeze(write_tiny(tmp_path))


class TestDamage:
    def test_any_byte_that_is_flipped_is_told(self, tiny: Path) -> None:
        whole = tiny.read_bytes()
        assert len(whole) < 1200
        for index, byte in enumerate(whole):
            for flipped in {byte ^ 1, byte ^ 0x20, byte ^ 0x80, 0, 0x22, 0x0A} - {byte}:
                tiny.write_bytes(whole[:index] + bytes([flipped]) + whole[index + 1 :])
                snapshot, problems = read_snapshot(tiny)
                assert snapshot is None, (index, flipped)
                assert [problem.code for problem in problems] in (["R801"], ["R802"])

    def test_cut_short_anywhere(self, tiny: Path) -> None:
        whole = tiny.read_bytes()
        for length in range(len(whole)):
            tiny.write_bytes(whole[:length])
            snapshot, problems = read_snapshot(tiny)
            assert snapshot is None
            assert [problem.code for problem in problems] == ["R801"]

    @pytest.mark.parametrize(
        "data",
        [
            *(text.encode("latin-1") for text in beside(__file__, "no_snapshots")),
            b'{"a":' + b"9" * 6000 + b"}\n",
            b"[" * 100_000,
            b"[" * 150 + b"]" * 150 + b"\n",
            b"[" * 500 + b"]" * 500 + b"\n",
        ],
    )
    def test_no_snapshot_at_all(self, data: bytes, tiny: Path) -> None:
        tiny.write_bytes(data)
        assert codes(tiny) == ["R801"]

    @pytest.mark.parametrize("number", ["0", "2", "01", " 1", "", "1.0", "-1", "one", "9" * 400])
    def test_an_unknown_format(self, number: str, tiny: Path) -> None:
        found = json.loads(tiny.read_text("utf-8"))
        found["format"] = number
        del found["sha256"]
        found["sha256"] = checksum(found)
        tiny.write_text(canonical(found), "utf-8")
        assert codes(tiny) == ["R802"]
        (problem,) = load_snapshot(tiny).report
        assert problem.hint == "install a newer rulebook"
        assert len(problem.message) < 120

    def test_formatted_anew(self, tiny: Path) -> None:
        found = json.loads(tiny.read_text("utf-8"))
        for text in (json.dumps(found, indent=1), json.dumps(found), tiny.read_text().strip()):
            tiny.write_text(text, "utf-8")
            assert codes(tiny) == ["R801"]

    def test_a_place_of_another(self, tmp_path: Path) -> None:
        snapshot = snapshot_of(write_tiny(tmp_path))
        assert codes(put(tmp_path, snapshot, edition="1.1")) == ["R801"]
        assert codes(put(tmp_path, snapshot, ruleset="large")) == ["R801"]

    def test_too_large(self, tiny: Path) -> None:
        with tiny.open("wb") as file:
            file.truncate(LARGEST_RELEASE + 1)
        assert codes(tiny) == ["R102"]

    @pytest.mark.parametrize(
        ("make", "code"),
        [
            (lambda path: None, "R101"),
            (Path.mkdir, "R101"),
            (os.mkfifo, "R101"),
            (lambda path: path.symlink_to(SMALL_WARS / "kit.yaml"), "R114"),
        ],
        ids=["nothing", "a folder", "a pipe", "a link"],
    )
    def test_no_plain_file(self, make: Callable[[Path], None], code: str, tiny: Path) -> None:
        tiny.unlink()
        make(tiny)
        assert codes(tiny) == [code]


def forged(tiny: Path, change: Callable[[dict[str, Any]], None]) -> list[str]:
    """The faults of an edition that is changed by hand and sealed anew."""
    snapshot, _ = read_snapshot(tiny)
    content: dict[str, Any] = copy.deepcopy(snapshot.content)
    change(content)
    tiny.write_text(Snapshot("tiny", "1.0", content).text(), "utf-8")
    return codes(tiny)


class TestForged:
    """A right checksum over what no release has written."""

    @pytest.mark.parametrize(
        ("path", "value", "code"), beside(__file__, "what_the_model_refuses_is_told")
    )
    def test_what_the_model_refuses_is_told(
        self, path: str, value: Any, code: str, tiny: Path
    ) -> None:
        def change(content: dict[str, Any]) -> None:
            *way, last = path.split("/")
            for part in way:
                content = content[part]
            content[last] = value

        assert code in forged(tiny, change)

    @pytest.mark.parametrize("cover", as_written(__file__, "a_cover_that_cannot_be_printed"))
    def test_a_cover_that_cannot_be_printed(self, cover: Any, tiny: Path) -> None:
        def change(content: dict[str, Any]) -> None:
            content["header"]["cover"] = {"picture": "cover.svg", "alt": "Hills"}
            content["cover"] = cover

        assert forged(tiny, change)[0] in ("R801", "R217", "R203")

    def test_a_script_in_the_cover(self, tiny: Path) -> None:
        drawing = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 148 210"><script/></svg>'

        def change(content: dict[str, Any]) -> None:
            content["header"]["cover"] = {"picture": "cover.svg", "alt": "Hills"}
            content["cover"] = {"data": b64encode(drawing).decode(), "media": "image/svg+xml"}

        assert forged(tiny, change) == ["R218"]

    def test_more_values_than_any_ruleset_holds(self, tiny: Path) -> None:
        def change(content: dict[str, Any]) -> None:
            content["more"] = [""] * 200_000

        assert forged(tiny, change) == ["R102"]

    def test_the_place_of_a_fault_is_that_in_the_file(self, tmp_path: Path) -> None:
        snapshot = snapshot_of(SMALL_WARS)
        content: dict[str, Any] = copy.deepcopy(snapshot.content)
        cell = content["collections"]["tables"]["strengths"]["data"]["horse"]
        cell["move"]["note"] = "Or ten \u2013 \u00bd is torn. \u202e"
        cell["skill"] = "sometimes"
        content["header"]["accent"] = "red"
        path = put(tmp_path, Snapshot("small-wars", "1.0", content))
        text = path.read_text("utf-8")
        found = load_snapshot(path).report
        at = [text[one.span.column - 1 : one.span.end_column - 1] for one in found if one.span]
        assert '"sometimes"' in at and '"red"' in at
        assert any(words.startswith('"Or ten') for words in at)
        told = format_report(found)
        assert "sometimes" in told and max(map(len, told.splitlines())) < 300


# Every format in which editions were ever released is read for ever; until now there is one.

FROZEN = RELEASED / str(FORMAT)
FOLDERS = pytest.mark.parametrize("folder", [SMALL_WARS, SMALL_WARS_CM], ids=lambda one: one.name)


def fixture(folder: Path) -> Path:
    return FROZEN / folder.name / "releases" / "1.0.json"


@FOLDERS
def test_a_frozen_edition_says_what_its_folder_says(folder: Path) -> None:
    """Plain, and with each option in force: header, tables, words, units, cards and cutouts."""
    assert [path.name for path in RELEASED.iterdir() if path.name.isdigit()] == [str(FORMAT)]
    for options in ((), *((option,) for option in loaded(folder).options)):
        found = load_edition(fixture(folder), options)
        assert list(found.report.errors) == [] and found.ruleset is not None
        said, says = plain_ruleset(found.ruleset), plain_ruleset(loaded(folder, *options))
        assert says["collections"] == said["collections"]
        assert says["chapters"] == said["chapters"] and says["sections"] == said["sections"]
        assert found.ruleset.header == header_of_edition(loaded(folder).header)
        assert found.ruleset.cover == loaded(folder).cover is not None


@FOLDERS
def test_the_format_is_written_as_it_was(folder: Path) -> None:
    """Another spelling would give editions that were released another checksum."""
    assert snapshot_of(folder).text() == fixture(folder).read_text("utf-8")


def test_what_is_left_out_means_what_it_meant() -> None:
    """New fields may come. A default that changes needs a new format, and a reader of the old."""
    before = json.loads((FROZEN / "defaults.json").read_text("utf-8"))
    now = dict(defaults())
    assert before == {name: now.get(name, "gone") for name in before}


def defaults() -> Iterator[tuple[str, object]]:
    """`QrsSpec.sides` -> its default, of every field of a ruleset's models that has one."""
    waiting: list[type[BaseModel]] = list(BaseModel.__subclasses__())
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        if model.__module__.startswith("rulebook.model.") and "revisions" not in model.__module__:
            for name, field in model.model_fields.items():
                if not field.is_required():
                    default = field.get_default(call_default_factory=True)
                    yield f"{model.__name__}.{field.alias or name}", plain(default)
