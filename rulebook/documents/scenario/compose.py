"""A scenario -> the view of its booklet: all that players need, and what else to print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import ceil

from rulebook import quantities
from rulebook.core.compute import Computed
from rulebook.documents.booklet.compose import STATUSES
from rulebook.documents.booklet.views import NoteView, Part, TextPart
from rulebook.documents.document_kind import Document, File, Planned, booklet_files
from rulebook.documents.parts.back_cover import back_of, table_size
from rulebook.documents.parts.binding import Binder, escape_markdown
from rulebook.documents.parts.figures import battle_cover
from rulebook.documents.parts.turn import TurnWords
from rulebook.documents.parts.views import BackCoverView, CoverView, Identity
from rulebook.documents.scenario import forces
from rulebook.documents.scenario.handouts import (
    card_documents,
    cutout_documents,
    sheet_documents,
    terrain_documents,
)
from rulebook.documents.scenario.maps import (
    MapView,
    map_documents,
    map_view,
    squares_of,
    where_to_find,
)
from rulebook.documents.scenario.marches import MarchesView, marches_view
from rulebook.drawing.charts import START, BarView, ChartView, SeriesView, TimeLineView
from rulebook.maps.names import entry_numbers
from rulebook.model.not_in_source import Unstated, unstated_of_scenario
from rulebook.model.scenarios import ANYWHERE, Scenario
from rulebook.translation import gettext, gettext_noop, ngettext

#: Boxes in a row of the turn track at the most, by layout.
IN_A_ROW = {"a5": 6}
USUAL_ROW = 8
#: Under a box of the track forces of a side are named by their titles; of more, by their number.
MOST_IN_A_BOX = 3
#: Letters of the name of a side on a drawing and in a ratio.
LONGEST_NAME = 22
#: Bars on one drawing of the time line.
MOST_BARS = 34

_STRENGTHS = gettext_noop("%(measure)s on the table if nothing is lost")
_CHANCY_STRENGTHS = gettext_noop(
    "%(measure)s on the table if nothing is lost: the average, from the fewest to the most"
)

#: What stands in a row of the balance: when, units and strength by side, and how they compare.
BalanceRow = tuple[str, tuple[tuple[str, str], ...], str]


def balance(played: forces.PlayedScenario, found: forces.Strengths) -> tuple[BalanceRow, ...]:
    """Returns the rows of the table that compares the strengths of the sides turn by turn.

    There is a row for the first turn in which anyone is on the table, and for each turn in which a
    strength changes.
    """
    sides = played.sides
    rows: list[BalanceRow] = []
    for turn in range(found.last + 1):
        amounts = [(found.units[side.id][turn], found.compared[side.id][turn]) for side in sides]
        strong = tuple((_in_words(units), _in_words(compared)) for units, compared in amounts)
        there = any(units.mean for units, _ in amounts)
        if there and (not rows or rows[-1][1] != strong):
            titles = [short(side.title) for side in sides]
            ratio = _ratio_in_words(titles, [compared.mean for _, compared in amounts])
            rows.append((played.when(turn), strong, ratio))
    return tuple(rows)


def _in_words(amount: forces.Amount) -> str:
    """Formats an amount with its range as `5.7 (3–8)`, or as one number if there is no range."""
    number = _number(amount.mean)
    if amount.fewest == amount.most:
        return number
    return f"{number}\u00a0({amount.fewest}{quantities.EN_DASH}{amount.most})"


def _number(number: Fraction) -> str:
    """Formats a number with one decimal if it is below 10 and not whole, else rounds it."""
    return f"{float(number):.1f}" if number % 1 and number < 10 else str(round(number))


def _ratio_in_words(sides: Sequence[str], strong: Sequence[Fraction]) -> str:
    """Formats the ratio of the sides' strengths: `Union 1.6 : 1`, `even`, or `Union alone`.

    `sides` are the titles and `strong` the strengths. For more than two sides that have any
    strength, returns the share of each in per cent: `50 % : 30 % : 20 %`.
    """
    there = [title for title, number in zip(sides, strong, strict=True) if number]
    if len(there) == 1:
        return gettext("%(side)s alone", side=there[0])
    if len(sides) > 2:
        whole = sum(strong) or 1
        return " : ".join(f"{quantities.per_cent(number / whole)} %" for number in strong)
    if not there:
        return quantities.EN_DASH
    least, most = sorted(strong)
    if least == most:
        return gettext("even")
    ratio = float(most / least)
    # two decimals where one would make it even
    rounded = f"{ratio:.2f}" if f"{ratio:.1f}" == "1.0" else f"{ratio:.1f}"
    return f"{sides[strong.index(most)]} {rounded} : 1"


def short(title: str) -> str:
    """Shortens a title to at most LONGEST_NAME characters, with an ellipsis for what is cut off.

    It is cut between words if possible.
    """
    if len(title) <= LONGEST_NAME:
        return title
    kept = title[: LONGEST_NAME - 1]
    return f"{(kept.rpartition(' ')[0] or kept).rstrip(' ,;:')}…"


def strength_chart(
    played: forces.PlayedScenario, found: forces.Strengths, rows: Sequence[BalanceRow]
) -> ChartView:
    """Composes the line chart of the sides' strengths by turn, with ranges if forces come by dice.

    `rows` are those of `balance`, from which the text alternative is made.
    """
    sides, chancy = played.sides, bool(played.dice)
    measure = forces.count_titles(played.ruleset)[found.measure]

    def series(side: forces.SideInBattle) -> SeriesView:
        amounts = found.compared[side.id]
        return SeriesView(
            short(side.title),
            tuple(float(amount.mean) for amount in amounts),
            tuple(_number(amount.mean) for amount in amounts),
            low=tuple(float(amount.fewest) for amount in amounts if chancy),
            high=tuple(float(amount.most) for amount in amounts if chancy),
            colour=side.colour,
        )

    turns = [
        f"{turn}: " + ", ".join(f"{s.title} {n}" for s, (_, n) in zip(sides, strong, strict=True))
        for turn, strong, _ in rows
    ]
    return ChartView(
        id="strengths",
        shape="line",
        unit="number",
        title=gettext(_CHANCY_STRENGTHS if chancy else _STRENGTHS, measure=measure),
        axis=forces.word(played.scenario.turn),
        measure=measure,
        inner="",
        places=(gettext(START), *map(str, range(1, found.last + 1))),
        positions=tuple(map(float, range(found.last + 1))),
        series=tuple(map(series, sides)),
        mean=None,
        mean_label="",
        note="",
        alt=gettext(
            "Line chart. %(measure)s on the table. %(turns)s.",
            measure=measure,
            turns="; ".join(turns),
        ),
        steps=True,
    )


def time_lines(
    played: forces.PlayedScenario, coming: Sequence[forces.ForceInBattle], last: int
) -> tuple[TimeLineView, ...]:
    """Composes the time line: a bar for each force, from its arrival to the turn `last`.

    Forces are divided over several drawings with up to MOST_BARS bars each. Returns none if all
    forces are there from the start. `coming` are the forces in the order of their arrival.
    """
    if not any(force.turn for force in coming):
        return ()
    sides, axis = played.sides, forces.word(played.scenario.turn)

    def bar(force: forces.ForceInBattle) -> BarView:
        side = sides[force.side]
        odds = played.dice.get((side.id, force.id))
        chances = [float(odds.by(turn)) for turn in range(force.turn, last + 1)] if odds else []
        label = f"{force.title}, {force.place}"
        return BarView(label, force.turn, force.side, side.colour, tuple(chances))

    keys = tuple((side.index, side.colour, short(side.title)) for side in sides)
    found: list[TimeLineView] = []
    for start in range(0, len(coming), MOST_BARS):
        part = coming[start : start + MOST_BARS]
        bars = tuple(map(bar, part))
        words = "; ".join(
            f"{force.when}: {sides[force.side].title}, {drawn.label}"
            for force, drawn in zip(part, bars, strict=True)
        )
        name, alt = f"time-line-{len(found) + 1}", gettext("Time line. %(forces)s.", forces=words)
        found.append(TimeLineView(name, bars, last, axis, keys, alt))
    return tuple(found)


def track(
    played: forces.PlayedScenario, layout: str | None
) -> tuple[tuple[forces.TurnSpace, ...], ...]:
    """Composes the turn track as rows of equal length, for a layout or for the screen (None).

    If the scenario states no number of turns, the track ends after the last arrival. If each side
    has half-turns of its own, each half has a box, and both halves of a turn are in one row.
    """
    last = max(force.turn for side in played.sides for force in side.forces)
    count = played.scenario.length.turns or max(USUAL_ROW, -(-last // USUAL_ROW) * USUAL_ROW)
    boxes = [_shortened(space) for space in played.turn_spaces(count)]
    halves = len(boxes) // count
    most = IN_A_ROW.get(layout or "", USUAL_ROW) // halves
    wide = ceil(count / ceil(count / max(most, 1))) * halves
    return tuple(tuple(boxes[at : at + wide]) for at in range(0, len(boxes), wide))


def _shortened(space: forces.TurnSpace) -> forces.TurnSpace:
    """Returns a space of the turn track in which many forces of a side are given by their number.

    A side with up to MOST_IN_A_BOX forces keeps their titles.
    """
    shown: list[forces.Coming] = []
    for side, forces_of_side in groupby(space.coming, key=lambda coming: coming[0]):
        listed = list(forces_of_side)
        if len(listed) > MOST_IN_A_BOX:
            counted = ngettext("%(number)s force", "%(number)s forces", len(listed))
            listed = [(side, counted, "")]
        shown += listed
    return replace(space, coming=tuple(shown))


@dataclass(frozen=True, slots=True)
class BattlePlace:
    """A place of the scenario: how to find it with a ruler, and which forces stand or come in.

    `who` has for each side its number and a text. `number` is that of an entry on the map, 0 if the
    place has none. `way_off`: an entry where no force comes in, so that forces can only leave.
    """

    id: str
    title: str
    where: str
    who: tuple[tuple[int, str], ...]
    number: int
    way_off: bool


def place_views(played: forces.PlayedScenario) -> tuple[BattlePlace, ...]:
    """Lists the places of a scenario: where forces are set up, and then where they come in.

    Places that no force uses come last. If forces may be set up anywhere, that comes first.
    """
    scenario, sides = played.scenario, played.sides
    numbers, who = entry_numbers(scenario), {name: _who(sides, name) for name in scenario.places}
    found = [
        BattlePlace(
            name,
            place.title,
            where_to_find(scenario, place),
            who[name],
            numbers.get(name, 0),
            way_off=bool(place.entry) and not who[name],
        )
        for name, place in sorted(scenario.places.items(), key=lambda item: not item[1].zone)
    ]
    if anywhere := _who(sides, ANYWHERE):
        title = played.place_title(ANYWHERE)
        found.insert(0, BattlePlace(ANYWHERE, title, "", anywhere, 0, way_off=False))
    return tuple(sorted(found, key=lambda place: not place.who))


def _who(sides: tuple[forces.SideInBattle, ...], name: str) -> tuple[tuple[int, str], ...]:
    """Lists the forces that stand or come in at the place `name`, with their turns.

    Returns the number of each side that has forces there, with a text that names them.
    """
    found = []
    for side in sides:
        listed = [f"{force.title}{_turn(force)}" for force in side.forces if force.at == name]
        if listed:
            found.append((side.index, f"{side.title}: {'; '.join(listed)}"))
    return tuple(found)


def _turn(force: forces.ForceInBattle) -> str:
    """Returns the turn in which a force comes as ` (move 6)`; empty if it is there at the start.

    A turn that is not decided by dice has no line breaks inside.
    """
    words = f"{force.when[:1].lower()}{force.when[1:]}"
    if not force.expected:
        words = words.replace(" ", "\u00a0")
    return f" ({words})" if force.turn else ""


TITLE = gettext_noop("Booklet")


def booklet_documents(
    scenario: forces.PlayedScenario, beside: Sequence[Document]
) -> Iterator[Planned]:
    """Plans a document of the booklet for each layout, with its files, and one for the screen.

    `beside` are the other documents of the scenario, which the booklet lists.
    """
    spec = scenario.spec
    for layout, files in booklet_files(scenario.stem, spec.papers, spec.imposed or ()):
        view = partial(scenario_view, scenario, layout, beside)
        yield scenario.planned("scenario", f"-{layout}", gettext(TITLE), view, *files)
    page = File(f"{scenario.stem}.html", "html")
    view = partial(scenario_view, scenario, None, beside)
    yield scenario.planned("scenario-screen", "", gettext(TITLE), view, page)


@dataclass(frozen=True, slots=True)
class ScenarioView:
    """The whole booklet of a scenario; `layout` is None for the page that is read on a screen.

    Parts of the scenario are referred to by their keys, joined by `/`: `noted` has the numbers of
    the notes on them, `passages` and `prose` their texts, `squares` the squares of a board that an
    objective fills. `strip` stands at the foot of the cover, and again on the `back`. A fact in
    `facts` is a label, a text and the key of the part that states it. `options` are titles.
    """

    identity: Identity
    layout: str | None
    id: str
    map: MapView
    noted: Mapping[str, int]
    passages: Mapping[str, tuple[Part, ...]]
    prose: Mapping[str, str]
    squares: Mapping[str, str]
    options: Mapping[str, str]
    cover: CoverView
    strip: Mapping[str, str]
    back: BackCoverView
    facts: tuple[tuple[str, str, str | None], ...]
    places: tuple[BattlePlace, ...]
    columns: tuple[str, ...]
    sides: tuple[forces.SideInBattle, ...]
    schedule: tuple[forces.ForceInBattle, ...]
    measure: str
    balance: tuple[tuple[str, tuple[tuple[str, str], ...], str], ...]
    chart: ChartView | None
    time_lines: tuple[TimeLineView, ...]
    marches: MarchesView | None
    track: tuple[tuple[forces.TurnSpace, ...], ...]
    phases: str
    notes: tuple[NoteView, ...]
    statuses: tuple[tuple[str, str], ...]
    documents: Mapping[str, tuple[File, ...]]


def scenario_view(
    played: forces.PlayedScenario, layout: str | None, beside: Sequence[Document] = ()
) -> ScenarioView:
    """Composes the view of a scenario's booklet, for a layout or for the screen (None).

    `beside` are the other documents of the scenario, which the booklet lists.
    """
    ruleset, scenario, sides = played.ruleset, played.scenario, played.sides
    composer, notes = forces.PassageComposer(ruleset), unstated_of_scenario(ruleset, played.id)
    coming, strong = played.arrivals(), played.strengths()
    lines, columns = time_lines(played, coming, strong.last), forces.count_titles(ruleset)
    uneven = any(len({*by.values()}) > 1 for by in (strong.units, strong.compared))
    compared = balance(played, strong) if lines and (played.dice or uneven) else ()
    said = {"background": scenario.background, "situation": scenario.situation}
    said |= {"victory": scenario.victory}
    texts = {key: passage.text for key, passage in said.items() if passage}
    texts |= {f"rules/{name}": rule.text for name, rule in scenario.rules.items()}
    passages = {key: composer.passage(text) for key, text in texts.items() if text is not None}
    opening = passages.get("situation" if scenario.situation else "background", ())
    blurb = next((part.markdown for part in opening if isinstance(part, TextPart)), "")
    strip = _strip(scenario)
    facts = {label: escape_markdown(text) for label, text in strip.items()}
    title, subtitle = scenario.title, scenario.subtitle or ""
    return ScenarioView(
        identity=played.identity,
        layout=layout,
        id=played.id,
        map=map_view(played),
        noted={
            "/".join(map(str, item.address[2 if item.address[0] == "scenarios" else 0 :])): number
            for number, item in enumerate(notes, start=1)
        },
        passages=passages,
        prose={
            name: composer.prose(objective.text) for name, objective in scenario.objectives.items()
        },
        squares={
            name: squares_of(scenario, objective.at)
            for name, objective in scenario.objectives.items()
        },
        options={name: ruleset.options[name].title for name in scenario.options},
        cover=battle_cover(title, subtitle, gettext("The ground of %(battle)s", battle=title)),
        strip=strip,
        back=back_of(ruleset, title, blurb, facts, [scenario]),
        facts=tuple(_facts(played, composer)),
        places=place_views(played),
        columns=tuple(columns.values()),
        sides=sides,
        schedule=tuple(force for force in coming if force.turn),
        measure=columns[strong.measure],
        balance=compared,
        chart=strength_chart(played, strong, compared) if compared and strong.last else None,
        time_lines=lines,
        marches=marches_view(played),
        track=track(played, layout),
        phases=TurnWords(Binder(ruleset, references="number")).line(),
        notes=tuple(
            _note(item, number, composer, title) for number, item in enumerate(notes, start=1)
        ),
        statuses=tuple(
            (status.value, gettext(meaning))
            for status, meaning in STATUSES.items()
            if any(item.status == status for item in notes)
        ),
        documents=_documents(played, beside),
    )


def _note(item: Unstated, number: int, composer: forces.PassageComposer, battle: str) -> NoteView:
    """Composes a numbered note on something in a scenario that its source does not state.

    `battle` is the title of the scenario, which is removed from the title of the note.
    """
    own = item.title == battle
    return NoteView(
        number=number,
        status=item.status.value,
        title=gettext("The scenario") if own else item.title.removeprefix(f"{battle}: "),
        markdown=composer.prose(item.note),
        source=item.source or "",
        rule="",
        rule_id="",
    )


def _strip(scenario: Scenario) -> dict[str, str]:
    """Returns the texts at the foot of the cover: date, sides, table and length, by their labels.

    The date is left out if the scenario states none.
    """
    date = {gettext("Date"): scenario.date} if scenario.date else {}
    return date | {
        gettext("Sides"): ", ".join(side.title for side in scenario.sides.values()),
        gettext("Table"): table_size(scenario),
        gettext("Length"): _length(scenario),
    }


def _length(scenario: Scenario) -> str:
    turns, turn = scenario.length.turns, scenario.turn
    if not turns:
        return gettext("as the players agree")
    return ngettext("%(number)s %(turn)s", "%(number)s %(turn)ss", turns, turn=turn)


def _facts(
    played: forces.PlayedScenario, composer: forces.PassageComposer
) -> Iterator[tuple[str, str, str | None]]:
    """Yields the facts of the overview, each as a label, a text in Markdown, and a key or None.

    The key is that of the part of the scenario that states the fact, for notes on it.
    """
    scenario = played.scenario
    if scenario.date:
        yield gettext("Date"), scenario.date, None
    for side in played.sides:
        yield side.title, ", ".join(f"{unit.number} × {unit.title}" for unit in side.units), None
    yield gettext("Length"), _length(scenario), "length"
    if scenario.first:
        yield gettext("Moves first"), scenario.sides[scenario.first].title, None
    yield gettext("Table"), table_size(scenario), "table"
    if scenario.scale is not None:
        yield gettext("Scale"), composer.prose(scenario.scale), None
    for name in scenario.options:
        yield gettext("Optional rule"), played.ruleset.options[name].title, None


def _documents(
    played: forces.PlayedScenario, beside: Sequence[Document]
) -> Mapping[str, tuple[File, ...]]:
    """Returns the files of the documents `beside` the booklet by title, in the order of documents.

    Documents with the same title are combined, and titles do not repeat that of the scenario.
    """
    listed: dict[str, tuple[File, ...]] = {}
    for document in beside:
        title = document.title.removeprefix(f"{played.scenario.title}: ")
        listed[title] = (*listed.get(title, ()), *document.files)
    return listed


def scenario_documents(computed: Computed, identity: Identity) -> Iterator[Planned]:
    """Plans the documents of all scenarios, scenario by scenario, each booklet first.

    A booklet lists the other documents of its scenario.
    """
    for scenario in forces.played_scenarios(computed, identity):
        beside = [
            *sheet_documents(scenario),
            *card_documents(scenario),
            *cutout_documents(scenario),
            *map_documents(scenario),
            *terrain_documents(scenario),
        ]
        yield from booklet_documents(scenario, [planned.document for planned in beside])
        yield from beside
