"""The two drafts of the American Civil War Game -> what changed from the first to the second.

Typed from the drafts and not from the content. `RULES` has the changes of the rules themselves: the
rule, its place in the content, the value in edition 1.0, the value in 2.0, and the words of the
first and of the second draft that say so. `INSIDE` has values of what came in or went as a whole.
`TOLD` has the places that are told otherwise because of one of them: examples, cards, lines of the
sequence, terms and notes, each with the rule that it follows from. Nothing else differs but the
name of the draft in every `source` (`SOURCES`), and the list of the headings of each chapter.

A place is the id of an entity, or a part of it (`establishments.battery.rank_and_file`), a heading
(`#canister`), a part of the head of the ruleset (`ruleset.scale`) or an option (`options.zouaves`).
Steps of a procedure are one place, as are the sentences under a heading and the lines of a step of
the sequence: those that are in both editions have `WORDS` for other words.
"""

from __future__ import annotations

from typing import Final, NamedTuple

#: A place that the edition has not.
ABSENT: Final = None
#: A place that the edition has, where no single value is told.
THERE: Final = "(there)"
#: Words, of which some or all differ.
WORDS: Final = "(words)"
#: A cell that the source leaves open.
OPEN: Final = "missing"
#: No effect: a dash.
DASH: Final = "~"

#: Every `source` begins with the name of the draft, before and after; the rest stays but for these.
SOURCES: Final = ("first draft", "second draft")
OTHER_SOURCES: Final = {
    "breakthrough": ("The charge, Cavalry", "The charge, Breakthroughs"),
    "breakthrough_limits": ("The charge, Cavalry", "The charge, Breakthroughs"),
    "breakthrough_scores": ("The charge, Cavalry", "The charge, Breakthroughs"),
    "veer_gauge": ("The charge, Cavalry", "The charge, Breakthroughs"),
    "detachments": ("Morale and Detachments", "Morale, very extended lines"),
}


class Rule(NamedTuple):
    """A change of a rule at one place, with the words of both drafts ("" where one has none)."""

    rule: str
    place: str
    old: str | None
    new: str | None
    first_draft: str
    second_draft: str


class Inside(NamedTuple):
    """A value in a part that only one of the editions has, and the words that give it."""

    place: str
    value: str
    words: str


class Told(NamedTuple):
    """A place that tells otherwise what a changed rule is."""

    place: str
    old: str | None
    new: str | None
    rule: str


_COLUMN = ("In column 7 ½”\nIn open order 7 ½”", "In column or open order 7 ½”")
_MUSKET = ("Line 24”", "Rifled Muskets 24”")
_CARBINE = (
    "potential here for Carbines to be less effective. 6, 12 and 18” range bands?",
    "Cavalry Carbines and Smoothbore Muskets 18”",
)
_SHORT_BANDS = (
    "",
    "In the case of musketry from smooth bore muskets or cavalry carbines, the range bands above "
    "are reduced to 6, 12 and 18”.",
)
_SHORT_SKIRMISH = (
    "",
    "Reduce ranges for smooth bore muskets and cavalry carbines to 9” and 18”.",
)
_BATTERY = (
    "Artillery Battery 3 officers and 10 rank-and-file (2 guns)",
    "Artillery Battery 3 officers (one mounted) and 8 rank-and-file (2 guns)",
)
_BREAKTHROUGH = (
    "If heavy cavalry charge infantry who are formed less than 3 ranks deep",
    "Breakthroughs - If cavalry charge infantry who are formed less than 3 ranks deep",
)
_DETACHMENT = (
    "An infantry unit may make a detachment of an officer and 8 privates",
    "Detachments are in made of multiples of eight figures and an officer",
)
_THREE = ("", "breaking a 27-figure regiment down into a maximum of three sub-units")
_RETIRE = (
    "who have to retire should either the officer or four of the privates be made casualties",
    "",
)
_APART = (
    "",
    'Once the detachment is separated from the main body by at least 6", it counts as a unit for '
    "morale.",
)
_WORTH = (
    "",
    "When an officer is sent with a detachment, he counts as 3 points when the detachment tests "
    "morale",
)
_OWN_LOSSES = ("", "% casualties are based on the detachments original strength.")
_REJOIN = (
    "",
    "Once it reaches the main body, it rejoins and adopts the morale status of the main unit.",
)
_BRIGADIER = (
    "",
    "if a brigadier joins a unit he may replace any missing officer for morale purposes.",
)
_EXTENDED = (
    "",
    'Troops in very extended order - skirmish lines of one rank with 1" separating each figure.',
)
_THREATENED = (
    "",
    "any part of the line that finds itself within the range of enemy musketry or gunfire to "
    "either it's flank or rear must test for morale per the detachment morale rules.",
)
_PIPS = (
    "",
    "one pip must be deducted from the morale roll; if within the second band, two pips and; if "
    "within the nearest, then three pips must be deducted.",
)
_STICK = (
    "Rules per “The War Game”.",
    "A measuring stick is used made from ½” square rod and calibrated in inches, 60” long.",
)
_BLACK = ("", "It’s first 18” are coloured black.")
_EIGHTS = (
    "",
    "The next 24” are coloured in three lengths of 8” each of white, yellow and green.",
)
_FOURS = (
    "",
    "The next 12” are likewise broken into three bands, each 4” long and coloured white, yellow "
    "and green.",
)
_TWOS = (
    "",
    "The final 6” is broken into three lengths 2” long and the same colour scheme carries on.",
)
_COLOUR_DIE = (
    "",
    "throw a dice that has had it’s alternate faces painted in like colours to those of the "
    "measuring stick (ie, 1 and 2 are white and so on).",
)
_HEADS = (
    "Ranges as below:",
    "The heads of figures covered by the coloured band are then diced for as follows",
)
_NEAR = ("0-24” 3, 4, 5 or 6 kills", "Near Group 3, 4, 5 or 6 kills")
_MIDDLE = ("24-36” 4, 5 or 6 kills", "Mid Group 4, 5 or 6 kills")
_FAR = ("36-48 5 or 6 kills", "Far group 5 or 6 kills")
_BEYOND = ("Range 48-60” 6 kills", "Range 48-60” 6 kills")
_CONE = (
    "The device is placed with its apex at the muzzle of the gun.",
    "The Canister cone is an elongated equilateral triangle, 24” long from base to apex with a "
    "base 5” wide.",
)
_ZONES = (
    "",
    "It is internally sub-divided into three units, that closest to the apex being 5.5”, the "
    "middle unit being 6.5” and the Far unit being 12” long.",
)
_INDICATOR = ("which is shown at annex A", "which is shown in the Rules Annex")
_ANNEX = (
    "",
    "Herein shall be placed those rules which may be used only with the agreement of both players.",
)
_SHARPSHOOTERS = (
    "",
    "May add one to their dice rolls when shooting vice the Skirmishing Infantry Musketry Rules.",
)
_ZOUAVES = ("", "May add one to their dice roll in melee.")
_ZOUAVE_LOSSES = (
    "",
    "No reduction for the Morale Index for rank and file casualties until losses have reached 25% "
    "(6 figures), when 1 is deducted from the throw for morale.",
)
_FORBIDDEN = (
    "",
    "No breakthrough rule allowed. Cavalry charge to contact, but may not break through defending "
    "infantry.",
)
_SLEEVE = ("", "Around the stick is wrapped a 4” long sliding scale sleeve made of card.")
_SLEEVE_GUN = (
    "",
    "If the gun is under the sleeve a single die is thrown and the result from 1 to 6 is noted.",
)
_PREFACE = (
    'For want of information I have kept the morale and terrain factors from "The War Game".',
    "It incorporates all the suggestions and modifications incorporated to date",
)

RULES: Final = (
    # Movement: two lines with one distance are one.
    Rule("column and open order", "moves.open_order", THERE, ABSENT, *_COLUMN),
    Rule(
        "column and open order",
        "moves.column.title",
        "Infantry in column",
        "Infantry in column or open order",
        *_COLUMN,
    ),
    # Ranges.
    Rule("rifled muskets", "ranges.rifled_musket.title", "Musket", "Rifled musket", *_MUSKET),
    Rule(
        "rifled muskets", "skirmish_bands.rifled_musket.title", "Musket", "Rifled musket", *_MUSKET
    ),
    Rule("smoothbores and carbines", "ranges.smoothbore", ABSENT, THERE, *_CARBINE),
    Rule("smoothbores and carbines", "#ranges_rule", WORDS, WORDS, *_CARBINE),
    Rule("smoothbores and carbines", "#volley", WORDS, WORDS, *_CARBINE),
    Rule("smoothbores and carbines", "#smoothbores", ABSENT, THERE, *_SHORT_BANDS),
    Rule("smoothbores and carbines", "skirmish_bands.smoothbore", ABSENT, THERE, *_SHORT_SKIRMISH),
    Rule("smoothbores and carbines", "#skirmish_bands_rule", WORDS, WORDS, *_SHORT_SKIRMISH),
    # Establishments.
    Rule("crew of a battery", "establishments.battery.rank_and_file", "10", "8", *_BATTERY),
    Rule("mounted officer of a battery", "establishments.battery.mounted", OPEN, "1", *_BATTERY),
    # The charge.
    Rule("breakthrough by any cavalry", "#breakthrough_rule", WORDS, WORDS, *_BREAKTHROUGH),
    Rule(
        "breakthrough by any cavalry",
        "breakthrough_scores.about",
        "A die for each figure of heavy cavalry in contact.",
        "A die for each cavalry figure in contact.",
        *_BREAKTHROUGH,
    ),
    Rule(
        "breakthrough by any cavalry",
        "breakthrough_limits.cavalry.title",
        "Heavy cavalry",
        "Cavalry",
        *_BREAKTHROUGH,
    ),
    # Detachments.
    Rule("size of detachments", "detachments.detachment.rank_and_file", "8", "8", *_DETACHMENT),
    Rule("size of detachments", "detachments.detachment.most", ABSENT, "3", *_THREE),
    Rule("retirement of detachments", "detachments.detachment.lost", "4", ABSENT, *_RETIRE),
    Rule("morale of detachments", "detachments.detachment.apart", ABSENT, "6in", *_APART),
    Rule("morale of detachments", "detachments.detachment.points", ABSENT, "3", *_WORTH),
    Rule("morale of detachments", "loss_points.none.detachment", ABSENT, DASH, *_OWN_LOSSES),
    Rule("morale of detachments", "loss_points.sixth.detachment", ABSENT, "2", *_OWN_LOSSES),
    Rule("morale of detachments", "loss_points.quarter.detachment", ABSENT, "2", *_OWN_LOSSES),
    Rule("morale of detachments", "loss_points.half.detachment", ABSENT, "4", *_OWN_LOSSES),
    Rule("morale of detachments", "#detachments_rule", WORDS, WORDS, *_REJOIN),
    Rule("brigadier", "#command", WORDS, WORDS, *_BRIGADIER),
    # Skirmish lines.
    Rule("very extended order", "skirmish_line", ABSENT, THERE, *_EXTENDED),
    Rule("very extended order", "#extended_lines", ABSENT, THERE, *_EXTENDED),
    Rule("threatened skirmishers", "threats", ABSENT, THERE, *_PIPS),
    Rule("threatened skirmishers", "line_morale", ABSENT, THERE, *_PIPS),
    Rule("threatened skirmishers", "#morale_test", WORDS, WORDS, *_THREATENED),
    Rule("threatened skirmishers", "ranges.canister.near", DASH, "5.5in", *_PIPS),
    Rule("threatened skirmishers", "ranges.canister.middle", DASH, "12in", *_PIPS),
    Rule("threatened skirmishers", "ranges.round_shot.near", DASH, "42in", *_PIPS),
    Rule("threatened skirmishers", "ranges.round_shot.middle", DASH, "54in", *_PIPS),
    Rule("threatened skirmishers", "ranges.howitzer.near", DASH, OPEN, *_PIPS),
    Rule("threatened skirmishers", "ranges.howitzer.middle", DASH, OPEN, *_PIPS),
    # Round shot.
    Rule("bounce stick", "stick_rod", ABSENT, THERE, *_STICK),
    Rule("bounce stick", "#bounce_stick_rule", ABSENT, THERE, *_STICK),
    Rule("bounce stick", "#round_shot", WORDS, WORDS, *_STICK),
    Rule("bounce stick", "bounce_stick", ABSENT, THERE, *_STICK),
    Rule("bounce stick", "bounce_stick_wrap", ABSENT, THERE, *_STICK),
    Rule("bounce stick", "bounce_bands", ABSENT, THERE, *_BLACK),
    Rule("bounce stick", "bounce_colours", ABSENT, THERE, *_COLOUR_DIE),
    Rule("bounce stick", "bounce", ABSENT, THERE, *_COLOUR_DIE),
    Rule("bounce stick", "round_shot.steps", WORDS, WORDS, *_HEADS),
    Rule("groups of the stick", "ball_kills.near.start", "0in", "18in", *_BLACK),
    Rule("groups of the stick", "ball_kills.near.to", "24in", ABSENT, *_NEAR),
    Rule("groups of the stick", "ball_kills.near.white", ABSENT, "26in", *_EIGHTS),
    Rule("groups of the stick", "ball_kills.near.yellow", ABSENT, "34in", *_EIGHTS),
    Rule("groups of the stick", "ball_kills.near.green", ABSENT, "42in", *_EIGHTS),
    Rule("groups of the stick", "ball_kills.middle.start", "24in", "42in", *_MIDDLE),
    Rule("groups of the stick", "ball_kills.middle.to", "36in", ABSENT, *_MIDDLE),
    Rule("groups of the stick", "ball_kills.middle.white", ABSENT, "46in", *_FOURS),
    Rule("groups of the stick", "ball_kills.middle.yellow", ABSENT, "50in", *_FOURS),
    Rule("groups of the stick", "ball_kills.middle.green", ABSENT, "54in", *_FOURS),
    Rule("groups of the stick", "ball_kills.far.start", "36in", "54in", *_FAR),
    Rule("groups of the stick", "ball_kills.far.to", "48in", ABSENT, *_FAR),
    Rule("groups of the stick", "ball_kills.far.white", ABSENT, "56in", *_TWOS),
    Rule("groups of the stick", "ball_kills.far.yellow", ABSENT, "58in", *_TWOS),
    Rule("groups of the stick", "ball_kills.far.green", ABSENT, "60in", *_TWOS),
    Rule("groups of the stick", "ball_kills.far.kills", "5+", "5+", *_FAR),
    Rule("groups of the stick", "ball_kills.extreme.to", "60in", ABSENT, *_BEYOND),
    Rule("groups of the stick", "ball_kills.extreme.white", ABSENT, DASH, *_BEYOND),
    Rule("groups of the stick", "ball_kills.extreme.yellow", ABSENT, DASH, *_BEYOND),
    Rule("groups of the stick", "ball_kills.extreme.green", ABSENT, DASH, *_BEYOND),
    # Canister: 6.5, 14 and 28 are a guess of 21 June, between the drafts.
    Rule("canister cone", "canister_cone", ABSENT, THERE, *_CONE),
    Rule("canister cone", "canister_zones.near.to", "6.5in", "5.5in", *_ZONES),
    Rule("canister cone", "canister_zones.middle.to", "14in", "12in", *_ZONES),
    Rule("canister cone", "canister_zones.far.to", "28in", "24in", *_ZONES),
    Rule("canister cone", "#canister", WORDS, WORDS, *_CONE),
    Rule("drawing of the indicator", "shell_burst.note", WORDS, WORDS, *_INDICATOR),
    # The annex.
    Rule("annex", "#optional_rules", ABSENT, THERE, *_ANNEX),
    Rule("annex", "ruleset.annexes", ABSENT, THERE, *_ANNEX),
    Rule("sharpshooters", "#sharpshooters", ABSENT, THERE, *_SHARPSHOOTERS),
    Rule("sharpshooters", "options.sharpshooters", ABSENT, THERE, *_SHARPSHOOTERS),
    Rule("sharpshooters and zouaves", "annex_throws", ABSENT, THERE, *_ZOUAVES),
    Rule("zouaves", "#zouaves", ABSENT, THERE, *_ZOUAVES),
    Rule("zouaves", "options.zouaves", ABSENT, THERE, *_ZOUAVES),
    Rule("zouaves", "zouave_losses", ABSENT, THERE, *_ZOUAVE_LOSSES),
    Rule("cavalry without breakthrough", "#no_breakthrough", ABSENT, THERE, *_FORBIDDEN),
    Rule("cavalry without breakthrough", "options.no_breakthrough", ABSENT, THERE, *_FORBIDDEN),
    Rule("round shot by sleeve", "#round_shot_by_sleeve", ABSENT, THERE, *_SLEEVE_GUN),
    Rule("round shot by sleeve", "options.sleeve", ABSENT, THERE, *_SLEEVE),
    Rule("round shot by sleeve", "sleeve", ABSENT, THERE, *_SLEEVE),
    Rule("round shot by sleeve", "sleeve_kills", ABSENT, THERE, *_SLEEVE),
    # The head of the draft.
    Rule("preface", "#origins", THERE, ABSENT, *_PREFACE),
    Rule("preface", "#what_you_need", WORDS, WORDS, *_PREFACE),
)

_LISTED_MOVE = "In open order 7 ½”"
_REACH = _CARBINE[1]
_FACES = _COLOUR_DIE[1]

#: Of the first edition, then of the second.
INSIDE: Final = (
    Inside("moves.open_order.move", "7.5in", _LISTED_MOVE),
    Inside("detachments.detachment.lost", "4", _RETIRE[0]),
    Inside("ranges.smoothbore.long", "18in", _REACH),
    Inside("ranges.smoothbore.near", "6in", _SHORT_BANDS[1]),
    Inside("ranges.smoothbore.middle", "12in", _SHORT_BANDS[1]),
    Inside("skirmish_bands.smoothbore.near", "9in", _SHORT_SKIRMISH[1]),
    Inside("skirmish_bands.smoothbore.long", "18in", _SHORT_SKIRMISH[1]),
    Inside("skirmish_line.line.ranks", "1", _EXTENDED[1]),
    Inside("skirmish_line.line.gap", "1in", _EXTENDED[1]),
    Inside("threats.far.throw", "-1", _PIPS[1]),
    Inside("threats.cavalry.throw", "-1", _PIPS[1]),
    Inside("threats.middle.throw", "-2", _PIPS[1]),
    Inside("threats.near.throw", "-3", _PIPS[1]),
    Inside("stick_rod.rod.side", "0.5in", _STICK[1]),
    Inside("stick_rod.rod.length", "60in", _STICK[1]),
    Inside("bounce_bands.black.to", "18in", _BLACK[1]),
    Inside("bounce_bands.near_white.to", "26in", _EIGHTS[1]),
    Inside("bounce_bands.near_yellow.to", "34in", _EIGHTS[1]),
    Inside("bounce_bands.near_green.to", "42in", _EIGHTS[1]),
    Inside("bounce_bands.middle_white.to", "46in", _FOURS[1]),
    Inside("bounce_bands.middle_yellow.to", "50in", _FOURS[1]),
    Inside("bounce_bands.middle_green.to", "54in", _FOURS[1]),
    Inside("bounce_bands.far_white.to", "56in", _TWOS[1]),
    Inside("bounce_bands.far_yellow.to", "58in", _TWOS[1]),
    Inside("bounce_bands.far_green.to", "60in", _TWOS[1]),
    Inside("bounce_colours.white.throw", "1-2", _FACES),
    Inside("bounce_colours.yellow.throw", "3-4", _FACES),
    Inside("bounce_colours.green.throw", "5-6", _FACES),
    Inside("canister_cone.length", "24in", _CONE[1]),
    Inside("canister_cone.base", "5in", _CONE[1]),
    Inside("canister_cone.zones.Near.to", "5.5in", _ZONES[1]),
    Inside("canister_cone.zones.Middle.to", "12in", _ZONES[1]),
    Inside("annex_throws.sharpshooters.throw", "+1", _SHARPSHOOTERS[1]),
    Inside("annex_throws.zouaves.throw", "+1", _ZOUAVES[1]),
    Inside("zouave_losses.quarter.share", "0.25", _ZOUAVE_LOSSES[1]),
    Inside("zouave_losses.quarter.figures", "6", _ZOUAVE_LOSSES[1]),
    Inside("zouave_losses.quarter.points", "-1", _ZOUAVE_LOSSES[1]),
    Inside("sleeve.length", "4in", _SLEEVE[1]),
    Inside("sleeve_kills.0-24in", "3+", _NEAR[0]),
    Inside("sleeve_kills.24-36in", "4+", _MIDDLE[0]),
    Inside("sleeve_kills.36-48in", "5+", _FAR[0]),
    Inside("sleeve_kills.48-60in", "6+", _BEYOND[1]),
)

TOLD: Final = (
    # The edition itself.
    Told("ruleset.edition", "1.0", "2.0", "preface"),
    Told("ruleset.date", "2010-06-17", "2010-07-16", "preface"),
    Told("ruleset.summary", WORDS, WORDS, "preface"),
    Told("ruleset.credits", WORDS, WORDS, "morale of detachments"),
    Told("ruleset.scale", ABSENT, THERE, "preface"),
    Told("#on_the_table", WORDS, WORDS, "bounce stick"),
    Told("#units", WORDS, WORDS, "preface"),
    # Establishments and movement.
    Told("establishments.infantry.mounted.note", WORDS, WORDS, "mounted officer of a battery"),
    Told("artillery_battery.tracks.crew.boxes", "10", "8", "crew of a battery"),
    Told("artillery_battery.tracks.crew.group", "5", "4", "crew of a battery"),
    Told("terrain.woods.cavalry.note", WORDS, WORDS, "breakthrough by any cavalry"),
    # Musketry and skirmishers.
    Told("musketry.note", WORDS, WORDS, "smoothbores and carbines"),
    Told("smoothbore_stick", ABSENT, THERE, "smoothbores and carbines"),
    Told("skirmish_stick_short", ABSENT, THERE, "smoothbores and carbines"),
    Told("fire_phase.volley", WORDS, WORDS, "smoothbores and carbines"),
    Told("fire_phase.skirmish", WORDS, WORDS, "smoothbores and carbines"),
    Told("exchange_of_volleys", WORDS, WORDS, "rifled muskets"),
    Told("picking_off_the_colonel", WORDS, WORDS, "rifled muskets"),
    # The charge.
    Told("#cavalry_charge", WORDS, WORDS, "rifled muskets"),
    Told("breakthrough.steps", WORDS, WORDS, "breakthrough by any cavalry"),
    Told("riding_down_the_line", WORDS, WORDS, "breakthrough by any cavalry"),
    Told("charge_phase.breakthrough", WORDS, WORDS, "breakthrough by any cavalry"),
    Told("breakthrough_term", WORDS, WORDS, "breakthrough by any cavalry"),
    # Detachments.
    Told("detachments.about", WORDS, WORDS, "morale of detachments"),
    Told("detachments.fields.lost", THERE, ABSENT, "retirement of detachments"),
    Told("detachments.fields.most", ABSENT, THERE, "size of detachments"),
    Told("detachments.fields.apart", ABSENT, THERE, "morale of detachments"),
    Told("detachments.fields.points", ABSENT, THERE, "morale of detachments"),
    Told("loss_points.fields.detachment", ABSENT, THERE, "morale of detachments"),
    Told("infantry_detachment", WORDS, WORDS, "morale of detachments"),
    Told("morale_phase.detachments", WORDS, WORDS, "morale of detachments"),
    Told("main_body", ABSENT, THERE, "morale of detachments"),
    Told("brigadier", ABSENT, THERE, "brigadier"),
    # Skirmish lines.
    Told("ranges.about", WORDS, WORDS, "threatened skirmishers"),
    Told("ranges.canister.status", ABSENT, "read", "threatened skirmishers"),
    Told("ranges.canister.note", ABSENT, WORDS, "threatened skirmishers"),
    Told("ranges.round_shot.status", ABSENT, "read", "threatened skirmishers"),
    Told("ranges.round_shot.note", ABSENT, WORDS, "threatened skirmishers"),
    Told("line_under_canister", ABSENT, THERE, "threatened skirmishers"),
    Told("morale_phase.skirmish_lines", ABSENT, THERE, "very extended order"),
    Told("morale_phase.test", WORDS, WORDS, "threatened skirmishers"),
    Told("skirmish_line_term", ABSENT, THERE, "very extended order"),
    # Round shot, at figures, guns and houses.
    Told("ball_kills.about", WORDS, WORDS, "groups of the stick"),
    Told("ball_kills.fields.to", THERE, ABSENT, "groups of the stick"),
    Told("ball_kills.fields.white", ABSENT, THERE, "groups of the stick"),
    Told("ball_kills.fields.yellow", ABSENT, THERE, "groups of the stick"),
    Told("ball_kills.fields.green", ABSENT, THERE, "groups of the stick"),
    Told("ball_kills.extreme.status", ABSENT, "read", "groups of the stick"),
    Told("ball_kills.extreme.note", ABSENT, WORDS, "groups of the stick"),
    Told("round_shot.inputs.figures.label", WORDS, WORDS, "bounce stick"),
    Told("round_shot.inputs.band.label", "Band", "Group", "groups of the stick"),
    Told("ball_at_distances.about", WORDS, WORDS, "groups of the stick"),
    Told("ball_at_distances.0-18in", "3+", "never", "groups of the stick"),
    Told("ball_at_distances.24-36in", "4+", "3+", "groups of the stick"),
    Told("ball_at_distances.36-42in", "5+", "3+", "groups of the stick"),
    Told("ball_at_distances.42-48in", "5+", "4+", "groups of the stick"),
    Told("ball_along_the_stick", ABSENT, THERE, "bounce stick"),
    Told("fire_phase.round_shot", WORDS, WORDS, "bounce stick"),
    Told("rule_cards.cards.round_shot", WORDS, WORDS, "bounce stick"),
    Told("bounce_stick_term", ABSENT, THERE, "bounce stick"),
    Told("group_term", WORDS, WORDS, "groups of the stick"),
    Told("#odds_of_guns", WORDS, WORDS, "groups of the stick"),
    Told("#counter_battery", WORDS, WORDS, "bounce stick"),
    Told("gun_against_gun", WORDS, WORDS, "bounce stick"),
    Told("#round_shot_on_a_house", WORDS, WORDS, "bounce stick"),
    Told("round_shot_on_house.steps", WORDS, WORDS, "bounce stick"),
    Told("ball_through_a_farm", WORDS, WORDS, "bounce stick"),
    # Canister and shell.
    Told("canister_zones.about", WORDS, WORDS, "canister cone"),
    Told("canister_zones.qrs", ABSENT, "false", "canister cone"),
    Told("canister.steps", WORDS, WORDS, "canister cone"),
    Told("canister_at_the_bridge", WORDS, WORDS, "canister cone"),
    Told("fire_phase.canister", WORDS, WORDS, "canister cone"),
    Told("rule_cards.cards.canister", WORDS, WORDS, "canister cone"),
    Told("canister_term", WORDS, WORDS, "canister cone"),
    # The annex.
    Told("annex_phase", ABSENT, THERE, "annex"),
    Told("sharpshooters_at_the_wall", ABSENT, THERE, "sharpshooters"),
    Told("sharpshooter", ABSENT, THERE, "sharpshooters"),
    Told("zouaves_at_the_fence", ABSENT, THERE, "zouaves"),
    Told("zouave", ABSENT, THERE, "zouaves"),
    Told("sleeve_over_a_column", ABSENT, THERE, "round shot by sleeve"),
    Told("sleeve_term", ABSENT, THERE, "round shot by sleeve"),
)
