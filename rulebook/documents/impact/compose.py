"""Two editions of a ruleset and their changes -> what the changes do in play.

Here revisions meet the rules core and the cutouts: for each procedure that a change reaches the
odds in both editions side by side, the largest difference first; for each cutout both outlines.

A procedure is affected by a change of its own steps, of a table, a modifier table or a cutout that
it looks up, of the ruleset's natural scores, and of a procedure that it runs. What it looks up is
taken from the rules core, so changed words alone affect nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from rulebook import quantities
from rulebook.core.odds import Allowance, FaultyProcedure, OddsCalculator
from rulebook.core.programs import Program, all_steps
from rulebook.cutouts.changed_parameters import parameters_by_place
from rulebook.cutouts.shapes import Overlaid, pieces, svg_overlay
from rulebook.documents.impact.odds import (
    ARROW,
    Difference,
    PairedProcedure,
    ValueOfBoth,
    odds_lines,
    paired_inputs,
    paired_results,
)
from rulebook.documents.parts.binding import Binder
from rulebook.drawing.layers import Look
from rulebook.drawing.shapes import Drawing, Shape, is_tint
from rulebook.drawing.small_pictures import miniature
from rulebook.drawing.svg import svg_text
from rulebook.limits import MOST_WORK
from rulebook.model.cutouts import Cutout
from rulebook.model.plain_data import plain_ruleset
from rulebook.model.ruleset import Ruleset
from rulebook.model.sticks import with_marks
from rulebook.model.walk import once_for_entities
from rulebook.revisions.changes import in_rows
from rulebook.revisions.comparison import Comparison, compare
from rulebook.revisions.revised import is_played
from rulebook.translation import gettext, gettext_noop, ngettext

#: `same`: touched, but with the same odds wherever they were compared. `uncompared`: they could
#: not be compared; the notes say why.
ProcedureState = Literal["changed", "new", "gone", "same", "uncompared"]
ReasonKind = Literal["own", "table", "modifiers", "cutout", "natural scores", "procedure"]
#: `outline`: other lines to cut or score. `face`: the same lines, other values on it. `words`: the
#: same lines and values.
CutoutState = Literal["outline", "face", "words", "new", "gone"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a procedure is affected: its own steps, something it looks up, or a procedure it runs.

    `text` says it in words: "its own steps", "the table “Musketry”".
    """

    kind: ReasonKind
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ProcedureImpact:
    """What happens to the odds of a procedure, with the largest differences first.

    `was` is its id in the old edition if that was another, `text` a sentence on its state. The odds
    were compared at `compared` sets of inputs, and differ at `differing` of them; `differences` are
    the notable ones, no two alike. `usual` are sentences on the default odds of a procedure that
    only one edition has. `notes` are sentences on inputs and results of one edition alone, and on
    what could not be compared.
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
        """The reasons as text to follow the title: ", by its own steps and the table “Fire”"."""
        text = quantities.join_words((reason.text for reason in self.reasons), "and")
        return gettext(", by %(reasons)s", reasons=text) if text else ""

    @property
    def outcome(self) -> tuple[str, ...]:
        """Sentences on what became of the procedure and its usual odds, followed by the notes."""
        text = self.text
        if self.usual:
            usual = ", ".join(self.usual)
            text += " " + gettext("At the usual inputs: %(odds)s.", odds=usual)
        return (text, *self.notes)


@dataclass(frozen=True, slots=True)
class CutoutImpact:
    """What happens to a cutout.

    `svg` is a picture `width` mm wide: the new outline solid over the old one dashed, or the only
    one. It is empty if only words changed.
    """

    id: str
    title: str
    state: CutoutState
    text: str
    was: str = ""
    parameters: tuple[ValueOfBoth, ...] = ()
    svg: str = ""
    width: float = 0.0


class _OfProcedures:
    """A mixin for `procedures` that changes affect; those with the same odds share one sentence."""

    __slots__ = ()
    procedures: tuple[ProcedureImpact, ...]

    @property
    def different(self) -> tuple[ProcedureImpact, ...]:
        """The procedures listed one by one: their odds differ, or they are new or gone."""
        return tuple(procedure for procedure in self.procedures if procedure.state != "same")

    @property
    def same(self) -> tuple[ProcedureImpact, ...]:
        """The procedures that have the same odds wherever they were compared."""
        return tuple(procedure for procedure in self.procedures if procedure.state == "same")

    @property
    def same_odds(self) -> str:
        """A sentence that names the procedures with the same odds and their reasons, or ""."""
        same = "; ".join(procedure.title + procedure.reached for procedure in self.same)
        text = gettext("No other odds where they were compared: %(procedures)s.", procedures=same)
        return text if same else ""


@dataclass(frozen=True, slots=True)
class OptionImpact(_OfProcedures):
    """What a new or changed option does in play.

    A new option is compared with the rules without it, a changed one with its old version; changes
    of the rules themselves are not repeated.
    """

    id: str
    title: str
    state: Literal["new", "changed"]
    procedures: tuple[ProcedureImpact, ...]

    @property
    def heading(self) -> str:
        """The title of the option, with whether it is new or has changed.

        An example is "Zouaves (a new option): the odds without and with it".
        """
        if self.state == "changed":
            return gettext("%(option)s (an option that changed)", option=self.title)
        return gettext("%(option)s (a new option): the odds without and with it", option=self.title)


@dataclass(frozen=True, slots=True)
class Impact(_OfProcedures):
    """What the changes from one edition to another do in play.

    `old` and `new` are what the editions are called: "1.0", "2.0". Procedures are listed with the
    largest difference first, then new ones, removed ones, ones that could not be compared, and
    those with the same odds.
    """

    old: str
    new: str
    procedures: tuple[ProcedureImpact, ...] = ()
    options: tuple[OptionImpact, ...] = ()
    cutouts: tuple[CutoutImpact, ...] = ()


#: What procedures look up, and run -> what one of them is called as a reason.
_REASONS: Mapping[str, tuple[ReasonKind, str]] = {
    "header": ("natural scores", gettext_noop("natural scores")),
    "tables": ("table", gettext_noop("the table “%(title)s”")),
    "modifiers": ("modifiers", gettext_noop("the modifiers “%(title)s”")),
    "cutouts": ("cutout", gettext_noop("the cutout “%(title)s”")),
    "procedures": ("procedure", gettext_noop("the procedure “%(title)s”")),
}


@dataclass
class PairedEditions:
    """Two editions side by side: matches their entities, and tells which of these play alike.

    `names` are the names of the two; `moves` limits how many moves are computed for each.
    """

    old: Ruleset
    new: Ruleset
    comparison: Comparison
    names: tuple[str, str]
    moves: int = MOST_WORK
    _reasons: dict[str, tuple[Reason, ...]] = field(default_factory=dict)

    @cached_property
    def calculators(self) -> tuple[OddsCalculator, OddsCalculator]:
        old, new = Allowance(moves=self.moves), Allowance(moves=self.moves)
        return OddsCalculator(self.old, old), OddsCalculator(self.new, new)

    def pairs(self, collection: str) -> list[tuple[str | None, str | None]]:
        """Returns the old and the new id of each entity of a collection, removed entities last.

        An id is None in an edition that lacks the entity.
        """
        old, new = (getattr(ruleset.collections, collection) for ruleset in (self.old, self.new))
        were = {name: self.comparison.entity_was(collection, name) for name in new}
        gone = [name for name in old if name not in were.values()]
        return [*((was, name) for name, was in were.items()), *((name, None) for name in gone)]

    @cached_property
    def unaffected(self) -> Set[tuple[str, str]]:
        """Things, as (collection, id), that are known to be alike, with all that they name."""
        of_options = self.new.variants is self.old.variants and not self.old.chosen
        return self.new.unaffected if of_options else frozenset()

    def plays_alike(self, collection: str, name: str) -> bool:
        """Whether both editions have a thing of the new one, and no change to it affects play.

        For the collection "header", `name` is a key of the header, which must not have changed.
        """
        known = self.comparison.of_things
        if collection == "header":
            return all(change.path[1] != name for change in known.get(("header",), ()))
        changes = known.get(("collections", collection, name), ())
        was = self.comparison.entity_was(collection, name)
        return was is not None and not any(map(is_played, changes))

    def reasons(self, name: str) -> tuple[Reason, ...]:
        """Returns why a procedure of both editions may have other odds; empty if it cannot.

        `name` is its id in the new edition. The results are remembered.
        """
        if name not in self._reasons:
            self._reasons[name] = tuple(dict.fromkeys(self._found_reasons(name)))
        return self._reasons[name]

    def _found_reasons(self, name: str) -> Iterator[Reason]:
        if not self.plays_alike("procedures", name):
            yield Reason("own", name, "", gettext("its own steps"))
        program = self.calculators[1].programs.get(name)
        looked_up = program.looked_up if program else ()
        touched = [thing for thing in looked_up if not self.plays_alike(*thing)]
        for step in all_steps(program.steps) if program else ():
            # A new procedure stands by itself; that this one runs it is a change of its steps.
            if step.program and self.reasons(step.program.id):
                touched.append(("procedures", step.program.id))
        for collection, key in touched:
            if collection in _REASONS:
                kind, text = _REASONS[collection]
                entity = getattr(self.new.collections, collection, {}).get(key)
                title = str(getattr(entity, "title", ""))
                yield Reason(kind, key, title, gettext(text, title=title))


#: The order in which procedures stand, those with differences before all others.
_ORDER: tuple[ProcedureState, ...] = ("changed", "new", "gone", "uncompared", "same")


def impact_of(old: Ruleset, new: Ruleset, comparison: Comparison) -> Impact:
    """Computes what the changes from one edition to another do to procedures, options and cutouts.

    `comparison` is that of the plain data of the two, neither of which has faults. The work is
    bounded, and the same for the same editions: what takes too long to compute is reported as such.
    """
    editions = PairedEditions(old, new, comparison, _called(old, new))
    procedures = _procedures(editions)
    options, cutouts = tuple(_options(editions, procedures)), tuple(_cutouts(editions))
    return Impact(*editions.names, procedures, options, cutouts)


def _called(old: Ruleset, new: Ruleset) -> tuple[str, str]:
    """Returns what the old and the new ruleset are called in texts.

    If other options are in force, these are "the rules" and the titles of the new options.
    Otherwise they are the titles if two different rulesets are compared, else the editions, such as
    1.0 and 2.0, or "before" and "now" if these are the same.
    """
    if new.chosen != old.chosen:
        return gettext("the rules"), quantities.join_words(
            (new.options[name].title for name in new.chosen), "and"
        )
    if old.id != new.id and old.header.title != new.header.title:
        return old.header.title, new.header.title
    if old.header.edition != new.header.edition:
        return old.header.edition, new.header.edition
    return gettext("before"), gettext("now")


def _options(
    editions: PairedEditions, of_rules: tuple[ProcedureImpact, ...]
) -> Iterator[OptionImpact]:
    """Yields what each new or changed option does to procedures, unless it does nothing.

    `of_rules` is the impact of the changes of the rules themselves, which is not repeated.
    """
    old, new = editions.old, editions.new
    if new.chosen or new.variants is None:
        return
    comparison = editions.comparison
    changed = {change.path[1] for change in comparison.changes if change.path[0] == "options"}
    for name in (name for name in new.options if name in changed):
        title, was = new.options[name].title, comparison.was("options", name)
        known = was in old.options and old.variants is not None
        before = old.with_options([was]).ruleset if known else new
        called = editions.names if known else (gettext("The rules"), title)
        found = _between(before, new.with_options([name]).ruleset, called, len(new.options))
        procedures = tuple(procedure for procedure in found if procedure not in of_rules)
        if procedures:
            yield OptionImpact(name, title, "changed" if known else "new", procedures)


@once_for_entities
def effects_of_options(ruleset: Ruleset) -> dict[str, tuple[ProcedureImpact, ...]]:
    """Returns the impact on procedures of each option that is not in force, by its name.

    The procedures with the largest difference come first.
    """
    # As it was written: the computed tables of the other are in it as grids of odds.
    written = ruleset.variants(ruleset.chosen).ruleset if ruleset.variants else None
    effects = {}
    for name, option in ruleset.options.items():
        if name not in ruleset.chosen:
            wanted = ruleset.with_options([*ruleset.chosen, name]).ruleset if written else None
            called = gettext("The rules"), option.title
            effects[name] = _between(written, wanted, called, len(ruleset.options))
    return effects


def _between(
    before: Ruleset | None, after: Ruleset | None, names: tuple[str, str], of: int
) -> tuple[ProcedureImpact, ...]:
    """Computes the impact on procedures of the differences between two rulesets.

    Returns none if either is None. `names` are what the two are called, and 1/`of` of the maximum
    work is allowed.
    """
    if before is None or after is None:
        return ()
    comparison = compare(plain_ruleset(before), plain_ruleset(after))
    return _procedures(PairedEditions(before, after, comparison, names, MOST_WORK // of))


def _procedures(editions: PairedEditions) -> tuple[ProcedureImpact, ...]:
    """Computes the impact on each procedure that is new, gone or affected by a change.

    Those with differing odds come first, the largest difference first.
    """
    found: list[tuple[ProcedureImpact, Fraction]] = []
    for was, name in editions.pairs("procedures"):
        if was is None or name is None:
            found.append((_of_one_edition(editions, was, name), Fraction(0)))
        elif ("procedures", name) not in editions.unaffected and editions.reasons(name):
            found.append(_of_both_editions(editions, was, name))
    found.sort(key=lambda pair: (_ORDER.index(pair[0].state), -pair[1]))
    return tuple(impact for impact, _ in found)


def _of_one_edition(editions: PairedEditions, was: str | None, now: str | None) -> ProcedureImpact:
    """Returns the impact on a procedure that is new or gone, with its odds at the default inputs.

    Its id is `was` in the old edition or `now` in the new one; the other is None.
    """
    name, calculator = now or was or "", editions.calculators[now is not None]
    title = calculator.ruleset.procedures[name].title
    program = calculator.programs.get(name)
    usual = tuple(_usual(calculator, program)) if program else ()
    text = gettext("It is new.") if now else gettext("It is not used any more.")
    return ProcedureImpact(name, title, "new" if now else "gone", text, usual=usual)


def _usual(calculator: OddsCalculator, program: Program) -> Iterator[str]:
    for name in program.results:
        try:
            odds = calculator.odds(program, name, program.defaults())
        except FaultyProcedure:
            continue
        if odds is not None:
            yield odds_lines(program, name, odds)


def _of_both_editions(
    editions: PairedEditions, was: str, name: str
) -> tuple[ProcedureImpact, Fraction]:
    """Compares the odds of a procedure in both editions, where it has the ids `was` and `name`.

    Returns the impact on it, and the size of its largest difference, 0 if there is none.
    """
    title, former = editions.new.procedures[name].title, was if was != name else ""
    reasons, calculators = editions.reasons(name), editions.calculators
    old, new = calculators[0].programs.get(was), calculators[1].programs.get(name)
    if old is None or new is None:
        text = gettext("It cannot be computed in both editions.")
        return ProcedureImpact(name, title, "uncompared", text, former, reasons), Fraction(0)
    comparison = editions.comparison

    def were(part: str, keys: Iterable[str]) -> dict[str, str]:
        """Maps keys of inputs or results of the new edition to their keys in the old one."""
        return {key: comparison.was("collections", "procedures", name, part, key) for key in keys}

    inputs = paired_inputs(old, new, were("inputs", new.domains), _former_rows(comparison))
    results = paired_results(old, new, were("result", new.results))
    paired = PairedProcedure(calculators, (old, new), inputs, results, editions.names)
    found, compared, left_out = paired.compared()
    differing, shown = len({each.setting for each in found}), paired.worth_showing(found)
    notes = [*paired.notes()]
    if left_out:
        notes.append(gettext("One of the editions has no odds at %(sets)s.", sets=_sets(left_out)))
    state: ProcedureState = "changed" if differing else "same" if compared else "uncompared"
    text, sets = gettext("Its odds could not be compared."), _sets(compared)
    if differing:
        text = gettext("Its odds differ at %(number)s of %(sets)s.", number=differing, sets=sets)
    elif compared:
        text = gettext("Its odds are the same at %(sets)s.", sets=sets)
    # What prints alike is too small to be shown.
    described = tuple(each for each in map(paired.difference, shown) if each.before != each.after)
    impact = ProcedureImpact(
        *(name, title, state, text, former, reasons, described, compared, differing),
        notes=tuple(notes),
    )
    return impact, max((each.size for each in shown), default=Fraction(0))


def _former_rows(comparison: Comparison) -> dict[tuple[str, str], str]:
    """Maps the table and the new id of each renamed row of a table to its old id."""
    return {
        (path[2], path[4]): was
        for path, was in comparison.former_keys.items()
        if len(in_rows(path)) == 1
    }


def _sets(number: int) -> str:
    return ngettext(
        "one set of inputs",
        "%(sets)s sets of inputs",
        number,
        sets=quantities.format_number(number),
    )


def _cutouts(editions: PairedEditions) -> Iterator[CutoutImpact]:
    """Yields the cutouts that changed, in the order of the new edition, then the removed ones."""
    for was, name in editions.pairs("cutouts"):
        if was and name:
            if found := _cutout_of_both(editions, was, name):
                yield found
        elif name:
            yield _cutout_of_one(editions.new, name, "new")
        elif was:
            yield _cutout_of_one(editions.old, was, "gone")


#: Width of a picture of one or two outlines, mm: that of a column of the notes on changes.
PICTURE_WIDTH = 84.0


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A cutout in one edition with its pieces, without the line that names the edition."""

    cutout: Cutout
    pieces: tuple[Drawing, ...]

    @property
    def largest(self) -> Drawing:
        """The piece with the largest area, which stands for the cutout in a picture."""
        return max(self.pieces, key=lambda piece: piece.width * piece.height)

    def shapes(self, wanted: Callable[[Shape], bool] | None = None) -> list[set[Shape]]:
        """Returns the set of shapes of each piece, without those for which `wanted` is false."""
        return [set(filter(wanted, piece.shapes)) for piece in self.pieces]


def _is_outline(shape: Shape) -> bool:
    return shape.layer in ("cut", "score")


def _drawn(ruleset: Ruleset, name: str) -> _Drawn:
    cutout = with_marks(ruleset.cutouts[name], ruleset.tables)
    return _Drawn(cutout, pieces(cutout, use=Binder(ruleset).plain(cutout.use)))


def _cutout_of_both(editions: PairedEditions, was: str, name: str) -> CutoutImpact | None:
    """Compares a cutout that both editions have, with the ids `was` and `name`.

    Returns None if it prints the same, and no picture if only words on it differ.
    """
    before, after = _drawn(editions.old, was), _drawn(editions.new, name)
    changed = tuple(_changed_parameters(before.cutout, after.cutout))
    title, look = after.cutout.title, Look(accent=editions.new.header.accent)
    former = was if was != name else ""
    text = ", ".join(map(_parameter_text, changed))
    state: CutoutState
    if before.shapes(_is_outline) != after.shapes(_is_outline):
        state, text = "outline", f"{title}: {text or gettext('another outline')}."
        dashed, solid = (
            Overlaid(drawn.cutout, drawn.largest, edition)
            for drawn, edition in zip((before, after), editions.names, strict=True)
        )
        svg = svg_overlay(dashed, solid, PICTURE_WIDTH, look)
    elif changed or before.shapes(is_tint) != after.shapes(is_tint):
        text = text or gettext("other colours or marks on it")
        text = gettext("%(cutout)s: the same outline; %(text)s.", cutout=title, text=text)
        state, svg = "face", svg_text(miniature(after.largest, PICTURE_WIDTH, look))
    elif before.shapes() != after.shapes():
        text = gettext("%(cutout)s: only words on it changed.", cutout=title)
        return CutoutImpact(name, title, "words", text, former)
    else:
        return None
    return CutoutImpact(name, title, state, text, former, changed, svg, PICTURE_WIDTH)


def _cutout_of_one(ruleset: Ruleset, name: str, state: Literal["new", "gone"]) -> CutoutImpact:
    """Returns the impact on a cutout that only one edition has, with a picture of it."""
    drawn = _drawn(ruleset, name)
    title = drawn.cutout.title
    look = Look(accent=ruleset.header.accent)
    svg = svg_text(miniature(drawn.largest, PICTURE_WIDTH, look))
    text = gettext("%(cutout)s: new.", cutout=title)
    if state == "gone":
        text = gettext("%(cutout)s: not used any more.", cutout=title)
    return CutoutImpact(name, title, state, text, svg=svg, width=PICTURE_WIDTH)


def _changed_parameters(before: Cutout, after: Cutout) -> Iterator[ValueOfBoth]:
    """Yields the parameters of a cutout that differ, in the order of the new edition.

    Parts of a list, such as zones, are matched by position if both editions have equally many, and
    else by name.
    """
    old, new = parameters_by_place(before), parameters_by_place(after)
    if old.keys() != new.keys():
        old = {(name,): (name, value) for name, value in old.values()}
        new = {(name,): (name, value) for name, value in new.values()}
    for place in dict.fromkeys((*new, *old)):
        was, now = (parameters.get(place, ("", ""))[1] for parameters in (old, new))
        if was != now:
            name = (new.get(place) or old[place])[0]
            yield ValueOfBoth(name.replace(".", " ").replace("_", " "), was, now)


def _parameter_text(parameter: ValueOfBoth) -> str:
    """Describes a parameter that changed, or that only one edition has.

    Examples are "length 28″ → 24″" and "new: heavy cavalry to 8 cm".
    """
    part = parameter.name.partition(" ")[2] or parameter.name
    if not parameter.before:
        return gettext("new: %(part)s %(value)s", part=part, value=parameter.after)
    if not parameter.after:
        return gettext("gone: %(part)s %(value)s", part=part, value=parameter.before)
    return f"{parameter.name} {parameter.before} {ARROW} {parameter.after}"
