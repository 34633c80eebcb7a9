"""The American Civil War Game 1.0 as released: it says what the first draft of 17 June 2010 says.

It is read from its snapshot alone. The values expected here were typed from the draft and not from
the content, with its words beside them; what the second draft left as it was is held for that one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product

import pytest
from shipped_rulesets import printed_at

from rulebook.checking.sense import check
from rulebook.core.odds import odds, program_of
from rulebook.loading.editions import load_edition
from rulebook.loading.releases import release_path
from rulebook.model.cells import Cell
from rulebook.model.lookup import find
from rulebook.model.prose import Block, Remark, Section, Text
from rulebook.model.provenance import Status
from rulebook.model.ruleset import Ruleset
from rulebook.model.tables import Grid, RecordTable
from rulebook.problems import format_report
from rulebook.shipped import content_folder


@pytest.fixture(scope="module")
def first() -> Ruleset:
    loaded = load_edition(release_path(content_folder() / "acw", "1.0"))
    assert loaded.ruleset is not None, format_report(loaded.report)
    return loaded.ruleset


def test_checks_without_a_fault(first: Ruleset) -> None:
    assert format_report(check(first)) == ""


def test_header(first: Ruleset) -> None:
    assert (first.id, first.header.edition) == ("acw", "1.0")
    assert first.header.date is not None
    assert first.header.date.isoformat() == "2010-06-17"
    assert [credit.name for credit in first.header.credits] == ["Charles Grant", "Greg Horne"]
    assert first.header.scale.ground is None, "it is told in posts of 21 June and 5 July"
    assert not first.options
    assert [chapter.id for chapter in first.chapters if chapter.annex] == ["the_odds"]


#: A place, what is printed there, and the words of the first draft.
FACTS = [
    ("moves.column.title", "Infantry in column", "In column 7 ½”"),
    ("moves.column.move", "7½″", "In column 7 ½”"),
    ("moves.open_order.title", "Infantry in open order", "In open order 7 ½”"),
    ("moves.open_order.move", "7½″", "In open order 7 ½”"),
    ("ranges.rifled_musket.title", "Musket", "Line 24”"),
    ("ranges.rifled_musket.near", "8″", "0 to 8”"),
    ("ranges.rifled_musket.middle", "16″", "6 to 16”"),
    ("ranges.rifled_musket.long", "24″", "Line 24”"),
    ("ranges.round_shot.near", "–", "Ball 60”"),
    ("ranges.round_shot.middle", "–", "Ball 60”"),
    ("ranges.round_shot.long", "60″", "Ball 60”"),
    ("ranges.canister.near", "–", "Canister 24”"),
    ("ranges.canister.middle", "–", "Canister 24”"),
    ("ranges.canister.long", "24″", "Canister 24”"),
    ("ranges.howitzer.shortest", "20″", "Howitzer 20” to 50”"),
    ("ranges.howitzer.near", "–", "Howitzer 20” to 50”"),
    ("ranges.howitzer.middle", "–", "Howitzer 20” to 50”"),
    ("ranges.howitzer.long", "50″", "Howitzer 20” to 50”"),
    ("skirmish_bands.rifled_musket.near", "12″", "Range 0 to 12” 5 or 6 kills"),
    ("skirmish_bands.rifled_musket.long", "24″", "Range 12 to 24” 6 kills"),
    ("establishments.infantry.rank_and_file", "24", "Infantry 3 officers and 24 rank-and-file"),
    ("establishments.battery.officers", "3", "Artillery Battery 3 officers"),
    ("establishments.battery.mounted", "", "Artillery Battery 3 officers"),
    ("establishments.battery.rank_and_file", "10", "and 10 rank-and-file (2 guns)"),
    ("establishments.battery.guns", "2", "and 10 rank-and-file (2 guns)"),
    ("breakthrough_limits.cavalry.title", "Heavy cavalry", "If heavy cavalry charge infantry"),
    ("breakthrough_limits.cavalry.within", "12″", "the distance is 12” or less"),
    ("breakthrough_limits.cavalry.pushed", "3″", "moved back and to the side a total of 3”"),
    ("breakthrough_scores[1]", "4+", "1 ranks deep: throw of 4, 5 or 6, breaks through"),
    ("breakthrough_scores[2]", "5+", "2 ranks deep: throw of 5 or 6, breaks through"),
    ("breakthrough_scores[3+]", "–", "formed less than 3 ranks deep"),
    ("detachments.detachment.rank_and_file", "8", "a detachment of an officer and 8 privates"),
    ("detachments.detachment.officers", "1", "a detachment of an officer and 8 privates"),
    ("detachments.detachment.lost", "4", "the officer or four of the privates be made casualties"),
    ("ball_kills.near.start", "0″", "0-24” 3, 4, 5 or 6 kills"),
    ("ball_kills.near.to", "24″", "0-24” 3, 4, 5 or 6 kills"),
    ("ball_kills.near.kills", "3+", "0-24” 3, 4, 5 or 6 kills"),
    ("ball_kills.middle.start", "24″", "24-36” 4, 5 or 6 kills"),
    ("ball_kills.middle.to", "36″", "24-36” 4, 5 or 6 kills"),
    ("ball_kills.middle.kills", "4+", "24-36” 4, 5 or 6 kills"),
    ("ball_kills.far.start", "36″", "36-48 5 or 6 kills"),
    ("ball_kills.far.to", "48″", "36-48 5 or 6 kills"),
    ("ball_kills.far.kills", "5+", "36-48 5 or 6 kills"),
    ("ball_kills.extreme.start", "48″", "Range 48-60” 6 kills"),
    ("ball_kills.extreme.to", "60″", "Range 48-60” 6 kills"),
    ("ball_kills.extreme.kills", "6+", "Range 48-60” 6 kills"),
    ("canister_zones.near.to", "6½″", 'sub-divisions at the 6.5" and 14" points (21 June)'),
    ("canister_zones.middle.to", "14″", 'sub-divisions at the 6.5" and 14" points (21 June)'),
    ("canister_zones.far.to", "28″", 'would guess that it would be 28" long (21 June)'),
    ("canister_zones.near.kills", "4+", "Near 4, 5 or 6 kills"),
    ("canister_zones.middle.kills", "5+", "Middle 5 or 6 kills"),
    ("canister_zones.far.kills", "6+", "Far 6 kills"),
    ("damage_by_range[36-48in]", "−1", "damage is reduced by 1 from 36” to 48”"),
    ("damage_by_range[48-60in]", "−2", "by 2 at 48” or more"),
    ("gun_damage.slowed.total", "10", "When the accumulated total reaches 10"),
    ("gun_damage.destroyed.total", "20", "When 20 is reached the gun is destroyed"),
    ("loss_points.sixth.infantry", "4", "One sixth of original rank & file strength lost"),
    ("loss_points.quarter.infantry", "6", "One quarter of original rank & files strength lost"),
    ("loss_points.half.infantry", "12", "On half of original rank & file strength lost"),
]


@pytest.mark.parametrize(("path", "printed", "words"), FACTS)
def test_facts(first: Ruleset, path: str, printed: str, words: str) -> None:
    found = re.fullmatch(r"(\w+)\.(\w+)\.title", path)
    if found:
        table = first.tables[found[1]]
        assert isinstance(table, RecordTable)
        assert str(table.data[found[2]].title) == printed, words
    else:
        assert printed_at(first, path) == printed, words


#: Rows of tables that the draft has no more of than these.
ROWS = {
    "moves": "line line_firing column open_order infantry_charge cavalry cavalry_battle "
    "cavalry_charge team manhandled wagon barge_upstream barge_downstream barge_canal",
    "ranges": "rifled_musket canister round_shot howitzer",
    "skirmish_bands": "rifled_musket",
    "ball_kills": "near middle far extreme",
    "detachments": "detachment",
}


@pytest.mark.parametrize("name", ROWS)
def test_rows(first: Ruleset, name: str) -> None:
    table = first.tables[name]
    assert isinstance(table, RecordTable)
    assert list(table.data) == ROWS[name].split()


def test_columns_of_tables_that_grew_later(first: Ruleset) -> None:
    fields = {"loss_points": "share infantry cavalry points"}
    fields |= {"ball_kills": "start to kills", "detachments": "rank_and_file officers lost"}
    for name, columns in fields.items():
        table = first.tables[name]
        assert isinstance(table, RecordTable)
        assert list(table.fields) == columns.split()


#: What came with the second draft.
LATER = (
    "threats annex_throws skirmish_line zouave_losses sleeve_kills sleeve bounce_bands "
    "bounce_colours stick_rod bounce_stick bounce_stick_wrap bounce line_morale canister_cone "
    "smoothbore_stick skirmish_stick_short annex_phase brigadier"
)


@pytest.mark.parametrize("id_", LATER.split())
def test_what_came_later_is_not_there(first: Ruleset, id_: str) -> None:
    collections = first.collections
    assert not any(id_ in getattr(collections, name) for name in type(collections).model_fields)


def test_the_volley_is_that_of_both_drafts(first: Ruleset) -> None:
    table = first.tables["musketry"]
    assert isinstance(table, Grid)
    assert [[cell.value for cell in row] for row in table.data] == [
        [2, 3, 1, 2],
        [3, 4, 2, 3],
        [4, 5, 3, 4],
    ]


def _sections(ruleset: Ruleset) -> dict[str, Section]:
    return {section.id: section for chapter in ruleset.chapters for section in chapter.sections}


def _prose(section: Section) -> str:
    return " ".join(part.markdown for part in section.parts if isinstance(part, Text))


def _remarks(section: Section) -> Iterator[tuple[Status, str, str]]:
    for part in section.parts:
        if isinstance(part, Remark):
            yield part.status, part.title, part.text.markdown


def test_only_heavy_cavalry_breaks_through(first: Ruleset) -> None:
    """The draft: "If heavy cavalry charge infantry", and "no longer any Light Cavalry"."""
    section = _sections(first)["breakthrough_rule"]
    assert _prose(section).startswith("Heavy cavalry may ride down infantry")
    (gap,) = [text for status, title, text in _remarks(section) if status is Status.MISSING]
    assert "no longer any Light Cavalry" in gap
    assert 'all cavalry is at this time "Light"' in gap


def test_detachments_fall_back_and_do_not_test(first: Ruleset) -> None:
    section = _sections(first)["detachments_rule"]
    assert "must fall back" in _prose(section)
    assert "morale" not in _prose(section)
    assert "extended_lines" not in _sections(first)


def test_round_shot_is_left_to_the_war_game(first: Ruleset) -> None:
    """The draft: "Rules per “The War Game”."."""
    section = _sections(first)["round_shot"]
    assert "*The War Game*" in _prose(section)
    assert [status for status, *_ in _remarks(section)] == [Status.MISSING]
    assert "bounce_stick_rule" not in _sections(first)


def test_the_guess_of_the_canister_cone_is_told_as_one(first: Ruleset) -> None:
    """The draft has "the device"; a post of 21 June guesses at it, without a width of the base."""
    for zone in ("near", "middle", "far"):
        cell = find(first, f"canister_zones.{zone}.to")
        assert isinstance(cell, Cell)
        assert cell.status is Status.READ
    cell = find(first, "canister_zones.near.to")
    assert isinstance(cell, Cell)
    note = str(cell.note)
    assert all(words in note for words in ("21 June", '28" long', '6.5" and 14" points'))
    section = _sections(first)["canister"]
    (gap,) = [text for status, _, text in _remarks(section) if status is Status.MISSING]
    assert "width of the base" in gap
    assert not any(isinstance(part, Block) and part.kind == "cutout" for part in section.parts)


def test_carbines_are_a_question(first: Ruleset) -> None:
    """The draft: "potential here for Carbines to be less effective. 6, 12 and 18” range bands?"."""
    gaps = [text for section in _sections(first).values() for _, _, text in _remarks(section)]
    assert sum("potential here for Carbines to be less effective" in text for text in gaps) == 1
    assert "smoothbores" not in _sections(first)


def test_the_preface_tells_where_the_rules_come_from(first: Ruleset) -> None:
    """The draft: "infantry weapon ranges have gone from 18" to 24"", and what follows it."""
    text = _prose(_sections(first)["origins"])
    for words in ("18″", "Detachments", "breakthroughs", "light infantry", "light cavalry"):
        assert words in text


def test_sources_name_the_first_draft(first: Ruleset) -> None:
    """Of everything but what is ours."""
    collections = first.collections
    for name in type(collections).model_fields:
        for id_, entity in getattr(collections, name).items():
            source = getattr(entity, "source", None)
            assert source is None or str(source).startswith("first draft, "), id_


#: What kills a figure, of each band of round shot and each zone of canister.
BALL = {"near": 3, "middle": 4, "far": 5, "extreme": 6}
BALL_ENDS = {"near": 24, "middle": 36, "far": 48, "extreme": 60}
CANISTER = {"near": 4, "middle": 5, "far": 6}


def _killed(needed: Iterable[int]) -> dict[int, Fraction]:
    """A die for each figure, every throw in turn: how often so many fall."""
    scores = list(needed)
    throws = product(range(1, 7), repeat=len(scores))
    counted = Counter(
        sum(die >= need for die, need in zip(dice, scores, strict=True)) for dice in throws
    )
    return {fallen: Fraction(ways, 6 ** len(scores)) for fallen, ways in counted.items()}


@pytest.mark.parametrize("band", BALL)
@pytest.mark.parametrize("figures", [1, 2, 3, 5])
def test_odds_of_round_shot(first: Ruleset, band: str, figures: int) -> None:
    found = odds(first, "round_shot", {"band": band, "figures": str(figures)})
    assert dict(found.results["casualties"].outcomes) == _killed([BALL[band]] * figures)


@pytest.mark.parametrize("inside", [(2, 0, 0), (0, 3, 0), (0, 0, 4), (1, 2, 1), (2, 1, 3)])
def test_odds_of_canister(first: Ruleset, inside: tuple[int, int, int]) -> None:
    zones = dict(zip(CANISTER, inside, strict=True))
    needed = [CANISTER[zone] for zone, number in zones.items() for _ in range(number)]
    found = odds(first, "canister", {zone: str(number) for zone, number in zones.items()})
    assert dict(found.results["casualties"].outcomes) == _killed(needed)


@pytest.mark.parametrize(("ranks", "needed"), [(1, 4), (2, 5)])
def test_odds_of_a_breakthrough(first: Ruleset, ranks: int, needed: int) -> None:
    found = odds(first, "breakthrough", {"ranks": str(ranks)})
    assert found.results["breaks_through"].chance(True) == _killed([needed])[1]


@pytest.mark.parametrize("inch", range(1, 61))
def test_odds_at_a_distance(first: Ruleset, inch: int) -> None:
    """By the bands of the draft, and by the guess of 21 June."""
    ball = BALL[next(band for band, end in BALL_ENDS.items() if inch <= end)]
    zone = CANISTER["near" if inch <= 6 else "middle" if inch <= 14 else "far"]
    for shot, needed in {"round_shot": ball, "canister": zone if inch <= 24 else 7}.items():
        found = odds(first, "figure_under_fire", {"shot": shot, "distance": f"{inch}in"})
        assert found.results["falls"].chance(True) == Fraction(7 - needed, 6)


#: What kills inside and whether the ball goes on, for the throws 1 to 6.
HOUSE = {
    "0-36in": [(0, 0), (0, 0), (1, 0), (1, 0), (2, 1), (3, 1)],
    "36-48in": [(0, 0), (0, 0), (0, 0), (1, 0), (2, 1), (2, 1)],
    "48-60in": [(0, 0), (0, 0), (0, 0), (0, 0), (1, 0), (1, 0)],
}


@pytest.mark.parametrize(("band", "less"), [("0-36in", 0), ("36-48in", 1), ("48-60in", 2)])
def test_odds_of_a_ball_on_a_house(first: Ruleset, band: str, less: int) -> None:
    """The draft: "using the above table in the same manner as with counter-battery fire"."""
    found = odds(first, "round_shot_on_house", {"range": band})
    assert tuple(found.results) == ("kills", "goes_on", "points")
    expected = Counter(
        (killed, bool(on), max(0, die - less)) for die, (killed, on) in enumerate(HOUSE[band], 1)
    )
    assert dict(found.joint) == {key: Fraction(ways, 6) for key, ways in expected.items()}


def test_procedures_are_those_of_the_draft(first: Ruleset) -> None:
    assert {"round_shot", "canister", "breakthrough"} < set(first.procedures)
    bands = program_of(first, "round_shot").domains["band"].values
    assert [str(band) for band in bands] == list(BALL)
