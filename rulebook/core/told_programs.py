"""Programs -> plain JSON data from which they can be played where there is no Python.

A page throws the dice of a procedure at the table with `templates/scripts/dice.js`, which reads
this data and knows no rule of any game. Whatever can stand in a program is written here once: an
expression as an array of its operation and its parts (a text alone is a name, a number itself), a
step as an object that says what it `do`es, and how players are told of what it sets. What several
expressions use, the cells of a table or the places along an axis, stands once in `data`, and they
name its number. Sentences are told in the words that print; of values there are the words that
depend on their kind.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rulebook.core import programs, value_types
from rulebook.core.expressions import natural_of
from rulebook.core.input_domains import Domain
from rulebook.core.odds import told_outcome
from rulebook.core.operations import OPERATIONS, Typed
from rulebook.core.procedures import Programs
from rulebook.core.value_types import Kind, LengthKind, NumberKind, json_value
from rulebook.model.ruleset import Address, Ruleset
from rulebook.model.scalars import Prose
from rulebook.quantities import Length
from rulebook.translation import gettext, ngettext

#: Values of an input that are told one by one; a longer run of numbers by its ends.
_ONE_BY_ONE = 4


def told_value(value: Any, kind: Kind) -> str:
    """A value of any kind, as a player reads it."""
    if isinstance(value, tuple | frozenset):
        return ", ".join(told_value(one, kind) for one in sorted(value)) or gettext("none")
    return told_outcome(value, kind)


@dataclass(frozen=True, slots=True)
class Telling:
    """How a value that a step sets is told: its kind, and the words that it stands behind.

    They are what an author or the rules call it, never its name: of no words, "", the sentence of
    the step says what the value is; without any, None, players are not told of it. `start` says
    that it is a fixed value.
    """

    kind: Kind
    words: str | None = None
    start: bool = False


def kinds_of(program: programs.Program) -> dict[tuple[Address, str], Kind]:
    """By step and name: what kind of value it sets, where that is seen in how it is told."""
    return {key: telling.kind for key, telling in _tellings(program)}


def words_of(program: programs.Program) -> dict[tuple[Address, str], str]:
    """By step and name: the words that stand before a value of which the players are told."""
    told = _tellings(program)
    return {key: telling.words for key, telling in told if telling.words is not None}


def _tellings(program: programs.Program) -> Iterator[tuple[tuple[Address, str], Telling]]:
    for step in _steps_told(program.steps):
        for name, telling in _told_by(step, program).items():
            yield (step.address, name), telling
        if isinstance(step, programs.Run):
            yield from _tellings(step.program)


def _steps_told(steps: Sequence[programs.Step]) -> Iterator[programs.Step]:
    """All steps by themselves; what stands in a step that is taken as one is told with it."""
    for step in steps:
        yield step
        match step:
            case programs.Repeat() | programs.Block() | programs.Pool(dice=False):
                yield from _steps_told(step.body)


def _told_by(step: programs.Step, program: programs.Program) -> dict[str, Telling]:
    """By name what one step sets itself; a result of the procedure has the title of that.

    Of what a name begins with players are not told, nor twice of what another procedure has told.
    """
    titles = {
        result.value.data: result.title
        for result in program.results.values()
        if result.value.operation == "name"
    }
    inner = step.program if isinstance(step, programs.Run) else None
    before = set(words_of(inner).values()) if inner else set()
    found = {}
    for name, telling in _set_by(step, program).items():
        words = titles.get(name, telling.words)
        quiet = words in before or (telling.start and not step.say)
        found[name] = replace(telling, words=None if quiet else words)
    return found


def _set_by(step: programs.Step, program: programs.Program) -> dict[str, Telling]:
    """The same in words that do not ask what becomes of it."""
    match step:
        case programs.Assign():
            return {step.name: _value_told(step.value, "" if step.say else None)}
        case programs.Together():
            return {one.name: _value_told(one.value, None) for one in step.body}
        case programs.Throw():
            alone = _made_of(step.dice[0]) if len(step.names) == 1 else None
            return {name: Telling(NumberKind(), alone) for name in step.names}
        case programs.Pool():
            kinds = [one.kind for one in step.each] or [NumberKind()]
            alone = _made(step.aggregate) if len(step.outs) == 1 else None
            pairs = zip(step.outs, kinds, strict=True)
            return {
                name: Telling(kind if isinstance(kind, LengthKind) else NumberKind(), alone)
                for name, kind in pairs
            }
        case programs.Test():
            kind = NumberKind() if step.times else value_types.FlagKind()
            return {step.name: Telling(kind, gettext("Passed"))}
        case programs.Chosen():
            domains = ((name, program.domains[name]) for name in step.names)
            return {name: Telling(domain.kind, domain.label) for name, domain in domains}
        case programs.Run():
            results = ((name, step.program.results[of]) for name, of in step.take.items())
            return {name: Telling(result.kind, result.title) for name, result in results}
    return {}


def _value_told(value: Typed, words: str | None) -> Telling:
    return Telling(value.kind, words, value.operation == "=")


def _made_of(source: programs.DiceOf) -> str | None:
    """What the dice of one throw come to, if it is more than what they show."""
    if source.keep == 1:
        return _made("highest" if source.highest else "lowest")
    dice = source.dice
    return None if dice.operation == "=" and dice.data.count == 1 else _made("sum")


def _made(what: str) -> str:
    """What is made of several throws."""
    return {
        "sum": gettext("Total"),
        "highest": gettext("Highest"),
        "lowest": gettext("Lowest"),
        "distinct": gettext("Different scores"),
    }[what]


@dataclass(slots=True)
class ToldPrograms:
    """The procedures of one ruleset as plain data; `tell` puts its sentences into plain words.

    What several expressions use is `shared`, also with the programs of other rulesets. If `quiet`
    the steps have nothing of what players are told of them.
    """

    ruleset: Ruleset
    tell: Callable[[Prose | None], str]
    shared: dict[str, int] = field(default_factory=dict)
    quiet: bool = False
    checked: Programs = field(init=False)

    def __post_init__(self) -> None:
        self.checked = Programs(self.ruleset)

    def plain(self) -> dict[str, Any]:
        """All procedures, which must have been checked, with what is told of values.

        Raises ValueError where one has a fault.
        """
        procedures = {name: self._program(name) for name in self.ruleset.procedures}
        return {
            "natural": natural_of(self.ruleset),
            "words": {"yes": gettext("yes"), "no": gettext("no"), "none": gettext("none")},
            "data": [json.loads(text) for text in self.shared],
            "procedures": procedures,
        }

    def _program(self, name: str) -> dict[str, object]:
        program = self.checked.get(name)
        if program is None:
            raise ValueError(f"the procedure '{name}' has not been checked")
        return {
            "title": program.title,
            "inputs": [self._input(domain) for domain in program.domains.values()],
            "requires": [
                {"that": self._typed(one.that), "say": one.say} for one in program.requires
            ],
            "steps": self._steps(program.steps, program),
            "results": [
                _given(
                    name=result_name,
                    title=result.title,
                    value=None if result.open_count else self._typed(result.value),
                    count=result.open_count.count if result.open_count else None,
                    kind=self._kind(result.kind),
                    number=isinstance(result.kind, NumberKind | LengthKind) or None,
                )
                for result_name, result in program.results.items()
            ],
        }

    def _input(self, domain: Domain) -> dict[str, object]:
        values = [json_value(value) for value in domain.values]
        titles = list(domain.titles.values())
        if isinstance(domain.kind, value_types.ConditionsKind):
            rows = self.ruleset.modifiers[domain.kind.table].rows
            titles = [self.tell(rows[str(row)].when) for row in domain.values]
        run = type(domain.kind) is NumberKind and _is_run(domain.values)
        return _given(
            name=domain.name,
            label=domain.label,
            default=json_value(domain.default),
            several=domain.several or None,
            limits=dict(domain.limits) or None,
            kind=self._kind(domain.kind),
            **{"from": values[0], "to": values[-1]} if run else {},
            **{} if run else {"values": values, "titles": titles},
        )

    def _shared(self, thing: object) -> int:
        """The number of something in `data`; what is written alike has one."""
        return self.shared.setdefault(json.dumps(thing, ensure_ascii=False), len(self.shared))

    def _kind(self, kind: Kind) -> int | None:
        """What must be known of a kind to tell its values; nothing where they tell themselves."""
        if isinstance(kind, LengthKind):
            return self._shared(_unit(kind))
        titles = value_types.titles_of(kind)
        if isinstance(kind, value_types.WordKind):
            titles = {key: told_outcome(key, kind) for key in kind.keys}
        return self._shared({"titles": titles}) if titles else None

    def _optional(self, typed: Typed | None) -> object:
        return None if typed is None else self._typed(typed)

    def _typed(self, typed: Typed) -> object:
        if typed.operation == "name":
            return typed.data
        if typed.operation == "=":
            value = json_value(typed.data)
            return value if isinstance(value, bool | int) else ["=", value]
        operation = OPERATIONS[typed.operation]
        found: list[object] = [typed.operation]
        if operation.plain:
            plain = operation.plain(typed.data)
            found.append(self._shared(plain) if operation.shared else plain)
        return found + [self._typed(part) for part in typed.parts]

    def _steps(
        self, steps: Sequence[programs.Step], program: programs.Program
    ) -> list[dict[str, object]]:
        return [self._step(step, program) for step in steps]

    def _step(self, step: programs.Step, program: programs.Program) -> dict[str, object]:
        if self.quiet:
            return _given(when=self._optional(step.when), **self._action(step, program))
        tells = {
            name: _given(words=one.words, kind=self._kind(one.kind))
            for name, one in _told_by(step, program).items()
            if one.words is not None
        }
        return _given(
            say=self.tell(step.say) or None,
            when=self._optional(step.when),
            **self._action(step, program),
            tells=tells or None,
        )

    def _action(self, step: programs.Step, program: programs.Program) -> dict[str, object]:
        """What a step does, and what it needs for it."""
        match step:
            case programs.Assign():
                return {"do": "set", "names": {step.name: self._typed(step.value)}}
            case programs.Together():
                return {"do": "set", "names": self._each(step.body)}
            case programs.Throw():
                return {
                    "do": "throw",
                    "dice": self._dice(step),
                    "again": self._optional(step.again),
                    "reroll": self._optional(step.reroll),
                }
            case programs.Pool():
                made = {
                    "times": self._typed(step.times),
                    "outs": step.outs,
                    "each": [self._typed(one) for one in step.each],
                }
                match step.body:
                    case (programs.Throw() as throw,) if step.dice:
                        own = {"dice": self._dice(throw), "made": step.aggregate}
                        return {"do": "pool", **own, **made}
                return {"do": "add up", "steps": self._steps(step.body, program), **made}
            case programs.Test():
                return {
                    "do": "test",
                    "name": step.name,
                    "dice": self._one(step.dice),
                    "target": self._typed(step.target),
                    "plus": self._optional(step.plus),
                    "times": self._optional(step.times),
                    "reroll": self._optional(step.reroll),
                }
            case programs.Repeat():
                return {
                    "do": "repeat",
                    "steps": self._steps(step.body, program),
                    "times": self._optional(step.times),
                    "until": self._optional(step.until),
                    "count": step.count,
                    "listed": None if step.times else step.listed,
                    "skippable": step.skippable or None,
                }
            case programs.Run():
                return {
                    "do": "run",
                    "run": step.program.id,
                    "given": {name: self._typed(one) for name, one in step.given.items()},
                    "take": dict(sorted(step.take.items())),
                }
            case programs.Block():
                return {"do": "block", "steps": self._steps(step.body, program)}
            case programs.Chosen():
                return {"do": "choose", "sets": step.names}
        return {"do": "say"}

    def _each(self, body: Sequence[programs.Assign]) -> dict[str, object]:
        return {one.name: self._typed(one.value) for one in body}

    def _dice(self, throw: programs.Throw) -> list[object]:
        """By name what is thrown: a name, dice, and how many are kept of them."""
        pairs = zip(throw.names, throw.dice, strict=True)
        return [[name, *self._one(one)] for name, one in pairs]

    def _one(self, source: programs.DiceOf) -> list[object]:
        kept = [source.keep if source.highest else -source.keep] if source.keep else []
        return [self._typed(source.dice), *kept]


def _given(**named: object) -> dict[str, object]:
    """What is given of some things."""
    return {name: one for name, one in named.items() if one is not None}


def _is_run(values: Sequence[Any]) -> bool:
    """Whether numbers go up one by one, and so far that they are told by their ends."""
    return len(values) > _ONE_BY_ONE and list(values) == list(
        range(int(values[0]), int(values[0]) + len(values))
    )


def _unit(kind: LengthKind) -> dict[str, object]:
    """How a length is told: `%` stands for its number, `parts` if that is told as on a ruler.

    Of bases there are the forms for one and for more.
    """
    if kind.unit != "base":
        return {"unit": str(Length(Fraction(1), kind.unit)).replace("1", "%"), "parts": True}
    forms = [ngettext("%(length)s base", "%(length)s bases", n, length="%") for n in (1, 2)]
    return {"unit": forms[1], "one": forms[0]}
