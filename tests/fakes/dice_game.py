"""A small ruleset with a procedure of each kind, its odds easily reckoned by hand."""

from __future__ import annotations

from pathlib import Path

GAME = {
    "ruleset.yaml": 'title: Dice\nedition: "1.0"\ndate: 2020-01-02\nchapters: [one.md]\n'
    "documents: {qrs: ~}\n",
    "one.md": "# One {#one}\n\nSome words.\n\n{table: deductions}\n\n{table: edges}\n",
    "rolls.yaml": """
tables:
  deductions:
    title: Deductions
    rows: {range: [0-8in, 8-16in]}
    columns: {cover: [open, cover]}
    cells: count
    data: [[2, 3], [4, 5]]
modifiers:
  edges:
    title: Edges
    changes: {throw: score}
    rows:
      hill: {when: up the hill, throw: +1}
      house_held: {when: in a house, throw: +2}
procedures:
  fire:
    title: Fire
    inputs:
      firers: {count: 1-60, default: 12, label: Figures firing}
      range: {one_of: deductions.range}
      cover: {one_of: deductions.cover}
    requires:
      - {that: "firers >= 6", say: "Fewer than six figures (six, not more) throw no die."}
    steps:
      - say: Find the deduction for *range* and cover.
        set: {deduction: "deductions[range, cover]"}
      - say: Throw a die for every six figures.
        roll: {die: d6}
        times: firers // 6
        sum: {losses: "max(0, die - deduction)"}
    result: {losses: losses}
  nerve:
    title: Nerve
    inputs: {bold: {count: 0-4, default: 1, label: Boldness}}
    steps: [{say: Throw., test: good, dice: d6, plus: bold, target: "'5+'"}]
    result: {good: good}
  duel:
    title: A duel
    inputs:
      edge: {any_of: edges}
      first_move: {flag: false}
    steps:
      - say: Each throws a die.
        roll: {own: d6, other: d6}
      - set: {total: "own + sum(edge.throw) + (1 if first_move else 0)"}
    result: {winner: "'own' if total > other else 'other' if total < other else 'nobody'"}
  siege:
    title: A siege
    inputs: {walls: {count: [3, 6]}}
    steps:
      - set: {damage: "0"}
      - say: Throw until the wall is down.
        repeat:
          - say: Each throw of five or more is a breach.
            roll: {die: d6}
          - set: {damage: "damage + (1 if die >= 5 else 0)"}
        until: damage >= walls
        count: throws
        listed: 5
    result: {throws: throws}
  march:
    title: A march
    steps: [{set: {distance: "7"}}]
    result: {distance: distance}
""",
    "options/brave.yaml": """
title: Brave men
changes: {procedures: {nerve: {inputs: {bold: {default: "3"}}}}}
""",
}


def write_game(content: Path) -> Path:
    """The ruleset `dice` in a folder of content."""
    folder = content / "dice"
    for name, text in GAME.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
