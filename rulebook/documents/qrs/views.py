"""What stands on the quick-reference sheet, panel by panel."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.documents.parts import views
from rulebook.documents.parts.marks import SinceView
from rulebook.revisions.likeness import LineMarks


@dataclass(frozen=True, slots=True)
class PanelView:
    """One panel: title and rule number, reminders, procedures, tables, pictures, and its sheet.

    `marks` are those of the reminders; all of a `new` panel is new.
    """

    id: str
    title: str
    rule: str
    wide: bool
    say: tuple[str, ...]
    procedures: tuple[views.StepsView, ...]
    tables: tuple[views.TableView, ...]
    examples: tuple[views.ShortExampleView, ...]
    pictures: tuple[views.PictureView, ...]
    new: bool = False
    marks: LineMarks | None = None
    sheet: int = 1


@dataclass(frozen=True, slots=True)
class PhaseView:
    """A phase of the turn with its number, or the letter of an optional one, and its panels.

    `hue` is the number of its colour; 0, that of no phase, for an optional one. `gone` are the
    titles of panels that it had in the edition before. `loops` say what is gone through again when
    it is done: `2–4 each side`.
    """

    id: str
    number: str
    title: str
    tab: str
    panels: tuple[PanelView, ...]
    hue: int = 0
    gone: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QrsView:
    """The panels of a sheet by their phases; `paper` is None for the page that is read on a screen.

    `columns` is 0 where those are chosen that suit the panels. `turn` are all phases of the
    turn, also where this sheet has no panel of them. `elsewhere` are the titles of the panels on
    the second sheet, named on the first.
    """

    identity: views.Identity
    paper: str | None
    sides: int
    columns: int
    phases: tuple[PhaseView, ...]
    since: SinceView | None = None
    turn: tuple[PhaseView, ...] = ()
    elsewhere: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """2 for the second sheet, 1 for the first."""
        panels = (panel for phase in self.phases for panel in phase.panels)
        return min((panel.sheet for panel in panels), default=1)
