"""Options laid over a ruleset: added, changed, removed; chosen by name; with their places."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from beside import beside
from frozen import SMALL_WARS, change, freeze, loaded

from rulebook.documents.booklet.compose import compose_booklet
from rulebook.documents.catalogue import identity_of
from rulebook.loading.options import IN_FORCE
from rulebook.loading.rulesets import find_options, load
from rulebook.loading.snapshots import load_snapshot
from rulebook.model.lookup import LookupFault, find, printed
from rulebook.model.prose import Block, Section, Text
from rulebook.model.ruleset import Ruleset


def told(game: Path, *options: str) -> list[str]:
    return [problem.code for problem in load(game, options).report]


def option(game: Path, name: str, text: str) -> None:
    (game / "options" / f"{name}.yaml").write_text(f"title: {name}\n{text}")


def alone(game: Path) -> None:
    """The option of the game no longer removes the term that a test would change."""
    file = game / "options" / "moonlight.yaml"
    file.write_text(file.read_text().partition("removes:")[0])


def test_a_chosen_option_adds_changes_and_removes(game: Path) -> None:
    plain, ruleset = loaded(game), loaded(game, "moonlight")
    assert (plain.chosen, ruleset.chosen) == ((), ("moonlight",))
    assert {name: each.title for name, each in plain.options.items()} == {
        "moonlight": "Fire by moonlight"
    }
    assert ruleset.tables.keys() - plain.tables.keys() == {"moonlit_ranges"}
    assert "volley" not in ruleset.terms
    volley, before = ruleset.procedures["musket_volley"], plain.procedures["musket_volley"]
    assert before.title == "A volley of musketry"
    assert volley.title == "A volley by moonlight"
    assert volley.inputs == before.inputs
    assert volley.steps[0] == before.steps[0]
    assert volley.steps[1].say == before.steps[1].say
    assert str((volley.steps[1].sum or {})["casualties"]) == "max(0, die - deduction - 1)"


def test_rows_stand_in_the_order_of_the_option(game: Path) -> None:
    back = "changes: {tables: {ranges: {data: {musket: {title: Musket, short: 8in, long: 24in}}}}}"
    option(game, "longer", f"removes: {{tables: {{ranges: {{data: [musket]}}}}}}\n{back}\n")
    assert list(loaded(game).tables["ranges"].data) == ["musket", "pistol"]
    assert list(loaded(game, "longer").tables["ranges"].data) == ["pistol", "musket"]


def test_parts_stand_where_they_were_written(game: Path) -> None:
    ruleset = loaded(game, "moonlight")
    file = (game / "options" / "moonlight.yaml").as_posix()
    changed = ruleset.place("procedures", "musket_volley", "steps", 1, "sum", "casualties")
    left = ruleset.place("procedures", "musket_volley", "steps", 1, "say")
    assert changed.path == file
    assert left.path == (game / "volleys.yaml").as_posix()
    rule = ruleset.place("options", "moonlight", "rule")
    assert (rule.path, rule.line) == (file, 2)


@pytest.mark.parametrize("name", ["new-moon", "new_moon", " new-moon "])
def test_hyphen_and_underscore_are_one(game: Path, name: str) -> None:
    option(game, "new-moon", "removes: {terms: [volley]}")
    assert find_options(game) == ["moonlight", "new_moon"]
    assert loaded(game, name).chosen == ("new_moon",)


def test_options_are_chosen_in_one_order_whatever_that_of_the_names(game: Path) -> None:
    option(game, "drill", "changes: {tables: {ranges: {title: Reach}}}")
    one, other = loaded(game, "moonlight", "drill", "drill"), loaded(game, "drill", "moonlight")
    assert one.chosen == other.chosen == ("drill", "moonlight")
    assert one == other


def test_an_unknown_option_is_told_with_the_choices(game: Path) -> None:
    (problem,) = load(game, ["moonlite"]).report
    assert (problem.code, problem.expected, problem.hint) == (
        "R310",
        "moonlight",
        "write 'moonlight'",
    )


def test_a_ruleset_without_options(game: Path) -> None:
    (game / "options" / "moonlight.yaml").unlink()
    (game / "volleys.yaml").write_text("terms: {}\n")
    (game / "annex.md").write_text("# Night {#night}\n\nNone.\n")
    assert find_options(game) == []
    (problem,) = load(game, ["moonlight"]).report
    assert problem.expected == "no options: there is no file in options/"


LAID_OVER = beside(__file__, "laid_over")


def told_of(ruleset: Ruleset, path: str) -> str:
    try:
        return printed(find(ruleset, path))
    except LookupFault:
        return "gone"


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("case", LAID_OVER.values(), ids=LAID_OVER)
def test_laid_over(game: Path, case: dict[str, Any], keyed: bool) -> None:
    alone(game)
    if keyed:
        TestGrids.by_keys(game)
    for name, text in case["options"].items():
        option(game, name, text)
    found = load(game, case.get("chosen", [*case["options"]]))
    assert [problem.code for problem in found.report] == case.get("codes", [])
    if found.ruleset:
        assert {path: told_of(found.ruleset, path) for path in case["told"]} == case["told"]


class TestChanges:
    def test_steps_may_be_removed_and_replaced_inside_repetitions(self, game: Path) -> None:
        (game / "more.yaml").write_text(
            "procedures:\n  hail:\n    title: Hail\n    steps:\n"
            "      - repeat:\n"
            "          - {id: stone, roll: {die: d6}}\n"
            "          - {id: aside, say: It hails.}\n"
            "        id: shower\n        times: 3\n        sum: {hits: die}\n"
            "    result: {hits: hits}\n"
        )
        option(
            game,
            "storm",
            "changes: {procedures: {hail: {steps: {shower: {times: 4, repeat: "
            "{stone: {roll: {die: d8}}}}}}}}\n"
            "removes: {procedures: {hail: {steps: {shower: {repeat: [aside]}}}}}\n",
        )
        (step,) = loaded(game, "storm").procedures["hail"].steps
        assert str(step.times) == "4"
        assert [str(thrown) for one in step.repeat for thrown in (one.roll or {}).values()] == [
            "d8"
        ]


class TestGrids:
    """One cell of a grid by its keys, whether its data stands in lists or by keys."""

    @staticmethod
    def cells(ruleset: Ruleset) -> list[list[str]]:
        table = ruleset.tables["musketry"]
        return [[str(cell) for cell in row] for row in table.data]

    @staticmethod
    def by_keys(game: Path) -> None:
        """The same table, its data written by keys."""
        change(game / "shooting.yaml", *beside(__file__, "by_keys"))

    def test_data_by_keys_is_the_same(self, game: Path) -> None:
        lists = loaded(game)
        self.by_keys(game)
        assert loaded(game) == lists

    @pytest.mark.parametrize("keyed", [False, True])
    def test_one_cell(self, game: Path, keyed: bool) -> None:
        before = self.cells(loaded(game))
        if keyed:
            self.by_keys(game)
        change = "{musketry: {data: {8-16in: {'first, cover': 6}}}}"
        option(game, "rain", f"changes: {{tables: {change}}}")
        ruleset = loaded(game, "rain")
        before[1][3] = "6"
        assert self.cells(ruleset) == before
        place = ruleset.place("tables", "musketry", "data", 1, 3)
        assert place.path.endswith("rain.yaml")
        other = ruleset.place("tables", "musketry", "data", 2, 3)
        assert other.path.endswith("shooting.yaml")

    @pytest.mark.parametrize(
        "data", ["{8-16: {'first, cover': 6}}", "{8-16in: {first: 6}}", "{8-16in: 6}"]
    )
    def test_keys_that_are_none(self, game: Path, data: str) -> None:
        option(game, "rain", f"changes: {{tables: {{musketry: {{data: {data}}}}}}}")
        (problem,) = load(game, ["rain"]).report
        assert problem.code in ("R203", "R204")
        assert problem.span.path.endswith("rain.yaml")


class TestVariants:
    def test_any_ruleset_gives_the_others(self, game: Path) -> None:
        plain, moonlit = loaded(game), loaded(game, "moonlight")
        assert plain.with_options(["moonlight"]).ruleset == moonlit
        assert moonlit.with_options([]).ruleset == plain
        assert plain.with_options([]).ruleset is plain
        assert plain.with_options(["moonlight"]) is plain.with_options(["moonlight"])

    def test_an_unknown_one_is_a_slip_of_the_program(self, game: Path) -> None:
        with pytest.raises(KeyError):
            loaded(game).with_options(["rain"])

    def test_a_faulty_one_costs_the_others_nothing(self, game: Path) -> None:
        option(game, "broken", "changes: {tables: {ranges: {titel: Shot}}}")
        variant = loaded(game).with_options(["broken"])
        assert variant.ruleset is None
        assert [problem.code for problem in variant.problems] == ["R201"]
        assert loaded(game, "moonlight").chosen == ("moonlight",)

    def test_what_an_option_adds_prints_below_its_rule(self, game: Path) -> None:
        def blocks(ruleset: Ruleset) -> list[str]:
            (night,) = (one for one in ruleset.chapters if one.id == "night")
            return [part.target for part in night.sections[0].parts if isinstance(part, Block)]

        assert blocks(loaded(game)) == ["two_volleys"]
        assert blocks(loaded(game, "moonlight")) == ["two_volleys", "moonlit_ranges"]


class TestHostile:
    @pytest.mark.parametrize(("text", "code"), beside(__file__, "shapes"))
    def test_shapes(self, game: Path, text: str, code: str) -> None:
        alone(game)
        (game / "options" / "rain.yaml").write_text(text)
        assert told(game, "rain") == [code]

    def test_folders_inside_are_options_too(self, game: Path) -> None:
        (game / "options" / "weather").mkdir()
        option(game, "weather/rain", "removes: {terms: [volley]}")
        assert find_options(game) == ["moonlight", "rain"]
        assert loaded(game, "rain").chosen == ("rain",)


# Options in force: their rules stand once, where the rules are that they change.


def sections(folder: Path, *options: str) -> dict[str, list[Section]]:
    """The sections of each chapter by its file."""
    return {chapter.file: list(chapter.sections) for chapter in loaded(folder, *options).chapters}


def words(section: Section) -> str:
    return "\n".join(part.markdown for part in section.parts if isinstance(part, Text))


def test_the_rule_of_an_option_stands_behind_what_it_changes() -> None:
    plain, chosen = sections(SMALL_WARS), sections(SMALL_WARS, "moonlight")
    assert [one.id for one in plain["annex.md"]] == ["night", "moonlight"]
    assert [one.id for one in chosen["annex.md"]] == ["night"]
    (moved,) = [one for one in chosen["shooting.md"] if one.id == "moonlight"]
    assert words(moved) == f"{IN_FORCE} By moonlight the wall counts for nothing."
    assert IN_FORCE not in words(plain["annex.md"][1])


def test_the_annex_goes_when_only_its_opening_is_left(tmp_path: Path) -> None:
    """An opening that holds a value, and so a rule, stays."""
    folder = tmp_path / SMALL_WARS.name
    shutil.copytree(SMALL_WARS, folder)
    annex = folder / "annex.md"
    before = "By night nobody shoots beyond {to_hit[6-12in, open]} or more."
    assert before in annex.read_text("utf-8")
    annex.write_text(annex.read_text("utf-8").replace(before, "If both agree."), "utf-8")
    assert "annex.md" in sections(folder)
    assert "annex.md" not in sections(folder, "moonlight")


def test_one_rule_of_two_options_is_told_once(tmp_path: Path) -> None:
    folder = tmp_path / SMALL_WARS.name
    shutil.copytree(SMALL_WARS, folder)
    other = "title: Starlight\nrule: moonlight\nchanges: {terms: {barrel: {title: tube}}}\n"
    other = other.replace("barrel", next(iter(loaded(folder).terms)))
    (folder / "options" / "starlight.yaml").write_text(other)
    chosen = sections(folder, "moonlight", "starlight")
    told = [words(one) for listed in chosen.values() for one in listed if one.id == "moonlight"]
    assert told == [f"{IN_FORCE} By moonlight the wall counts for nothing."]


# The chapter of an optional rule shows what the rule brings along, though it is not in force.

ANNEX = beside(__file__, "annex")
PROCEDURE = beside(__file__, "procedure")


def with_chapter(game: Path) -> Path:
    annex = game / "annex.md"
    annex.write_text(annex.read_text() + ANNEX)
    change(game / "options" / "moonlight.yaml", "adds:\n", PROCEDURE)
    return game


def told_section(ruleset: Ruleset) -> str:
    """All that the view of the booklet holds of the section."""
    view = compose_booklet(ruleset, identity_of(ruleset), "a5", {}, {})
    sections = (section for chapter in view.chapters for section in chapter.sections)
    return str(next(section for section in sections if section.id == "night_volley"))


def test_its_tables_steps_and_values_print_there(game: Path) -> None:
    with_chapter(game)
    plain, in_force = loaded(game), loaded(game, "moonlight")
    assert "night_fire" not in plain.procedures
    for ruleset in (plain, in_force):
        section = told_section(ruleset)
        assert "Muskets reach 8″ by night and 24″ by day" in section
        assert "At 8″ throw a die" in section
        assert "Ranges by moonlight" in section


def test_a_release_prints_the_same(game: Path) -> None:
    again = load_snapshot(freeze(with_chapter(game))).ruleset
    assert told_section(again) == told_section(loaded(game))


def test_only_there(game: Path) -> None:
    with_chapter(game)
    fighting = game / "fighting.md"
    fighting.write_text(fighting.read_text() + "\n{steps: night_fire}\n")
    (problem,) = load(game).report
    assert (problem.code, "the option 'moonlight' adds it" in problem.hint) == ("R301", True)
    assert load(game, ["moonlight"]).ruleset is not None
