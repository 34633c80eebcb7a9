"""Faults found in procedures: before they run, as problems with a place; while they run, raised."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rulebook.model.expressions import Expression, TextRange
from rulebook.model.ruleset import Address, Ruleset
from rulebook.problems import Fault, Problem, Span, second_place
from rulebook.suggestions import nearest, some_words


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the data: an address, and within an expression there the characters of a piece."""

    address: Address
    expression: Expression | None = None
    piece: TextRange | None = None

    def at(self, piece: TextRange) -> Spot:
        return Spot(self.address, self.expression, piece)


class RunFault(Fault):
    """A fault of a procedure that arises with the inputs and dice of a run.

    `where` is the expression or step; `inputs` is set by the caller that runs the procedure.
    """

    def __init__(
        self, code: str, message: str, where: Spot, expected: str = "", hint: str = ""
    ) -> None:
        super().__init__(code, message, expected, hint)
        self.where, self.inputs = where, ""

    def problem(self, ruleset: Ruleset) -> Problem:
        # What a rule requires is an author's sentence; it ends after the inputs, if at all.
        sentence = self.message.removesuffix(".")
        said = f"{sentence} ({self.inputs})" if self.inputs else self.message
        return Problem(self.code, said, place_of(ruleset, self.where), self.expected, self.hint)


class FaultAt(Fault):
    """A fault in a part of the data; `at` is the address of the wrong key within that part.

    `where` is the place in the procedure at which a run stopped, if there is one.
    """

    def __init__(self, fault: Fault, at: Address, where: Spot | None = None) -> None:
        super().__init__(fault.code, fault.message, fault.expected, fault.hint)
        self.at, self.where = at, where


def place_of(ruleset: Ruleset, spot: Spot) -> Span | None:
    """Finds the place of a spot in its file, or else of the nearest thing around the spot."""
    span = ruleset.place(*spot.address)
    if span is None or spot.piece is None or spot.expression is None:
        return span
    return span.within(spot.expression.text, spot.piece.start, spot.piece.end)


class Faulty(Exception):
    """Raised for a part of an expression with a fault that has been reported already."""


class EmptyCell(RunFault):
    """A fault of a run that uses the value of an empty cell."""


class NotAllowed(RunFault):
    """A fault of a run that uses the value of a modifier that is `never`."""


@dataclass(slots=True)
class Findings:
    """The problems of a ruleset's procedures, and the entities that they look up."""

    ruleset: Ruleset
    problems: list[Problem] = field(default_factory=list)
    #: Collection and id of each entity that was looked up; of the header, the field.
    looked_up: dict[tuple[str, str], None] = field(default_factory=dict)
    #: Columns that may forbid, and are added up: where, and which row says so,
    #: until it is said what comes of it.
    forbidding: dict[tuple[str, str], tuple[Spot, str]] = field(default_factory=dict)
    #: Those of which a procedure asks whether they allow it.
    asked: set[tuple[str, str]] = field(default_factory=set)

    def looks_up(self, collection: str, name: str) -> None:
        """Records that the procedure depends on an entity, given by collection and id."""
        self.looked_up[collection, name] = None

    def add(
        self,
        code: str,
        message: str,
        spot: Spot,
        expected: str = "",
        hint: str = "",
        *,
        also: Address | None = None,
    ) -> Faulty:
        """Adds a problem at a spot, and returns the exception for the caller to raise.

        `also` is the address of a second place, which the message names.
        """
        there = second_place(self.ruleset.place(*also), "it stands here") if also else None
        here = place_of(self.ruleset, spot)
        self.problems.append(Problem(code, message, here, expected, hint, there))
        return Faulty()

    def too_many(self, spot: Spot, what: str, most: int) -> None:
        """Reports that there are more than `most` of what `what` names, at a spot."""
        hint = "give a part of it a procedure of its own, and 'run' it"
        self.add("R428", f"too many {what}", spot, f"up to {most:,}", hint)

    def unlike(self, spot: Spot, kind: object, wanted: object, hint: str = "") -> Faulty:
        """Reports a value of the wrong kind, and returns the exception for the caller to raise.

        `kind` and `wanted` are printed in the message.
        """
        return self.add("R421", f"this is {kind}", spot, str(wanted), hint)

    def unknown(self, spot: Spot, name: str, known: Iterable[str], inside: str) -> Faulty:
        """Reports a name that is not among those known, and returns the exception to raise.

        `inside` says in the message where the name was looked for.
        """
        words = list(known)
        expected, hint = some_words(words) or "nothing here", nearest(name, words)
        return self.add("R302", f"no '{name:.40}' in {inside}", spot, expected, hint)

    def pass_on(self, fault: Fault, spot: Spot) -> None:
        """Reports a fault that was raised without a place, with the place of a spot."""
        self.problems.append(Problem.at(fault, place_of(self.ruleset, spot)))
