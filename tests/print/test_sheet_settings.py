"""What the author of a small sheet may ask for, read back from its PDF."""

import re
from pathlib import Path
from typing import Any

import pytest
from composed import compose
from read_pdf import Printed
from rendered import rendered_file
from small_rulesets import ruleset_of

from rulebook.checking.all_checks import check_cards
from rulebook.documents.qrs.galley import FOOT, HEAD, MARGIN
from rulebook.loading.rulesets import load
from rulebook.model.ruleset import Ruleset

QRS = {"papers": ["a4"], "inks": ["full"], "columns": "any"}
SAID = "Roll a die.", "At night:\n| Range | Rifle |\n| --- | --- |\n| 0–8 | 4+ |\n| 8–16 | 5+ |"


def sheet(*say: str, path: str = "qrs-a4.pdf", **header: Any) -> Printed:
    step = {"title": "Shooting", "rule": "rules", "say": list(say)}
    phases = {"fire": {"title": "Fire", "steps": {"one": step}}}
    documents = {"booklet": None, "qrs": {**QRS, **header.pop("qrs", {})}}
    ruleset = ruleset_of({"sequence": phases}, documents=documents, **header)
    return printed(ruleset, path)


def printed(ruleset: Ruleset, path: str) -> Printed:
    made = compose(ruleset)
    document = next(one for one in made if any(file.path == path for file in one.files))
    return Printed(rendered_file(document, path))


def test_a_table_in_a_reminder_is_set_as_a_table_without_a_bullet() -> None:
    page = sheet(*SAID)
    letters = page.letters(0)
    assert not [one for one in letters if one.text in "|-"]
    assert [one.text for one in letters].count("•") == 1
    first, second = (one for one in letters if one.text == "+")
    assert first.left == pytest.approx(second.left, abs=0.1) and first.top < second.top
    # that of Rifle, the head
    assert any(
        head.text == "R" and head.top < first.top and 0 < first.left - head.left < 3
        for head in letters
    )


def head(page: Printed) -> str:
    return "".join(one.text for one in page.letters(0) if one.top < MARGIN + HEAD)


def test_the_subtitle_stands_beside_the_title_where_the_turn_leaves_room() -> None:
    subtitle = "For four players and an evening"
    page = sheet(*SAID, subtitle=subtitle)
    words = "SmallWarsForfourplayersandaneveningEdition1.2·29February2024"
    assert head(page) == f"{words}1Fire"
    sizes = {round(one.size) for one in page.letters(0) if one.top < MARGIN + HEAD}
    assert sizes == {7, 9, 17}
    narrow = {"qrs": {**QRS, "papers": ["a5"]}, "path": "qrs-a5.pdf"}
    assert (
        head(sheet(*SAID, subtitle=subtitle, **narrow))
        == "SmallWarsForfourplayersandanevening1Fire"
    )
    assert head(sheet(*SAID, subtitle=6 * subtitle, **narrow)) == "SmallWars1Fire"


def test_a_mere_sheet_without_an_edition_prints_none(tmp_path: Path) -> None:
    for given, words in (("", ""), ("edition: 2\n", "Edition2")):
        (tmp_path / "thursday.md").write_text(f"---\n{given}papers: [a4]\n---\n# Move\n- 6in")
        ruleset = load(tmp_path / "thursday").ruleset
        assert ruleset is not None
        assert head(printed(ruleset, "qrs-a4.pdf")) == f"Thursday{words}Move"


def test_a_strip_is_as_high_as_its_panels_in_one_column() -> None:
    heights = []
    for say in (SAID, 9 * SAID):
        page = sheet(*say, qrs={**QRS, "papers": ["strip"]}, path="qrs-strip.pdf")
        ((width, height),) = page.sizes
        assert width == pytest.approx(95, abs=0.01)
        letters = [one for one in page.letters(0) if one.size > 8]
        assert all(MARGIN - 0.1 <= one.left <= one.right <= 95 - MARGIN + 0.1 for one in letters)
        assert len({round(one.left) for one in letters if one.text == "•"}) == 1
        lowest = max(one.bottom for one in letters)
        assert lowest == pytest.approx(height - MARGIN - FOOT, abs=3)
        heights.append(height)
    assert heights[0] < heights[1] / 3


@pytest.mark.parametrize(("size", "edges"), [("a6", (105, 148)), ("tarot", (70, 120))])
def test_each_panel_is_a_card_that_goes_on_where_it_is_full(
    tmp_path: Path, size: str, edges: tuple[int, int]
) -> None:
    rows = "".join(f"| Case {n} | {n % 7} |\n" for n in range(90))
    reminders = "".join(f"- Reminder {n} is about what to do then.\n" for n in range(40))
    text = f"# Move\n- Walk.\n# Fire\n{reminders}## Cases\n| Case | Die |\n| --- | --- |\n{rows}"
    (tmp_path / "thursday.md").write_text(f"---\npapers: [a4]\ncards: {size}\n---\n{text}")
    ruleset = load(tmp_path / "thursday").ruleset
    assert ruleset is not None
    cards = printed(ruleset, "qrs-cards-singles.pdf")
    assert {(round(width - 6), round(height - 6)) for width, height in cards.sizes} == {edges}
    assert [page.split()[0] for page in cards.texts[:2]] == ["Move", "Fire"]
    words = " ".join(cards.texts)
    assert [int(n) for n in re.findall(r"Reminder (\d+) is about", words)] == [*range(40)]
    assert [int(n) for n in re.findall(r"Case (\d+) \d\b", words)] == [*range(90)]
    for number, (_, height) in enumerate(cards.sizes):
        assert max(one.bottom for one in cards.letters(number)) < height - 3 - 2


def test_the_size_of_cards_of_panels_must_be_known(tmp_path: Path) -> None:
    (tmp_path / "thursday.md").write_text("---\ncards: a7\n---\n# Move\n- Walk.")
    ruleset = load(tmp_path / "thursday").ruleset
    assert ruleset is not None
    (problem,) = check_cards(ruleset)
    assert problem.code == "R438" and problem.span is not None
    assert (problem.span.line, problem.span.column) == (2, 8)
    assert "a6" in problem.expected


def mere_sheet(folder: Path, text: str, path: str) -> Printed:
    (folder / "thursday.md").write_text(text)
    ruleset = load(folder / "thursday").ruleset
    assert ruleset is not None
    return printed(ruleset, path)


def test_of_many_phases_without_numbers_those_of_the_side_are_named(tmp_path: Path) -> None:
    names = [f"Part the {n}th" for n in range(4, 20)]
    phases = "".join(f"# {name}\n" + "- Walk on.\n" * 12 for name in names)
    text = f"---\npapers: [a5]\norientation: portrait\nsides: any\ntype: 12pt\n---\n{phases}"
    words = head(mere_sheet(tmp_path, text, "qrs-a5.pdf")).removeprefix("Thursday")
    named = [name for name in names if name.replace(" ", "") in words]
    assert named == names[: len(named)] and 0 < len(named) < 9
    assert words == "".join(named).replace(" ", "")


def test_short_texts_stand_in_the_middle_and_tables_apart(tmp_path: Path) -> None:
    table = "| Arm | Ratio |\n| --- | --- |\n| Guard | 1.5 |\n| Militia | 0.25 |\n"
    page = mere_sheet(tmp_path, f"---\npapers: [a4]\n---\n# Move\n{table}\n{table}", "qrs-a4.pdf")
    letters = page.letters(0)
    middles = set()
    for dot in (letter for letter in letters if letter.text == "."):
        beside = [one for one in letters if abs(one.bottom - dot.bottom) < 0.6 and one.left > 60]
        middles.add(round((beside[0].left + beside[-1].right) / 2))
    assert len(middles) == 1
    head_one, row_one, head_two, _ = sorted(one.top for one in letters if one.text in "GA")
    assert head_two - row_one > 2.15 * (row_one - head_one)
