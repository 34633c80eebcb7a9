"""Folders -> rulesets: which files are read, which stages run, and that all faults are told."""

import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from frozen import change

from rulebook.loading.folder import find_rulesets
from rulebook.loading.rulesets import load
from rulebook.problems import Report, Span, format_report
from rulebook.quantities import Length


def codes(report: Report) -> list[str]:
    return [problem.code for problem in report]


def test_find_rulesets(game: Path) -> None:
    content = game.parent
    for name in ("zulu", ".hidden", "armada", "notes"):
        (content / name).mkdir()
        if name != "notes":
            shutil.copy(game / "ruleset.yaml", content / name)
    (content / "file.yaml").write_text("")
    assert [folder.name for folder in find_rulesets(content)] == ["armada", "game", "zulu"]
    assert find_rulesets(content / "nowhere") == []


def test_the_ruleset(game: Path) -> None:
    loaded = load(game)
    assert loaded.report.ok
    assert loaded.files == 8
    ruleset = loaded.ruleset
    assert ruleset.id == "game"
    assert list(ruleset.tables) == ["musketry", "ranges", "round_shot", "results", "charges"]
    assert [(chapter.id, chapter.annex) for chapter in ruleset.chapters] == [
        ("shooting", False),
        ("fighting", False),
        ("night", True),
    ]
    musketry = ruleset.tables["musketry"]
    assert [str(cell) for cell in musketry.data[1]] == ["3", "4", "2", "3"]


def test_an_appendix_has_a_letter_and_no_rules(game: Path) -> None:
    change(game / "ruleset.yaml", "annexes:", "appendices:")
    ruleset = load(game).ruleset
    marks = [(one.id, one.annex, one.appendix) for one in ruleset.chapters]
    assert marks[1:] == [("fighting", False, False), ("night", True, True)]


def test_a_reference_takes_the_value_that_stands_elsewhere(game: Path) -> None:
    ruleset = load(game).ruleset
    cone = ruleset.cutouts["canister_cone"]
    assert cone.length == Length(Fraction(24), "in")
    place = ruleset.place("cutouts", "canister_cone", "length")
    assert place == Span((game / "shooting.yaml").as_posix(), 48, 13, 48, 32)


def test_places(game: Path) -> None:
    ruleset = load(game).ruleset
    path = (game / "shooting.yaml").as_posix()
    header = (game / "ruleset.yaml").as_posix()
    assert ruleset.place("tables", "musketry") == Span(path, 2, 3, 2, 11)
    assert ruleset.place("tables", "musketry", "title") == Span(path, 3, 12, 3, 20)
    assert ruleset.place("tables", "musketry", "data", 1, 2) == Span(path, 12, 16, 12, 17)
    assert ruleset.place("header", "title") == Span(header, 1, 8, 1, 24)
    assert ruleset.place("tables", "musketry", "nowhere", 5) == Span(path, 2, 3, 2, 11)
    assert ruleset.place("nowhere") is None


def test_sub_folders_are_read_and_some_files_are_not(game: Path) -> None:
    for name in ("releases", ".schema", "topics/night", "topics/releases"):
        (game / name).mkdir(parents=True)
    for name in ("releases/1.0.yaml", ".schema/x.yaml", ".draft.md", "revisions.yaml", "map.png"):
        (game / name).write_text("{{{")
    (game / "annex.md").rename(game / "topics/night/annex.md")
    (game / "topics/releases/terms.yaml").write_text("terms: {night: {title: Night}}")
    change(game / "ruleset.yaml", "- annex.md", "- topics/night/annex.md")
    loaded = load(game)
    assert format_report(loaded.report) == ""
    assert "night" in loaded.ruleset.terms
    assert loaded.ruleset.chapters[2].file == "topics/night/annex.md"


def test_the_order_of_files_means_nothing_but_to_units_and_cards(game: Path) -> None:
    units = "units: {%s: {title: Men, kind: infantry}}"
    (game / "a.yaml").write_text("terms: {zeal: {title: Units}}\n" + units % "zouaves")
    (game / "z.yaml").write_text("terms: {awe: {title: Figures}}\n" + units % "cavalry")
    ruleset = load(game).ruleset
    assert list(ruleset.terms) == ["awe", "volley", "zeal"]
    assert list(ruleset.units) == ["zouaves", "cavalry"]


def test_a_path_is_shown_as_it_was_given(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (game / "extra.yaml").write_text("a: *b")
    monkeypatch.chdir(game.parent)
    assert [str(problem.span) for problem in load(Path("game")).report] == ["game/extra.yaml:1:4"]
    monkeypatch.chdir(game)
    assert [str(problem.span) for problem in load(Path()).report] == ["extra.yaml:1:4"]


@pytest.mark.parametrize("name", ["Game", "my game", "game_2", "-game", "spiel-größe"])
def test_names_that_a_folder_cannot_have(game: Path, name: str) -> None:
    folder = game.rename(game.parent / name)
    assert codes(load(folder).report) == ["R115"]


def test_no_such_folder(tmp_path: Path) -> None:
    loaded = load(tmp_path / "nowhere")
    assert (loaded.ruleset, loaded.files, codes(loaded.report)) == (None, 0, ["R101"])


def test_faults_of_all_files_are_told_stage_by_stage(game: Path) -> None:
    extra, annex = game / "extra.yaml", game / "annex.md"
    extra.write_text("terms: {a: *b}")
    annex.write_text("# Night <b>\n\n### Deep\n\n{rule: nowhere}\n")
    (game / "more.yaml").write_text("tables: {a: [1}")
    assert codes(load(game).report) == ["R107", "R106"]

    extra.write_text("terms: {a: {titel: b}}\ncutouts: [1]")
    (game / "more.yaml").write_text("tables: {b: {title: =nothing.at.all}}")
    assert codes(load(game).report) == ["R113", "R209", "R201", "R203", *["R202"] * 3, "R301"]

    extra.unlink()
    (game / "more.yaml").unlink()
    annex.write_text("# Night\n\n{rule: nowhere} and {nothing.title}\n\n{table: none}\n")
    assert codes(load(game).report) == ["R304", "R301", "R301"]


def test_a_slip_in_the_header_hides_no_fault_elsewhere(game: Path) -> None:
    header = game / "ruleset.yaml"
    header.write_text(header.read_text().replace("edition:", "editoin:"))
    (game / "extra.yaml").write_text("terms: {a: {titel: b}}")
    (game / "annex.md").write_text("# A\n### B\n")
    assert codes(load(game).report) == ["R209", "R201", "R201"]
    header.write_text("- title")
    assert codes(load(game).report) == ["R209", "R201", "R203"]


def test_jinja_is_text(game: Path) -> None:
    text = (game / "shooting.yaml").read_text()
    evil = "{{ ''.__class__ }} {% for x in y %}"
    (game / "shooting.yaml").write_text(text.replace("title: Musketry\n", f'title: "{evil}"\n'))
    (game / "annex.md").write_text(f"# Night {{#night}}\n\n{evil} [musketry](#musketry)\n")
    loaded = load(game)
    assert format_report(loaded.report) == ""
    assert loaded.ruleset.tables["musketry"].title == evil.replace("''", "‘’")


def test_bindings_in_the_note_of_a_single_cell_have_their_place(game: Path) -> None:
    (game / "extra.yaml").write_text(
        "tables:\n  moves:\n    title: Moves\n    rows: {troops: [foot]}\n    cells: length\n"
        "    data:\n      - value: 6in\n        status: read\n        note: >\n"
        "          As far as\n          {nothing.title} goes.\n"
    )
    (problem,) = load(game).report
    assert str(problem.span).endswith("extra.yaml:11:12")
