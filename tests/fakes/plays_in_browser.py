"""Programs of the core and the scripts of pages in a browser -> what each of them shows.

`dice.js` plays with the same dice, `exact.js` gives the odds of the same inputs.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from playwright.sync_api import Page

from rulebook.core.browser_programs import BrowserPrograms, labels_of
from rulebook.core.input_domains import Domain, plain
from rulebook.core.odds import FaultyProcedure, compute_odds
from rulebook.core.procedure_faults import RunFault
from rulebook.core.procedures import Programs
from rulebook.core.programs import Event, Program, seeded_dice
from rulebook.core.value_types import json_value, outcome_text
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import templates_folder

#: Steps, results and fault of one play, in plain data.
Shown = dict[str, Any]

_PLAYED = """([programs, plays]) => plays.map(([id, inputs, faces]) => {
  let used = 0;
  const fallen = () => faces[used++];
  try {
    const found = dice.play(programs, id, inputs, fallen);
    return {
      steps: found.events.map((event) => [event.say, event.depth, event.number,
        event.thrown.map((one) => [one.dice, one.faces]), event.sets]),
      results: found.results.map((one) => [one.name, one.title, one.text]),
      used,
    };
  } catch (fault) {
    if (!(fault instanceof dice.Refused)) throw fault;
    return { fault: fault.code, said: fault.message, used };
  }
})"""


#: Dice of a play that is looked at.
MOST_DICE = 2_000


class TooLong(Exception):
    """A play throws more dice than anybody reads of."""


class Recorded:
    """Dice of a seed, all of which are kept."""

    def __init__(self, seed: int) -> None:
        self.source = seeded_dice(seed)
        self.fallen: list[int] = []

    def __call__(self, sides: int) -> int:
        if len(self.fallen) == MOST_DICE:
            raise TooLong
        self.fallen.append(self.source(sides))
        return self.fallen[-1]


def page_programs(ruleset: Ruleset) -> dict[str, Any]:
    """The procedures of a ruleset as a page has them."""
    binder = Binder(ruleset, references="number")
    plain = BrowserPrograms(ruleset, lambda say: plain_text(binder.prose(say))).plain()
    return json.loads(json.dumps(plain, ensure_ascii=False))  # type: ignore[no-any-return]


def any_inputs(program: Program, random: Random) -> dict[str, Any]:
    """Values of all inputs by chance."""
    return {name: _any_value(domain, random) for name, domain in program.domains.items()}


def _any_value(domain: Domain, random: Random) -> Any:
    if not domain.several:
        return random.choice(domain.values)
    return tuple(row for row in domain.every if random.random() < 0.3)


def with_script(page: Page) -> Page:
    """A page that knows `dice` and `exact`."""
    page.set_content("<!doctype html><title>Dice</title>")
    for name in ("dice", "exact"):
        page.add_script_tag(path=templates_folder() / "scripts" / f"{name}.js")
    return page


#: A procedure and the values of its inputs.
Question = tuple[str, Mapping[str, Any]]

_ANSWERED = """([programs, asked]) => asked.map(([id, inputs]) => exact.answer(
    programs, id, inputs, programs.procedures[id].results.map((one) => one.name)))"""


def answers(page: Page, ruleset: Ruleset, asked: Sequence[Question]) -> list[Any]:
    """What the script says to some questions."""
    put = [[name, json_inputs(inputs)] for name, inputs in asked]
    return [read(one) for one in page.evaluate(_ANSWERED, [page_programs(ruleset), put])]


def read(answer: Any) -> Any:
    """An answer of the script in the form of `odds_of`; what comes from plays is its number."""
    if "code" in answer:
        return answer["code"], answer["refused"]
    if answer.get("plays"):
        return answer["plays"]
    return {
        name: (
            [
                (v, Fraction(w, one["total"]))
                for v, w in zip(one["values"], one["weights"], strict=True)
            ],
            Fraction(*one["mean"]) if one.get("mean") else None,
        )
        for name, one in answer["results"].items()
    }


def json_inputs(inputs: Mapping[str, Any]) -> dict[str, object]:
    return {key: json_value(one) for key, one in inputs.items()}


def odds_of(ruleset: Ruleset, program: Program, inputs: Mapping[str, Any]) -> Any:
    """By result the outcomes in order with their chances, and the mean; or the code of a fault
    and, of a requirement that is not met, its sentence.
    """
    try:
        found = compute_odds(ruleset, program, {**program.defaults(), **inputs})
    except FaultyProcedure as fault:
        refused = fault.__cause__
        assert isinstance(refused, RunFault)
        return refused.code, refused.message if refused.code == "R433" else ""
    return {
        name: ([(plain(value), share) for value, share in one.outcomes], one.mean)
        for name, one in found.results.items()
    }


def hold_odds(page: Page, ruleset: Ruleset, asked: Sequence[Question]) -> list[Any]:
    """Questions to the core and to the script, to which both answer alike -> the answers.

    What has too many cases for the core may still have an answer.
    """
    programs = Programs(ruleset)
    found = answers(page, ruleset, asked)
    for (name, inputs), one in zip(asked, found, strict=True):
        program = programs.get(name)
        assert program is not None
        wanted = odds_of(ruleset, program, inputs)
        assert wanted in (one, ("R424", "")), (name, inputs)
    return found


def hold(
    page: Page, ruleset: Ruleset, plays: Iterable[tuple[str, Mapping[str, Any], int]]
) -> list[Shown]:
    """Plays by the core and by the script, each with the dice of a seed -> what both showed.

    Each is shown word for word alike, or refused with the same code; those that throw too many dice
    are passed over.
    """
    programs, binder = Programs(ruleset), Binder(ruleset, references="number")
    by_core: list[Shown] = []
    asked: list[tuple[str, dict[str, object], list[int]]] = []
    for name, inputs, seed in plays:
        program = programs.get(name)
        assert program is not None, [problem.message for problem in programs.problems]
        dice = Recorded(seed)
        try:
            by_core.append(_by_core(program, binder, inputs, dice))
        except TooLong:
            continue
        asked.append((name, json_inputs(inputs), dice.fallen))
    by_script = page.evaluate(_PLAYED, [page_programs(ruleset), asked])
    for play, core, script in zip(asked, by_core, by_script, strict=True):
        assert script == core, play
    return by_core


def _by_core(program: Program, binder: Binder, inputs: Mapping[str, Any], dice: Recorded) -> Shown:
    try:
        played = program.play({**program.defaults(), **inputs}, dice)
    except RunFault as fault:
        said = fault.message if fault.code == "R433" else ""
        return {"fault": fault.code, "said": said, "used": len(dice.fallen)}
    labels = labels_of(program)

    def step(event: Event) -> list[Any]:
        thrown = [[str(one.dice), list(one.faces)] for one in event.thrown]
        shown = {name: labels.get((event.address, name)) for name in event.bound}
        sets = [
            [label.words, outcome_text(event.bound[name], label.kind)]
            for name, label in shown.items()
            if label and label.words is not None
        ]
        return [plain_text(binder.prose(event.say)), event.depth, event.number, thrown, sets]

    return {
        "steps": [step(event) for event in played.events],
        "results": [
            [name, program.results[name].title, outcome_text(value, program.results[name].kind)]
            for name, value in played.results.items()
        ],
        "used": len(dice.fallen),
    }
