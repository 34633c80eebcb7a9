"""A procedure that steps run -> the odds of its results by the inputs that vary, each once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulebook.core import programs, value_types
from rulebook.core.procedure_faults import RunFault, Spot
from rulebook.core.value_types import Value
from rulebook.core.weights import Place, State, Suffixes, Weights

if TYPE_CHECKING:
    from rulebook.core.exact import Engine

#: A procedure that is run takes at least as long as so many moves.
MOVES_OF_RUN = 100


@dataclass(slots=True)
class Inner:
    """Some results of a procedure, run with `fixed` inputs and with others that vary.

    It is compiled when it is first needed, and once for all that vary.
    """

    program: programs.Program
    results: tuple[str, ...]
    varied: tuple[str, ...]
    fixed: dict[str, Value]
    _read: Callable[[State], Weights] | None = None
    _known: dict[State, Suffixes] = field(default_factory=dict)

    def odds(self, engine: Engine, step: programs.Run, spot: Spot, values: State) -> Suffixes:
        """Weights of the results where the inputs that vary have these values; raises RunFault."""
        found = self._known.get(values)
        if found is None:
            engine.budget.spend(MOVES_OF_RUN, 0, spot)
            read = self._read or self._compiled(engine, step)
            given = dict(zip(self.varied, values, strict=True))
            refuse_unless_held(step, given)
            if self.program.requires:
                self.program.admit(self.program.defaults() | self.fixed | given)
            weights = read(values)
            found = self._known[values] = list(weights.items()), sum(weights.values())
        return found

    def _compiled(self, engine: Engine, step: programs.Run) -> Callable[[State], Weights]:
        refuse_unless_held(step, self.fixed)
        inputs = self.program.defaults() | self.fixed
        fixed = {name: one for name, one in inputs.items() if name not in self.varied}
        place = Place(self.varied, fixed)
        self._read = engine.within().reading(self.program, self.results, place)
        return self._read


def refuse_unless_held(step: programs.Run, given: Mapping[str, Any]) -> None:
    """Raises RunFault where a value is out of the range of its input."""
    for name, value in given.items():
        domain = step.program.domains[name]
        if not domain.holds(value):
            what = f"{value_types.told(value)} is no value of the input '{name}'"
            at = Spot((*step.address, "given", name))
            raise RunFault("R425", what, at, domain.choices())
