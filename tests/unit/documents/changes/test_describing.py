"""Changes between two small rulesets -> what a reader is told of them."""

import re
from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest
from beside import as_written, beside
from small_rulesets import ruleset_of
from two_editions import CHAIN, changed, impact

from rulebook.documents.changes.described import (
    DescribedChanges,
    PartChange,
    RulePlace,
    ThingChange,
    WordRun,
    elided,
)
from rulebook.documents.changes.describing import compared
from rulebook.documents.changes.diff import (
    diff_markdown,
    diff_text,
    diff_view,
    summed,
)
from rulebook.documents.changes.notes import is_printed, stands_for
from rulebook.documents.changes.things import THINGS
from rulebook.documents.impact.compose import Impact
from rulebook.documents.parts.compared_tables import ChangedCell
from rulebook.loading.editions import load_edition
from rulebook.loading.folder import find_releases
from rulebook.model.plain_data import BESIDE, plain_ruleset
from rulebook.model.revisions import EditionNotes
from rulebook.model.ruleset import Collections
from rulebook.packaged import content_folder, templates_folder
from rulebook.revisions.changes import depth_of
from rulebook.revisions.revised import OF_EDITION

RULES = beside(__file__, "rules")


def told(
    old: dict[str, Any],
    new: dict[str, Any],
    texts: tuple[str, str] = (RULES, RULES),
    notes: dict[str, Any] | None = None,
    **header: Any,
) -> DescribedChanges:
    """Two editions of a small ruleset; `notes` are those of the new one."""
    said = [EditionNotes.model_validate(notes)] if notes else []
    both = ruleset_of(old, texts[0]), ruleset_of(new, texts[1], **header)
    return compared(*both, said).described()


def things(found: DescribedChanges) -> list[ThingChange]:
    return [thing for _, thing in found.things()]


def words(part: PartChange) -> str:
    marks = {"kept": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
    if part.runs:
        return "".join(marks[run.kind].format(run.text) for run in part.runs)
    return f"{part.before} -> {part.after}"


def parts(found: ThingChange) -> list[tuple[str, str, str]]:
    return [(part.kind, part.where, words(part)) for part in found.parts]


def cell(one: ChangedCell) -> str:
    return f"{one.before} -> {one.after}" if one.changed else str(one.after)


def plain(one: ThingChange) -> dict[str, Any]:
    """What is told of a thing, as the table of cases writes it."""
    rows = [row for table in one.tables for row in table.rows]
    return {
        "thing": one.thing.name,
        "id": one.id,
        "kind": one.kind,
        "was": one.was,
        "rule": one.standing.rule,
        "stood": one.stood and one.stood.rule,
        "parts": [list(part) for part in parts(one)],
        "columns": [" ".join(heads) for table in one.tables for heads in table.columns],
        "rows": [[row.kind, *row.labels, *map(cell, row.cells)] for row in rows],
        "tables": str(len(one.tables)),
        "also": [[also.place, words(also.parts[0])] for also in one.also],
    }


@pytest.mark.parametrize("case", as_written(__file__, "told"), ids=lambda case: case["case"])
def test_what_is_told_of_each_thing(case: dict[str, Any]) -> None:
    """In the order of the booklet; of each what the table of cases names."""
    texts = case.get("texts", [RULES, RULES])
    old, new = ([text] if isinstance(text, str) else text for text in texts)
    before = {"tables": {"fire": CHAIN["tables"]["fire"]}} if "alone" in case else CHAIN
    edition = changed(before, **case.get("new", {}))
    found = compared(ruleset_of(before, *old), ruleset_of(edition, *new)).described()
    listed = [plain(one) for one in things(found)]
    told = [
        {key: one[key] for key in wanted} for one, wanted in zip(listed, case["told"], strict=True)
    ]
    assert told == case["told"]
    assert (found.unclassed == ()) == ("editorial" in case)


def test_a_value_that_is_reckoned_stands_in_its_sentence() -> None:
    tables = {
        **CHAIN["tables"],
        "odds": as_written(__file__, "a_value_that_is_reckoned_stands_in_its_sentence"),
    }
    texts = [
        f"# Fire {{#fire}}\n\nA unit {word} at {{odds[stands]}}." for word in ("holds", "stays")
    ]
    both = (ruleset_of({**CHAIN, "tables": tables}, text) for text in texts)
    ((part,),) = (one.parts for one in things(compared(*both).described()))
    assert re.fullmatch(r"A unit stays at \d+%\.", part.after)


NOTES = as_written(__file__, "notes")


def test_changes_stand_under_what_their_author_says() -> None:
    new = changed(
        CHAIN, tables__fire__data__1__0="4", modifiers__nerve__title="Nerves", tables__moves=None
    )
    del new["procedures"]["march"]
    old = deepcopy(CHAIN)
    del old["procedures"]["march"]
    found = told(old, new, notes=NOTES)
    assert [(one.title, one.class_, one.standing.rule) for one in found.revisions] == [
        ("Deadlier fire", "rule change", "1"),
        ("A title", "editorial", "1.1"),
    ]
    assert [one.id for one in found.unclassed] == ["moves"]
    assert len(found.by_class["rule change"]) == 1
    assert summed(found) == (
        "1 rule change, 1 editorial change and 1 thing changed without a class"
    )


@pytest.fixture
def deadlier() -> DescribedChanges:
    new = changed(CHAIN, tables__fire__data__1__0="4", modifiers__nerve__rows__near=None)
    return told(CHAIN, new, notes={"changes": NOTES["changes"][:1]}, edition="2.0")


def text_of(found: DescribedChanges, **terminal: Any) -> list[str]:
    return diff_text(diff_view(found), templates_folder(), **terminal).splitlines()


def markdown_of(found: DescribedChanges) -> str:
    return diff_markdown(diff_view(found), templates_folder())


def test_text(deadlier: DescribedChanges) -> None:
    assert text_of(deadlier, width=60) == beside(__file__, "text")


def test_markdown(deadlier: DescribedChanges) -> None:
    text = markdown_of(deadlier)
    assert "### 1 Deadlier fire\n\nIt was weak.\n\n**1 Fire (table)**\n" in text
    assert "- 8–16″, Open: ~~2~~ → **4**\n" in text
    assert "| ~~General near~~ | ~~+1~~ |" in text


def test_markdown_of_hostile_words() -> None:
    new = RULES.replace("Throw a die", "Throw *two* | dice_ <b> [x](y) `z`")
    text = markdown_of(told(CHAIN, CHAIN, (RULES, new)))
    assert "<b>" not in text
    assert "](y)" not in text


def test_words_far_from_a_change_are_left_out() -> None:
    runs = (
        WordRun("one two three four five "),
        WordRun("gone", "deleted"),
        WordRun(" six seven eight nine"),
    )
    assert [run.text for run in elided(runs, 2)] == ["… four five ", "gone", " six seven …"]


def test_every_change_of_the_shipped_editions_is_told() -> None:
    """No change is lost between the comparison and what a reader is told."""
    for folder in content_folder().glob("*/releases"):
        editions = [load_edition(path).ruleset for path in find_releases(folder.parent).values()]
        for old, new in pairwise(editions):
            found = compared(old, new)
            told_of = {thing.path for thing in things(found.described())}
            for change in found.revised.comparison.own:
                if change.path[0] == "chapters" or change.path[:2] in OF_EDITION:
                    continue
                if change.kind != "moved":
                    assert change.path[: depth_of(change.path)] in told_of


# What changes do in play, as text for a terminal, in Markdown and as plain data.

#: Two editions that are the same, so that nothing else is told.
SAME = compared(ruleset_of(CHAIN), ruleset_of(CHAIN))


def impact_lines(found: Impact, width: int = 1000) -> list[str]:
    view = diff_view(SAME.described(), found)
    return diff_text(view, templates_folder(), width=width).splitlines()[3:]


def impact_markdown(found: Impact) -> str:
    view = diff_view(SAME.described(), found)
    return diff_markdown(view, templates_folder()).partition("Nothing changed.\n\n")[2]


CONE = as_written(__file__, "cone")
OLD = changed(CHAIN, cutouts={"cone": CONE})
NEW = changed(OLD, tables__moves__data__foot__move="7in", cutouts__cone__base="6in")
NEW = changed(NEW, procedures__shots__title="Shots *and* stones", tables__fire__data__0__0="2")
NEW = changed(NEW, procedures__turn__result={"fate": "'runs'"})


def test_lines() -> None:
    new = changed(
        OLD,
        tables__moves__data__foot__move="7in",
        cutouts__cone__base="6in",
        procedures__turn__steps__1__set={"fate": "'runs' if not stands else 'stands'"},
    )
    assert impact_lines(impact(OLD, new)) == beside(__file__, "lines")


def test_long_lines_are_broken_below_their_beginning() -> None:
    lines = impact_lines(impact(OLD, NEW), 60)
    assert all(len(line) <= 60 for line in lines)
    assert any(line.startswith(" " * 6) for line in lines)
    whole = " ".join(" ".join(lines).split())
    assert whole == " ".join(" ".join(impact_lines(impact(OLD, NEW))).split())


def test_markdown_prints_titles_as_they_stand() -> None:
    text = impact_markdown(impact(OLD, NEW))
    assert text.startswith(
        "## In play, 1 → 2\n\n### Shots \\*and\\* stones, by the table “Fire”\n\n- "
    )
    assert "### Cutouts\n\n- Cone: base 5″ → 6″.\n" in text


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        (("steps", "1", "say"), True),
        (("steps", "2", "repeat", "0", "say"), True),
        (("steps", "1", "roll", "die"), True),
        (("steps", "1", "set", "hits"), False),
        (("steps", "3", "when"), False),
        (("requires", "0", "that"), False),
        (("result", "hits"), False),
        (("inputs", "firers", "label"), False),
    ],
)
def test_notes_tell_of_a_procedure_what_players_read(path: tuple[str, ...], printed: bool) -> None:
    place = RulePlace("1", "fire", "Fire")
    whole = ("collections", "procedures", "volley")
    part = PartChange((*whole, *path), "changed", "step 1", "before", "after")
    thing = ThingChange(
        whole, THINGS["procedures"], "volley", "changed", "A volley", place, parts=(part,)
    )
    assert is_printed(thing, part) is printed


def test_all_that_a_revision_may_change_has_a_name_in_the_notes() -> None:
    collections = set(Collections.model_fields) - {*BESIDE}
    parts = set(plain_ruleset(ruleset_of({}, RULES))) - {"collections", "taken"}
    assert collections | parts | {"symbols"} <= set(THINGS)


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("{table: moves}", True),
        ("{figure: wheel}", True),
        ("{rule: results} binds cavalry as well.", False),
        ("{house: ours} Nobody says.", False),
    ],
)
def test_a_sentence_that_begins_with_a_rule_is_one(text: str, stands: bool) -> None:
    part = PartChange(("sections", "results", "parts", text), "added", "", "", text)
    assert stands_for(part) is stands
