"""The rules of the recipes told a second time, from their sentences -> odds, throw by throw.

Each function plays its rule with a `Table`, which throws; it is played again for every way in which
the dice may fall. Nothing of the package is used, and no number is taken from the recipes' YAML.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from math import ceil, comb
from typing import Any

#: For each result the chance of each of its values, in words as `--json` has them.
Odds = dict[str, dict[str, Fraction]]
Play = Callable[..., dict[str, Any]]


class _Undecided(Exception):
    """A throw of which no way has been chosen yet; its argument is how many ways there are."""


class Table:
    """One way in which all dice of a play fall: the number of the way for each throw."""

    def __init__(self, ways: tuple[int, ...]) -> None:
        self.ways = ways
        self.thrown = 0
        self.chance = Fraction(1)

    def pick(self, chances: Mapping[Any, Fraction]) -> Any:
        """One of some values."""
        possible = [(value, chance) for value, chance in chances.items() if chance]
        if self.thrown == len(self.ways):
            raise _Undecided(len(possible))
        value, chance = possible[self.ways[self.thrown]]
        self.thrown += 1
        self.chance *= chance
        return value

    def dice(self, count: int, sides: int = 6, of: Callable[..., Any] = sum) -> Any:
        """What is made of all faces of some dice: their sum, unless said otherwise."""
        chances: dict[Any, Fraction] = defaultdict(Fraction)
        for faces in product(range(1, sides + 1), repeat=count):
            chances[of(faces)] += Fraction(1, sides**count)
        return self.pick(chances)

    def d(self, sides: int = 6) -> Any:
        return self.dice(1, sides)

    def hits(self, dice: int, needs: int, more: Fraction | int = 0) -> Any:
        """How many of some dice reach a score; `more` is the chance that another reaches it."""
        one = Fraction(min(6, max(0, 7 - needs)), 6) + more
        return self.pick(
            {k: comb(dice, k) * one**k * (1 - one) ** (dice - k) for k in range(dice + 1)}
        )

    def test(self, needs: int) -> bool:
        """Whether a die reaches a score."""
        return bool(self.hits(1, needs))


def played(play: Play, **inputs: Any) -> Odds:
    """The odds of all that a play results in."""
    odds: Odds = defaultdict(lambda: defaultdict(Fraction))
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        table = Table(waiting.pop())
        try:
            results = play(table, **inputs)
        except _Undecided as undecided:
            waiting += [(*table.ways, way) for way in range(undecided.args[0])]
            continue
        for name, value in results.items():
            odds[name][str(value).lower()] += table.chance
    return odds


#: By the id of a recipe: the plays of its procedure, each of which tells some of its results.
PLAYS: dict[str, list[Play]] = defaultdict(list)
#: Means of what has no bound, worked out on paper from one pass to the next.
MEANS: dict[tuple[str, str], Fraction] = {
    # The mean of boxes h is 1 + E(h)/3 + E(h - 1)/2: that of three, from none upwards.
    ("fire", "turns"): Fraction(3, 2) * (1 + Fraction(3, 4) + Fraction(9, 16)),
    ("game_length", "extra"): 1 / Fraction(2, 6),
    # Two boats: both, one or none are over after a turn; one waits for 3/2 turns.
    ("boats", "turns"): (1 + Fraction(4, 9) * Fraction(3, 2)) / (1 - Fraction(1, 9)),
}


def tells(*names: str) -> Callable[[Play], Play]:
    """The play is that of these recipes."""

    def keep(play: Play) -> Play:
        for name in names:
            PLAYS[name].append(play)
        return play

    return keep


def compared(one: int, two: int, *words: str) -> str:
    """The first word if one is more than the other, the last if it is less."""
    return words[0] if one > two else words[-1] if one < two else words[len(words) // 2]


def two_dice(most: int) -> Fraction:
    """The chance that two dice show so much or less."""
    return Fraction(sum(one + two <= most for one, two in product(range(1, 7), repeat=2)), 36)


# Dice and targets


@tells("pool")
def _(t, figures):
    return {"hits": t.hits(figures, 4)}


@tells("target_table")
def _(t, range, standing):
    return {"hit": t.test({"near": 3, "far": 4}[range] + (standing == "cover"))}


@tells("roll_under")
def _(t, troops):
    return {"passes": t.dice(2) <= {"green": 6, "trained": 8, "veteran": 9}[troops]}


@tells("natural")
def _(t, bonus):
    die = t.d()
    return {"hit": die == 6 or (die != 1 and die + bonus >= 4)}


@tells("six_then")
def _(t, cover):
    if cover == "wall":
        return {"wounded": t.d() == 6 and t.d() >= 4}
    return {"wounded": t.d() >= {"cloth": 4, "breastplate": 6}[cover]}


@tells("reroll")
def _(t, figures):
    dice = [t.d() for _ in range(figures)]
    dice = [t.d() if die == 1 else die for die in dice]
    return {"hits": sum(die > 4 for die in dice)}


@tells("reroll_failures")
def _(t, figures, veterans):
    hits = t.hits(figures, 5)
    return {"hits": hits + (t.hits(figures - hits, 5) if veterans else 0)}


@tells("keep_highest")
def _(t):
    return {"moved": t.dice(3, of=lambda faces: sum(faces) - min(faces))}


@tells("best_of_pool")
def _(t, officers):
    return {"orders": t.dice(officers, of=max)}


@tells("exploding")
def _(t):
    dice = [t.d()]
    while dice[-1] == 6 and len(dice) < 4:
        dice.append(t.d())
    return {"damage": sum(dice)}


@tells("double_hits")
def _(t, dice):
    faces = [t.d() for _ in range(dice)]
    hits = sum(2 if face == 6 else face in (4, 5) for face in faces)
    return {"hits": hits, "lost": faces.count(1)}


@tells("extra_dice")
def _(t, dice):
    faces = [t.d() for _ in range(dice)]
    more = [t.d() for face in faces if face == 6]
    return {"hits": sum(face >= 4 for face in faces + more)}


@tells("doubles")
def _(t):
    one, two = t.d(), t.d()
    return {"marched": one + two, "straggles": one == two}


@tells("distinct")
def _(t):
    agree = t.dice(3, of=lambda faces: max(map(faces.count, faces)))
    return {"omen": {1: "nothing", 2: "pair", 3: "triple"}[agree]}


@tells("average_die")
def _(t):
    average = [2, 3, 3, 4, 4, 5]
    return {"moved": average[t.d() - 1] + average[t.d() - 1]}


@tells("better_dice")
def _(t, ours, theirs):
    sides = {"militia": 4, "regulars": 6, "guards": 8}
    return {"attacker_wins": t.d(sides[ours]) > t.d(sides[theirs])}


@tells("percentile")
def _(t, sky):
    return {"misfires": t.d(100) < {"dry": 16, "rain": 41}[sky]}


@tells("half_the_dice")
def _(t, stands):
    return {"lost": min(2, t.hits(ceil(stands / 2), 5))}


# Opposed rolls and results


@tells("opposed")
def _(t, attack, defence):
    pairs = [(one + attack, two + defence) for one, two in product(range(1, 7), repeat=2)]
    decided = [one > two for one, two in pairs if one != two]
    wins = Fraction(sum(decided), len(decided))
    return {"winner": t.pick({"attacker": wins, "defender": 1 - wins})}


@tells("doubled")
def _(t, ours, theirs, conditions):
    assert conditions == []
    we, they = t.d() + ours, t.d() + theirs

    def fate(mine: int, other: int) -> str:
        return "holds" if mine >= other else "destroyed" if other >= 2 * mine else "recoils"

    return {"enemy": fate(they, we), "own": fate(we, they)}


@tells("result_table")
def _(t, advantage, ground):
    assert ground == "works"
    lead = t.dice(2) + advantage - t.dice(2)
    return {"fate": "back" if lead >= 3 else "stands"}


@tells("total_table")
def _(t, morale):
    total = t.dice(2) + morale
    names = {3: "flees", 6: "hides", 9: "stays", 99: "charges"}
    return {"reaction": next(name for most, name in names.items() if total <= most)}


@tells("odds_table")
def _(t, attack, defence):
    columns = ["ar ar ar ae ae ae", "dr ex ar ar ar ae", "dr dr ex ex ar ar", "de de dr dr ex ex"]
    return {"result": columns[min(3, attack // defence)].split()[t.d() - 1]}


@tells("cancel")
def _(t, boarders, crew):
    lead = t.hits(boarders, 4) - t.hits(crew, 4)
    lost = {"crew_lost": min(crew, lead), "boarders_lost": min(boarders, -lead)}
    return {name: max(0, number) for name, number in lost.items()}


@tells("fall_back_difference")
def _(t):
    lead = t.d() - t.d()
    return {"defender_back": max(0, lead), "attacker_back": max(0, -lead)}


@tells("rounds")
def _(t, attackers, defenders):
    rounds = 0
    while attackers and defenders:
        lead = t.pick({1: Fraction(15, 36), 0: Fraction(6, 36), -1: Fraction(15, 36)})
        attackers, defenders = attackers - (lead <= 0), defenders - (lead >= 0)
        rounds += 1
    return {"end": compared(attackers, defenders, "won", "both", "lost"), "rounds": rounds}


@tells("supports")
def _(t, ours, theirs):
    assert (sorted(ours), theirs) == (["charging", "support", "support"], ["support"])
    return {"won": t.d() + 3 > t.d() + 1}


@tells("pursuit")
def _(t, arm):
    assert arm == "foot"
    pursues = t.d() <= 3
    return {"pursues": pursues, "far": t.d() if pursues else 0}


@tells("breakthrough")
def _(t, first, second):
    through = t.d() + first > t.d()
    return {"first_line": through, "both_lines": through and t.d() + second > t.d()}


# Modifiers


@tells("modifiers")
def _(t, dice, conditions):
    assert conditions == ["moved", "cover"]
    return {"hits": t.hits(dice, 6)}


@tells("worst_only")
def _(t, cover):
    return {"hit": t.test(3 + ["open", "hedge", "wall"].index(cover))}


@tells("capped", "option_adds")
def _(t, conditions):
    assert len(conditions) >= 2
    return {"won": t.d() + 2 >= 4}


@tells("target_modified")
def _(t, conditions):
    assert conditions == ["hard", "long"]
    return {"hit": t.d() == 6}


@tells("never")
def _(t, conditions):
    assert conditions == ["general", "losses"]
    return {"rallied": t.test(4)}


@tells("for_each")
def _(t, conditions):
    return {"holds": t.dice(2) - conditions.count("lost") + conditions.count("friends") >= 6}


@tells("length_modifiers")
def _(t, troops, ground):
    assert ground == ["road", "stream"]
    return {"far": {"foot": 12, "horse": 20}[troops] + 4 - 2}


@tells("excluding")
def _(t, conditions):
    assert conditions == ["downhill", "charging"]
    return {"won": t.test(3)}


@tells("only_some")
def _(t, conditions):
    assert conditions == ["charge", "shaken"]
    return {"won": t.test(3)}


@tells("column_shift")
def _(t, column, conditions):
    assert (column, conditions) == (3, ["cover", "smoke"])
    return {"lost": int(t.d() >= 5)}


@tells("times")
def _(t, figures, cover, close):
    dice = figures * (2 if close else 1)
    return {"hits": t.hits(ceil(dice / 2) if cover else dice, 5)}


@tells("more_dice")
def _(t, conditions):
    assert conditions == ["line", "moved"]
    return {"hits": t.hits(2, 4)}


# Saves, hits and losses


@tells("saves")
def _(t, dice, target):
    hits = t.hits(dice, 4)
    return {"lost": hits - t.hits(hits, {"open": 6, "cover": 5, "works": 4}[target])}


@tells("three_throws")
def _(t, shots, strength, toughness):
    assert (strength, toughness) == (4, 3)
    wounds = t.hits(t.hits(shots, 4), 3)
    return {"losses": wounds - t.hits(wounds, 5)}


@tells("save_modified")
def _(t, weapon):
    hit, save = {"musket": (5, 4), "rifle": (4, 5), "cannon": (4, 7)}[weapon]
    return {"killed": t.test(hit) and not t.test(save)}


@tells("leftover_hits")
def _(t, hits):
    stands, rest = divmod(hits, 3)
    return {"stands": stands + (t.d() <= 2 * rest)}


@tells("officers")
def _(t, lost):
    struck = t.hits(lost, 6)
    return {"fate": "unhurt" if not struck else "killed" if t.d() % 2 else "wounded"}


@tells("hit_location")
def _(t, aim):
    low = ["hull", "hull", "hull", "guns", "guns", "rudder"]
    high = ["mast", "mast", "mast", "mast", "hull", "mast"]
    return {"place": (low if aim == "low" else high)[t.d() - 1]}


@tells("half_strength")
def _(t, lost):
    return {"tests": lost >= 4, "broken": lost >= 6}


@tells("fire")
def _(t, hull):
    turns = lost = 0
    while turns < 6:
        turns += 1
        die = t.pick({"burns": Fraction(3, 6), "smoulders": Fraction(2, 6), "out": Fraction(1, 6)})
        lost += die == "burns"
        if die == "out" or lost == hull:
            return {"turns": turns}
    return {"turns": "more"}


@tells("fire")
def _(t, hull):
    """Only throws on which it burns or goes out decide how much is lost."""
    lost = 0
    while lost < hull and t.pick({True: Fraction(3, 4), False: Fraction(1, 4)}):
        lost += 1
    return {"lost": lost}


@tells("stragglers")
def _(t, lost, field):
    return {"back": t.hits(lost, {"held": 3, "left": 5}[field])}


# Shooting, ranges and terrain


@tells("range_bands")
def _(t, range, weapon):
    bands = ["0-8in", "8-16in", "16-24in"]
    return {"hit": t.test(4 + bands.index(range) - (weapon == "rifle"))}


@tells("weapon_ranges")
def _(t, weapon, distance):
    assert distance == "8in"
    return {"hit": t.d() - (weapon == "musket") >= 4}


@tells("each_six_inches")
def _(t, distance):
    return {"hit": t.d() - int(distance.removesuffix("in")) // 6 >= 3}


@tells("terrain")
def _(t, ground):
    return {"hit": t.d() - ["open", "wood", "wall"].index(ground) >= 3}


@tells("rough_going")
def _(t, light):
    return {"moved": t.dice(2, of=sum if light else max)}


@tells("ford")
def _(t):
    return {"depth": ["shallow", "shallow", "shallow", "deep", "deep", "closed"][t.d() - 1]}


@tells("flank")
def _(t, figures, side):
    return {"hits": t.hits(figures * (2 if side == "flank" else 1), 5)}


@tells("ammunition")
def _(t, dice, low):
    assert not low
    faces = t.dice(dice, of=lambda faces: (sum(face >= 5 for face in faces), faces.count(1)))
    return {"hits": faces[0], "low": faces[1] > faces[0]}


@tells("smoke")
def _(t, figures, conditions):
    assert conditions == ["smoke"]
    return {"hits": t.hits(figures, 6)}


@tells("visibility")
def _(t, distance):
    return {"seen": t.dice(3) >= int(distance.removesuffix("in"))}


@tells("scatter")
def _(t, beyond):
    assert not beyond
    where = ["hit", "hit", "over", "short", "left", "right"][t.d() - 1]
    return {"where": where, "far": 0 if where == "hit" else t.d()}


@tells("canister")
def _(t, near, far):
    return {"killed": t.hits(near, 4) + t.hits(far, 5)}


@tells("bounce_stick")
def _(t, first, second):
    return {"killed": t.hits(first, 4) + t.hits(second, 5)}


@tells("burst")
def _(t, inside, outside):
    return {"lost": t.hits(inside, 3) + t.hits(outside, 5)}


@tells("burst_sectors")
def _(t, middle, sector):
    where = t.d()
    return {"killed": t.hits(middle if where == 6 else sector if where > 1 else 0, 4)}


@tells("closing_fire")
def _(t, figures, answer):
    assert figures == 6
    hits = t.hits(6, 4) if answer == "hold" else t.hits(6 + 3, 5)
    return {"hits": hits, "end": "stopped" if hits > 2 else "home"}


@tells("stall_or_brace")
def _(t, answer):
    if answer == "stall" and not t.test(3):
        return {"end": "short"}
    return {"end": "home" if t.d() > t.d() + (answer == "brace") else "repulsed"}


@tells("counter_charge")
def _(t, answer):
    more = 0 if answer == "stand" else 2 if t.test(3) else -1
    return {"fate": "driven" if t.d() > t.d() + more else "holds"}


# Morale, leaders and fatigue


@tells("morale_test")
def _(t, quality, conditions):
    assert conditions == ["lost", "lost"]
    return {"stands": t.dice(2) - 2 >= {"green": 8, "steady": 7, "guard": 5}[quality]}


@tells("failed_by")
def _(t, lost):
    total = t.dice(2) - lost
    return {"fate": "stands" if total >= 7 else "back" if total >= 5 else "routs"}


@tells("states")
def _(t, state):
    ladder = ["steady", "shaken", "routed"]
    at = ladder.index(state)
    for _ in range(3):
        at = max(0, at - 1) if t.test(4) else min(2, at + 1)
    return {"after": ladder[at]}


@tells("rally_each_turn")
def _(t):
    return {"end": "rallied" if t.test(4) or t.test(5) or t.test(6) else "dispersed"}


@tells("chain")
def _(t, near):
    return {"fled": 0 if t.test(3) else 1 + t.hits(near, 5)}


@tells("leader_risk")
def _(t, general):
    rallied = t.test(4) or (general and t.test(4))
    return {"rallied": rallied, "falls": general and t.dice(2) >= 11}


@tells("command_radius")
def _(t, leader, distance):
    bonus, radius = {"colonel": (1, 6), "general": (2, 12)}[leader]
    return {"obeys": t.d() + (bonus if int(distance.removesuffix("in")) <= radius else 0) >= 4}


@tells("fatigue")
def _(t, state):
    at = ["fresh", "tired", "blown"].index(state)
    return {"far": [18, 12, 9][at], "won": t.d() + 1 - at >= 4}


@tells("army_breaks")
def _(t, units, lost):
    return {"breaks": 2 * lost >= units and not t.test(4)}


@tells("weather")
def _(t, sky, hours):
    assert sky == "fair"
    skies = {"fair": Fraction(1), "rain": Fraction(0), "fog": Fraction(0)}
    for _ in range(hours):
        skies = {
            "fair": skies["fair"] * 2 / 3 + skies["rain"] / 3 + skies["fog"] / 3,
            "rain": skies["fair"] / 3 + skies["rain"] / 3,
            "fog": skies["rain"] / 3 + skies["fog"] * 2 / 3,
        }
    return {"weather": t.pick(skies)}


# Command, activation and the turn


@tells("initiative")
def _(t, better):
    return {"first": compared(t.d(), t.d(), "blue", better, "red")}


@tells("orders")
def _(t, generals):
    return {"orders": max(1, t.hits(generals, 4))}


@tells("command_points")
def _(t, general):
    points = t.dice(2, of=max) if general else t.d()
    return {"points": points, "charges": points // 2}


@tells("until_failed")
def _(t, command):
    given = 0
    while t.pick({True: (c := two_dice(command - given)), False: 1 - c}):
        given += 1
    return {"given": given}


@tells("activation")
def _(t, units, skill):
    acted = 0
    while acted < units and t.test({"raw": 5, "drilled": 4, "elite": 3}[skill]):
        acted += 1
    return {"acted": acted}


@tells("end_card")
def _(t, cards):
    """The card of the end is as likely to be at any place of the deck."""
    return {"drawn": t.d(cards) - 1}


@tells("random_event")
def _(t):
    event = ["messenger", "mist", "ammunition"][(t.d() - 1) // 2] if t.d() == 6 else "nothing"
    return {"event": event}


@tells("game_length")
def _(t):
    return {"extra": next((turn for turn in range(1, 6) if t.test(5)), "more")}


@tells("sequence")
def _(t, figures):
    return {"hits": t.hits(figures, 5)}


@tells("blinds")
def _(t, distance, place):
    at = ["0-6in", "6-12in", "12-24in"].index(distance)
    return {"seen": t.test([4, 6, 7][at] if place == "wood" else [2, 3, 5][at])}


@tells("solo")
def _(t, strength):
    at = (t.d() - 1) // 2
    told = {"weaker": "withdraws holds holds", "equal": "holds holds attacks"}
    return {"does": told.get(strength, "holds attacks attacks").split()[at]}


# Units, points and scenarios


@tells("points")
def _(t, unit, grade):
    points = {"line": 60, "cavalry": 80, "battery": 90}[unit]
    return {"points": points + {"green": -15, "trained": 0, "veteran": 20}[grade]}


@tells("army_list")
def _(t, battalions, batteries):
    points = 60 * battalions + 90 * batteries
    return {"points": points, "fits": points <= 600}


@tells("formations_of_a_unit")
def _(t, formation):
    return {"holds": t.dice(2) + {"line": -1, "column": 0, "square": 3}[formation] >= 8}


@tells("victory_points")
def _(t, hill, broken_red, broken_blue):
    lead = broken_red - broken_blue + {"blue": 3, "nobody": 0, "red": -3}[hill]
    return {"verdict": compared(lead, 0, "blue", "draw", "red"), "lead": abs(lead)}


@tells("random_forces")
def _(t):
    units = t.d(3) + 1
    return {"strength": units, "veterans": t.hits(units, 5)}


@tells("reserve_by_procedure")
def _(t, night):
    return {"turn": 1 + t.d(3) + (t.d(3) if night else 0)}


@tells("boats")
def _(t, boats):
    for turn in range(1, 5):
        boats -= t.hits(boats, 3)
        if not boats:
            return {"turns": turn}
    return {"turns": "more"}


# Options, editions, spreadsheets


@tells("option")
def _(t, troops, figures, options=()):
    assert troops == "veterans"
    return {"hits": t.hits(figures, 3 if "crack_shots" in options else 4)}


@tells("option_replaces")
def _(t, options=()):
    return {"stands": t.dice(2) >= 7 if "two_dice" in options else t.d() >= 4}


@tells("variant")
def _(t, troops, ruleset):
    inches = {"foot": 6, "horse": 12}[troops]
    return {"far": Fraction(inches, 2) * Fraction(5, 2) if ruleset == "mygame-small" else inches}


@tells("spreadsheet")
def _(t, gun):
    return {"hits": t.hits(3 if gun == "twelve_pounder" else 2, 4)}


@tells("spreadsheet_modifiers")
def _(t, conditions):
    assert conditions == ["line", "cover"]
    return {"hits": t.hits(4 + 1, 5)}


@tells("computed_table")
def _(t, range, figures, cover):
    return {"hits": t.hits(figures // 2 if cover else figures, 4 if range == "near" else 5)}
