"""What is marked as changed: rules and what tells them; nothing that is only editorial."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from beside import as_written, beside
from composed import compose
from hypothesis import given
from hypothesis import strategies as st
from small_rulesets import ruleset_of

from rulebook.core.compute import compute
from rulebook.documents import before as module
from rulebook.documents.before import Before, find_before
from rulebook.documents.booklet.views import BookletView, SectionView
from rulebook.documents.changes.described import word_runs
from rulebook.documents.parts.views import BodyRow, TableView
from rulebook.loading.folder import find_releases
from rulebook.loading.rulesets import load
from rulebook.loading.snapshots import Snapshot
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.revisions import EditionNotes
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import content_folder
from rulebook.revisions.revised import revised

MOVES = as_written(__file__, "moves")
PHASES = as_written(__file__, "phases")
CHAPTER = beside(__file__, "chapter")


def edition(
    number: str, chapter: str = CHAPTER, moves: Mapping[str, Any] = MOVES, **collections: Any
) -> Ruleset:
    tables = {"moves": dict(moves)}
    return ruleset_of(
        {"tables": tables, "sequence": PHASES, **collections}, chapter, edition=number
    )


def with_cell(row: str, **cells: str) -> dict[str, Any]:
    data: dict[str, Any] = MOVES["data"]  # type: ignore[assignment]
    return {**MOVES, "data": {**data, row: {**data[row], **cells}}}


def booklet(
    old: Ruleset, new: Ruleset, class_: str = "rule change", *of: str, kind: str = "booklet-a5"
) -> Any:
    """The view of the booklet of a new edition; the changes `of` these places have a class."""
    change = {"title": "A change", "of": of, "class": class_, "why": "Because."}
    notes = EditionNotes.model_validate({"changes": [change] if of else []})
    before = Before(old, compute(old), revised(plain_ruleset(old), plain_ruleset(new), notes))
    return next(one for one in compose(new, None, before) if one.name == kind).view


def section(view: BookletView, name: str) -> SectionView:
    found = (one for chapter in view.chapters for one in chapter.sections)
    return next(one for one in found if one.id == name)


def parts(view: BookletView, name: str, kind: str) -> list[Any]:
    return [one for one in section(view, name).parts if one.kind == kind]


def moving(view: BookletView) -> tuple[Any, Any]:
    """The text and the table of the section on moving."""
    (text,), (table,) = parts(view, "moving", "text"), parts(view, "moving", "table")
    return text, table.table


def were(row: BodyRow) -> list[str | None]:
    return [cell.was for cell in row.cells]


def is_marked(table: TableView) -> bool:
    return table.new or any(row.changed for row in table.body)


def test_nothing_changed_nothing_is_marked() -> None:
    """And nobody is told of bars that stand nowhere."""
    view = booklet(edition("1.0"), edition("1.1"))
    text, table = moving(view)
    assert view.since is None and text.was is None and not is_marked(table)
    assert section(view, "moving").was is None and not section(view, "moving").gone


def test_a_cell_and_the_sentence_that_binds_it() -> None:
    new = edition("1.1", moves=with_cell("foot", far="8in"))
    view = booklet(edition("1.0"), new, "rule change", "moves.foot.far")
    assert (view.since.edition, view.since.before) == ("1.1", "1.0")
    text, table = moving(view)
    foot, horse = table.body
    assert were(foot) == ["6″", None] and foot.was is None and not foot.new
    assert not horse.changed
    assert text.was.startswith("Foot moves 6″") and "8″" in text.markdown


@pytest.mark.parametrize("class_", ["clarification", "editorial", ""])
def test_what_is_editorial_leaves_no_mark(class_: str) -> None:
    """What has no class yet is marked."""
    new = edition("1.1", moves=with_cell("foot", far="8in"))
    view = booklet(edition("1.0"), new, class_, *["moves.foot.far"] * bool(class_))
    text, table = moving(view)
    assert is_marked(table) == (text.was is not None) == (class_ != "editorial")


def test_editorial_words_with_a_value_that_changed() -> None:
    """The words are those of the new edition, the value in them that of the old one."""
    chapter = CHAPTER.replace("Foot moves", "On foot one marches")
    new = edition("1.1", chapter, moves=with_cell("foot", far="8in"))
    text, _ = moving(booklet(edition("1.0"), new, "editorial", "#moving"))
    assert text.was.startswith("On foot one marches 6″")


def test_a_number_of_a_rule_that_moved_is_no_change() -> None:
    chapter = CHAPTER.replace("## Moving", "## Order {#order}\n\nIn turns.\n\n## Moving")
    view = booklet(edition("1.0"), edition("1.1", chapter), "rule change", "#order")
    (text,) = parts(view, "moving", "text")
    assert "1.3 Firing" in text.markdown and text.was is None
    order = section(view, "order")
    assert order.was == "" and order.parts[0].was == ""


def test_a_heading_and_what_is_gone() -> None:
    chapter = CHAPTER.replace("## Firing", "## Shooting").replace("\n{table: moves}\n", "")
    old = edition("1.0")
    view = booklet(old, edition("1.1", chapter), "rule change", "#firing", "#moving")
    assert section(view, "firing").was == "Firing"
    assert [one.text for one in section(view, "moving").gone] == ["Table: Moves"]
    view = booklet(old, edition("1.1", chapter), "editorial", "#firing", "#moving")
    assert section(view, "firing").was is None and not section(view, "moving").gone


def test_rows_and_columns_that_came_and_went() -> None:
    moves = {
        **MOVES,
        "fields": {"far": "length", "guns": "count"},
        "data": {"foot": {"far": "6in", "guns": "1"}, "gun": {"far": "3in", "guns": "2"}},
    }
    new = edition("1.1", moves=moves)
    table = moving(booklet(edition("1.0"), new, "rule change", "moves"))[1]
    assert [row.new for row in table.body] == [False, True]
    assert were(table.body[0]) == [None, ""], "a new column has nothing that was there"
    assert [(row.label, row.cells, row.at) for row in table.gone] == [("Horse", ("12″", ""), 1)]
    assert table.gone_columns == ("Men",)


def test_lines_of_the_sheet() -> None:
    new = edition("1.1", moves=with_cell("foot", far="8in"))
    view = booklet(edition("1.0"), new, "rule change", "moves.foot.far", kind="qrs-a4")
    (panel,) = view.phases[0].panels
    assert panel.marks.was == ("Foot 6″.",) and not panel.new
    phases = {"fire": {**PHASES["fire"], "steps": {"aim": PHASES["fire"]["steps"]["move"]}}}  # type: ignore[index]
    view = booklet(edition("1.0"), edition("1.1", sequence=phases), kind="qrs-a4")
    (panel,) = view.phases[0].panels
    assert panel.new or panel.marks is None, "a panel under another name is known again"


def test_marks_may_be_left_out() -> None:
    new = edition("1.1", moves=with_cell("foot", far="8in"))
    documents = new.header.documents.model_copy(update={"marks": False})
    header = new.header.model_copy(update={"documents": documents})
    bare = Ruleset(new.id, header, new.collections, new.chapters)
    view = booklet(edition("1.0"), bare, "rule change", "moves.foot.far")
    assert view.since is None


def released(folder: Path, *editions: Ruleset) -> Path:
    """A folder with these editions released, of which the last is the working copy too."""
    releases = folder / "small" / "releases"
    releases.mkdir(parents=True)
    for one in editions[:-1]:
        snapshot = Snapshot("small", one.header.edition, plain_ruleset(one))
        (releases / f"{one.header.edition}.json").write_text(snapshot.text(), "utf-8")
    return folder / "small"


@pytest.mark.parametrize(("named", "found"), [("", "1.9"), ("1.0", "1.0")])
def test_the_edition_before_is_the_last_with_a_lower_number(
    tmp_path: Path, named: str, found: str
) -> None:
    """Or the one that its author names."""
    new = edition("1.10")
    folder = released(tmp_path, edition("1.0"), edition("1.9"), edition("2.0"), new)
    if named:
        notes = f'editions:\n  "1.10":\n    after: "{named}"\n'
        (folder / "revisions.yaml").write_text(notes, "utf-8")
    before, problems = find_before(folder, new)
    assert before is not None and not problems
    assert before.ruleset.header.edition == found


def test_a_first_edition_has_none_before_it(tmp_path: Path) -> None:
    new = edition("1.0")
    assert find_before(released(tmp_path, new), new) == (None, [])
    assert find_before(released(tmp_path / "other", edition("2.0"), new), new) == (None, [])


def test_faults_of_what_tells_of_it_are_told(tmp_path: Path) -> None:
    new = edition("1.1")
    folder = released(tmp_path, edition("1.0"), new)
    (folder / "revisions.yaml").write_text("editions: [", "utf-8")
    before, problems = find_before(folder, new)
    assert before is None and problems[0].span is not None
    assert problems[0].span.path.endswith("revisions.yaml")
    (folder / "revisions.yaml").unlink()
    (folder / "releases" / "1.0.json").write_text("{}", "utf-8")
    before, problems = find_before(folder, new)
    assert before is None and [one.code for one in problems] == ["R801"]


def test_who_acts_and_what_is_repeated_are_marked() -> None:
    """On the sheet as lines of their own, and where a chapter tells the turn as steps."""
    chapter = f"{CHAPTER}\n\n{{steps: sequence}}\n"
    fire: Any = PHASES["fire"]
    old = edition("1.0", chapter, sequence={"fire": {**fire, "by": "active"}})
    again = {"fire": {**fire, "by": "alternating", "repeat": {"each": "unit"}}}
    new = edition("1.1", chapter, sequence=again)
    (panel,) = booklet(old, new, "rule change", "fire", kind="qrs-a4").phases[0].panels
    assert [was is not None for was in panel.marks.was] == [True, True, False]
    view = booklet(old, new, "rule change", "fire")
    (told,) = [
        part
        for chapter in view.chapters
        for one in chapter.sections
        for part in one.parts
        if part.kind == "steps"
    ]
    assert [was is not None for was in told.marks.was] == [True]
    assert booklet(old, old, kind="qrs-a4").phases[0].panels[0].marks is None


# The edition before, as it is asked for again and again while a watch goes on.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ruleset that was released, with its number before it."""
    source = next(path for path in content_folder().iterdir() if len(find_releases(path)) > 1)
    return Path(shutil.copytree(source, tmp_path / source.name))


def ruleset(folder: Path) -> Ruleset:
    found = load(folder).ruleset
    assert found is not None
    return found


def test_it_is_computed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, problems = find_before(folder, ruleset(folder))
    assert first is not None and not problems

    def computed(_: Ruleset) -> None:
        raise AssertionError("the edition before is computed again")

    monkeypatch.setattr(module, "compute", computed)
    again, _ = find_before(folder, ruleset(folder))
    assert again is not None and again.computed is first.computed


def test_a_file_that_changes_is_read_anew(folder: Path) -> None:
    now = ruleset(folder)
    first, _ = find_before(folder, now)
    path = find_releases(folder)[first.ruleset.header.edition]
    data = path.read_bytes()
    for _ in range(2):
        path.write_bytes(data.replace(b"the", b"teh", 1))
        gone, problems = find_before(folder, now)
        assert gone is None
        assert [problem.code for problem in problems] == ["R801"]
        path.write_bytes(data)
        found, problems = find_before(folder, now)
        assert found is not None and not problems
        assert found.revised == first.revised


# Texts of two editions as one run of words: whichever words they hold, both come out again.

WORDS = st.lists(
    st.sampled_from(["a", "die", "of", "6″", "\n", "  ", ",", "kills.", "Grant’s", "(4.2)", "½"])
).map(" ".join)


def shown(before: str, after: str) -> str:
    marks = {"kept": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
    return "".join(marks[run.kind].format(run.text) for run in word_runs(before, after))


@given(WORDS | st.text(max_size=60), WORDS | st.text(max_size=60))
def test_both_texts_come_out_again(before: str, after: str) -> None:
    runs = word_runs(before, after)
    assert "".join(run.text for run in runs if run.kind != "inserted") == before
    assert "".join(run.text for run in runs if run.kind != "deleted") == after
    assert all(run.text for run in runs)


@pytest.mark.parametrize(("before", "after", "told"), beside(__file__, "words_and_not_letters"))
def test_words_and_not_letters(before: str, after: str, told: str) -> None:
    assert shown(before, after) == told
