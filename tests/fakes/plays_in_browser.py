"""Programs of the core and `dice.js` in a browser: the same dice -> what each of them tells."""

import json
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from playwright.sync_api import Page

from rulebook.core.input_domains import Domain
from rulebook.core.play import Event, Player, Seeded
from rulebook.core.procedure_faults import RunFault
from rulebook.core.procedures import Programs
from rulebook.core.programs import Program
from rulebook.core.told_programs import ToldPrograms, json_value, kinds_of, told_value, words_of
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.model.ruleset import Ruleset
from rulebook.packaged import templates_folder

#: Steps, results and fault of one play, in plain data.
Told = dict[str, Any]

_PLAYED = """([told, plays]) => plays.map(([id, inputs, faces]) => {
  let used = 0;
  const fallen = () => faces[used++];
  try {
    const found = dice.play(told, id, inputs, fallen);
    return {
      steps: found.events.map((event) => [event.say, event.depth, event.number,
        event.thrown.map((one) => [one.dice, one.faces]), event.sets]),
      results: found.results.map((one) => [one.name, one.title, one.told]),
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


class Recorded(Seeded):
    """Dice of a seed, all of which are kept."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.fallen: list[int] = []

    def throw(self, sides: int) -> int:
        if len(self.fallen) == MOST_DICE:
            raise TooLong
        self.fallen.append(super().throw(sides))
        return self.fallen[-1]


def told_programs(ruleset: Ruleset) -> dict[str, Any]:
    """The procedures of a ruleset as a page has them."""
    binder = Binder(ruleset, references="number")
    told = ToldPrograms(ruleset, lambda say: plain_text(binder.prose(say))).plain()
    return json.loads(json.dumps(told, ensure_ascii=False))  # type: ignore[no-any-return]


def any_inputs(program: Program, random: Random) -> dict[str, Any]:
    """Values of all inputs by chance."""
    return {name: _any_value(domain, random) for name, domain in program.domains.items()}


def _any_value(domain: Domain, random: Random) -> Any:
    if not domain.several:
        return random.choice(domain.values)
    return tuple(row for row in domain.every if random.random() < 0.4)


def with_script(page: Page) -> Page:
    """A page that knows `dice`."""
    page.set_content("<!doctype html><title>Dice</title>")
    page.add_script_tag(path=templates_folder() / "scripts" / "dice.js")
    return page


def hold(
    page: Page, ruleset: Ruleset, plays: Iterable[tuple[str, Mapping[str, Any], int]]
) -> list[Told]:
    """Plays by the core and by the script, each with the dice of a seed -> what both told.

    Each is told word for word alike, or refused with the same code; those that throw too many dice
    are passed over.
    """
    programs, binder = Programs(ruleset), Binder(ruleset, references="number")
    players: dict[str, Player] = {}
    by_core: list[Told] = []
    asked: list[tuple[str, dict[str, object], list[int]]] = []
    for name, inputs, seed in plays:
        program = programs.get(name)
        assert program is not None, [problem.message for problem in programs.problems]
        player = players.setdefault(name, Player(program))
        dice = Recorded(seed)
        try:
            by_core.append(_by_core(player, binder, inputs, dice))
        except TooLong:
            continue
        asked.append((name, {key: json_value(one) for key, one in inputs.items()}, dice.fallen))
    by_script = page.evaluate(_PLAYED, [told_programs(ruleset), asked])
    for play, core, script in zip(asked, by_core, by_script, strict=True):
        assert script == core, play
    return by_core


def _by_core(player: Player, binder: Binder, inputs: Mapping[str, Any], dice: Recorded) -> Told:
    program = player.program
    try:
        played = player.play({**program.defaults(), **inputs}, dice)
    except RunFault as fault:
        said = fault.message if fault.code == "R433" else ""
        return {"fault": fault.code, "said": said, "used": len(dice.fallen)}
    kinds, words = kinds_of(program), words_of(program)

    def step(event: Event) -> list[Any]:
        thrown = [[str(one.dice), list(one.faces)] for one in event.thrown]
        sets = [
            [words[event.address, name], told_value(value, kinds[event.address, name])]
            for name, value in event.bound.items()
            if (event.address, name) in words
        ]
        return [plain_text(binder.prose(event.say)), event.depth, event.number, thrown, sets]

    return {
        "steps": [step(event) for event in played.events],
        "results": [
            [name, program.results[name].title, told_value(value, program.results[name].kind)]
            for name, value in played.results.items()
        ],
        "used": len(dice.fallen),
    }
