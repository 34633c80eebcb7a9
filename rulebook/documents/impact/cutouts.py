"""The cutouts of two editions -> which of them changed, how, and a picture of both outlines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulebook.cutouts.overlay import Names, svg_overlay
from rulebook.cutouts.parameters import told_parameters
from rulebook.cutouts.shapes import pieces
from rulebook.documents.impact.compose import Editions, Pair
from rulebook.documents.impact.views import CutoutImpact, CutoutState, Parameter
from rulebook.documents.impact.words import ARROW
from rulebook.documents.parts.binding import Binder, plain_text
from rulebook.drawing.inks import Look
from rulebook.drawing.shapes import Drawing, Label, Shape, Tint, layer_of
from rulebook.drawing.svg import svg_miniature
from rulebook.model.cutouts.cutout import Cutout
from rulebook.model.cutouts.marks import with_marks
from rulebook.model.ruleset import Ruleset
from rulebook.quantities import EN_DASH
from rulebook.translation import gettext

#: Width of a picture of one or two outlines, mm: that of the text of the smallest booklet, or less.
WIDTH = 100.0
#: Decimals of a millimetre below which nothing can be cut.
_PLACES = 4


def cutout_impacts(editions: Editions, names: tuple[str, str]) -> tuple[CutoutImpact, ...]:
    """The cutouts that changed, in the order of the new edition, then those that are gone."""
    found = (_impact(editions, pair, names) for pair in editions.pairs("cutouts"))
    return tuple(one for one in found if one is not None)


def _impact(editions: Editions, pair: Pair, names: tuple[str, str]) -> CutoutImpact | None:
    if pair.old is None or pair.new is None:
        return _alone(editions.new if pair.new else editions.old, pair)
    old, new = _Shown.of(editions.old, pair.old), _Shown.of(editions.new, pair.new)
    changed = tuple(_changed(old.parameters, new.parameters))
    state = _state(old, new, changed=bool(changed))
    if state is None:
        return None
    title, look = new.cutout.title, Look(accent=editions.new.header.accent)
    told = _told(title, state, changed)
    if state == "words":
        return CutoutImpact(pair.id, title, state, told, pair.was)
    svg = (
        svg_overlay(old.largest, new.largest, Names(*names), WIDTH, look)
        if state == "outline"
        else svg_miniature(new.largest, WIDTH, look)
    )
    return CutoutImpact(pair.id, title, state, told, pair.was, changed, svg, WIDTH)


def _alone(ruleset: Ruleset, pair: Pair) -> CutoutImpact:
    """A cutout of one edition."""
    shown = _Shown.of(ruleset, pair.id)
    title = shown.cutout.title
    state: CutoutState = "new" if pair.new else "gone"
    svg = svg_miniature(shown.largest, WIDTH, Look(accent=ruleset.header.accent))
    told = (
        gettext("%(cutout)s: new.", cutout=title)
        if pair.new
        else gettext("%(cutout)s: not used any more.", cutout=title)
    )
    return CutoutImpact(pair.id, title, state, told, svg=svg, width=WIDTH)


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


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Parameter]:
    """The parameters that differ, in the order of the new edition."""
    called = _called(before, after)
    were = {called.get(name, name): told for name, told in before.items()}
    for name in dict.fromkeys((*after, *were)):
        was, now = were.get(name, ""), after.get(name, "")
        if was != now:
            yield Parameter(name.replace(".", " ").replace("_", " "), was, now)


def _called(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Parameters of parts that have other names now, such as zones, by their order in the list.

    Old name -> new name, where a list has as many parts as it had.
    """
    found: dict[str, str] = {}
    for of in dict.fromkeys(name.split(".")[0] for name in after):
        old, new = (_parts(of, names) for names in (before, after))
        gone, come = [n for n in old if n not in new], [n for n in new if n not in old]
        if len(gone) == len(come):
            for was, now in zip(gone, come, strict=True):
                own = [name for name in before if name.startswith(f"{of}.{was}.")]
                found |= {name: f"{of}.{now}.{name.split('.', 2)[2]}" for name in own}
    return found


def _parts(of: str, names: Iterable[str]) -> list[str]:
    """What the parts of a list are called: `near`, of `zones.near.to`."""
    split = (name.split(".") for name in names)
    return list(dict.fromkeys(one[1] for one in split if one[0] == of and len(one) > 2))


def _state(old: _Shown, new: _Shown, *, changed: bool) -> CutoutState | None:
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


def _told(title: str, state: CutoutState, changed: Sequence[Parameter]) -> str:
    """Canister cone: length 28″ → 24″, zones near to 6½″ → 5½″."""
    if state == "words":
        return gettext("%(cutout)s: only words on it changed.", cutout=title)
    told = ", ".join(
        f"{one.name} {one.before or EN_DASH} {ARROW} {one.after or EN_DASH}" for one in changed
    )
    if state == "face":
        told = told or gettext("other colours or marks on it")
        return gettext("%(cutout)s: the same outline; %(told)s.", cutout=title, told=told)
    return f"{title}: {told or gettext('another outline')}."
