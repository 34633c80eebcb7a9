"""Scenarios to draw: one with ground of every kind, in the shape of a famous field."""

from __future__ import annotations

from typing import Any

from beside import written

from rulebook.maps.quads import Plate, Quad
from rulebook.model.scenarios import Scenario


def quads_meet(one: Quad, other: Quad) -> bool:
    return Plate.of(one).meets(Plate.of(other))


def inches(*pairs: tuple[float, float]) -> list[list[str]]:
    return [[f"{x:g}in", f"{y:g}in"] for x, y in pairs]


FEATURES: dict[str, Any] = {
    "seminary_ridge": {
        "draw": "hill",
        "is": "ground.hill",
        "title": "Seminary Ridge",
        "area": inches(
            (17, 8), (24, 14), (26, 28), (27, 42), (24, 54), (19, 52), (18, 38), (16, 24)
        ),
    },
    "mcpherson_ridge": {
        "draw": "hill",
        "is": "ground.hill",
        "title": "McPherson’s Ridge",
        "area": inches((6, 30), (11, 32), (13, 46), (11, 60), (7, 62), (4, 50)),
    },
    "oak_hill": written(
        "{draw: hill, is: ground.hill, title: Oak Hill, oval: {centre: [22in, 63in], "
        "width: 13in, depth: 10in, turn: 20}, contours: 2}"
    ),
    "cemetery_hill": {
        "draw": "hill",
        "is": "ground.hill",
        "title": "Cemetery Hill",
        "area": inches((46, 6), (56, 4), (62, 10), (60, 17), (52, 19), (45, 14)),
        "contours": "2",
    },
    "culps_hill": written(
        "{draw: hill, is: ground.hill, title: Culp’s Hill, oval: {centre: [76in, 12in], "
        "width: 16in, depth: 13in}, contours: 3}"
    ),
    "barlows_knoll": written(
        "{draw: hill, is: ground.hill, title: Barlow’s Knoll, oval: {centre: [66in, 56in], "
        "width: 8in, depth: 6in}}"
    ),
    "mcpherson_woods": {
        "draw": "woods",
        "is": "ground.woods",
        "title": "McPherson’s Woods",
        "area": inches((5, 30), (14, 28), (15, 35), (10, 38), (5, 36)),
    },
    "culps_woods": {
        "draw": "woods",
        "is": "ground.woods",
        "area": inches((72, 8), (82, 6), (86, 14), (82, 20), (74, 19)),
    },
    "orchard": {
        "draw": "orchard",
        "title": "Orchard",
        "box": {"centre": ["33in", "15in"], "width": "9in", "depth": "7in", "turn": "10"},
    },
    "wheat": {
        "draw": "field",
        "is": "ground.field",
        "area": inches((30, 48), (40, 50), (39, 60), (29, 58)),
    },
    "corn": {
        "draw": "field",
        "is": "ground.field",
        "area": inches((70, 28), (84, 26), (85, 36), (71, 38)),
    },
    "rocks": {
        "draw": "rough",
        "title": "Boulders",
        "area": inches((86, 2), (94, 3), (93, 9), (87, 10)),
    },
    "mire": {
        "draw": "swamp",
        "title": "The Mire",
        "area": inches((74, 44), (84, 42), (88, 50), (80, 54), (74, 50)),
    },
    "pond": {
        "draw": "lake",
        "title": "Mill Pond",
        "area": inches((88, 54), (94, 55), (93, 62), (87, 62)),
    },
    "willoughby_run": {
        "draw": "stream",
        "title": "Willoughby Run",
        "line": inches((2, 72), (3, 60), (1.6, 48), (3, 36), (2, 20), (4, 0)),
    },
    "rock_creek": {
        "draw": "river",
        "is": "ground.river",
        "title": "Rock Creek",
        "line": inches(
            (60, 72), (68, 64), (74, 54), (71, 44), (68, 34), (70, 24), (66, 12), (70, 0)
        ),
        "width": "2in",
        "fords": inches((72.5, 46)),
        "bridges": inches((69, 30), (71, 59.7)),
    },
    "chambersburg_pike": {
        "draw": "road",
        "is": "ground.road",
        "title": "Chambersburg Pike",
        "line": inches((0, 50), (14, 45), (30, 38), (44, 32)),
    },
    "carlisle_road": {
        "draw": "road",
        "is": "ground.road",
        "title": "Carlisle Road",
        "line": inches((46, 72), (48, 58), (47, 44), (48, 32)),
    },
    "harrisburg_road": {
        "draw": "road",
        "is": "ground.road",
        "title": "Harrisburg Road",
        "line": inches((84, 72), (70, 58.4), (58, 42), (50, 34)),
    },
    "baltimore_pike": {
        "draw": "road",
        "is": "ground.road",
        "title": "Baltimore Pike",
        "line": inches((48, 28), (55, 14), (66, 4), (72, 0)),
    },
    "york_road": {
        "draw": "road",
        "title": "York Road",
        "line": inches((50, 30), (66, 30), (80, 31), (96, 29)),
    },
    "lane": {
        "draw": "track",
        "title": "Mummasburg Lane",
        "line": inches((47, 44), (36, 54), (28, 62), (16, 72)),
    },
    "cut": {
        "draw": "railway",
        "title": "Unfinished Railway",
        "line": inches((0, 55), (18, 48), (34, 42), (46, 36)),
    },
    "fence": {"draw": "fence", "line": inches((29, 58), (30, 48), (40, 50))},
    "wall": {
        "draw": "wall",
        "title": "Stone wall",
        "line": inches((44, 20), (50, 21.5), (57, 19.5), (62, 17)),
    },
    "hedge": {"draw": "hedge", "line": inches((71, 39), (85, 37))},
    "gettysburg": {
        "draw": "town",
        "is": "ground.town",
        "title": "Gettysburg",
        "area": inches((42, 26), (54, 25), (55, 36), (43, 38)),
        "sections": "6",
    },
    "seminary": {
        "draw": "building",
        "title": "Seminary",
        "box": {"centre": ["22in", "36in"], "width": "3in", "depth": "1.6in", "turn": "80"},
    },
    "almshouse": {"draw": "point", "title": "Almshouse", "at": ["57in", "47in"]},
    "plain": {"draw": "label", "title": "Open fields", "at": ["36in", "24in"]},
}

GETTYSBURG: dict[str, Any] = {
    "title": "Gettysburg, the First Day",
    "date": "1 July 1863",
    "turn": "move",
    "length": "30",
    "table": {"width": "8ft", "depth": "6ft", "north": "10"},
    "map": {"features": FEATURES},
    "places": {
        "seminary_edge": {"title": "Chambersburg Pike", "entry": ["0in", "50in"]},
        "carlisle": {"title": "Carlisle Road", "entry": ["46in", "72in"]},
        "harrisburg": {"title": "Harrisburg Road", "entry": ["84in", "72in"]},
        "baltimore": {"title": "Baltimore Road", "entry": ["72in", "0in"]},
        "buford": {
            "title": "Buford’s cavalry",
            "zone": inches((6, 26), (30, 24), (32, 60), (8, 62)),
        },
        "reserve": {
            "title": "Confederate reserve",
            "zone": inches((34, 62), (60, 62), (60, 72), (34, 72)),
        },
    },
    "sides": written(
        "{union: {title: Union, colour: blue, forces: {buford: {title: Cavalry brigade, "
        "of: {cavalry: 2}, at: buford}, one: {title: Division, of: {infantry: 4}, "
        "at: baltimore, turn: 6}, two: {title: Brigade, of: {infantry: 2}, at: baltimore, "
        "turn: 12}}}, confederate: {title: Confederate, colour: red, "
        "forces: {a: {title: Brigade, of: {infantry: 2}, at: seminary_edge, turn: 1}, "
        "b: {title: Brigade, of: {infantry: 2}, at: seminary_edge, turn: 8}, "
        "c: {title: Division, of: {infantry: 4}, at: carlisle, turn: 15}, d: {title: Brigade, "
        "of: {infantry: 2}, at: harrisburg, turn: 19}, e: {title: Reserve, of: {infantry: 2}, "
        "at: reserve}}}}"
    ),
    "objectives": {
        "town": {"title": "The town", "at": "gettysburg"},
        "hill": {"title": "Cemetery Hill", "at": "cemetery_hill"},
        "culp": {"title": "Culp’s Hill", "at": "culps_hill"},
    },
    "victory": "Hold more of them than the other.",
}


def gettysburg() -> Scenario:
    return Scenario.model_validate(GETTYSBURG)


def scenario(features: dict[str, Any], **more: Any) -> Scenario:
    """A scenario of two sides on a table of 8 by 6 feet."""
    return Scenario.model_validate(
        {
            **GETTYSBURG,
            "places": {},
            "objectives": {},
            "sides": {
                name: {
                    "title": name.title(),
                    "colour": colour,
                    "forces": {"all": {"title": "All", "of": {"infantry": "1"}, "at": "anywhere"}},
                }
                for name, colour in (("north", "blue"), ("south", "grey"))
            },
            **more,
            "map": {"features": features},
        }
    )
