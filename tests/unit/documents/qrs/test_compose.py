"""The sheet follows the turn: phases numbered in order, panels with rule numbers, values bound."""

from beside import as_written, beside
from small_rulesets import ruleset_of

from rulebook.core.compute import compute
from rulebook.documents.parts.views import PictureView
from rulebook.documents.qrs.compose import PhaseView, compose_phases, room

CHAPTERS = (
    "# Moving {#moving}\n\n{table: moves}\n\n## Roads {#roads}",
    "# Firing {#firing}\n\n## Guns {#guns}\n\n{table: mods}\n\n{cutout: cone}",
)
MOVES = as_written(__file__, "moves")
MODS = as_written(__file__, "mods")
CONE = as_written(__file__, "cone")
SEQUENCE = beside(__file__, "sequence")


def phases() -> tuple[PhaseView, ...]:
    ruleset = ruleset_of(
        {
            "tables": {"moves": MOVES},
            "modifiers": {"mods": MODS},
            "cutouts": {"cone": CONE},
            "sequence": SEQUENCE,
        },
        *CHAPTERS,
    )
    return compose_phases(ruleset, lambda cutout, ink: f"<{cutout} in {ink} ink>")


def test_each_step_is_a_panel_in_its_numbered_phase_with_its_rule() -> None:
    assert [(phase.number, phase.id, phase.title, phase.tab) for phase in phases()] == [
        ("1", "zulu", "Movement", "Move"),
        ("2", "alpha", "Fire", "Fire"),
    ]
    panels = march, ride, shoot = [panel for phase in phases() for panel in phase.panels]
    assert [(panel.id, panel.title, panel.rule, panel.wide) for panel in panels] == [
        ("zulu-march", "March", "1", False),
        ("zulu-ride", "Ride", "1.1", True),
        ("alpha-shoot", "Shoot", "2.1", True),
    ]
    assert march.say == ("Foot goes 9″.", "See §\u00a02.1.")
    assert (ride.say, ride.tables, ride.pictures) == (("Fast.",), (), ())
    assert [table.id for table in shoot.tables] == ["mods", "moves"]
    assert shoot.tables[0].body[0].labels[0].text == "within 9″"
    drawn = PictureView("cone", "Cone of *fire*", "<cone in full ink>", "<cone in low ink>")
    assert shoot.pictures == (drawn,)


def test_notes_of_the_designer_are_not_marked_on_the_sheet() -> None:
    noted = {**MOVES, "status": "house", "note": "Ours."}
    collections = {"tables": {"moves": noted}, "sequence": {"zulu": SEQUENCE["zulu"]}}
    ruleset = ruleset_of(collections, *CHAPTERS)
    (phase,) = compose_phases(ruleset, lambda cutout, ink: "")
    assert phase.panels[0].tables[0].note is None


def test_optional_phases_have_letters_and_do_not_count() -> None:
    step = {"title": "S", "rule": "moving", "say": ["Now."]}
    optional = {"b": "true", "d": "true"}
    sequence = {
        name: {"title": name, "steps": {"s": step}, "optional": optional.get(name, "false")}
        for name in "abcde"
    }
    ruleset = ruleset_of({"sequence": sequence}, "# Moving {#moving}")
    numbers = [phase.number for phase in compose_phases(ruleset, lambda cutout, ink: "")]
    assert numbers == ["1", "A", "2", "B", "3"]


def test_the_room_follows_the_columns() -> None:
    """At 8.5 pt a character is 0.42 of 3 mm: 63 mm of four columns on Letter, 130.5 of two."""
    assert (room(4, 1), room(4, 2)) == (50, 104)
    assert (room(2, 1), room(2, 2)) == (104, 211)
    assert room(6, 1) == 32
    ruleset = ruleset_of(
        {"tables": {"moves": MOVES}, "sequence": {"zulu": SEQUENCE["zulu"]}},
        CHAPTERS[0],
        "# Guns {#guns}",
        documents={"qrs": {"columns": "2"}},
    )
    (phase,) = compose_phases(ruleset, lambda cutout, ink: "")
    assert phase.panels[0].tables[0].room == 104


def test_odds_that_are_asked_for_stand_in_a_last_phase_with_a_letter() -> None:
    throw = as_written(__file__, "throw")
    odds = {"computed": "throw", "rows": {"bonus": ["0", "9"]}}
    tables = {
        "means": {**odds, "title": "Means", "show": {"mean": "score"}},
        "chances": {
            **odds,
            "title": "Chances",
            "columns": {"score": "all"},
            "show": {"chance": "score"},
        },
    }
    step = {"title": "S", "rule": "moving", "say": ["Now."]}
    ruleset = ruleset_of(
        {
            "tables": tables,
            "procedures": {"throw": throw},
            "sequence": {"a": {"title": "A", "steps": {"s": step}, "optional": "true"}},
        },
        "# Moving {#moving}\n\n{table: means}\n\n{table: chances}",
        documents={"qrs": {"odds": ["chances", "means"]}},
    )
    _, last = compose_phases(compute(ruleset).ruleset, lambda cutout, ink: "")
    assert (last.id, last.number, last.title, last.tab) == ("the-odds", "B", "Odds", "Odds")
    assert [(panel.id, panel.title, panel.rule, panel.wide) for panel in last.panels] == [
        ("the-odds-chances", "Chances", "1", True),
        ("the-odds-means", "Means", "1", False),
    ]
    assert [cell.text for row in last.panels[1].tables[0].body for cell in row.cells] == [
        "3.50",
        "12.50",
    ]
