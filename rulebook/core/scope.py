"""The names that an expression may use, and what reckoning needs to know of its ruleset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulebook.core.faults import Findings
from rulebook.core.value_types import Kind
from rulebook.model.ruleset import Ruleset


@dataclass(slots=True)
class Scope:
    """Names that are set wherever the expression is reckoned; `sometimes` those set only perhaps.

    `unread` are names that no expression may read, each with the reason.
    """

    findings: Findings
    names: dict[str, Kind] = field(default_factory=dict)
    sometimes: set[str] = field(default_factory=set)
    unread: dict[str, str] = field(default_factory=dict)

    @property
    def ruleset(self) -> Ruleset:
        return self.findings.ruleset

    @property
    def natural(self) -> Callable[[object], bool | None]:
        """Whether a natural score passes or fails by itself; None if it does neither."""
        decided = {score: what == "passes" for score, what in self.ruleset.header.natural.items()}
        return decided.get  # type: ignore[return-value]

    def inner(self) -> Scope:
        """A scope for steps that may not be taken, or not always."""
        return Scope(self.findings, dict(self.names), set(self.sometimes), dict(self.unread))
