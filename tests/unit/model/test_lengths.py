"""How a single length is converted: scaled, read in another unit, rounded to stated steps."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from beside import beside
from pydantic import ValidationError
from small_rulesets import ruleset_of

from rulebook import quantities
from rulebook.documents.parts.binding import Binder
from rulebook.loading.loaded import Loaded
from rulebook.loading.rulesets import load
from rulebook.model.length_conversion import convert_lengths
from rulebook.model.lengths import Lengths, written
from rulebook.model.plain_data import frozen_ruleset, plain
from rulebook.model.prose import Text
from rulebook.model.ruleset import Ruleset


def lengths(**given: object) -> Lengths:
    return Lengths.model_validate(given)


HALF_CM = {"scale": "1/2", "read": {"in": "2.5cm"}, "round": "0.5cm"}


@pytest.mark.parametrize(
    ("given", "before", "after"),
    [
        *beside(__file__, "a_length"),
        (HALF_CM, "24in", "30cm"),
        (HALF_CM, "7.5in", "9.5cm"),
        (HALF_CM, "1in", "1.5cm"),
        (HALF_CM, "0.1in", "0.5cm"),
        (HALF_CM, "0in", "0cm"),
        (HALF_CM, "25mm", "12.5mm"),
    ],
)
def test_a_length(given: dict[str, object], before: str, after: str) -> None:
    assert written(lengths(**given).converted(quantities.parse_length(before))) == after


@pytest.mark.parametrize(("text", "after"), beside(__file__, "a_text"))
def test_a_text(text: str, after: str) -> None:
    assert lengths(**HALF_CM).text(text) == after


def test_rounding_rises_with_the_length() -> None:
    """So bands that touch still touch, and none is converted about."""
    turn = lengths(**HALF_CM).converted
    numbers = [turn(quantities.Length(Fraction(n, 7), "in")).number for n in range(300)]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("given", "idle", "slug"),
    [*beside(__file__, "names"), (HALF_CM, False, "scale-1-2+in-2.5cm+round-0.5cm")],
)
def test_names(given: dict[str, object], idle: bool, slug: str) -> None:
    assert (lengths(**given).idle, lengths(**given).slug) == (idle, slug)


@pytest.mark.parametrize("given", beside(__file__, "what_is_refused"))
def test_what_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        lengths(**given)


@pytest.mark.parametrize("text", ["in", "-3in", "0-8in", "x24in", "24 in the air", ""])
def test_what_is_no_length(text: str) -> None:
    assert quantities.read_length(text) is None


# A whole ruleset with its lengths converted: everywhere, once, and nothing else.

HALF: dict[str, Any] = {"scale": "1/2"}
HEADER = 'title: Small\nedition: "1"\nchapters: [rules.md]\n'
RULES = beside(__file__, "rules")
DATA = beside(__file__, "data")


def ruleset(tmp_path: Path, **lengths: Any) -> Ruleset:
    found = loaded(tmp_path, **lengths)
    assert found.ruleset is not None, list(found.report)
    return found.ruleset


def loaded(tmp_path: Path, rules: str = RULES, **lengths: Any) -> Loaded:
    folder = tmp_path / "small"
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(HEADER)
    (folder / "rules.md").write_text(rules)
    (folder / "data.yaml").write_text(DATA)
    return load(folder, (), Lengths.model_validate(lengths) if lengths else None)


class TestEverywhere:
    def test_cells(self, tmp_path: Path) -> None:
        table = ruleset(tmp_path, **HALF_CM).tables["ranges"]
        gun = {name: str(cell) for name, cell in table.data["gun"].cells.items()}
        assert gun == {"near": "11½ cm", "far": "30 cm", "half": "15 cm", "men": "24"}
        assert table.data["gun"].title == "Gun, to 11½ cm"
        assert str(table.data["rod"].cells["far"]) == "1 base"

    def test_bands_of_axes_and_of_cells(self, tmp_path: Path) -> None:
        made = ruleset(tmp_path, **HALF_CM)
        grid, bands = made.tables["musketry"], made.tables["bands"]
        (axis,) = grid.rows
        assert [choice.title for choice in axis.choices] == ["0–10 cm", "Far", "20 cm+"]
        assert [str(choice.band) for choice in axis.choices] == ["0–10 cm", "10–20 cm", "20 cm+"]
        assert axis.keys == ["0-8in", "8-16in", "16in+"]
        assert [str(cell) for (cell,) in bands.data] == ["0–7½ cm", "5–9"]

    def test_cutouts_but_for_wood(self, tmp_path: Path) -> None:
        made = ruleset(tmp_path, **HALF_CM)
        cone, stick, sleeve = (made.cutouts[name] for name in ("cone", "stick", "sleeve"))
        assert (str(cone.length), str(cone.base)) == ("30 cm", "6½ cm")
        assert [str(zone.to) for zone in cone.zones[:-1]] == ["7 cm"]
        assert str(stick.rod) == "½″"
        assert (str(sleeve.length), str(sleeve.step), str(sleeve.rod)) == ("5 cm", "1½ cm", "½″")

    def test_texts(self, tmp_path: Path) -> None:
        made = ruleset(tmp_path, **HALF_CM)
        binder = Binder(made, references="number")
        first, second = made.chapters[0].sections
        (text,) = (part for part in first.parts if isinstance(part, Text))
        assert binder.text(text.markdown, text.bindings) == (
            "Guns reach 30\N{NO-BREAK SPACE}cm, and 9\N{NO-BREAK SPACE}cm at night; see 1."
        )
        assert second.title == "Within 11½ cm"
        (below,) = (part for part in second.parts if isinstance(part, Text))
        told = binder.text(below.markdown, below.bindings)
        assert told.startswith("12½\N{NO-BREAK SPACE}cm of §")
        assert told.endswith("{3in} is text, as is {{3in}}.")
        use = binder.prose(made.cutouts["sleeve"].use)
        assert use == "It is 5\N{NO-BREAK SPACE}cm long, and slides 1½\N{NO-BREAK SPACE}cm."

    def test_procedures(self, tmp_path: Path) -> None:
        made = ruleset(tmp_path, **HALF)
        shot = made.procedures["shot"]
        steps: Any = plain(shot.steps)
        assert steps[0]["set"] == {"left": "max('0in', reach - gap * 2 - '2.5in')"}
        assert steps[1]["set"]["close"].startswith("near == '9in' or ")
        reach = shot.inputs["reach"]
        assert (str(reach.length), str(reach.step), reach.default) == ("0–20″", "½″", ("10in",))
        assert [str(one) for one in shot.inputs["gap"].lengths] == ["½″", "1″", "3″"]
        assert shot.inputs["range"].default == ("8-16in",)
        assert shot.inputs["near"].one_of == {"0-8in": "0–4″", "9in": "4½″", "far": "Far"}

    def test_examples_and_charts(self, tmp_path: Path) -> None:
        (step,) = ruleset(tmp_path, **HALF).examples["a_shot"].steps
        assert step.given == {"reach": "10in", "gap": "1in", "near": "9in"}
        assert step.gives == {"blast": "2in", "close": "true"}
        (rounded,) = ruleset(tmp_path, **HALF_CM).examples["a_shot"].steps
        assert rounded.gives == {"close": "true"}, "sums of rounded lengths are left to the dice"
        made = ruleset(tmp_path, **HALF_CM)
        (chart,) = (p for p in made.chapters[0].sections[1].parts if not isinstance(p, Text))
        assert [str(one.value.text) for one in chart.given if one.value] == ["2.5cm"]  # type: ignore[union-attr]


class TestNothingElse:
    def test_there_and_back(self, tmp_path: Path) -> None:
        first = ruleset(tmp_path).written
        twice, _ = convert_lengths(first, lengths(scale="2"))
        back, _ = convert_lengths(twice, lengths(scale="1/2"))
        assert twice.collections != first.collections
        assert back.collections == first.collections
        assert back.chapters == first.chapters

    def test_what_is_frozen_is_what_is_written(self, tmp_path: Path) -> None:
        assert frozen_ruleset(ruleset(tmp_path, **HALF_CM)) == frozen_ruleset(ruleset(tmp_path))


class TestFaults:
    def test_a_band_that_collapses(self, tmp_path: Path) -> None:
        (problem, *_) = loaded(tmp_path, scale="1/10", round="3in").report
        assert problem.code == "R441"

    def test_a_cutout_that_cannot_be_made(self, tmp_path: Path) -> None:
        problems = list(loaded(tmp_path, scale="10").report)
        assert {problem.code for problem in problems} == {"R441"}
        (cone, *_) = problems
        assert cone.span is not None
        assert cone.expected == "more than 0 and up to 3 m"

    @pytest.mark.parametrize("length", ["{1/0in}", "{1//2in}", "{1.2.3in}"])
    def test_braces_with_what_is_no_length(self, tmp_path: Path, length: str) -> None:
        (problem,) = loaded(tmp_path, rules=f"# A {{#a}}\n\nIt is {length}.\n").report
        assert problem.code == "R204"


def converted(collections: dict[str, Any]) -> Ruleset:
    made, problems = convert_lengths(ruleset_of(collections), lengths(**HALF_CM))
    assert problems == ()
    return made


def test_a_range_whose_steps_round_unlike_is_a_list() -> None:
    inputs = {"reach": {"length": "0-4in", "default": "3in"}}
    procedure = {"title": "P", "inputs": inputs, "steps": [{"say": "."}], "result": {"a": "1"}}
    made = converted({"procedures": {"p": procedure}}).procedures["p"].inputs["reach"]
    assert [str(one) for one in made.lengths] == ["0 cm", "1½ cm", "2½ cm", "4 cm", "5 cm"]
    assert made.default == ("4cm",)


def test_what_is_added_to_lengths_turns_with_them() -> None:
    effects = {"road": "+4in", "stream": "-3in", "marsh": "never"}
    data = {key: {"effect": effect} for key, effect in effects.items()}
    table = {"title": "Ground", "fields": {"effect": "length modifier"}, "data": data}
    grounds = converted({"tables": {"grounds": table}}).tables["grounds"]
    cells = [str(row.cells["effect"]) for row in grounds.data.values()]  # type: ignore[union-attr]
    # By hand: half of 4″ at 2.5 cm to the inch is 5 cm, half of 3″ is 3.75 cm, to the nearest ½ cm
    # away from nothing as where it is added.
    assert cells == ["+5 cm", "−4 cm", "no"]
    assert plain(grounds)["data"]["stream"] == {"effect": "-4cm"}  # type: ignore[index,call-overload]
