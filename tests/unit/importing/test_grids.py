"""However cells are set in a tab, none is lost, and each row stays a row."""

from hypothesis import example, given
from hypothesis import strategies as some

from rulebook.importing.grids import add_tab
from rulebook.importing.pages import Page
from rulebook.importing.sheets import sheet_of
from rulebook.loading.workbooks import ShownCell, Tab

WORDS = some.sampled_from(
    ["unit", "4+", "6in", "1-3", "12", "+1", "D6", "- item", "1. first", "It moves.", "* note"]
)
CELLS = some.dictionaries(
    some.tuples(some.integers(0, 7), some.integers(0, 5)), some.tuples(WORDS, some.booleans())
)
AREAS = some.lists(
    some.tuples(*map(some.integers, (0, 0), (7, 5))).flatmap(
        lambda start: some.tuples(
            some.just(start[0]),
            some.just(start[1]),
            some.integers(start[0], 7),
            some.integers(start[1], 5),
        )
    ),
    max_size=3,
)


@given(CELLS, AREAS)
@example(
    {(0, 2): ("D6", False), (1, 2): ("12", False), (2, 0): ("D6", False)}, [(2, 0, 2, 2)]
)  # one column above a note
def test_no_cell_is_lost(cells, areas):
    tab = Tab("tab")
    for number, (place, (word, bold)) in enumerate(cells.items()):
        tab.cells[place] = ShownCell(f"{word} n{number}n", bold)
    tab.merged = areas
    page = Page("file")
    add_tab(page, tab)
    sheet = sheet_of(page)
    assert [number for number in range(len(cells)) if f"n{number}n" not in sheet] == []
