"""A regular expression -> why matching it could take more than linear time, or nothing.

Python's engine tries one way through a text after another. A pattern is an automaton, and the ways
it can go through the first n characters are at most a constant number, for every n, unless some
word leads from a state p to itself, from p to another state q, and from q to itself: then there are
as many ways as the word is repeated (A. Weber and H. Seidl, On the degree of ambiguity of finite
automata, 1991, there IDA; for engines that backtrack N. Weideman and others, Analyzing matching
time behavior of backtracking regular expression matchers by using ambiguity of NFA, 2016). So a
pattern without such a word is linear, whatever it is matched against.

A search tries one place after another. It is linear if no word leads from between two attempts to
between two others while an attempt that began inside it goes on through it again and again.

All is taken on the safe side: every state is one where the rest may fail to match, and of atomic
groups and assertions only those of one character are believed to cut anything off.
"""

from __future__ import annotations

import re
import re._constants as sre
import re._parser as parser
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

#: Repetitions up to here are unrolled, elsewhere taken to be without end when inside another.
UNROLLED = 8
#: The widest text that an assertion of more than one character may look at.
WIDEST_ASSERTION = 64
#: One of each kind that the classes of Python's engine tell apart.
_SAMPLES = "aZ_09 \t\n\r\x0b\x1c.-\u00a0\u00e9\u00b2\u0661\u2603\u017f\u212a\U0001f600"

Test = Callable[[str], bool]
#: The character before (None at the start) and the one after (None at the end).
Guard = Callable[[str | None, str | None], bool]
Use = Literal["fullmatch", "match", "search"]
#: The state of a search between two attempts.
_NOWHERE = 0


class NotProvable(Exception):
    """The pattern has a part that this analysis does not understand."""


@dataclass(slots=True)
class _Automaton:
    """States by number; `free` leads on without a character, `taking` takes one."""

    free: dict[int, list[tuple[int, Guard | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    taking: dict[int, list[tuple[Test, int]]] = field(default_factory=lambda: defaultdict(list))
    samples: set[str] = field(default_factory=lambda: set(_SAMPLES))
    tests: list[Test] = field(default_factory=list)
    #: Greedy loops over one character: the loop, what follows it, and what it takes.
    greedy: list[tuple[int, int, Test]] = field(default_factory=list)
    #: Characters, with those before them, at which a match is certain.
    sure: set[tuple[str | None, str]] = field(default_factory=set)
    #: Whether a part looks at the character before it; else that is the same to all states.
    looks_back: bool = False
    #: Whether there is an atomic group, which may give up what would have matched.
    atomic: bool = False
    count: int = 0

    def state(self) -> int:
        self.count += 1
        return self.count


def why_not_linear(pattern: str, flags: int = 0, *, use: Use = "search") -> str:
    """What is wrong with a pattern that is used in one of three ways, or an empty text."""
    tree = parser.parse(pattern, flags)
    automaton = _Automaton()
    start = automaton.state()
    try:
        end = _add(automaton, tree, start, tree.state.flags | flags, repeated=False)
        if use != "fullmatch":
            _end_greedily(automaton, end)
        characters = _characters(automaton)
        attempts: list[_Here] = [(start, None)]
        if automaton.looks_back:
            attempts += [(start, one) for one in characters]
        moves = _moves(automaton, attempts, characters)
        if use == "search" and not (fault := _ambiguity(moves)):
            automaton.sure = _sure(automaton, moves, start, end, characters)
            automaton.free[end].append((_NOWHERE, None))
            automaton.free[_NOWHERE].append((start, None))
            everywhere = _moves(automaton, [(_NOWHERE, None)], characters)
            return _overlap(everywhere, moves)
        return _ambiguity(moves)
    except NotProvable as fault:
        return str(fault)


def _add(a: _Automaton, parts: Iterable[Any], at: int, flags: int, *, repeated: bool) -> int:
    for op, value in parts:
        at = _add_part(a, op, value, at, flags, repeated)
    return at


def _add_part(a: _Automaton, op: Any, value: Any, at: int, flags: int, repeated: bool) -> int:
    if test := _test_of(a, op, value, flags):
        after = a.state()
        a.taking[at].append((test, after))
        return after
    if op is sre.SUBPATTERN:
        _, more, fewer, inside = value
        return _add(a, inside, at, (flags | more) & ~fewer, repeated=repeated)
    if op is sre.ATOMIC_GROUP:
        inside = list(value)
        if len(inside) == 1 and inside[0][0] is sre.MAX_REPEAT:
            return _add_part(a, sre.POSSESSIVE_REPEAT, inside[0][1], at, flags, repeated)
        a.atomic = True
        return _add(a, value, at, flags, repeated=repeated)
    if op is sre.BRANCH:
        after = a.state()
        for branch in value[1]:
            begin = a.state()
            a.free[at].append((begin, None))
            end = _add(a, branch, begin, flags, repeated=repeated)
            a.free[end].append((after, None))
        return after
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return _add_repeat(a, op, value, at, flags, repeated)
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return _add_assertion(a, op, value, at, flags)
    if op is sre.AT:
        a.looks_back |= value in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING)
        return _guarded(a, at, _anchor(value))
    raise NotProvable(f"{op} is not understood")


def _add_repeat(a: _Automaton, op: Any, value: Any, at: int, flags: int, repeated: bool) -> int:
    least, most, inside = value
    endless = most is sre.MAXREPEAT or (repeated and most > UNROLLED)
    within = repeated or most is sre.MAXREPEAT or most > 1
    for _ in range(min(least, UNROLLED) if endless else least):
        at = _add(a, inside, at, flags, repeated=within)
    after = a.state()
    if endless:
        loop = a.state()
        a.free[at].append((loop, None))
        end = _add(a, inside, loop, flags, repeated=True)
        a.free[end].append((loop, None))
        test = _test_of(a, *inside[0], flags) if len(inside) == 1 else None
        alone = test is not None and most is sre.MAXREPEAT
        if test and alone and op is sre.POSSESSIVE_REPEAT:
            a.free[loop].append((after, _not_next(test)))
        else:
            a.free[loop].append((after, None))
            if test and alone and op is sre.MAX_REPEAT:
                a.greedy.append((loop, after, test))
        return after
    for _ in range(most - least):
        a.free[at].append((after, None))
        at = _add(a, inside, at, flags, repeated=within)
    a.free[at].append((after, None))
    return after


def _not_next(test: Test) -> Guard:
    return lambda _, after: after is None or not test(after)


def _end_greedily(a: _Automaton, end: int) -> None:
    """A greedy loop after which nothing must come takes all that it can, and never gives back."""
    last = [one for one in a.greedy if end in _freely_reached(a, one[1])]
    for loop, after, test in last:
        a.free[loop].remove((after, None))
        a.free[loop].append((after, _not_next(test)))


def _freely_reached(a: _Automaton, start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for after, guard in a.free[waiting.pop()]:
            if guard is None and after not in found:
                found.add(after)
                waiting.append(after)
    return found


def _add_assertion(a: _Automaton, op: Any, value: Any, at: int, flags: int) -> int:
    direction, inside = value
    parts = list(inside)
    if not parts:
        return a.state()  # (?!): nothing is reached from here
    test = _test_of(a, *parts[0], flags) if len(parts) == 1 else None
    wanted = op is sre.ASSERT
    if test and direction < 0:
        a.looks_back = True
        return _guarded(a, at, lambda before, _: (before is not None and test(before)) == wanted)
    if test:
        return _guarded(a, at, lambda _, after: (after is not None and test(after)) == wanted)
    if inside.getwidth()[1] > WIDEST_ASSERTION:
        raise NotProvable("an assertion looks at a text without end")
    return at


def _anchor(value: Any) -> Guard | None:
    if value is sre.AT_BEGINNING_STRING:
        return lambda before, _: before is None
    if value is sre.AT_BEGINNING:
        return lambda before, _: before in (None, "\n")
    if value is sre.AT_END:
        return lambda _, after: after in (None, "\n")
    if value is sre.AT_END_STRING:
        return lambda _, after: after is None
    return None


def _guarded(a: _Automaton, at: int, guard: Guard | None) -> int:
    after = a.state()
    a.free[at].append((after, guard))
    return after


def _test_of(a: _Automaton, op: Any, value: Any, flags: int) -> Test | None:
    """Whether a part takes a character, if it takes just one."""
    if op is sre.SUBPATTERN and len(value[3]) == 1:
        return None
    if op is sre.LITERAL:
        test = _literal(value, flags)
        a.samples |= _around(value)
    elif op is sre.NOT_LITERAL:
        same = _literal(value, flags)
        a.samples |= _around(value)
        test = lambda c: not same(c)  # noqa: E731
    elif op is sre.ANY:
        test = (lambda _: True) if flags & re.DOTALL else (lambda c: c != "\n")
    elif op is sre.IN:
        test = _class(a, value, flags)
    else:
        return None
    a.tests.append(test)
    return test


def _around(code: int) -> set[str]:
    near = (code - 1, code, code + 1)
    found = {chr(one) for one in near if 0 <= one < 0x110000}
    return found | {c.lower()[0] for c in found} | {c.upper()[0] for c in found}


def _literal(code: int, flags: int) -> Test:
    character = chr(code)
    if flags & re.IGNORECASE:
        return lambda c: c.casefold() == character.casefold()
    return lambda c: c == character


def _class(a: _Automaton, parts: list[Any], flags: int) -> Test:
    negated = parts[0][0] is sre.NEGATE
    tests: list[Test] = []
    for op, value in parts[1:] if negated else parts:
        if op is sre.LITERAL:
            a.samples |= _around(value)
            tests.append(_literal(value, flags))
        elif op is sre.RANGE:
            first, last = value
            a.samples |= _around(first) | _around(last)
            tests.append(_range(first, last, flags))
        elif op is sre.CATEGORY:
            tests.append(_category(value, flags))
        else:
            raise NotProvable(f"{op} in a class")
    return lambda c: any(test(c) for test in tests) != negated


def _range(first: int, last: int, flags: int) -> Test:
    if flags & re.IGNORECASE:
        return lambda c: any(first <= ord(d[0]) <= last for d in (c, c.lower(), c.upper()))
    return lambda c: first <= ord(c) <= last


_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


def _category(value: Any, flags: int) -> Test:
    compiled = re.compile(_CATEGORIES[value], flags & re.ASCII)
    return lambda c: compiled.match(c) is not None


#: Where a way through the text stands: a state, and the character before.
_Here = tuple[int, str | None]
_Moves = dict[_Here, dict[str, dict[_Here, int]]]


def _characters(a: _Automaton) -> list[str]:
    """One character of each kind: of a kind are those that no part of the pattern tells apart."""
    kinds: dict[tuple[bool, ...], str] = {}
    for sample in sorted(a.samples):
        kinds.setdefault((sample == "\n", *(test(sample) for test in a.tests)), sample)
    return list(kinds.values())


def _moves(a: _Automaton, starts: list[_Here], characters: list[str]) -> _Moves:
    """From each place that can be reached, by each character, where to and in how many ways."""
    moves: _Moves = {}
    waiting = list(starts)
    while waiting:
        here = waiting.pop()
        if here in moves:
            continue
        moves[here] = {}
        for character in characters:
            found: dict[_Here, int] = defaultdict(int)
            for state in _taken(a, here, character):
                found[state, character if a.looks_back else None] += 1
            moves[here][character] = found
            waiting += found
    return moves


def _sure(
    a: _Automaton, moves: _Moves, start: int, end: int, characters: list[str]
) -> set[tuple[str | None, str]]:
    """Where an attempt that takes one character cannot fail any more."""

    def ends(here: _Here, after: str | None) -> bool:
        return end in _passed(a, here, after)

    safe = {here for here in moves if ends(here, None)}
    while True:
        unsafe = {
            here
            for here in safe
            if not all(
                ends(here, c) or any(to in safe for to in moves[here][c]) for c in characters
            )
        }
        if not unsafe:
            break
        safe -= unsafe
    if a.atomic:
        safe.clear()
    return {
        (before, c)
        for before in ((None, *characters) if a.looks_back else (None,))
        for c in characters
        if any(to in safe for to in moves[start, before][c])
    }


def _passed(a: _Automaton, here: _Here, after: str | None) -> set[int]:
    """The states that free moves lead to before a character."""
    start, before = here
    found, waiting = {start}, [start]
    while waiting:
        for state, guard in a.free[waiting.pop()]:
            if state not in found and (guard is None or guard(before, after)):
                found.add(state)
                waiting.append(state)
    return found


def _taken(a: _Automaton, here: _Here, character: str) -> Iterator[int]:
    """Each state that a way of free moves and one character leads to, as often as there are ways.

    A way may pass a state twice: the end of a loop inside another begins both again. An iteration
    that takes nothing ends a loop in Python's engine.
    """
    start, before = here
    waiting: list[tuple[int, tuple[int, ...]]] = [(start, (start,))]
    tried = 0
    while waiting:
        tried += 1
        if tried > 20_000:
            raise NotProvable("too many ways without a character")
        state, passed = waiting.pop()
        if state == _NOWHERE and (before, character) not in a.sure:
            yield _NOWHERE
        for test, after in a.taking[state]:
            if test(character):
                yield after
        for after, guard in a.free[state]:
            if passed.count(after) < 2 and (guard is None or guard(before, character)):
                waiting.append((after, (*passed, after)))


def _ambiguity(moves: _Moves) -> str:
    successors = _successors(moves)
    component = _components(successors)
    looping = {
        here for here in moves if any(component[to] == component[here] for to in successors[here])
    }
    for here in looping:
        for character, by in moves[here].items():
            for to, ways in by.items():
                if ways > 1 and component[to] == component[here]:
                    return f"ways double with each {character!r}"
    reach = {here: _reached(successors, here) for here in looping}
    for p in looping:
        for q in looping:
            if p != q and q in reach[p] and (word := _word(moves, component, reach, p, q)):
                return f"there are as many ways as {word!r} is repeated"
    return ""


def _word(
    moves: _Moves, component: dict[_Here, int], reach: dict[_Here, set[_Here]], p: _Here, q: _Here
) -> str:
    """A word that leads from p to p, from p to q, and from q to q."""
    around_p = {here for here in moves if component[here] == component[p]}
    around_q = {here for here in moves if component[here] == component[q]}
    return _common_word((moves, around_p), (moves, around_q), p, q)


def _overlap(everywhere: _Moves, attempt: _Moves) -> str:
    """Whether attempts begin again and again while an earlier one still goes on."""
    component = _components(_successors(attempt))
    successors = _successors(everywhere)
    reach_back = {
        here: _NOWHERE in {state for state, _ in _reached(successors, here)} for here in everywhere
    }
    coming_back = {here for here in everywhere if reach_back[here]}
    loops = [
        here
        for here in attempt
        if any(component[to] == component[here] for to in _successors_of(attempt, here))
    ]
    for p in (here for here in everywhere if here[0] == _NOWHERE):
        for q in loops:
            going_on = {here for here in attempt if component[here] == component[q]}
            within = (everywhere, coming_back), (attempt, going_on)
            if q in everywhere and (word := _common_word(*within, p, q)):
                return f"a search begins anew as often as {word!r} is repeated"
    return ""


def _common_word(first: _Within, third: _Within, p: _Here, q: _Here) -> str:
    """A word from p to p and from p to q by the first moves, and from q to q by the third."""
    loops = _loops(first, third, p, q)
    start, goal = (p, p, q), (p, q, q)
    seen = {start: ""}
    waiting = deque([start] if loops else [])
    while waiting:
        here = waiting.popleft()
        x, y, z = here
        for character, x2, z2 in loops[x, z]:
            for y2 in first[0][y][character]:
                after = (x2, y2, z2)
                if after not in seen:
                    seen[after] = seen[here] + character
                    if after == goal:
                        return seen[after]
                    waiting.append(after)
    return ""


#: Moves, and the places that they stay within.
_Within = tuple[_Moves, set[_Here]]
_Pair = tuple[_Here, _Here]


def _loops(
    first: _Within, third: _Within, p: _Here, q: _Here
) -> dict[_Pair, list[tuple[str, _Here, _Here]]]:
    """The moves of both at once on the ways by which both come back to where they began."""
    moves: dict[_Pair, list[tuple[str, _Here, _Here]]] = {}
    sources: dict[_Pair, set[_Pair]] = defaultdict(set)
    waiting = [(p, q)]
    while waiting:
        pair = waiting.pop()
        if pair in moves:
            continue
        x, z = pair
        moves[pair] = [
            (character, x2, z2)
            for character in first[0][x]
            for x2 in first[0][x][character]
            if x2 in first[1]
            for z2 in third[0][z][character]
            if z2 in third[1]
        ]
        for _, x2, z2 in moves[pair]:
            sources[x2, z2].add(pair)
            waiting.append((x2, z2))
    back: set[_Pair] = set()
    waiting = list(sources[p, q])
    while waiting:
        pair = waiting.pop()
        if pair not in back:
            back.add(pair)
            waiting += sources[pair]
    return {pair: [one for one in moves[pair] if (one[1], one[2]) in back] for pair in back}


def _successors_of(moves: _Moves, here: _Here) -> set[_Here]:
    return {to for by in moves[here].values() for to in by}


def _successors(moves: _Moves) -> dict[_Here, set[_Here]]:
    return {here: {to for by in moves[here].values() for to in by} for here in moves}


def _reached(successors: dict[_Here, set[_Here]], start: _Here) -> set[_Here]:
    found = {start}
    waiting = [start]
    while waiting:
        for after in successors[waiting.pop()] - found:
            found.add(after)
            waiting.append(after)
    return found


def _components(successors: dict[_Here, set[_Here]]) -> dict[_Here, int]:
    """A number for each place, the same for places that lead to each other (Kosaraju)."""
    order: list[_Here] = []
    seen: set[_Here] = set()
    for first, following in successors.items():
        stack = [(first, iter(following))] if first not in seen else []
        seen.add(first)
        while stack:
            here, rest = stack[-1]
            after = next((one for one in rest if one not in seen), None)
            if after is None:
                order.append(here)
                stack.pop()
            else:
                seen.add(after)
                stack.append((after, iter(successors[after])))
    predecessors: dict[_Here, set[_Here]] = defaultdict(set)
    for here, others in successors.items():
        for other in others:
            predecessors[other].add(here)
    component: dict[_Here, int] = {}
    for number, first in enumerate(reversed(order)):
        waiting = [first]
        while waiting:
            here = waiting.pop()
            if here not in component:
                component[here] = number
                waiting += predecessors[here]
    return component
