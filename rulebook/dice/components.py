"""The moves between states -> groups of states that reach each other, in the order of the moves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence


def components(follows: Sequence[Collection[int]], starts: Iterable[int]) -> list[list[int]]:
    """Strongly connected components of what `starts` reach, each before all that it leads to.

    `follows[state]` are the states after a state; numbers beyond the last state lead nowhere and
    belong to no component. H. N. Gabow, Path-based depth-first search for strong and biconnected
    components, Information Processing Letters 74 (2000), without recursion.
    """
    found: list[list[int]] = []
    #: States that are in no component yet, and where the components that they may be in begin.
    pending: list[int] = []
    bounds: list[int] = []
    #: Where a state stands among those pending; beyond them all once it is in a component.
    place: dict[int, int] = {}
    path: list[tuple[int, Iterator[int]]] = []

    def enter(state: int) -> None:
        place[state] = len(pending)
        bounds.append(len(pending))
        pending.append(state)
        path.append((state, iter(follows[state])))

    for start in starts:
        if start not in place:
            enter(start)
        while path:
            state, ahead = path[-1]
            for after in ahead:
                if after >= len(follows):
                    continue
                if after not in place:
                    enter(after)
                    break
                # A way back: all that was entered since then is in one component.
                while bounds[-1] > place[after]:
                    bounds.pop()
            else:
                path.pop()
                if bounds[-1] == place[state]:
                    component = pending[bounds.pop() :]
                    del pending[place[state] :]
                    place.update(dict.fromkeys(component, len(follows)))
                    found.append(component)
    return found[::-1]
