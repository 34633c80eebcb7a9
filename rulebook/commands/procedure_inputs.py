"""A ruleset, a procedure and its inputs as they are typed -> a program and sets of inputs.

What `odds` and `roll` have in common: each wrong word is a fault of usage that names the choices,
each fault of the content is reported with its place and ends with 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import click

from rulebook.commands.terminal import fail, unknown, usage, wrong
from rulebook.limits import MOST_ITEMS
from rulebook.quantities import join_words
from rulebook.suggestions import some_words

if TYPE_CHECKING:
    from rulebook.core.input_domains import Domain
    from rulebook.core.programs import Program
    from rulebook.core.value_types import Value
    from rulebook.model.ruleset import Ruleset


def load_program(ctx: click.Context, ruleset: Ruleset, name: str | None) -> Program:
    """Returns the compiled program of the named procedure; `-` and `_` in its name are equal.

    Raises click.UsageError if there is none. If the procedure has faults, prints them and exits
    with status 1.
    """
    from rulebook.core.odds import FaultyProcedure, program_of

    if not ruleset.procedures:
        raise wrong(f"the ruleset '{ruleset.id}' has no procedures")
    if name is None:
        raise wrong(
            f"which procedure of '{ruleset.id}'?",
            join_words(ruleset.procedures),
            "name one; 'rulebook list --json' tells their inputs and values",
        )
    known = name.replace("-", "_").lower()
    if known not in ruleset.procedures:
        raise unknown("procedure", name, ruleset.procedures)
    try:
        return program_of(ruleset, known)
    except FaultyProcedure as fault:
        fail(ctx, fault.problems)


@dataclass(frozen=True, slots=True)
class Settings:
    """The inputs of one question about a procedure.

    `values` has the values of each input, `given` the texts as typed, `swept` the names of the
    swept inputs.
    """

    values: Mapping[str, Sequence[Value]]
    given: Mapping[str, str]
    swept: tuple[str, ...]

    def sets(self) -> Iterable[dict[str, Value]]:
        """Yields every combination of the inputs' values; the last swept input changes fastest."""
        fixed = [name for name in self.values if name not in self.swept]
        for chosen in product(*(self.values[name] for name in (*fixed, *self.swept))):
            inputs = dict(zip((*fixed, *self.swept), chosen, strict=True))
            yield {name: inputs[name] for name in self.values}


def read_settings(program: Program, typed: Sequence[str], *, sweeps: bool) -> Settings:
    """Parses typed inputs, such as `firers=24 range=all`, into the values of every input.

    Inputs that are not typed have their defaults. An input with several values is swept; these are
    in the order in which they are typed. Raises click.UsageError for wrong inputs, for too many
    sets of inputs, and for swept inputs unless `sweeps`.
    """
    from rulebook.core.input_domains import known_domain

    given: dict[str, str] = {}
    found: dict[str, Sequence[Value] | None] = {}
    for setting in typed:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals or not name:
            raise wrong(
                f"'{setting[:40]}' sets no input",
                f"INPUT=VALUE, such as {_example(program)}" if program.domains else "no inputs",
            )
        called = name.replace("-", "_")
        if called in program.results and called not in program.domains:
            raise wrong(
                f"'{name}' is a result of '{program.id}', not an input",
                some_words(list(program.domains)) or "no inputs at all",
                "leave it out: every result is shown",
            )
        with usage():
            domain = known_domain(program.domains, name)
            if domain.name in given:
                raise wrong(f"'{domain.name}' is given twice", "each input once")
            given[domain.name] = text
            found[domain.name] = _swept(domain, text, sweeps=sweeps)
    values = {
        name: found.get(name) or [domain.read(given[name]) if name in given else domain.default]
        for name, domain in program.domains.items()
    }
    number = prod(len(swept) for swept in values.values())
    if number > MOST_ITEMS:
        raise wrong(
            f"this sweeps over {number:,} sets of inputs",
            f"up to {MOST_ITEMS:,}",
            "sweep fewer inputs, or in steps, such as firers=6..240..6",
        )
    return Settings(values, given, tuple(name for name, one in found.items() if one))


def settings_text(ruleset: Ruleset, program: Program, settings: Settings) -> Iterator[str]:
    """Yields the head lines of what `odds` and `roll` print: the procedure and its inputs.

    Each input is shown as it is typed and in words.
    """
    chosen = f" with {join_words(ruleset.chosen, 'and')}" if ruleset.chosen else ""
    yield f"{ruleset.id} {ruleset.header.edition}{chosen}: {program.title} ({program.id})"
    typed = {
        name: f"{name}={settings.given.get(name) or domain.written(domain.default)}"
        for name, domain in program.domains.items()
    }
    width = max(map(len, typed.values()), default=0)
    for name, domain in program.domains.items():
        values = settings.values[name]
        value = f"{len(values)} values" if name in settings.swept else domain.title_of(values[0])
        default = "" if name in settings.given else " (default)"
        yield f"  {typed[name].ljust(width)}  {domain.label}: {value}{default}"


def _example(program: Program) -> str:
    name, domain = next(iter(program.domains.items()))
    return f"{name}={domain.written(domain.default)}"


def _swept(domain: Domain, text: str, *, sweeps: bool) -> list[Value] | None:
    from rulebook.core.input_domains import swept

    if not text:
        raise wrong(f"'{domain.name}=' gives no value", domain.choices())
    values = swept(domain, text)
    if values is None:
        domain.read(text)  # faults are reported in the order in which they are typed
        return None
    if not values:
        raise wrong(
            f"'{text[:40]}' sweeps over no value of '{domain.name}'",
            "the lower end first, and steps of 1 or more, such as 6..24..6",
        )
    if not sweeps:
        raise wrong(
            f"'{text[:40]}' is more than one value of '{domain.name}'",
            f"one of: {domain.choices()}",
            "sweep with 'rulebook odds'",
        )
    return values
