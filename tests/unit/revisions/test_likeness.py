"""What two texts share: as difflib finds it, in bounded steps where that would take for ever."""

from difflib import SequenceMatcher

import pytest
from calls import at_most
from hypothesis import given
from hypothesis import strategies as st

from rulebook.documents.changes.described import word_runs
from rulebook.revisions.likeness import MOST_CELLS, MOST_STEPS, Matcher, line_marks, shared

WORDS = st.lists(st.sampled_from("abc "), max_size=30)
#: Calls for each of a few million steps, of which difflib has two or three.
CALLS = 3 * MOST_STEPS
#: Words of which difflib would look at 40,000,000 pairs at once, and again for each passage.
LONG = [f"w{n % 4}" if n % 3 else "the" for n in range(12_000)]


@given(WORDS, WORDS)
def test_short_texts_share_what_difflib_finds(before: list[str], now: list[str]) -> None:
    wanted = SequenceMatcher(None, before, now, autojunk=False)
    found = Matcher(before, now)
    assert found.get_opcodes() == wanted.get_opcodes()
    assert found.ratio() == wanted.ratio()


@given(WORDS, WORDS)
def test_what_is_paired_otherwise_is_the_same_in_both(before: list[str], now: list[str]) -> None:
    """The most words stay that can, by the table of all beginnings of both texts."""
    pairs = shared(before, now)
    assert [before[i + n] for i, _, size in pairs for n in range(size)] == [
        now[j + n] for _, j, size in pairs for n in range(size)
    ]
    assert [one.a for one in pairs] == sorted(one.a for one in pairs)
    row = [0] * (len(now) + 1)
    for word in before:
        last = row
        row = [0]
        for at, other in enumerate(now):
            row.append(last[at] + 1 if word == other else max(row[-1], last[at + 1]))
    assert sum(one.size for one in pairs) == row[-1]


def test_long_texts_of_the_same_few_words_take_bounded_steps() -> None:
    now = [*LONG[5_000:], "new", *LONG[:4_000]]
    with at_most(CALLS):
        matcher = Matcher(LONG, now)
        same = [codes[1:] for codes in matcher.get_opcodes() if codes[0] == "equal"]
    assert all(LONG[a:b] == now[c:d] for a, b, c, d in same)
    assert matcher.ratio() > 0.7


def test_runs_of_long_texts_give_both_back() -> None:
    before, now = " ".join(LONG), " ".join([*LONG[3_000:], "new", *LONG[:2_000]])
    with at_most(CALLS):
        runs = word_runs(before, now)
    assert "".join(run.text for run in runs if run.kind != "inserted") == before
    assert "".join(run.text for run in runs if run.kind != "deleted") == now


@pytest.mark.parametrize("size", [23_200, 50_000])
def test_texts_too_long_for_either_way_share_nothing(size: int) -> None:
    assert size * size > MOST_CELLS
    with at_most(CALLS):
        assert Matcher(["a"] * size, ["a", "b"] * (size // 2)).ratio() == 0


def test_many_lines_take_bounded_steps() -> None:
    then = [f"{'a ' * 50}{n}" for n in range(60)]
    now = [f"{'a ' * 50}{n} b" for n in range(60)]
    with at_most(CALLS):
        assert set(line_marks(now, then).was) == {""}
