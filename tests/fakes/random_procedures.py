"""Procedures by chance, of every kind of step: for those who play or reckon them in several ways.

Beside the text of each expression stands what it is by an interpreter of its own
(tests/fakes/every_throw.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from every_throw import Dice, DiceOfTable, E, plain
from hypothesis import reject
from hypothesis import strategies as st
from small_rulesets import ruleset_of

from rulebook.core.procedures import Programs
from rulebook.core.value_types import More

#: Dice of the arms that a player may choose; both are thrown by the same steps.
ARMS = {"musket": Dice(1, 3), "rifle": Dice(2, 2)}
#: What an arm adds, if anything.
EXTRA = {"musket": None, "rifle": "2"}
TABLES = {
    "arms": {
        "title": "Arms",
        "fields": {"throw": "dice", "extra": "count"},
        "data": {name: {"throw": dice.text, "extra": EXTRA[name]} for name, dice in ARMS.items()},
    }
}
#: Passes of a repetition without a bound that are told one by one.
LISTED = 3
TARGETS = {"'2+'": (2,), "'3+'": (3,), "'4/2+'": (4, 2), "'2/3+'": (2, 3), "'never'": ()}


def number(value: int) -> E:
    return E(str(value), lambda env: value)


def named(name: str) -> E:
    return E(name, lambda env: env[name])


def clamped(one: E, low: int, high: int) -> E:
    """A whole number between two."""
    return E(
        f"max({low}, min({high}, floor({one.text})))",
        lambda env: max(low, min(high, one.of(env) // 1)),
    )


@dataclass
class Known:
    """The names at hand, by kind; inside a repetition without a bound numbers are kept small."""

    numbers: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    small: bool = False
    depth: int = 0
    #: Steps under one condition around a step.
    blocks: int = 0
    #: Names that count passes, which no step may set.
    counting: tuple[str, ...] = ()
    #: The arm that is chosen, where the procedure asks for it.
    arm: str = ""

    def inner(self, **changed: Any) -> Known:
        kept = replace(self, numbers=list(self.numbers), flags=list(self.flags))
        return replace(kept, depth=self.depth + 1, **changed)


@st.composite
def number_of(draw: st.DrawFn, known: Known, depth: int = 0) -> E:
    if depth > 1 or draw(st.integers(0, 2)) == 0:
        if not known.numbers or draw(st.integers(0, 4)) == 0:
            return number(draw(st.integers(-2, 4)))
        return named(draw(st.sampled_from(known.numbers)))
    one, other = draw(number_of(known, depth + 1)), draw(number_of(known, depth + 1))
    a, b = one.of, other.of
    if known.arm and draw(st.integers(0, 9)) == 0:
        extra = EXTRA[known.arm]
        text = f"(arm.extra if has(arm.extra) else {one.text})"
        return E(text, lambda env: a(env) if extra is None else int(extra))
    match draw(st.integers(0, 8)):
        case 0 | 1:
            return E(f"({one.text} + {other.text})", lambda env: a(env) + b(env))
        case 2:
            return E(f"({one.text} - {other.text})", lambda env: a(env) - b(env))
        case 3:
            return E(f"max({one.text}, {other.text})", lambda env: max(a(env), b(env)))
        case 4:
            return E(f"({one.text} // 2)", lambda env: a(env) // 2)
        case 5:
            return E(f"({one.text} / 2)", lambda env: Fraction(a(env)) / 2)
        case 6:
            return E(f"({one.text} * 2)", lambda env: a(env) * 2)
        case 7:
            return E(f"abs({one.text})", lambda env: abs(a(env)))
    which = draw(flag_of(known, depth + 1))
    return E(
        f"({one.text} if {which.text} else {other.text})",
        lambda env: a(env) if which.of(env) else b(env),
    )


@st.composite
def flag_of(draw: st.DrawFn, known: Known, depth: int = 0) -> E:
    if known.flags and draw(st.booleans()):
        return named(draw(st.sampled_from(known.flags)))
    one, other = draw(number_of(known, 2)), draw(number_of(known, depth + 1))
    a, b = one.of, other.of
    match draw(st.integers(0, 3)):
        case 0:
            return E(f"{one.text} >= {other.text}", lambda env: a(env) >= b(env))
        case 1:
            return E(f"{one.text} == {other.text}", lambda env: a(env) == b(env))
        case 2:
            return E(f"not {one.text} < {other.text}", lambda env: not a(env) < b(env))
    return E(
        f"({one.text} > 1 or {other.text} in (1, 3))", lambda env: a(env) > 1 or b(env) in (1, 3)
    )


@st.composite
def times_of(draw: st.DrawFn, known: Known, most: int) -> E:
    """How many dice or passes: mostly as many as a name says."""
    if known.numbers and draw(st.integers(0, 2)):
        return clamped(named(draw(st.sampled_from(known.numbers))), 0, most)
    return clamped(draw(number_of(known)), 0, most)


@st.composite
def dice_of(draw: st.DrawFn, single: bool = False, arm: str = "") -> Dice:
    if arm and not single and draw(st.integers(0, 3)) == 0:
        return DiceOfTable(ARMS[arm].count, ARMS[arm].sides, name="arm.throw")
    sides = draw(st.integers(2, 4))
    count = 1 if single else draw(st.sampled_from([1, 1, 1, 2, 3]))
    keep = draw(st.integers(0, count - 1))
    return Dice(count, sides, keep, draw(st.booleans()))


NAMES = "abcx"


def new_name(draw: st.DrawFn, known: Known) -> str:
    return draw(st.sampled_from([name for name in NAMES if name not in known.counting]))


def settle(known: Known, name: str, *, flag: bool) -> None:
    known.numbers = [one for one in known.numbers if one != name] + ([] if flag else [name])
    known.flags = [one for one in known.flags if one != name] + ([name] if flag else [])


@st.composite
def set_step(draw: st.DrawFn, known: Known) -> dict[str, Any]:
    given: dict[str, E] = {}
    for _ in range(draw(st.integers(1, 2))):
        name, flag = new_name(draw, known), draw(st.booleans())
        if known.depth and name in (*known.numbers, *known.flags):
            flag = name in known.flags  # a pass may not change the kind of a name
        if name in given:
            continue
        value = draw(flag_of(known) if flag else number_of(known))
        given[name] = clamped(value, -2, 4) if known.small and not flag else value
        settle(known, name, flag=flag)
    return {"set": given}


def number_name(draw: st.DrawFn, known: Known) -> str:
    """A name for a number: no flag may become one inside a repetition."""
    names = [one for one in NAMES if one not in known.counting]
    return draw(st.sampled_from([one for one in names if one not in known.flags] or ["w"]))


@st.composite
def roll_step(draw: st.DrawFn, known: Known) -> dict[str, Any]:
    names = {number_name(draw, known) for _ in range(draw(st.sampled_from([1, 1, 2])))}
    dice = dice_of(arm=known.arm)
    step: dict[str, Any] = {"roll": {name: draw(dice) for name in sorted(names)}}
    for name in sorted(names):
        settle(known, name, flag=False)
    if draw(st.integers(0, 2)) == 0:
        step[draw(st.sampled_from(["again", "reroll"]))] = draw(flag_of(known))
    return step


@st.composite
def pool_step(draw: st.DrawFn, known: Known) -> dict[str, Any]:
    aggregate = draw(st.sampled_from(["sum", "sum", "highest", "lowest", "distinct"]))
    step: dict[str, Any] = {"times": draw(times_of(known, 2))}
    single = aggregate == "distinct"
    names = {number_name(draw, known) for _ in range(1 if single else draw(st.integers(1, 2)))}
    inner = known.inner()
    for die in sorted(names):
        settle(inner, die, flag=False)
    step["roll"] = {die: draw(dice_of(single=single, arm=known.arm)) for die in sorted(names)}
    if aggregate == "distinct":
        outs = [number_name(draw, known)]
        step["distinct"] = outs[0]
    else:
        outs = sorted({number_name(draw, known) for _ in range(1 + (aggregate == "sum"))})
        each = st.one_of(number_of(inner), flag_of(inner))
        step[aggregate] = {name: draw(each) for name in outs}
    for name in outs:
        settle(known, name, flag=False)
    return step


@st.composite
def throw_against(draw: st.DrawFn, known: Known) -> dict[str, Any]:
    text, scores = draw(st.sampled_from(sorted(TARGETS.items())))
    target = E(text, lambda env: scores)
    step: dict[str, Any] = {"dice": draw(dice_of(arm=known.arm)), "target": target}
    if draw(st.booleans()):
        step["plus"] = draw(number_of(known))
    if draw(st.integers(0, 3)) == 0:
        step["reroll"] = draw(flag_of(known))
    counts = draw(st.booleans())
    if counts:
        step["times"] = draw(times_of(known, 3))
    name = number_name(draw, known)
    if not counts and name in known.numbers:
        name = "p" if not known.depth else f"p{known.depth}"
    step["test"] = name
    settle(known, name, flag=not counts)
    return step


@st.composite
def repeat_step(draw: st.DrawFn, known: Known) -> dict[str, Any]:
    form = draw(st.sampled_from(["times", "times", "until", "both", "sum"]))
    if form == "sum":
        times = draw(times_of(known, 2))
        inner = known.inner()
        body = draw(steps_of(inner, 2))
        outs = sorted({number_name(draw, known) for _ in range(2)})
        each = st.one_of(number_of(inner), flag_of(inner))
        step = {"repeat": body, "times": times, "sum": {name: draw(each) for name in outs}}
        for name in outs:
            settle(known, name, flag=False)
        return step
    made: dict[str, Any] = {}
    inner = known.inner(small=known.small or form == "until")
    if form != "until":
        sure = draw(st.booleans())
        made["times"] = number(2) if sure else draw(times_of(known, 3))
        if draw(st.booleans()):
            made["count"] = f"n{known.depth}"
            inner.counting = (*known.counting, made["count"])
            settle(inner, made["count"], flag=False)
    else:
        sure = True
    made["repeat"] = draw(steps_of(inner, 2))
    if form != "times":
        made["until"] = draw(flag_of(inner))
    if sure:
        known.numbers, known.flags = inner.numbers, inner.flags
    elif "count" in made:
        settle(known, made["count"], flag=False)
    return made


@st.composite
def run_step(draw: st.DrawFn, known: Known) -> dict[str, Any]:
    given = {name: draw(times_of(known, 2)) for name in ("i", "j")}
    names = sorted({number_name(draw, known) for _ in range(2)})
    take = {name: draw(st.sampled_from(["one", "other"])) for name in names}
    for name in names:
        settle(known, name, flag=False)
    return {"run": "inner", "given": given, "take": take}


@st.composite
def do_step(draw: st.DrawFn, known: Known) -> dict[str, Any]:
    known.blocks += 1
    body = draw(steps_of(known, 3))
    known.blocks -= 1
    return {"do": body}


@st.composite
def steps_of(draw: st.DrawFn, known: Known, most: int) -> list[dict[str, Any]]:
    steps = []
    kinds = [set_step, roll_step, roll_step, pool_step, throw_against]
    if known.depth < 2:
        kinds += [repeat_step, repeat_step]
    if (not known.counting and "j" in known.numbers) or known.depth:
        kinds += [run_step] if known.depth < 9 else []
    for _ in range(draw(st.integers(1, most))):
        when = draw(st.integers(0, 3)) == 0
        inner = known.inner() if when else known
        inner.depth = known.depth
        condition = draw(flag_of(known)) if when else None
        blocks = [do_step] * 3 if when and known.blocks < 2 else []
        step = draw(draw(st.sampled_from([*kinds, *blocks]))(inner))
        if when:
            kinds_agree = all(n not in inner.flags for n in known.numbers) and all(
                n not in inner.numbers for n in known.flags
            )
            if not kinds_agree:
                reject()
        steps.append({"when": condition, **step} if condition else step)
    return steps


@st.composite
def procedures(draw: st.DrawFn) -> dict[str, dict[str, Any]]:
    inner = Known(["i", "j"], depth=9)
    steps = draw(steps_of(inner, 2))
    result = {"one": draw(number_of(inner)), "other": draw(number_of(inner))}
    inputs = {name: {"count": "0-2"} for name in ("i", "j")}
    made = {"inner": {"inputs": inputs, "steps": steps, "result": {**result, **_all(inputs)}}}
    arm = draw(st.sampled_from(sorted(ARMS)))
    known = Known(["i", "j", "a", "b"], arm=arm)
    first = {"roll": {"a": draw(dice_of()), "b": Dice(1, 2)}}
    choice = {"choose": {"arm": {"one_of": "arms", "default": arm}}}
    steps = [choice, first, *draw(steps_of(known, 4))]
    counts = draw(st.integers(0, 3)) == 0
    if counts:
        steps.append(draw(counted_step(known)))
    at_hand = [*known.numbers, *known.flags]
    chosen = draw(st.lists(st.sampled_from(at_hand), min_size=1, max_size=4, unique=True))
    wanted = {f"of_{name}": named(name) for name in chosen}
    wanted |= {"of_n": E("n", told_count)} if counts else {}
    wanted["in_arm"] = E("arm", lambda env: arm)
    made["outer"] = {"inputs": inputs, "steps": steps, "result": {**wanted, **_all(inputs)}}
    return made


@st.composite
def counted_step(draw: st.DrawFn, known: Known) -> dict[str, Any]:
    """A repetition without a bound whose passes are a result."""
    inner = known.inner(small=True, counting=("n",))
    body = draw(steps_of(inner, 2))
    until = draw(flag_of(inner))
    known.numbers, known.flags = inner.numbers, inner.flags
    return {"repeat": body, "until": until, "count": "n", "listed": number(LISTED)}


def told_count(env: dict[str, Any]) -> Any:
    return env["n"] if env["n"] <= LISTED else More(LISTED)


def told(results: dict[str, Any]) -> tuple[Any, ...]:
    """The results of a play as the odds tell them: many passes are just more."""
    if "of_n" in results:
        results = {**results, "of_n": told_count({"n": results["of_n"]})}
    return tuple(results.values())


def _all(inputs: dict[str, Any]) -> dict[str, E]:
    """An input that no result needs is refused, so results name them; `_` since steps may set."""
    return {f"in_{name}": named(name) for name in inputs}


naturals = st.sampled_from([{}, {}, {1: False}, {1: False, 4: True}])


def programs_of(made: dict[str, dict[str, Any]], natural: dict[int, bool]) -> Programs:
    written = {str(score): "passes" if passes else "fails" for score, passes in natural.items()}
    data = {name: {"title": "A roll", **plain(one)} for name, one in made.items()}
    return Programs(ruleset_of({"tables": TABLES, "procedures": data}, natural=written))
