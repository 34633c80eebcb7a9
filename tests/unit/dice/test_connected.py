"""Groups of states that reach each other."""

from __future__ import annotations

from rulebook.dice.chains import components


def test_components_come_before_what_they_lead_to() -> None:
    # 0 -> 1 <-> 2 -> 3 (to itself), 0 -> 3, 4 is not reached; 9 is an exit.
    found = components([[1, 3], [2], [1, 3, 9], [3, 9], [0]], [0])
    assert [set(component) for component in found] == [{0}, {1, 2}, {3}]


def test_two_starts() -> None:
    found = components([[1], [], [1]], [0, 2])
    assert sorted(found[:2]) == [[0], [2]]
    assert found[2] == [1]


def test_a_ring_within_a_ring() -> None:
    found = components([[1], [2, 0], [3], [1, 4], [0]], [2])
    assert [set(component) for component in found] == [{0, 1, 2, 3, 4}]


def test_long_ways() -> None:
    states = 20_000
    assert len(components([[n + 1] for n in range(states)], [0])) == states
    assert len(components([[(n + 1) % states] for n in range(states)], [0])) == 1
