"""The records of how the American Civil War Game was printed: of just what each edition holds.

The pages were held once against the text of all booklets as they were printed then; here they are
held to the editions.
"""

from __future__ import annotations

import pytest

from rulebook.loading.print_records import PrintRecord, RecordOf, read_print_record
from rulebook.loading.releases import find_releases, record_path
from rulebook.loading.snapshots import load_snapshot, read_snapshot
from rulebook.model.prose import placements, rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import content_folder

RELEASES = find_releases(content_folder() / "acw")


def record_of(edition: str) -> tuple[Ruleset, PrintRecord]:
    path = RELEASES[edition]
    snapshot, ruleset = read_snapshot(path)[0], load_snapshot(path).ruleset
    headings = rule_numbers(ruleset.chapters)
    of = RecordOf("acw", edition, snapshot.sha256, headings)
    record, problems = read_print_record(record_path(path), of)
    assert record is not None, problems
    return ruleset, record


@pytest.mark.parametrize("edition", RELEASES)
def test_all_that_is_printed_of_an_edition_is_recorded(edition: str) -> None:
    ruleset, record = record_of(edition)
    placed = placements(ruleset.chapters)
    assert set(record.booklets) == {"a5", "large"}
    for booklet in record.booklets.values():
        assert list(booklet.headings) == sorted(rule_numbers(ruleset.chapters))
        for kind, there in (
            ("table", booklet.tables),
            ("cutout", booklet.cutouts),
            ("example", booklet.examples),
            ("steps", booklet.procedures),
        ):
            expected = {target: at for (of, target), at in placed.items() if of == kind}
            assert set(there) == set(expected)
            for target, heading in expected.items():
                assert there[target] >= booklet.headings[heading], "it stands in its section"
        pages = [booklet.headings[one] for one in rule_numbers(ruleset.chapters)]
        assert pages == sorted(pages)
    assert set(record.sheets) == {"a4", "letter"}
    panels = {f"{phase}-{step}" for phase, one in ruleset.sequence.items() for step in one.steps}
    for sides in record.sheets.values():
        pieces = [piece for side in sides for piece in side]
        assert len(pieces) == len(set(pieces))
        assert {piece.partition(".")[0] for piece in pieces} >= panels
    assert set(record.decks) == set(ruleset.decks)
    files = set(record.files)
    assert {
        path for deck in record.decks.values() for c in deck.values() for path in c.pages
    } <= files
    assert not any(path.startswith("scenarios/") for path in files)


def test_the_pages_of_a_few_rules_as_their_owners_find_them() -> None:
    """As they stand in the files that were printed of the first edition."""
    _, record = record_of("1.0")
    small, large = record.booklets["a5"], record.booklets["large"]
    assert (small.pages, large.pages) == (51, 43)
    assert (small.headings["canister"], large.headings["canister"]) == (28, 24)
    assert (small.headings["odds_of_morale"], large.headings["odds_of_morale"]) == (38, 32)
    assert record.files["booklet-a4.pdf"].startswith("07ec2ed638fed633633c")
