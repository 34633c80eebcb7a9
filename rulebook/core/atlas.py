"""A program -> its odds at all inputs: an atlas, in which they are looked up without the program.

The inputs are taken one step at a time, as the procedure reads them. What has happened so far is a
node: the weights of all states. Inputs that lead to equal nodes share all that comes after, so an
atlas covers billions of sets of inputs in a few tables. Where it grows too large all the same, it
is kept to some values of the inputs that make it so.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import gcd, prod
from typing import Any

from rulebook.core import programs, residuals, value_types
from rulebook.core.exact import Engine
from rulebook.core.input_classes import (
    Classes,
    Question,
    TooManyClasses,
    classed,
    classed_conditions,
    questions_about,
)
from rulebook.core.input_domains import Domain
from rulebook.core.odds import in_order
from rulebook.core.procedure_faults import RunFault
from rulebook.core.residuals import Fails, Known, Residual
from rulebook.core.value_types import FlagKind, Kind, LengthKind, NumberKind, Typed, Value
from rulebook.core.weights import Budget, Place, State, maker, projected
from rulebook.limits import MOST_WORK
from rulebook.translation import gettext, gettext_noop

#: What the atlas of one procedure may take: moves from state to state for each attempt to make it,
#: nodes times inputs of one layer, and bits of weights of all distributions.
MOST_MOVES = 600_000
MOST_CELLS = 60_000
MOST_BITS = 1_200_000
#: So many cells tell what a table takes; they are taken in steps of a prime.
_SAMPLE = 150
_PRIMES = (7919, 6101, 4999)
#: What a cell of a table takes, in bits.
_BITS_OF_CELL = 12
#: What it takes to compute a node, in moves.
_MOVES_OF_NODE = 15


@dataclass(frozen=True, slots=True)
class Distribution:
    """Outcomes and their whole weights, without a common factor; `mean` where it has no bound."""

    weights: tuple[tuple[Any, int], ...]
    mean: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Layer:
    """What is read together: `table[node, class, class…]` -> node, the last fastest.

    `entries` are places among those of the chart.
    """

    entries: tuple[int, ...]
    sizes: tuple[int, ...]
    table: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """The way from inputs to a node: from node 0 through one layer after another.

    An entry is an input with its classes, or another chart, whose node is the class.
    """

    entries: tuple[tuple[str, Classes] | Chart, ...]
    layers: tuple[Layer, ...]


@dataclass(frozen=True, slots=True)
class Charted:
    """A chart and what each of its nodes means: the odds, or why there are none."""

    chart: Chart
    ends: tuple[Distribution | str, ...]


@dataclass(frozen=True, slots=True)
class Atlas:
    """A chart for each result and for each requirement, which is true or false.

    `kept` has the values of those inputs of which the atlas does not have all.
    """

    program: programs.Program
    kept: Mapping[str, tuple[Value, ...]]
    requires: tuple[tuple[str, Charted], ...]
    results: Mapping[str, Charted]


class _TooLarge(Exception):
    """An atlas that takes too much: so many times `over`, because of some inputs."""

    def __init__(self, over: float = 1, inputs: programs.Names = programs.NOTHING) -> None:
        super().__init__()
        self.over, self.inputs = over, inputs


def is_large(program: programs.Program) -> bool:
    """Whether an atlas may take much room."""
    return (
        prod(1 << len(d.values) if d.several else len(d.values) for d in program.domains.values())
        > 1_000
    )


def atlas_of(program: programs.Program, bits: int = MOST_BITS) -> Atlas:
    """The atlas of a program, of as many values of its inputs as there is room for."""
    kept: dict[str, tuple[Value, ...]] = {}
    alike = {name: _alike(program, one) for name, one in program.domains.items()}
    while True:
        try:
            return _whole(program, kept, _Room(bits=bits))
        except _TooLarge as large:
            gained = 1.0
            # Half as many inputs leave more than half of the nodes, of which many are alike.
            while gained <= large.over**0.75:
                thinned = _thinned(program.domains, large.inputs, kept, alike)
                if thinned is None:
                    return _whole(program, kept, _Room(MOST_WORK, MOST_BITS, last=True))
                gained *= thinned


def _thinned(
    domains: Mapping[str, Domain],
    inputs: programs.Names,
    kept: dict[str, tuple[Value, ...]],
    alike: Mapping[str, Sequence[tuple[Value, ...]]],
) -> float | None:
    """Keep fewer values of the one of these inputs that has most of them; by what part.

    None where each of them is already as usual.
    """
    left = {
        name: sum(group[0] in kept.get(name, group) for group in alike[name])
        for name in domains
        if name in inputs
    }
    whole = {name for name in left if domains[name].several and name not in kept}
    weights = {name: _weight(domains[name], left[name], name in whole) for name in left}
    name = max(left, key=weights.__getitem__, default="")
    if not weights.get(name):
        return None
    if name in whole:
        kept[name] = tuple(one for (one,) in alike[name])
        return 2
    kept[name] = _fewer(domains[name], alike[name], left[name])
    after = sum(group[0] in kept[name] for group in alike[name])
    return left[name] / after


def _alike(program: programs.Program, domain: Domain) -> list[tuple[Value, ...]]:
    """Values of an input by what the program makes of them, those alike together.

    Of conditions those that are kept where there is no room for all: none, the usual, single ones.
    """
    if domain.several:
        single = [(), domain.default, *((str(row),) for row in domain.values)]
        return [(value,) for value in dict.fromkeys(single)]
    results = [one.value for one in program.results.values()]
    wanted = [*results, *(one.that for one in program.requires)]
    questions = questions_about(domain.name, program.steps, wanted, several=False)
    found = classed(domain.values, list(dict.fromkeys(questions)))
    groups: dict[int, list[Value]] = {}
    for value, of in zip(domain.values, found.of, strict=True):
        groups.setdefault(of, []).append(value)
    return [tuple(group) for group in groups.values()]


def _whole(program: programs.Program, kept: Mapping[str, tuple[Value, ...]], room: _Room) -> Atlas:
    charts = _Charts(program, kept, room)
    requires = [(one.say, charts.of((), one.that, FlagKind())) for one in program.requires]
    results = {}
    for name, result in program.results.items():
        count = result.open_count.count if result.open_count else None
        value = value_types.named(count, result.kind) if count else result.value
        results[name] = charts.of(program.steps, value, result.kind, count)
    return Atlas(program, dict(kept), tuple(requires), results)


def _weight(domain: Domain, left: int, whole: bool) -> float:
    """Numbers are thinned first, then sets of conditions, then choices are taken as usual."""
    if left < 2:
        return 0
    if isinstance(domain.kind, NumberKind | LengthKind):
        return left if left > 3 else left / 8
    return 3 if whole else left / 16


def _fewer(domain: Domain, alike: Sequence[tuple[Value, ...]], left: int) -> tuple[Value, ...]:
    """Two thirds of the numbers that are left, more of the small ones; else the usual value."""
    last = len(alike) - 1
    usual = next(place for place, group in enumerate(alike) if domain.default in group)
    steps = 2 * left // 3 - 1
    places = {usual}
    if left > 3 and isinstance(domain.kind, NumberKind | LengthKind):
        places = {last * (i * steps + i * i) // (2 * steps * steps) for i in range(steps + 1)}
        if usual not in places:
            inner = sorted(places - {0, last}, key=lambda place: (abs(place - usual), place))
            places = places - set(inner[:1]) | {usual}
    return tuple(value for place in sorted(places) for value in alike[place])


@dataclass(slots=True)
class _Room:
    """What the charts of one atlas may still take together.

    Where it is the `last` attempt, with each input as usual, what does not fit is left out.
    """

    moves: int = MOST_MOVES
    bits: int = MOST_BITS
    last: bool = False
    known: set[Distribution] = field(default_factory=set)

    def take(self, *, moves: int = 0, bits: int = 0) -> None:
        self.moves -= moves
        self.bits -= bits
        if not self.last and (self.moves < 0 or self.bits < 0):
            raise _TooLarge

    def holds(self, distribution: Distribution) -> bool:
        """Whether there is room for it; raises _TooLarge if fewer inputs would make some."""
        if distribution not in self.known:
            self.known.add(distribution)
            self.take(bits=sum(8 + weight.bit_length() for _, weight in distribution.weights))
        return self.bits >= 0


_NO_ROOM = gettext_noop("These odds are too long for a page; the program tells them.")
#: The odds that are asked for, as a name among those of the author.
_ASKED = "what is asked"


@dataclass(frozen=True, slots=True)
class _Node:
    """The weights of states; or a fault, which stays. `mean` is that of passes without a bound."""

    weights: frozenset[tuple[State, int]]
    mean: Fraction | None = None
    fault: str = ""


def _node(weights: Mapping[State, int], mean: Fraction | None = None) -> _Node:
    common = gcd(*weights.values())
    return _Node(frozenset((state, n // common) for state, n in weights.items()), mean)


def _failed(fault: RunFault) -> _Node:
    """A page tells what is wrong; files are the author's."""
    return _Node(frozenset(), None, fault.message.removesuffix(fault.cell))


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a chart hangs on: names, what they may be (a node for each class), where it is found."""

    names: tuple[str, ...]
    nodes: tuple[_Node, ...]
    source: tuple[str, Classes] | Chart

    @property
    def inputs(self) -> programs.Names:
        return inputs_of(self.source)


def inputs_of(source: tuple[str, Classes] | Chart) -> programs.Names:
    """The inputs on which a chart, or an entry of one, hangs."""
    if isinstance(source, Chart):
        return programs.NOTHING.union(*map(inputs_of, source.entries))
    return frozenset((source[0],))


@dataclass(slots=True)
class _Charts:
    """Makes the charts of one attempt to make an atlas."""

    program: programs.Program
    kept: Mapping[str, tuple[Value, ...]]
    room: _Room
    inner: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def of(
        self,
        steps: tuple[programs.Step, ...],
        wanted: Typed,
        kind: Kind,
        count: str | None = None,
    ) -> Charted:
        """The chart of an expression behind some steps; `count` is that of the open repetition."""
        asked = programs.Assign(address=self.program.address, name=_ASKED, value=wanted)
        ordered = in_order_of_need((*steps, asked), frozenset((_ASKED,)))
        chart, nodes = self._made(ordered, (_ASKED,), count)
        try:
            return Charted(chart, tuple(self._end(node, kind) for node in nodes))
        except _TooLarge:
            ends = [w.bit_length() + 8 for node in nodes for _, w in node.weights]
            raise _TooLarge(sum(ends) / MOST_BITS, inputs_of(chart)) from None

    def _end(self, node: _Node, kind: Kind) -> Distribution | str:
        if node.fault:
            return node.fault
        weights: dict[Any, int] = {}
        for (made,), weight in node.weights:
            value = value_types.normal(made)
            weights[value] = weights.get(value, 0) + weight
        order = in_order(kind, weights)
        found = Distribution(tuple((value, weights[value]) for value in order), node.mean)
        return found if self.room.holds(found) else gettext(_NO_ROOM)

    def _made(
        self, steps: tuple[programs.Step, ...], outs: tuple[str, ...], count: str | None
    ) -> tuple[Chart, list[_Node]]:
        """The chart of some names behind some steps, and its nodes."""
        apart, rest = _apart(steps, frozenset(self.program.domains))
        wanted = frozenset(outs)
        read = programs.live_before(rest, wanted)
        entries = []
        for part in apart:
            names = tuple(sorted(programs.written_in(part) & read))
            chart, nodes = self._made(part, names, count)
            entries.append(_Entry(names, tuple(nodes), chart))
        read -= {name for entry in entries for name in entry.names}
        for name, domain in self.program.domains.items():
            if name in read:
                classes = self._classes(domain, rest)
                nodes = [_node({(value,): 1}) for value in classes.values]
                entries.append(_Entry((name,), tuple(nodes), (name, classes)))
        engine = Engine(Budget(), self.inner, natural=self.program.natural)
        charting = _Charting(engine, entries, self.room, count)
        charting.take(rest, outs)
        sources = tuple(entry.source for entry in entries)
        return Chart(sources, tuple(charting.layers)), charting.nodes

    def _classes(self, domain: Domain, steps: Sequence[programs.Step]) -> Classes:
        about = questions_about(domain.name, steps, (), several=domain.several)
        questions: list[Question] = list(dict.fromkeys(about))
        if domain.name in self.kept:
            return classed(self.kept[domain.name], questions)
        if not domain.several:
            return classed(domain.values, questions)
        try:
            return classed_conditions(domain, questions)
        except TooManyClasses:
            raise _TooLarge(1, frozenset((domain.name,))) from None


class _Charting:
    """Makes the layers of one chart."""

    def __init__(
        self, engine: Engine, entries: Sequence[_Entry], room: _Room, count: str | None
    ) -> None:
        self.engine, self.entries, self.room, self.count = engine, entries, room, count
        layout = tuple(name for entry in entries for name in entry.names)
        self.place = Place(layout)
        #: What is still open has no value in the states.
        self.nodes: list[Any] = [_node({(None,) * len(layout): 1})]
        self.layers: list[Layer] = []
        self.open = list(range(len(entries)))

    def take(self, steps: tuple[programs.Step, ...], outs: tuple[str, ...]) -> None:
        """Take the steps; nodes are then states of `outs`."""
        live = programs.lives(steps, frozenset(outs))
        for step, after in zip(steps, live[1:], strict=True):
            if step.writes & after:
                self._step(step, after)
        make = maker(self.place, outs)
        left = self._new(frozenset(outs))
        self._layer(left, lambda node: _node(projected(dict(node.weights), make), node.mean))

    def _new(self, read: programs.Names) -> list[int]:
        """The entries that are still open and read now."""
        return [at for at in self.open if not read.isdisjoint(self.entries[at].names)]

    def _step(self, step: programs.Step, after: programs.Names) -> None:
        """Take a step from every node, with all that it reads and that is still open."""
        new = self._new(programs.live_across(step, step.writes & after))
        single = isinstance(step, programs.Assign) and step.when is None and len(new) > 1
        every = [*self.nodes, *(node for at in new for node in self.entries[at].nodes)]
        if single and all(node.fault or len(node.weights) == 1 for node in every):
            self._fill(step, after)  # type: ignore[arg-type]
            return
        layout = self.place.layout
        transforms = self.engine.step(step, after, self.place)

        def taken(node: _Node) -> _Node:
            weights = dict(node.weights)
            self.engine.means.clear()
            for transform in transforms:
                weights, _ = transform(weights)
            return _node(weights, self.engine.means.get(self.count or "", node.mean))

        self._layer(new, taken, layout)

    def _fill(self, step: programs.Assign, after: programs.Names) -> None:
        """Fill in an expression, entry after entry: what is left of it goes with the state."""
        before = self.place.copy()
        self.engine.step(step, after, self.place)
        places = {name: at for at, name in enumerate(before.layout)}
        still = {name for at in self.open for name in self.entries[at].names}

        over = [at for name, at in places.items() if name not in self.place.layout]

        def begun(node: _Node) -> Any:
            return self._filled(node, step.value, before, step.value.names - still, over)

        self._become([begun(node) if not node.fault else node for node in self.nodes])
        while names := [n for one in self.nodes for n in residuals.names_in(_left(one))]:
            (at,) = self._new(frozenset(names[:1]))
            entry = self.entries[at]

            def into(one: Any, entry: _Entry = entry) -> Any:
                node, residual = one
                return self._filled(node, residual, before, frozenset(entry.names), over)

            self._layer([at], into, before.layout)

        def ended(one: Any) -> _Node:
            if isinstance(one, _Node):
                return one
            node, residual = one
            if isinstance(residual, Fails):
                return _failed(residual.fault)
            ((state, _),) = node.weights
            values = [
                residual.value if name == step.name else state[places[name]]
                for name in self.place.layout
            ]
            return _node({tuple(values): 1}, node.mean)

        self._become([ended(one) for one in self.nodes])

    def _filled(
        self,
        node: _Node,
        residual: Residual,
        place: Place,
        names: programs.Names,
        over: Sequence[int],
    ) -> tuple[_Node, Residual]:
        """What is left of an expression with the values that names have in the one state.

        Those that are `over` when it is filled in are forgotten.
        """
        ((state, _),) = node.weights
        values = place.constants | dict(zip(place.layout, state, strict=True))
        for name in sorted(names & values.keys()):
            residual = residuals.filled(residual, name, values[name])
        left = [None if at in over else value for at, value in enumerate(state)]
        return _Node(frozenset([(tuple(left), 1)]), node.mean), residual

    def _layer(
        self,
        new: list[int],
        taken: Callable[[Any], Hashable],
        layout: Sequence[str] | None = None,
    ) -> None:
        """Every node with every class of some entries; each node that comes of it stands once."""
        layout = layout or self.place.layout
        sizes = [len(self.entries[at].nodes) for at in new]
        cells = len(self.nodes) * prod(sizes)
        self.open = [at for at in self.open if at not in new]
        known: dict[Hashable, int] = {}
        names = [self.entries[at].names for at in new]
        before, done, over = self.room.moves, 0, cells / MOST_CELLS
        try:
            self.room.take(bits=cells * _BITS_OF_CELL if new else 0)
            if cells > MOST_CELLS and not self.room.last:
                raise _TooLarge
            table = [0] * cells
            every = list(product(self.nodes, product(*(self.entries[at].nodes for at in new))))
            for place in _scattered(cells):
                node, chosen = every[place]
                found = self._one(node, names, chosen, layout, taken)
                table[place] = known.setdefault(found, len(known))
                done += 1
                spent = MOST_MOVES - before + (before - self.room.moves) * cells / done
                if done == _SAMPLE and spent > MOST_MOVES and not self.room.last:
                    raise _TooLarge
        except _TooLarge:
            if done:
                over = (
                    MOST_MOVES - before + (before - self.room.moves) * cells / done
                ) / MOST_MOVES
            taken_up = (e.inputs for at, e in enumerate(self.entries) if at not in self.open)
            raise _TooLarge(over, programs.NOTHING.union(*taken_up)) from None
        self.nodes = list(known)
        if new:
            self.layers.append(Layer(tuple(new), tuple(sizes), tuple(table)))
        else:
            self._joined(table)

    def _one(
        self,
        node: Any,
        names: Sequence[tuple[str, ...]],
        chosen: Sequence[_Node],
        layout: Sequence[str],
        taken: Callable[[Any], Hashable],
    ) -> Hashable:
        """What comes of a node with one class of each of some entries."""
        inner, residual = node if isinstance(node, tuple) else (node, None)
        faulty: _Node | None = next((one for one in (inner, *chosen) if one.fault), None)
        if faulty is not None:
            return faulty
        for of, one in zip(names, chosen, strict=True):
            self.room.take(moves=4 * len(inner.weights) * len(one.weights))
            inner = _joint(inner, layout, of, one)
        budget = self.engine.budget
        budget.moves, before = MOST_WORK, budget.spent
        try:
            return taken(inner if residual is None else (inner, residual))
        except RunFault as fault:
            return _failed(fault)
        finally:
            self.room.take(moves=budget.spent - before + _MOVES_OF_NODE + len(inner.weights))

    def _become(self, nodes: list[Any]) -> None:
        """Other nodes in the place of these, those that have become equal merged."""
        known: dict[Any, int] = {}
        places = [known.setdefault(node, len(known)) for node in nodes]
        self.nodes = list(known)
        self._joined(places)

    def _joined(self, places: Sequence[int]) -> None:
        if self.layers:
            last = self.layers[-1]
            self.layers[-1] = replace(last, table=tuple(places[node] for node in last.table))


def _scattered(cells: int) -> Iterator[int]:
    """The places of all cells, so that the first of them tell what all of them take."""
    step = next(prime for prime in _PRIMES if cells % prime)
    return (place * step % cells for place in range(cells))


def _left(one: Any) -> Residual:
    return one[1] if isinstance(one, tuple) else Known(None)


def _joint(node: _Node, layout: Sequence[str], names: tuple[str, ...], chosen: _Node) -> _Node:
    """States with names that were left open until they are read."""
    places = [layout.index(name) for name in names if name in layout]
    picked = [at for at, name in enumerate(names) if name in layout]
    found: dict[State, int] = {}
    for state, weight in node.weights:
        for values, ways in chosen.weights:
            changed = list(state)
            for place, at in zip(places, picked, strict=True):
                changed[place] = values[at]
            key = tuple(changed)
            found[key] = found.get(key, 0) + weight * ways
    return _Node(frozenset(found.items()), node.mean or chosen.mean)


def in_order_of_need(
    steps: tuple[programs.Step, ...], wanted: programs.Names
) -> tuple[programs.Step, ...]:
    """The steps that matter, each just before what needs it, sums in several.

    Steps that have nothing to do with each other may change places: their dice are their own.
    """
    flat = tuple(_flat(steps))
    live = programs.lives(flat, wanted)
    flat = tuple(step for step, after in zip(flat, live[1:], strict=True) if step.writes & after)
    ordered: dict[int, None] = {}

    def take(place: int) -> None:
        if place not in ordered:
            for other in range(place):
                if _bound(flat[other], flat[place]):
                    take(other)
            ordered[place] = None

    for place in range(len(flat)):
        if not any(_bound(flat[place], later) for later in flat[place + 1 :]):
            take(place)
    return tuple(flat[place] for place in ordered)


def _bound(one: programs.Step, other: programs.Step) -> bool:
    """Whether two steps have to stay in their order."""
    return bool(one.writes & (_read(other) | other.writes) or _read(one) & other.writes)


def _read(step: programs.Step) -> programs.Names:
    return programs.live_across(step, step.writes)


def _apart(
    steps: tuple[programs.Step, ...], inputs: programs.Names
) -> tuple[list[tuple[programs.Step, ...]], tuple[programs.Step, ...]]:
    """Parts of the steps that begin with inputs and have nothing to do with each other; the rest.

    What becomes of each part is found by itself, and they are brought together afterwards.
    """
    behind: tuple[programs.Step, ...] = ()
    while steps:
        parts = _parts(steps)
        reading = [
            one for one in parts if programs.live_before(one, programs.written_in(one)) & inputs
        ]
        idle = tuple(step for one in parts if one not in reading for step in one)
        if len(reading) > 1:
            return reading, (*idle, *behind)
        if not reading:
            break
        behind = (*idle, reading[0][-1], *behind)
        steps = reading[0][:-1]
    return [], (*steps, *behind)


def _parts(steps: tuple[programs.Step, ...]) -> list[tuple[programs.Step, ...]]:
    """Steps that hang together."""
    parts: list[list[programs.Step]] = []
    for step in steps:
        touching = [part for part in parts if any(_bound(one, step) for one in part)]
        parts = [part for part in parts if part not in touching]
        parts.append([*(one for part in touching for one in part), step])
    return [tuple(part) for part in parts]


def _flat(steps: tuple[programs.Step, ...]) -> Iterator[programs.Step]:
    """Steps that are taken together one by one, and sums term by term."""
    for step in steps:
        if isinstance(step, programs.Together | programs.Block) and step.when is None:
            yield from _flat(step.body)
        elif isinstance(step, programs.Assign) and step.when is None:
            before: list[programs.Assign] = []
            value = _in_terms(step, step.value, before)
            yield from before
            yield replace(step, value=value)
        else:
            yield step


def _in_terms(step: programs.Assign, typed: Typed, before: list[programs.Assign]) -> Typed:
    """A function of simple values: parts that read several names are set before it."""
    if not callable(typed.made):
        return typed
    parts = []
    for part in typed.parts:
        if len(part.names) < 2:
            parts.append(part)
            continue
        value = _in_terms(step, part, before)
        name = f"{step.name}, part {len(before)} of {step.address}"
        before.append(programs.Assign(address=step.address, name=name, value=value))
        parts.append(value_types.named(name, part.kind))
    return value_types.applied(typed.kind, typed.made, *parts, written=typed.operation)
