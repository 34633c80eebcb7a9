"""`rulebook odds`: a procedure and its inputs -> the odds of its results, exactly."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.build.stale import edition_key
from rulebook.commands.arguments import (
    choose_rulesets,
    load_ruleset,
    remembered,
    split_commas,
    with_option,
)
from rulebook.commands.procedure_inputs import (
    Settings,
    load_program,
    read_settings,
    settings_text,
)
from rulebook.commands.terminal import fail, terminal, wrong
from rulebook.loading.folder import AT, sources_digest

#: What a question of `Answers` names besides inputs.
_NAMES_OF_ODDS = ("ruleset", "edition", "procedure", "with")

if TYPE_CHECKING:
    from rulebook.cache import Cache
    from rulebook.core.odds import Odds
    from rulebook.core.programs import Program
    from rulebook.core.value_types import Value
    from rulebook.model.ruleset import Ruleset


@click.command()
@click.argument("ruleset")
@click.argument("procedure", required=False, metavar="PROCEDURE")
@click.argument("inputs", nargs=-1, metavar="[INPUT=VALUE]...")
@click.option("--json", "as_json", is_flag=True, help="For programs; the form is stable.")
@click.option("--csv", "as_csv", is_flag=True, help="A row for each outcome, for spreadsheets.")
@with_option
@click.pass_context
def odds(
    ctx: click.Context,
    *,
    ruleset: str,
    procedure: str | None,
    inputs: tuple[str, ...],
    options: tuple[str, ...],
    as_json: bool,
    as_csv: bool,
) -> None:
    """Tell the odds of a procedure, exactly.

    A value may be a sweep: 6..24, 6..24..6 (every sixth), open,cover or all.

    \b
    rulebook odds mygame shots figures=6 range=6-12in
    rulebook odds mygame shots range=all target-stands=all
    rulebook odds mygame shots figures=1..6 conditions=moved,rest --csv

    \b
    The JSON form is stable:
      {"ruleset", "edition", "procedure", "inputs": {name: value},
       "results": {name: {"title", "outcomes": [{"value", "probability": "n/d"}],
                          "mean": "n/d" or null}},
       "joint": [{"values": {name: value}, "probability": "n/d"}]}
    A sweep gives a list of these. Where the procedure does not allow a set of inputs of a sweep,
    its results and joint are empty, and "refused" says why. With options there is "options": [id].
    The value "more" stands for all that a repetition without a bound does not list one by one.
    A result that is a length has its "unit" as well, an outcome that is a row its "title".
    """

    if as_json and as_csv:
        raise wrong("--json and --csv together", "one of them")
    (source,) = choose_rulesets(ctx.obj["content"], [ruleset])
    form = "json" if as_json else "csv" if as_csv else "text"
    load = partial(load_ruleset, ctx, ruleset, options)
    click.echo(_answer(ctx, source, (procedure, inputs, options, form), load), nl=False)


#: A procedure, inputs and options as they are typed, and the form of the answer.
_Question = tuple[str | None, tuple[str, ...], tuple[str, ...], str]


@dataclass
class Answers:
    """Answers questions about odds as JSON, for a server that asks repeatedly.

    A question is a list of names and values; names other than `ruleset`, `procedure`, `edition` and
    `with` are inputs. A call returns an HTTP status and JSON, which is `{"fault"}` for errors. The
    ruleset asked about last stays loaded until it changes.
    """

    content: Path
    cache: Cache
    _loaded: tuple[object, Ruleset | None] = ((), None)

    def __call__(self, asked: Sequence[tuple[str, str]]) -> tuple[int, str]:
        said = io.StringIO()
        with click.Context(odds, obj={"content": self.content, "cache": self.cache}) as ctx:
            try:
                with redirect_stderr(said):
                    return 200, self._answer(ctx, asked)
            except click.UsageError as fault:
                return 400, json.dumps({"fault": fault.message})
            except click.exceptions.Exit:
                return 400, json.dumps({"fault": said.getvalue()})

    def _answer(self, ctx: click.Context, asked: Sequence[tuple[str, str]]) -> str:
        from rulebook.loading.editions import edition_of

        named = dict(asked)
        ruleset, edition = named.get("ruleset", ""), named.get("edition")
        (source,) = choose_rulesets(self.content, [ruleset])
        if edition not in (None, edition_of(source)):
            ruleset = f"{ruleset}{AT}{edition}"
            (source,) = choose_rulesets(self.content, [ruleset])
        inputs = tuple(f"{name}={value}" for name, value in asked if name not in _NAMES_OF_ODDS)
        options = split_commas([value for name, value in asked if name == "with"])
        load = partial(self._ruleset, ctx, ruleset, source, options)
        return _answer(ctx, source, (named.get("procedure"), inputs, options, "json"), load)

    def _ruleset(
        self, ctx: click.Context, name: str, source: Path, options: tuple[str, ...]
    ) -> Ruleset:
        wanted = sources_digest(source), options
        known, loaded = self._loaded
        if loaded is None or wanted[0] is None or known != wanted:
            loaded = load_ruleset(ctx, name, options)
            self._loaded = wanted, loaded
        return loaded


def _answer(
    ctx: click.Context, source: Path, question: _Question, load: Callable[[], Ruleset]
) -> str:
    """Returns the answer to a question about odds as text, from the cache if it is there.

    `load` is called for the ruleset if it is not. Raises click.UsageError.
    """
    procedure, inputs, _, form = question

    def find() -> str:
        loaded = load()
        program = load_program(ctx, loaded, procedure)
        settings = read_settings(program, inputs, sweeps=True)
        found = _computed(ctx, loaded, program, settings)
        if form == "csv":
            return _as_csv(program, found)
        if form == "text":
            return "".join(f"{line}\n" for line in _lines(loaded, program, settings, found))
        listed = [_as_json(loaded, program, *answer) for answer in found]
        answer = listed if settings.swept else listed[0]
        return json.dumps(answer, ensure_ascii=False, indent=1) + "\n"

    look = repr(terminal()) if form == "text" else ""
    key = edition_key(source, ctx.obj["cache"], *question, look)
    text: str = remembered(ctx.obj["cache"], "odds", key, find)
    return text


#: A set of inputs, and its odds or the sentence by which the procedure refuses it.
Answer = tuple[dict[str, "Value"], "Odds | str"]


def _computed(
    ctx: click.Context, ruleset: Ruleset, program: Program, settings: Settings
) -> list[Answer]:
    """Computes the odds for every set of inputs.

    Returns each set with its odds or, if the procedure refuses it, with the message that says why.
    Raises click.UsageError if all sets are refused. If the procedure has faults, prints them and
    exits with status 1.
    """
    from rulebook.core.odds import FaultyProcedure, compute_odds
    from rulebook.core.procedure_faults import RunFault

    found: list[Answer] = []
    for inputs in settings.sets():
        try:
            program.admit(inputs)
        except RunFault as fault:
            found.append((inputs, fault.message))
            continue
        try:
            found.append((inputs, compute_odds(ruleset, program, inputs)))
        except FaultyProcedure as faulty:
            fail(ctx, faulty.problems)
    refusals = dict.fromkeys(odds for _, odds in found if isinstance(odds, str))
    if all(isinstance(odds, str) for _, odds in found):
        raise wrong("\n".join(refusals))
    return found


def _as_json(
    ruleset: Ruleset, program: Program, inputs: dict[str, Value], found: Odds | str
) -> dict[str, object]:
    from rulebook.core.odds import as_json, asked

    if isinstance(found, str):
        head = asked(ruleset, program, inputs)
        return {**head, "results": {}, "joint": [], "refused": found}
    return as_json(ruleset, found)


def _as_csv(program: Program, found: Sequence[Answer]) -> str:
    """Returns the odds as CSV, with a row for each outcome of each result of each set of inputs."""
    from rulebook.core.input_domains import plain
    from rulebook.core.odds import ratio

    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow([*program.domains, "result", "value", "probability", "decimal"])
    for inputs, odds in found:
        if isinstance(odds, str):
            continue
        typed = [program.domains[name].written(value) for name, value in inputs.items()]
        for name, result in odds.results.items():
            for value, chance in result.outcomes:
                shown = str(value).lower() if isinstance(value, bool) else plain(value)
                rows.writerow([*typed, name, shown, ratio(chance), f"{float(chance):.10g}"])
    return text.getvalue()


def _lines(
    ruleset: Ruleset, program: Program, settings: Settings, found: Sequence[Answer]
) -> Iterator[str]:
    from rulebook.commands.odds_table import odds_lines, sweep_lines

    look = terminal()
    yield from settings_text(ruleset, program, settings)
    odds = [None if isinstance(answer, str) else answer for _, answer in found]
    if not settings.swept and odds[0] is not None:
        yield from odds_lines(odds[0], look)
        return
    yield from sweep_lines(program, settings, odds, look)
    refusals = [answer for _, answer in found if isinstance(answer, str)]
    if refusals:
        yield ""
        yield f"-: {' '.join(dict.fromkeys(refusals))}"
