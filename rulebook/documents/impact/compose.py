"""Two editions of a ruleset and their changes -> what the changes do in play.

Here revisions meet the rules core and the cutouts: for each procedure that a change reaches the
odds in both editions side by side, the largest difference first; for each cutout both outlines.

A procedure is affected by a change of its own steps, of a table, a modifier table or a cutout that
it looks up, of the ruleset's natural scores, and of a procedure that it runs. What it looks up is
taken from the rules core, so changed words alone affect nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

from rulebook import quantities
from rulebook.core.odds import FaultyProcedure, reckon
from rulebook.core.procedures import Programs
from rulebook.core.programs import Run, all_steps
from rulebook.core.weights import MOST_MOVES, Budget
from rulebook.cutouts.changed_parameters import told_parameters
from rulebook.cutouts.shapes import Names, pieces, svg_overlay
from rulebook.documents.impact import views
from rulebook.documents.impact.odds import (
    MOST_MOVES_IN_ALL,
    Compared,
    Comparing,
    Inputs,
    MovesLeft,
    ProcedureSide,
    paired_results,
    settings_of,
    slots_of,
    stated_inputs,
)
from rulebook.documents.impact.words import ARROW, DifferenceDescriber, listed, told_odds
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.documents.parts.charts import lowered
from rulebook.drawing.shapes import Drawing, Label, Shape, Tint, layer_of
from rulebook.drawing.svg import Look, svg_miniature
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.stick import with_marks
from rulebook.model.plain_data import Plain, plain_ruleset
from rulebook.model.provenance import Entity
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import EN_DASH
from rulebook.revisions.classes import in_play
from rulebook.revisions.comparison import Comparison, compare
from rulebook.revisions.keyed import part_at
from rulebook.translation import gettext, gettext_noop, ngettext

#: Collections that procedures look up, and what one of them is called as a reason.
_KINDS: Mapping[str, views.ReasonKind] = {
    "tables": "table",
    "modifiers": "modifiers",
    "cutouts": "cutout",
    "header": "natural scores",
}
#: What is told of a reason of each kind.
_TOLD: Mapping[views.ReasonKind, str] = {
    "table": gettext_noop("the table “%(title)s”"),
    "modifiers": gettext_noop("the modifiers “%(title)s”"),
    "cutout": gettext_noop("the cutout “%(title)s”"),
    "procedure": gettext_noop("the procedure “%(title)s”"),
}


class Pair(NamedTuple):
    """An entity in both editions by its ids; None in one that has it not."""

    old: str | None
    new: str | None

    @property
    def id(self) -> str:
        return self.new or self.old or ""

    @property
    def was(self) -> str:
        """The old id, if it is another than the new one."""
        return self.old if self.old and self.new and self.old != self.new else ""


@dataclass(frozen=True, slots=True)
class Touched:
    """A procedure that a change reaches, with the reasons."""

    pair: Pair
    state: Literal["touched", "new", "gone"]
    reasons: tuple[views.Reason, ...] = ()


@dataclass
class Editions:
    """Two editions beside each other: what is the same thing in both, and what plays alike.

    Whatever is of both stands in pairs, first that of the old edition, so that a flag which tells
    whether the new one is meant chooses one of them.
    """

    old: Ruleset
    new: Ruleset
    comparison: Comparison

    def __post_init__(self) -> None:
        #: Of each collection the ids, old and new, of what differs in play.
        self._differing: dict[str, tuple[set[str | None], set[str | None]]] = {}

    @cached_property
    def programs(self) -> tuple[Programs, Programs]:
        return Programs(self.old), Programs(self.new)

    def pairs(self, collection: str) -> list[Pair]:
        """All entities of a collection: those of the new edition in its order, then the gone."""
        old, new = (getattr(one.collections, collection) for one in (self.old, self.new))
        were = {name: self.comparison.was("collections", collection, name) for name in new}
        kept = [Pair(was if was in old else None, name) for name, was in were.items()]
        return kept + [Pair(name, None) for name in old if name not in were.values()]

    def pair(self, collection: str, name: str, *, now: bool) -> Pair:
        """The pair of an entity that the new edition, or the old one, calls so."""
        return next(one for one in self.pairs(collection) if one[now] == name)

    def entity(self, collection: str, pair: Pair) -> Entity:
        """That of the new edition, or of the old one where the new has it no longer."""
        ruleset = self.new if pair.new else self.old
        found: Entity = getattr(ruleset.collections, collection)[pair.id]
        return found

    def plays_alike(self, collection: str, pair: Pair) -> bool:
        """Whether an entity that both editions have differs in words at most."""
        if pair.old is None or pair.new is None:
            return False
        old = part_at(self.comparison.old, ("collections", collection, pair.old))
        new = part_at(self.comparison.new, ("collections", collection, pair.new))
        return in_play(collection, old) == in_play(collection, new)

    def differs(self, collection: str, name: str, *, now: bool) -> bool:
        """Whether a thing, by its id in one edition, differs in the other or is not there."""
        if collection == "header":
            at = ("header", name)
            return part_at(self.comparison.old, at) != part_at(self.comparison.new, at)
        if collection not in self._differing:
            pairs = [one for one in self.pairs(collection) if not self.plays_alike(collection, one)]
            self._differing[collection] = {one.old for one in pairs}, {one.new for one in pairs}
        return name in self._differing[collection][now]


def touched(editions: Editions) -> list[Touched]:
    """The procedures that changes reach, in the order of the new edition, then those gone."""
    found: dict[Pair, Touched] = {}
    pairs = editions.pairs("procedures")
    for pair in pairs:
        _follow(editions, pair, found)
    return [found[pair] for pair in pairs if pair in found]


def _follow(editions: Editions, pair: Pair, found: dict[Pair, Touched]) -> None:
    """Reach a procedure after those that it runs; procedures never run in a circle."""
    if pair in found:
        return
    if pair.old is None or pair.new is None:
        found[pair] = Touched(pair, "new" if pair.old is None else "gone")
        return
    reasons: dict[views.Reason, None] = {}
    if not editions.plays_alike("procedures", pair):
        reasons[views.Reason("own", pair.id, "", gettext("its own steps"))] = None
    for now, name in ((True, pair.new), (False, pair.old)):
        reasons |= dict.fromkeys(_looked_up(editions, name, now=now))
        program = editions.programs[now].get(name)
        for step in all_steps(program.steps) if program else ():
            if isinstance(step, Run):
                inner = editions.pair("procedures", step.program.id, now=now)
                _follow(editions, inner, found)
                if inner in found:
                    reasons[_reason(editions, "procedures", inner)] = None
    if reasons:
        found[pair] = Touched(pair, "touched", tuple(reasons))


def _looked_up(editions: Editions, procedure: str, *, now: bool) -> Iterator[views.Reason]:
    for collection, name in editions.programs[now].looked_up(procedure):
        if collection in _KINDS and editions.differs(collection, name, now=now):
            if collection == "header":
                yield views.Reason("natural scores", name, "", gettext("natural scores"))
            else:
                yield _reason(editions, collection, editions.pair(collection, name, now=now))


def _reason(editions: Editions, collection: str, pair: Pair) -> views.Reason:
    """What reaches a procedure; a thing of both editions is called as the new one calls it."""
    kind = _KINDS.get(collection, "procedure")
    title = str(getattr(editions.entity(collection, pair), "title", ""))
    return views.Reason(kind, pair.id, title, gettext(_TOLD[kind], title=title))


#: The order in which procedures are told, those with differences before all others.
_ORDER: tuple[views.ProcedureState, ...] = ("changed", "new", "gone", "unreckoned", "same")


def impact_of(
    old: Ruleset, new: Ruleset, comparison: Comparison, names: tuple[str, str] | None = None
) -> views.Impact:
    """What the changes from one edition to another do in play; `names` are what these are called.

    `comparison` is that of the plain data of the two, neither of which has faults. Whatever takes
    too long to compute is told as such: the work is bounded, and the same for the same editions.
    """
    called = names or _called(old, new)
    editions = Editions(old, new, comparison)
    procedures = _procedures(editions, called)
    options = tuple(_options(editions, called, procedures))
    return views.Impact(*called, procedures, options, cutout_impacts(editions, called))


def _called(old: Ruleset, new: Ruleset) -> tuple[str, str]:
    """1.0 and 2.0, or the titles of two rulesets."""
    if new.chosen != old.chosen:
        return gettext("the rules"), quantities.join_words(
            (new.options[one].title for one in new.chosen), "and"
        )
    if old.id != new.id and old.header.title != new.header.title:
        return old.header.title, new.header.title
    if old.header.edition != new.header.edition:
        return old.header.edition, new.header.edition
    return gettext("before"), gettext("now")


def _options(
    editions: Editions, names: tuple[str, str], told: tuple[views.ProcedureImpact, ...]
) -> Iterator[views.OptionImpact]:
    """What options do that are new or that changed, each alone."""
    old, new = editions.old, editions.new
    if new.chosen or new.variants is None:
        return
    comparison = editions.comparison
    changed = {one.path[1] for one in comparison.changes if one.path[0] == "options"}
    reached = [name for name in new.options if name in changed]
    for name in reached:
        title, was = new.options[name].title, comparison.was("options", name)
        known = was in old.options and old.variants is not None
        before = old.with_options([was]).ruleset if known else new
        after = new.with_options([name]).ruleset
        called = names if known else (gettext("The rules"), title)
        found = _between(before, after, called, MOST_MOVES_IN_ALL // len(reached))
        procedures = tuple(one for one in found if one not in told)
        if procedures:
            yield views.OptionImpact(name, title, "changed" if known else "new", procedures)


def effects_of_options(
    ruleset: Ruleset,
) -> Iterator[tuple[str, tuple[views.ProcedureImpact, ...]]]:
    """Each option that is not chosen, and what becomes of the procedures that it reaches.

    Those with the largest difference come first.
    """
    # As it was written: the computed tables of the other are in it as grids of odds.
    written = ruleset.variants(ruleset.chosen).ruleset if ruleset.variants else None
    plain = plain_ruleset(written) if written else None
    for name, option in ruleset.options.items():
        if name in ruleset.chosen:
            continue
        wanted = ruleset.with_options([*ruleset.chosen, name]).ruleset if plain else None
        called = gettext("The rules"), option.title
        moves = MOST_MOVES_IN_ALL // len(ruleset.options)
        yield name, _between(written, wanted, called, moves, plain)


def _between(
    before: Ruleset | None,
    after: Ruleset | None,
    names: tuple[str, str],
    moves: int,
    plain: dict[str, Plain] | None = None,
) -> tuple[views.ProcedureImpact, ...]:
    """What becomes of the procedures from one ruleset to another; `plain` is the data of one."""
    if before is None or after is None:
        return ()
    comparison = compare(plain or plain_ruleset(before), plain_ruleset(after))
    return _procedures(Editions(before, after, comparison), names, moves)


def _procedures(
    editions: Editions, names: tuple[str, str], moves: int = MOST_MOVES_IN_ALL
) -> tuple[views.ProcedureImpact, ...]:
    """What becomes of all procedures that a change reaches, within so many moves."""
    reached = touched(editions)
    moves_left = MovesLeft(sum(one.state == "touched" for one in reached), moves)
    impacts = _Impacts(editions, names, moves_left)
    found = [impacts.of(one) for one in reached]
    found.sort(key=lambda one: (_ORDER.index(one[0].state), -one[1]))
    return tuple(impact for impact, _ in found)


@dataclass
class _Impacts:
    """The procedures of two editions on their way to what becomes of them."""

    editions: Editions
    names: tuple[str, str]
    moves_left: MovesLeft

    @cached_property
    def _stated(self) -> tuple[Mapping[str, list[Inputs]], Mapping[str, list[Inputs]]]:
        """Of the old and of the new edition the inputs that it states itself."""
        return stated_inputs(self.editions.old), stated_inputs(self.editions.new)

    @cached_property
    def _rows(self) -> dict[tuple[str, str], str]:
        """What rows of tables and modifier tables were called: (table, row) -> row."""
        former = self.editions.comparison.former_keys.items()
        return {
            (path[2], path[4]): was
            for path, was in former
            if path[1:2] in (("tables",), ("modifiers",)) and len(path) == 5
            if path[3] in ("data", "rows")
        }

    def of(self, one: Touched) -> tuple[views.ProcedureImpact, Fraction]:
        """What becomes of a procedure, and the size of its largest difference."""
        if one.state != "touched":
            return self._alone(one.pair), Fraction(0)
        share, pair = self.moves_left.share(), one.pair
        programs = self.editions.programs
        old, new = programs[0].get(pair.old or ""), programs[1].get(pair.new or "")
        if old is None or new is None:
            note = gettext("It cannot be reckoned in both editions.")
            return self._impact(one, Compared(), notes=(note,)), Fraction(0)
        sides = ProcedureSide(self.editions.old, old), ProcedureSide(self.editions.new, new)
        slots = slots_of(old, new, self._were(pair, "inputs", new.domains), self._rows)
        results = paired_results(old, new, self._were(pair, "result", new.results))
        compared = Compared()
        if results and all(slot.values for slot in slots):
            stated = (
                (inputs, bool(now))
                for now, name in enumerate(pair)
                for inputs in self._stated[now].get(name or "", ())
            )
            comparing = Comparing(sides, slots, results, self.moves_left, share)
            compared = comparing.compared(settings_of(slots, stated))
        describer = DifferenceDescriber(sides, slots, self.names)
        notes = tuple(self._notes(describer, results, compared))
        size = max((difference.size for difference in compared.told), default=Fraction(0))
        return self._impact(one, compared, describer, notes), size

    def _impact(
        self,
        one: Touched,
        compared: Compared,
        describer: DifferenceDescriber | None = None,
        notes: tuple[str, ...] = (),
    ) -> views.ProcedureImpact:
        state = _state(compared)
        return views.ProcedureImpact(
            id=one.pair.id,
            title=self._title(one.pair),
            state=state,
            told=_told(state, compared),
            was=one.pair.was,
            reasons=one.reasons,
            differences=tuple(map(describer.difference, compared.told)) if describer else (),
            compared=compared.settings,
            differing=compared.differing,
            notes=notes,
        )

    def _alone(self, pair: Pair) -> views.ProcedureImpact:
        """A procedure of one edition, with its odds at the usual inputs."""
        state: views.ProcedureState = "new" if pair.new else "gone"
        ruleset = self.editions.new if pair.new else self.editions.old
        program = self.editions.programs[pair.new is not None].get(pair.id)
        usual = tuple(self._usual(ProcedureSide(ruleset, program))) if program else ()
        title = self._title(pair)
        return views.ProcedureImpact(pair.id, title, state, _told(state, Compared()), usual=usual)

    def _usual(self, side: ProcedureSide) -> Iterator[str]:
        for name in side.program.results:
            budget = Budget(max(min(MOST_MOVES, self.moves_left.left), 0))
            inputs = side.program.defaults()
            try:
                odds = reckon(side.ruleset, side.program, inputs, [name], budget)
            except FaultyProcedure:
                continue
            finally:
                self.moves_left.left -= budget.spent
            yield told_odds(side.program, name, odds.results[name])

    def _title(self, pair: Pair) -> str:
        return str(getattr(self.editions.entity("procedures", pair), "title", ""))

    def _were(self, pair: Pair, part: str, names: Iterable[str]) -> dict[str, str]:
        """What inputs or results of the new edition were called in the old one."""
        was = self.editions.comparison.was
        return {name: was("collections", "procedures", pair.id, part, name) for name in names}

    def _notes(
        self, describer: DifferenceDescriber, results: list[tuple[str, str]], compared: Compared
    ) -> Iterator[str]:
        """Sentences on what only one edition has, and on what could not be compared."""
        yield from describer.notes_on_inputs()
        for index, side in enumerate(describer.sides):
            known = {pair[index] for pair in results}
            alone = [
                lowered(result.title)
                for name, result in side.program.results.items()
                if name not in known
            ]
            if alone:
                yield gettext(
                    "Only %(edition)s tells: %(results)s.",
                    edition=self.names[index],
                    results=listed(alone),
                )
        if compared.refused:
            setting, now = compared.refused
            yield gettext(
                "Only %(edition)s allows: %(inputs)s.",
                edition=self.names[now],
                inputs=describer.setting(setting, now=now),
            )
        if compared.faulty:
            yield gettext(
                "One of the editions cannot go on at %(sets)s.", sets=_sets(compared.faulty)
            )
        if compared.cut:
            yield (
                gettext(
                    "It takes too long to reckon more than %(sets)s.", sets=_sets(compared.settings)
                )
                if compared.settings
                else gettext("It takes too long to reckon more any.")
            )


def _state(compared: Compared) -> views.ProcedureState:
    if compared.told:
        return "changed"
    return "same" if compared.settings and not compared.cut else "unreckoned"


def _told(state: views.ProcedureState, compared: Compared) -> str:
    match state:
        case "new":
            return gettext("It is new.")
        case "gone":
            return gettext("It is not used any more.")
        case "changed":
            return gettext(
                "Its odds differ at %(number)s of %(sets)s.",
                number=compared.differing,
                sets=_sets(compared.settings),
            )
        case "same":
            return gettext("Its odds are the same at %(sets)s.", sets=_sets(compared.settings))
    return gettext("Its odds could not be compared.")


def _sets(number: int) -> str:
    return ngettext(
        "one set of inputs",
        "%(sets)s sets of inputs",
        number,
        sets=quantities.format_number(number),
    )


#: Width of a picture of one or two outlines, mm: that of a column of the notes on changes.
PICTURE_WIDTH = 84.0
#: Decimals of a millimetre below which nothing can be cut.
_PLACES = 4


def cutout_impacts(editions: Editions, names: tuple[str, str]) -> tuple[views.CutoutImpact, ...]:
    """The cutouts that changed, in the order of the new edition, then those that are gone."""
    found = (_cutout_impact(editions, pair, names) for pair in editions.pairs("cutouts"))
    return tuple(one for one in found if one is not None)


def _cutout_impact(
    editions: Editions, pair: Pair, names: tuple[str, str]
) -> views.CutoutImpact | None:
    if pair.old is None or pair.new is None:
        return _cutout_of_one_edition(editions.new if pair.new else editions.old, pair)
    old, new = _Shown.of(editions.old, pair.old), _Shown.of(editions.new, pair.new)
    changed = tuple(_changed_parameters(old.parameters, new.parameters))
    state = _cutout_state(old, new, changed=bool(changed))
    if state is None:
        return None
    title, look = new.cutout.title, Look(accent=editions.new.header.accent)
    told = _cutout_told(title, state, changed)
    if state == "words":
        return views.CutoutImpact(pair.id, title, state, told, pair.was)
    svg = (
        svg_overlay(old.largest, new.largest, Names(*names), PICTURE_WIDTH, look)
        if state == "outline"
        else svg_miniature(new.largest, PICTURE_WIDTH, look)
    )
    return views.CutoutImpact(pair.id, title, state, told, pair.was, changed, svg, PICTURE_WIDTH)


def _cutout_of_one_edition(ruleset: Ruleset, pair: Pair) -> views.CutoutImpact:
    """A cutout of one edition."""
    shown = _Shown.of(ruleset, pair.id)
    title = shown.cutout.title
    state: views.CutoutState = "new" if pair.new else "gone"
    svg = svg_miniature(shown.largest, PICTURE_WIDTH, Look(accent=ruleset.header.accent))
    told = (
        gettext("%(cutout)s: new.", cutout=title)
        if pair.new
        else gettext("%(cutout)s: not used any more.", cutout=title)
    )
    return views.CutoutImpact(pair.id, title, state, told, svg=svg, width=PICTURE_WIDTH)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A cutout in one edition: its pieces without the line that names the edition."""

    cutout: Cutout
    pieces: tuple[Drawing, ...]

    @classmethod
    def of(cls, ruleset: Ruleset, name: str) -> _Shown:
        cutout = with_marks(ruleset.cutouts[name], ruleset.tables)
        use = plain_text(Binder(ruleset).prose(cutout.use))
        return cls(cutout, pieces(cutout, use=use))

    @property
    def parameters(self) -> dict[str, str]:
        return {
            name: "" if told == EN_DASH else told
            for name, told in told_parameters(self.cutout).items()
        }

    @property
    def largest(self) -> Drawing:
        """The piece that a picture shows."""
        return max(self.pieces, key=lambda one: one.width * one.height)

    def outline(self) -> list[list[str]]:
        """What is cut and scored, piece by piece, so that two are the same if it is."""
        return self._parts(lambda shape: layer_of(shape) in ("cut", "score"))

    def face(self) -> list[list[str]]:
        """Shaded parts and their colours; ticks follow from the parameters."""
        return self._parts(lambda shape: isinstance(shape, Tint))

    def words(self) -> list[str]:
        """All that is to be read on it."""
        shapes = (shape for piece in self.pieces for shape in piece.shapes)
        return sorted(shape.text for shape in shapes if isinstance(shape, Label))

    def _parts(self, wanted: Callable[[Shape], bool]) -> list[list[str]]:
        return [
            sorted(str(_plain(shape)) for shape in piece.shapes if wanted(shape))
            for piece in self.pieces
        ]


def _changed_parameters(
    before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[views.Parameter]:
    """The parameters that differ, in the order of the new edition."""
    called = _renamed_parts(before, after)
    were = {called.get(name, name): told for name, told in before.items()}
    for name in dict.fromkeys((*after, *were)):
        was, now = were.get(name, ""), after.get(name, "")
        if was != now:
            yield views.Parameter(name.replace(".", " ").replace("_", " "), was, now)


def _renamed_parts(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Parameters of parts that have other names now, such as zones, by their order in the list.

    Old name -> new name, where a list has as many parts as it had.
    """
    found: dict[str, str] = {}
    for of in dict.fromkeys(name.split(".")[0] for name in after):
        old, new = (_part_names(of, names) for names in (before, after))
        gone, come = [n for n in old if n not in new], [n for n in new if n not in old]
        if len(gone) == len(come):
            for was, now in zip(gone, come, strict=True):
                own = [name for name in before if name.startswith(f"{of}.{was}.")]
                found |= {name: f"{of}.{now}.{name.split('.', 2)[2]}" for name in own}
    return found


def _part_names(of: str, names: Iterable[str]) -> list[str]:
    """What the parts of a list are called: `near`, of `zones.near.to`."""
    split = (name.split(".") for name in names)
    return list(dict.fromkeys(one[1] for one in split if one[0] == of and len(one) > 2))


def _cutout_state(old: _Shown, new: _Shown, *, changed: bool) -> views.CutoutState | None:
    """What changed most; None where two cutouts print alike."""
    if old.outline() != new.outline():
        return "outline"
    if changed or old.face() != new.face():
        return "face"
    return "words" if old.words() != new.words() else None


def _plain(value: object) -> object:
    """A shape as text has it, its numbers as fine as anyone cuts."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        return round(float(value), _PLACES) + 0.0
    if hasattr(value, "__slots__") and not isinstance(value, Label):
        return str({name: _plain(getattr(value, name)) for name in value.__slots__})
    return value


def _parameter_told(one: views.Parameter) -> str:
    """length 28″ → 24″; a part that only one edition has by itself: new: heavy cavalry to 8 cm."""
    part = one.name.partition(" ")[2] or one.name
    if not one.before:
        return gettext("new: %(part)s %(value)s", part=part, value=one.after)
    if not one.after:
        return gettext("gone: %(part)s %(value)s", part=part, value=one.before)
    return f"{one.name} {one.before} {ARROW} {one.after}"


def _cutout_told(title: str, state: views.CutoutState, changed: Sequence[views.Parameter]) -> str:
    """Canister cone: length 28″ → 24″, zones near to 6½″ → 5½″."""
    if state == "words":
        return gettext("%(cutout)s: only words on it changed.", cutout=title)
    told = ", ".join(map(_parameter_told, changed))
    if state == "face":
        told = told or gettext("other colours or marks on it")
        return gettext("%(cutout)s: the same outline; %(told)s.", cutout=title, told=told)
    return f"{title}: {told or gettext('another outline')}."
