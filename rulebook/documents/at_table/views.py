"""What a page for the table holds: the quick reference, procedures to be played, and units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulebook.documents.parts.views import Identity
from rulebook.documents.qrs.views import PhaseView


@dataclass(frozen=True, slots=True)
class AtTableView:
    """The phases of the turn with their panels; `edition` is the folder of the edition.

    `programs` are the procedures as `core.browser_programs` has them, and `roster` the kinds of
    units with the forces of battles: both are plain data for the scripts of the page.
    """

    identity: Identity
    edition: str
    phases: tuple[PhaseView, ...]
    programs: Mapping[str, Any]
    roster: Mapping[str, Any]
