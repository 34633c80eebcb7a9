"""What a change between two editions does in play, as documents and `rulebook diff` tell it.

`compose.impact_of` makes it. Everything prints as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulebook.quantities import join_words
from rulebook.translation import gettext

#: `same`: touched, but with the same odds wherever they were compared. `uncompared`: they could
#: not be compared; the notes say why.
ProcedureState = Literal["changed", "new", "gone", "same", "uncompared"]
ReasonKind = Literal["own", "table", "modifiers", "cutout", "natural scores", "procedure"]
#: `outline`: other lines to cut or score. `face`: the same lines, other values on it. `words`: the
#: same lines and values.
CutoutState = Literal["outline", "face", "words", "new", "gone"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a procedure is touched: its own steps, something it looks up, a procedure it runs.

    `text` has it in words: "its own steps", "the table “Musketry”".
    """

    kind: ReasonKind
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Given:
    """An input as it is typed, in each edition; None in one that has it not."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Odds of one result at one set of inputs, in both editions.

    `inputs` are those worth telling, in words: what is not as usual, and the count that the result
    grows with. `given` are all inputs, as `rulebook odds` takes them. `measure` says whether mean
    or the chance of an `outcome` is shown; `asked` is of what, in words: "casualties", "winner
    “attacker”". `before` and `after` are as printed, `exact` as "n/d".
    """

    text: str
    inputs: tuple[str, ...]
    given: tuple[Given, ...]
    result: str
    result_title: str
    asked: str
    measure: Literal["mean", "chance"]
    outcome: str
    before: str
    after: str
    exact_before: str
    exact_after: str


@dataclass(frozen=True, slots=True)
class ProcedureImpact:
    """What becomes of a procedure: the largest differences of its odds first.

    `was` is its id in the old edition if that was another, `text` a sentence on its state. The odds
    were compared at so many sets of inputs (`compared`), and differ at `differing` of them;
    `differences` are those of these worth telling, no two alike. `usual` are sentences on the odds
    of one that only one edition has, at its usual inputs. `notes` are sentences as well: inputs
    and results of one edition alone, and what could not be compared.
    """

    id: str
    title: str
    state: ProcedureState
    text: str
    was: str = ""
    reasons: tuple[Reason, ...] = ()
    differences: tuple[Difference, ...] = ()
    compared: int = 0
    differing: int = 0
    usual: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def reached(self) -> str:
        """Why it is touched, behind its title: ", by its own steps and the table “Fire”"."""
        text = join_words((reason.text for reason in self.reasons), "and")
        return gettext(", by %(reasons)s", reasons=text) if text else ""

    @property
    def outcome(self) -> tuple[str, ...]:
        """Sentences on what becomes of it: "It is new. At the usual inputs: mean 1.41 hits."."""
        text = self.text
        if self.usual:
            usual = ", ".join(self.usual)
            text += " " + gettext("At the usual inputs: %(odds)s.", odds=usual)
        return (text, *self.notes)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a cutout in both editions, as printed; empty in one that has it not."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CutoutImpact:
    """What becomes of a cutout.

    `svg` is a picture `width` mm wide: both outlines over one another, the new one solid, the old
    one dashed, or the one that there is. It is empty where only words changed.
    """

    id: str
    title: str
    state: CutoutState
    text: str
    was: str = ""
    parameters: tuple[Parameter, ...] = ()
    svg: str = ""
    width: float = 0.0


class _OfProcedures:
    """Procedures that changes reach, of which those with the same odds stand in one sentence."""

    __slots__ = ()
    procedures: tuple[ProcedureImpact, ...]

    @property
    def different(self) -> tuple[ProcedureImpact, ...]:
        """Those that stand one by one: they have other odds, are new or gone."""
        return tuple(procedure for procedure in self.procedures if procedure.state != "same")

    @property
    def same(self) -> tuple[ProcedureImpact, ...]:
        """Those that have the same odds wherever they were compared."""
        return tuple(procedure for procedure in self.procedures if procedure.state == "same")

    @property
    def same_odds(self) -> str:
        """The same odds: A test, by the table “Needs”; A shot, by its own steps."""
        same = "; ".join(one.title + one.reached for one in self.same)
        return (
            gettext("No other odds where they were compared: %(procedures)s.", procedures=same)
            if same
            else ""
        )


@dataclass(frozen=True, slots=True)
class OptionImpact(_OfProcedures):
    """What an option does in play that is new, or that changed.

    A new option is compared with the rules without it, one that changed with what it was; what the
    rules themselves changed is not repeated.
    """

    id: str
    title: str
    state: Literal["new", "changed"]
    procedures: tuple[ProcedureImpact, ...]

    @property
    def heading(self) -> str:
        """Zouaves (a new option): the odds without and with it."""
        if self.state == "new":
            return gettext(
                "%(option)s (a new option): the odds without and with it", option=self.title
            )
        return gettext("%(option)s (an option that changed)", option=self.title)


@dataclass(frozen=True, slots=True)
class Impact(_OfProcedures):
    """What the changes from one edition to another do in play.

    `old` and `new` are what the editions are called: "1.0", "2.0". Procedures stand with the
    largest difference first, then new ones, those that are gone, and those with the same odds.
    """

    old: str
    new: str
    procedures: tuple[ProcedureImpact, ...] = ()
    options: tuple[OptionImpact, ...] = ()
    cutouts: tuple[CutoutImpact, ...] = ()
