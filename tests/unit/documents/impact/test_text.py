"""The impact on a terminal, in Markdown and as plain data."""

from __future__ import annotations

import json

from beside import beside, written
from two_editions import CHAIN, changed, impact

from rulebook.documents.impact.text import impact_json, impact_lines, impact_markdown

CONE = written(
    "{shape: cone, title: Cone, length: 24in, base: 5in, zones: [{name: All, kills: 4+}]}"
)
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
    assert list(impact_lines(impact(OLD, new))) == beside(__file__, "lines")


def test_long_lines_are_broken_below_their_beginning() -> None:
    lines = list(impact_lines(impact(OLD, NEW), 60))
    assert all(len(line) <= 60 for line in lines)
    assert any(line.startswith(" " * 6) for line in lines)
    whole = " ".join(" ".join(lines).split())
    assert whole == " ".join(" ".join(impact_lines(impact(OLD, NEW))).split())


def test_nothing() -> None:
    assert list(impact_lines(impact(OLD, OLD))) == [
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
    plain = impact_json(impact(OLD, NEW))
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
