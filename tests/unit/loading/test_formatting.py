"""YAML files in the usual form: what changes, what does not, and that nothing is lost."""

from __future__ import annotations

import shutil
from pathlib import Path
from textwrap import dedent

import pytest
from frozen import loaded
from scanned_comments import comments
from shipped_rulesets import SHIPPED

from rulebook.loading.formatting import Unformattable, format_ruleset, formatted
from rulebook.model import schemas
from rulebook.model.canonical import canonical
from rulebook.model.plain_data import plain_ruleset
from rulebook.packaged import content_folder

TOPIC = schemas.topic_schema()


def form(text: str) -> str:
    """What a topic file becomes, which then is left as it is."""
    made = formatted(text, TOPIC)
    assert formatted(made, TOPIC) == made
    return made


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 'one'", "a: one"),
        ('a: "one"', "a: one"),
        ("a: 'it''s: so'", """a: "it's: so\""""),
        ("a: '12\" # stick'", "a: '12\" # stick'"),
        ('a: "12\\" # stick"', 'a: "12\\" # stick"'),
        ('a: "~"', 'a: "~"'),
        ("a: ''", 'a: ""'),
        ('a: "1.0"', 'a: "1.0"'),
        ("a: 'yes'", 'a: "yes"'),
        ("a: '2010-07-16'", 'a: "2010-07-16"'),
        ("a: 'one, two'", "a: one, two"),
        ("a: ['one, two']", 'a: ["one, two"]'),
        ("a: '{b.c}'", 'a: "{b.c}"'),
        ("a: 'b {c.d}'", "a: b {c.d}"),
        ("a: {b: 'c {d}'}", 'a: {b: "c {d}"}'),
        ('a: "two\\nlines"', 'a: "two\\nlines"'),
        ("'a b': 1", "a b: 1"),
        ("{'a': 1}", "{a: 1}"),
        ('{"a":1}', "{a: 1}"),
    ],
)
def test_quotes_stand_where_they_are_needed(before: str, after: str) -> None:
    assert form(before + "\n") == after + "\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a:    1", "a: 1"),
        ("a : 1", "a: 1"),
        ("a: { b : 1,c: 2 , }", "a: {b: 1, c: 2}"),
        ("a: [ 1,2 ,  3 ]", "a: [1, 2, 3]"),
        ("a: [ ]", "a: []"),
        ("a: [1,   # first\n  2]", "a: [1,  # first\n  2]"),
        ("a: [\n  1, 2,\n]", "a: [\n  1, 2,\n]"),
        ("a:   # of b\n  b: 1", "a:  # of b\n  b: 1"),
        ("a: 1   ", "a: 1"),
        ("a: 1\n\n\n\nb: 2\n\n", "a: 1\n\nb: 2"),
        ("\n\na: 1", "a: 1"),
        ("a: 1 # one\nlonger: 2     # two", "a: 1       # one\nlonger: 2  # two"),
        ("a: 1 # one\n\nlonger: 2     # two", "a: 1  # one\n\nlonger: 2  # two"),
        (f"a: 1 # {'x' * 90}\nlonger: 2 # y", f"a: 1  # {'x' * 90}\nlonger: 2  # y"),
        ("a: it's # one", "a: it's  # one"),
        ("a: b#c", "a: b#c"),
        ("a: 'b #c' # d", 'a: "b #c"  # d'),
        ("- a\n-   b: 1\n    c: 2", "- a\n- b: 1\n  c: 2"),
    ],
)
def test_spaces_and_comments(before: str, after: str) -> None:
    assert form(before + "\n") == after + "\n"


def test_indentation_and_what_moves_with_it() -> None:
    before = """\
        # of the file
        a:
            # of b
            b:
            -   c: 1
                # of d
                d: >-
                        folded
                          deeper

                        on
            -   - x
                - |2
                  two in
            # at the end of a
            e: [1,
              # inside
                2]
          # after a
        f:
           "one
            line"
        """
    after = """\
        # of the file
        a:
          # of b
          b:
            - c: 1
              # of d
              d: >-
                folded
                  deeper

                on
            - - x
              - |2
                two in
          # at the end of a
          e: [1,
            # inside
              2]
        # after a
        f:
          "one
           line"
        """
    assert form(dedent(before)) == dedent(after)


def test_keys_of_the_model_stand_in_its_order_and_names_of_the_author_in_his() -> None:
    before = """\
        # yaml-language-server: $schema=../.schema/topic.schema.json
        # About the file.
        procedures: {}
        tables:
          # Of the table.
          fire:
            cells: count          # numbers

            data: [[2], [3]]
            # how far
            rows: {range: [8-16in, 0-8in]}
            title: Fire
            # what comes of it
            # in cover
            columns: {cover: [open]}
            # at the end
          z: {data: {y: {title: Y, b: 1}, x: {b: 2}}, title: Z, fields: {b: count}}
          y: {title: Y, rows: {b: {b: B, a: A}}, cells: count, data: [[1], [2]],
            columns: {c: [d]}}
          x: {rows: {b: [a]}, # here
            title: X}
        """
    after = """\
        # yaml-language-server: $schema=../.schema/topic.schema.json
        # About the file.
        procedures: {}
        tables:
          # Of the table.
          fire:
            title: Fire

            # how far
            rows: {range: [8-16in, 0-8in]}
            # what comes of it
            # in cover
            columns: {cover: [open]}
            cells: count  # numbers
            data: [[2], [3]]
            # at the end
          z: {title: Z, fields: {b: count}, data: {y: {title: Y, b: 1}, x: {b: 2}}}
          y: {title: Y, rows: {b: {b: B, a: A}}, columns: {c: [d]}, cells: count,
            data: [[1], [2]]}
          x: {rows: {b: [a]},  # here
            title: X}
        """
    assert form(dedent(before)) == dedent(after)


def test_steps_in_a_list_keep_their_dashes() -> None:
    before = """\
        procedures:
          volley:
            title: Volley
            steps:
              - sum: {hits: die > 3}
                # as many
                times: firers
                roll: {die: d6}
              - set: {b: 1, a: 2}
                # a comment would stand behind the dash
                say: Now.
        """
    made = form(dedent(before)).splitlines()
    assert [line.strip() for line in made[4:8]] == [
        "- roll: {die: d6}",
        "# as many",
        "times: firers",
        "sum: {hits: die > 3}",
    ]
    assert made[8:] == dedent(before).splitlines()[8:]


def test_line_ends_and_blank_lines_that_count_are_kept() -> None:
    assert form("a: 'b'\r\nc: |\r\n   d\r\n") == "a: b\r\nc: |\r\n  d\r\n"
    kept = "a: |+\n  b  \n\n\nc: d\n"
    assert form(kept) == kept
    assert form("a: |+\n    b\n\n\n") == "a: |+\n  b\n\n\n"


def test_what_cannot_be_moved_is_refused() -> None:
    with pytest.raises(Unformattable):
        formatted("? a\n:    b: 1\n     c: 2\n", TOPIC)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_rulesets_say_the_same(name: str, tmp_path: Path) -> None:
    for other in SHIPPED:  # a variant reads its base
        shutil.copytree(content_folder() / other, tmp_path / other)
    found, problems = format_ruleset(tmp_path / name)
    assert not problems
    assert len(found) == len([*(tmp_path / name).rglob("*.yaml")])
    for one in found:
        assert comments(one.after) == comments(one.before)
        one.file.write_text(one.after, "utf-8", newline="")
    again, _ = format_ruleset(tmp_path / name)
    assert [one.file.name for one in again if one.after != one.before] == []
    before = canonical(plain_ruleset(loaded(content_folder() / name)))
    assert canonical(plain_ruleset(loaded(tmp_path / name))) == before


def test_faulty_files_are_told_and_others_formatted(game: Path) -> None:
    (game / "bad.yaml").write_text("a: [1\n", "utf-8")
    (game / "odd.yaml").write_text("? a\n:    b: 1\n     c: 2\n", "utf-8")
    (game / "latin.yaml").write_bytes(b"a: \xe9\n")
    (game / "hidden.yaml").write_text("a: \u200bb\n", "utf-8")
    (game / "link.yaml").symlink_to(game / "ruleset.yaml")
    found, problems = format_ruleset(game)
    told = {(Path(one.span.path).name, one.code) for one in problems if one.span}
    assert told == {
        ("bad.yaml", "R106"),
        ("odd.yaml", "R702"),
        ("latin.yaml", "R103"),
        ("hidden.yaml", "R104"),
    }
    names = {one.file.name for one in found}
    assert "ruleset.yaml" in names
    assert not names & {name for name, _ in told}
    assert "link.yaml" not in names


def test_a_lot_of_text_takes_no_longer_than_reading_it() -> None:
    """Work grows with the file and not with its square, which here would take minutes."""
    lines = "".join(f"# {number}\n  # in\n-   {{'a':  1}}\n" for number in range(5_000))
    made = formatted(lines, {})
    assert made.count("- {a: 1}\n") == 5_000
    assert comments(made) == comments(lines)
