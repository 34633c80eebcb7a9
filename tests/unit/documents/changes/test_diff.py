"""What changes do in play, as text for a terminal, in Markdown and as plain data."""

from __future__ import annotations

import json

from beside import as_written, beside
from small_rulesets import ruleset_of
from two_editions import CHAIN, changed, impact

from rulebook.documents.changes.diff import diff_json, diff_markdown, diff_text, diff_view
from rulebook.documents.changes.summary import compared
from rulebook.documents.impact.views import Impact
from rulebook.packaged import templates_folder

#: Two editions that are the same, so that nothing else is told.
SAME = compared(ruleset_of(CHAIN), ruleset_of(CHAIN))


def impact_lines(found: Impact, width: int = 1000) -> list[str]:
    view = diff_view(SAME.told(), found)
    return diff_text(view, templates_folder(), width=width).splitlines()[3:]


def impact_markdown(found: Impact) -> str:
    view = diff_view(SAME.told(), found)
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


def test_nothing() -> None:
    assert impact_lines(impact(OLD, OLD)) == [
        "In play, 1 → 2",
        "  No procedure and no cutout is touched.",
    ]
    assert "No procedure and no cutout is touched." in impact_markdown(impact(OLD, OLD))


def test_markdown_prints_titles_as_they_stand() -> None:
    text = impact_markdown(impact(OLD, NEW))
    assert text.startswith(
        "## In play, 1 → 2\n\n### Shots \\*and\\* stones, by the table “Fire”\n\n- "
    )
    assert "### Cutouts\n\n- Cone: base 5″ → 6″.\n" in text


def test_plain_data_has_exact_odds_and_no_pictures() -> None:
    plain = diff_json(SAME, SAME.told(), impact(OLD, NEW))["impact"]
    assert json.loads(json.dumps(plain)) == plain
    assert set(plain) == {"old", "new", "procedures", "options", "cutouts"}
    assert set(plain["procedures"][0]) == {
        "id", "title", "state", "told", "was", "reasons", "differences", "compared", "differing",
        "usual", "notes",
    }  # fmt: skip
    march = next(one for one in plain["procedures"] if one["id"] == "march")
    assert march["differences"][0]["exact_before"] == "19/2"
    assert march["differences"][0]["given"] == [{"name": "who", "before": "foot", "after": "foot"}]
    assert set(plain["cutouts"][0]) == {"id", "title", "state", "told", "was", "parameters"}
