"""A variant laid over the ruleset that it is based on: by id, with its places, and what differs."""

from pathlib import Path

import pytest
from frozen import change, freeze, loaded

from rulebook.loading.editions import load_edition, options_of
from rulebook.loading.rulesets import load
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.prose import Text


@pytest.fixture
def mud(game: Path) -> Path:
    """The folder of a variant of the game that changes nothing yet."""
    folder = game.parent / "mud"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text('title: Powder and Mud\nedition: "0.1"\nbased_on: game\n')
    return folder


def told(folder: Path, *options: str) -> list[str]:
    return [problem.code for problem in load(folder, options).report]


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text)


def header(folder: Path, more: str) -> None:
    file = folder / "ruleset.yaml"
    file.write_text(file.read_text() + more)


class TestNothingChanged:
    def test_it_says_what_its_base_says(self, game: Path, mud: Path) -> None:
        base, variant = loaded(game), loaded(mud)
        assert variant.collections == base.collections
        assert variant.chapters == base.chapters
        assert variant.options == base.options
        assert variant.differs == ()
        assert variant.id == "mud"
        assert (variant.header.title, variant.header.edition) == ("Powder and Mud", "0.1")
        assert (variant.header.date, variant.header.based_on) == (None, "game")

    @pytest.mark.parametrize("key", ["title", "edition"])
    def test_these_it_must_have(self, mud: Path, key: str) -> None:
        file = mud / "ruleset.yaml"
        lines = [line for line in file.read_text().splitlines() if not line.startswith(key)]
        file.write_text("\n".join(lines))
        assert told(mud) == ["R202"]


class TestHeader:
    def test_keys_stand_in_place_of_those_of_the_base(self, mud: Path) -> None:
        header(mud, "credits: [{role: Mud, name: B. Player}]\n")
        assert [one.role for one in loaded(mud).header.credits] == ["Mud"]

    def test_scale_and_documents_in_parts(self, mud: Path) -> None:
        header(mud, "scale: {time: A minute.}\ndocuments: {booklet: {papers: [a5]}, cards: ~}\n")
        made = loaded(mud).header
        assert str(made.scale.ground) == "One inch to ten paces."
        assert str(made.scale.time) == "A minute."
        assert made.documents.booklet.papers == ("a5",)
        assert made.documents.cards is None

    def test_a_list_of_chapters_of_its_own(self, mud: Path) -> None:
        write(mud, "mud.md", "# Mud {#mud}\n\nIt sticks.\n")
        assert told(mud) == ["R215"]
        header(mud, "chapters: [mud.md, shooting.md, fighting.md]\n")
        files = ["mud.md", "shooting.md", "fighting.md", "annex.md"]
        assert [one.file for one in loaded(mud).chapters] == files


class TestFiles:
    def test_they_change_by_id(self, game: Path, mud: Path) -> None:
        write(mud, "ranges.yaml", "changes: {tables: {ranges: {data: {musket: {short: 5in}}}}}\n")
        table = loaded(mud).tables["ranges"]
        assert [str(row.cells["short"]) for row in table.data.values()] == ["5″", "3″"]
        ruleset = loaded(mud)
        assert ruleset.differs == (("tables", "ranges", "data", "musket", "short"),)
        place = ruleset.place(*ruleset.differs[0])
        assert place.path.endswith("mud/ranges.yaml")
        other = ruleset.place("tables", "ranges", "data", "pistol", "short")
        assert other.path == (game / "shooting.yaml").as_posix()

    def test_a_cell_of_a_grid(self, mud: Path) -> None:
        write(
            mud, "m.yaml", "changes: {tables: {musketry: {data: {8-16in: {'first, open': 9}}}}}\n"
        )
        ruleset = loaded(mud)
        grid = ruleset.tables["musketry"]
        assert str(grid.data[1][2]) == "9"
        assert ruleset.differs == (("tables", "musketry", "data", "8-16in", "first, open"),)

    def test_they_add_and_remove_whatever_their_order(self, mud: Path) -> None:
        write(mud, "a.yaml", "adds: {terms: {volley: {title: Discharge}}}\n")
        write(mud, "b.yaml", "removes: {terms: [volley]}\n")
        # The option of the base removes the same term, which it still finds.
        assert loaded(mud).terms["volley"].title == "Discharge"
        assert "volley" not in loaded(mud, "moonlight").terms

    def test_what_is_said_again_does_not_differ(self, mud: Path) -> None:
        write(mud, "a.yaml", "changes: {tables: {ranges: {data: {musket: {short: 8in}}}}}\n")
        assert loaded(mud).differs == ()

    def test_faults_of_what_comes_of_it_stand_in_its_file(self, mud: Path) -> None:
        write(mud, "a.yaml", "changes: {tables: {ranges: {data: {musket: {short: near}}}}}\n")
        (problem,) = load(mud).report
        assert problem.code == "R204"
        assert problem.span.path.endswith("mud/a.yaml")

    @pytest.mark.parametrize(
        ("text", "codes", "named"),
        [
            ("removes: {tables: {ranges: {fields: [short]}}}", {"R201"}, "short"),
            ("removes: {tables: {ranges: {data: [musket]}}}", {"R302"}, "musket"),
        ],
    )
    def test_what_names_a_thing_and_what_removes_it_are_both_told(
        self, mud: Path, text: str, codes: set[str], named: str
    ) -> None:
        write(mud, "less.yaml", text)
        problems = list(load(mud).report)
        assert problems and {problem.code for problem in problems} <= codes
        for problem in problems:
            assert "/game/" in problem.span.path
            assert problem.also[0].path.endswith("mud/less.yaml")
            assert problem.also[1] == f"'{named}' is removed here"

    @pytest.mark.parametrize("what", ["adds", "changes", "removes"])
    def test_ten_thousand_entries(self, mud: Path, what: str) -> None:
        inner = "{title: T}" if what != "removes" else "~"
        entries = ", ".join(f"t{number}: {inner}" for number in range(10_000))
        write(mud, "a.yaml", f"{what}: {{terms: {{{entries}}}}}\n")
        report = load(mud).report
        assert {problem.code for problem in report} <= {"R102", "R309"}
        assert (what == "adds") or not report.ok

    @pytest.mark.parametrize(
        ("file", "text", "code"),
        [
            ("a.yaml", "- adds\n", "R203"),
            ("less.yaml", "removes: {sections: [night]}\n", "R309"),  # the title of a chapter
        ],
    )
    def test_what_cannot_be_laid_over(self, mud: Path, file: str, text: str, code: str) -> None:
        write(mud, file, text)
        assert told(mud) == [code]


class TestSections:
    @staticmethod
    def sections(folder: Path, file: str) -> list[tuple[str, int, str]]:
        (chapter,) = (one for one in loaded(folder).chapters if one.file == file)
        texts = {
            section.id: [part.markdown for part in section.parts if isinstance(part, Text)]
            for section in chapter.sections
        }
        return [(one.id, one.level, " ".join(texts[one.id])) for one in chapter.sections]

    def test_one_is_replaced_others_stay(self, game: Path, mud: Path) -> None:
        before = self.sections(game, "annex.md")
        write(mud, "annex.md", "## In the dark {#night}\n\nNobody sees a thing.\n")
        after = self.sections(mud, "annex.md")
        assert [one[0] for one in after] == [one[0] for one in before]
        assert ("night", 1, "Nobody sees a thing.") in after
        ruleset = loaded(mud)
        assert ruleset.differs == (("sections", "night"),)

    def test_new_ones_follow_the_one_before_them(self, mud: Path) -> None:
        ids = [one[0] for one in self.sections(mud, "shooting.md")]
        write(mud, "shooting.md", "## Wet powder {#wet}\n\nAt the end.\n")
        assert [one[0] for one in self.sections(mud, "shooting.md")] == [*ids, "wet"]

    def test_links_in_what_was_replaced_are_forgotten(self, game: Path, mud: Path) -> None:
        annex = game / "annex.md"
        annex.write_text(annex.read_text() + "\n## More {#more}\n\n[see](#late)\n\n## L {#late}\n")
        write(mud, "annex.md", "## More {#more}\n\nNo link.\n")
        write(mud, "less.yaml", "removes: {sections: [late]}\n")
        assert "late" not in [one[0] for one in self.sections(mud, "annex.md")]


class TestOptions:
    def test_those_of_the_base_are_its_own_too(self, mud: Path) -> None:
        write(
            mud, "options/rain.yaml", "title: Rain\nremoves: {tables: {ranges: {data: [pistol]}}}"
        )
        assert sorted(loaded(mud).options) == ["moonlight", "rain"]
        assert options_of(mud) == ["moonlight", "rain"]
        assert loaded(mud, "rain", "moonlight").chosen == ("moonlight", "rain")

    def test_one_of_the_same_name_stands_in_its_place(self, mud: Path) -> None:
        write(
            mud,
            "options/moonlight.yaml",
            "title: Full moon\nrule: night\nremoves: {terms: [volley]}",
        )
        assert loaded(mud).options["moonlight"].title == "Full moon"

    def test_they_are_removed(self, game: Path, mud: Path) -> None:
        write(game, "options/rain.yaml", "title: Rain\nremoves: {terms: [volley]}")
        assert options_of(mud) == ["moonlight", "rain"]
        write(mud, "less.yaml", "removes: {options: [rain]}\n")
        assert options_of(mud) == ["moonlight"]


class TestBases:
    def test_a_variant_of_a_variant(self, mud: Path) -> None:
        write(mud, "a.yaml", "changes: {tables: {ranges: {data: {musket: {short: 5in}}}}}\n")
        deeper = mud.parent / "marsh"
        write(deeper, "ruleset.yaml", 'title: Marsh\nedition: "1"\nbased_on: mud\n')
        write(deeper, "a.yaml", "changes: {tables: {ranges: {data: {musket: {long: 9in}}}}}\n")
        ruleset = loaded(deeper)
        table = ruleset.tables["ranges"]
        assert [str(cell) for cell in table.data["musket"].cells.values()] == ["5″", "9″"]
        assert ruleset.differs == (("tables", "ranges", "data", "musket", "long"),)

    def test_a_released_edition(self, game: Path, mud: Path) -> None:
        base = loaded(game)
        freeze(game)
        change(game / "shooting.yaml", "short: 8in", "short: 7in")
        change(mud / "ruleset.yaml", "based_on: game", "based_on: game@1.0")
        assert plain_ruleset(loaded(mud))["collections"] == plain_ruleset(base)["collections"]

    def test_what_is_taken_from_a_changed_place_changes_too(self, game: Path, mud: Path) -> None:
        """The cone of the game takes its length from the table of ranges, in any edition."""
        freeze(game)
        write(mud, "a.yaml", "changes: {tables: {ranges: {data: {musket: {long: 20in}}}}}\n")
        for base in ("game", "game@1.0"):
            header = f'title: Mud\nedition: "0.1"\nbased_on: {base}\n'
            (mud / "ruleset.yaml").write_text(header)
            cone = loaded(mud).cutouts["canister_cone"]
            assert str(cone.length) == "20″"
            assert loaded(mud).taken == loaded(game).taken

    def test_a_tower_of_variants(self, mud: Path) -> None:
        for number in range(50):
            below = f"v{number - 1}" if number else "mud"
            text = f'title: V\nedition: "1"\nbased_on: {below}\n'
            write(mud.parent / f"v{number}", "ruleset.yaml", text)
        assert loaded(mud.parent / "v6").header.title == "V"
        (problem,) = load(mud.parent / "v49").report
        assert (problem.code, "each based on the next" in problem.message) == ("R315", True)

    @pytest.mark.parametrize(
        "name", ["mud", "[game]", "../game", "Game", "game@../1.0", "''", "~", "a b"]
    )
    def test_itself_and_names_of_none(self, mud: Path, name: str) -> None:
        change(mud / "ruleset.yaml", "based_on: game", f"based_on: {name}")
        assert told(mud) == ["R315" if name == "mud" else "R314"]

    def test_the_snapshot_of_a_variant_needs_no_base(self, game: Path, mud: Path) -> None:
        write(mud, "a.yaml", "changes: {tables: {ranges: {data: {musket: {short: 5in}}}}}\n")
        before = loaded(mud)
        path = freeze(mud)
        (game / "ruleset.yaml").unlink()
        after = load_edition(path)
        assert list(after.report) == []
        assert plain_ruleset(after.ruleset) == plain_ruleset(before)
        assert after.ruleset.differs == before.differs
