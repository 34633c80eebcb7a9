"""A ruleset with its odds -> each of its scenarios as it is played, to be printed.

A scenario may be played with options of the ruleset. Everything printed of it is told by the rules
with these in force; what it is called, and where its files go, is a matter of the rules as they are
built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from rulebook.core.affected import Affected
from rulebook.core.compute import Computed, compute_beside
from rulebook.documents.parts.document import Document, File, Planned
from rulebook.documents.parts.views import Identity
from rulebook.documents.scenario.forces import played
from rulebook.model.ruleset import Ruleset, ScenariosSpec
from rulebook.model.scenarios import Scenario
from rulebook.views import View

#: Where the files of all scenarios of an edition are, in its folder.
FOLDER = "scenarios"
#: Between the title of a scenario and that of a document of it.
TITLE_ENDS = ": "


@dataclass(frozen=True, slots=True)
class PlayedScenario:
    """A scenario with the ruleset that it is played by: the options in force, odds as tables.

    `edition` is the folder of the edition, `spec` what is to be printed of scenarios.
    """

    id: str
    ruleset: Ruleset
    identity: Identity
    edition: str
    spec: ScenariosSpec

    @property
    def scenario(self) -> Scenario:
        return self.ruleset.scenarios[self.id]

    @property
    def stem(self) -> str:
        """What the paths of its files begin with: `scenarios/gettysburg`."""
        return str(PurePosixPath(FOLDER, self.id.replace("_", "-")))

    def planned(
        self, kind: str, name: str, title: str, view: Callable[[], View], *files: File
    ) -> Planned:
        """A document of this scenario; `name` goes on from the stem."""
        called = f"{self.stem}{name}", f"{self.scenario.title}{TITLE_ENDS}{title}"
        language = self.ruleset.header.language
        edition = (self.ruleset.id, self.edition)
        return Planned(Document(*edition, kind, *called, language, files), view)


def played_scenarios(
    read: Ruleset, computed: Computed, identity: Identity
) -> Iterator[PlayedScenario]:
    """The scenarios of a ruleset in their order, if they are to be printed.

    `computed` is what was computed of the ruleset as it was `read`.
    """
    ruleset, affected = computed.ruleset, Affected()
    spec = ruleset.header.documents.scenarios
    if spec is None:
        return
    for name in ruleset.scenarios:
        by = played(ruleset, name)
        if by is not ruleset:
            by = compute_beside(by, computed, affected(by, read)).ruleset
        yield PlayedScenario(name, by, identity, ruleset.form, spec)
