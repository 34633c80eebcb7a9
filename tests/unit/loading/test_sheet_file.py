"""A page of notes as a ruleset: what becomes of its lines, and what is refused."""

import re
from pathlib import Path

import pytest
from beside import beside

from rulebook.checking.all_checks import check
from rulebook.core.compute import compute
from rulebook.documents.qrs.compose import compose_phases
from rulebook.loading.editions import edition_of
from rulebook.loading.folder import find_rulesets, sources_digest
from rulebook.loading.rulesets import load
from rulebook.loading.sheet_file import printed, type_of
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import templates_folder

STARTER = templates_folder() / "starter" / "sheet" / "sheet.md"


def sheet(folder: Path, text: str, name: str = "thursday") -> Ruleset:
    (folder / f"{name}.md").write_text(text, "utf-8")
    loaded = load(folder / name)
    assert loaded.ruleset is not None, list(loaded.report)
    assert [*check(loaded.ruleset, compute(loaded.ruleset))] == []
    return loaded.ruleset


def shown(ruleset: Ruleset) -> list[str]:
    """All that stands on the sheet, in its order, as Markdown."""
    found: list[str] = []
    for phase in compose_phases(ruleset, lambda *_: ""):
        found.append(phase.title)
        for panel in phase.panels:
            found += [panel.title, *panel.say]
            for table in panel.tables:
                found += [table.title] if table.title != panel.called else []
                found += [*table.stub_heads, *(cell.text for row in table.head for cell in row)]
                for row in table.body:
                    found += [cell.text for cell in (*row.labels, *row.cells)]
                found += table.notes
    return found


def words(texts: str) -> list[str]:
    return re.findall(r"\w+", texts.replace("½", "1/2"))


@pytest.mark.parametrize(("cells", "kind"), beside(__file__, "a_column_has_the_type_of_its_cells"))
def test_a_column_has_the_type_of_its_cells(cells, kind):
    assert type_of(cells) == kind


@pytest.mark.parametrize(("typed", "expected"), beside(__file__, "signs_of_sentences"))
def test_signs_of_sentences(typed, expected):
    assert printed(typed) == expected


@pytest.mark.parametrize(("page", "expected"), beside(__file__, "what_becomes_of_lines"))
def test_what_becomes_of_lines(tmp_path, page, expected):
    assert [text for text in shown(sheet(tmp_path, page)) if text] == expected


def test_no_word_of_the_starter_is_lost_and_none_moves(tmp_path):
    ruleset = sheet(tmp_path, STARTER.read_text("utf-8"))
    typed = re.sub(r"(?s)^---.*?---|<!--.*?-->", "", STARTER.read_text("utf-8"))
    assert words(" ".join(shown(ruleset)).lower()) == words(typed.lower())
    types = {name: [str(t) for t in table.types.values()] for name, table in ruleset.tables.items()}
    assert types == {
        "terrain": ["length"] * 3,
        "fire": ["target"] * 2,
        "modifiers": ["modifier"],
        "morale": ["text"],
    }


def test_the_same_page_has_the_same_ids_whatever_comes_below(tmp_path):
    table = "| a | b |\n|--|--|\n| x | 1 |\n| x | 2 |\n"
    before = sheet(tmp_path, f"# Fire\n{table}")
    after = sheet(tmp_path, f"# Fire\n{table}| y | 3 |\n# Fire\n{table}")
    assert [*before.tables["fire"].data] == ["x", "x_2"]
    assert [*after.tables] == ["fire", "fire_2"]
    assert [*after.tables["fire"].data][:2] == ["x", "x_2"]


def test_a_file_by_itself_is_what_it_is_in_a_folder(tmp_path):
    text = "---\ntitle: A game\nedition: 3\ncolumns: 2\n---\n- one\n"
    alone = sheet(tmp_path, text)
    digest = sources_digest(tmp_path / "thursday")
    (tmp_path / "thursday.md").write_text(text.replace("one", "two"))
    assert sources_digest(tmp_path / "thursday") not in (None, digest)
    (tmp_path / "thursday.md").unlink()
    folder = tmp_path / "thursday"
    folder.mkdir()
    (folder / "sheet.md").write_text(text)
    inside = load(folder).ruleset
    assert (inside.id, inside.header, inside.collections) == (
        alone.id,
        alone.header,
        alone.collections,
    )
    assert inside.header.documents.qrs.columns == 2
    assert find_rulesets(tmp_path) == [folder] and edition_of(folder) == "3"


def test_a_table_may_stand_in_yaml(tmp_path):
    folder = tmp_path / "thursday"
    folder.mkdir()
    (folder / "sheet.md").write_text("# Fire\n- roll\n\n{table: fire}\n")
    (folder / "fire.yaml").write_text(
        "tables:\n  fire: {title: Fire, fields: {needs: target}, data: {rifle: {needs: 4+}}}\n"
    )
    ruleset = load(folder).ruleset
    assert shown(ruleset) == ["Fire", "", "roll", "", "Needs", "Rifle", "4+"]


@pytest.mark.parametrize(("page", "faults"), beside(__file__, "faults_have_their_lines"))
def test_faults_have_their_lines(tmp_path, page, faults):
    (tmp_path / "thursday.md").write_text(page)
    loaded = load(tmp_path / "thursday")
    found = [*loaded.report, *(check(loaded.ruleset) if loaded.ruleset else ())]
    assert [f"{one.code} {one.span.line}:{one.span.column}" for one in found] == faults


def test_a_reminder_may_say_what_a_table_says(tmp_path):
    page = '# Move\n- Foot 6", on roads 9".\n\n| | Open | Road |\n|-|-|-|\n| Foot | 6" | 9" |\n'
    assert shown(sheet(tmp_path, page))[:3] == ["Move", "", "Foot 6″, on roads 9″."]
