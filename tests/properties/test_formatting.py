"""Whatever is written, and however: `rulebook fmt` keeps what it says and every comment of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from grown_content import Case, changed_trees, grown_trees, procedures, revisions
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scanned_comments import comments

from rulebook.loading.formatting import format_ruleset
from rulebook.loading.rulesets import load
from rulebook.loading.yaml_reader import read_yaml
from rulebook.model.canonical import canonical
from rulebook.model.plain_data import plain_ruleset

Tree = str | list["Tree"] | dict[str, "Tree"]


def tree_of(node: yaml.Node) -> Tree:
    if isinstance(node, yaml.MappingNode):
        return {key.value: tree_of(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [tree_of(item) for item in node.value]
    return "~" if (node.value, node.style) == ("~", None) else f"={node.value}"


def _is_one_line(text: str) -> bool:
    """Whether a text may stand as a block of text of one line."""
    return bool(text) and text.isprintable() and text == text.strip()


class Hand:
    """Somebody who writes a tree in any way: indentation, braces, quotes, comments, blank lines."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.choose = draw(st.randoms(use_true_random=False))
        self.comments = 0

    def comment(self, often: float = 0.15) -> str:
        if self.choose.random() > often:
            return ""
        self.comments += 1
        return f"#{self.choose.choice(['', ' '])}{self.comments} # it's: {{so}}"

    def spaces(self) -> str:
        return " " * self.choose.choice([1, 1, 1, 2, 5])

    def scalar(self, text: str) -> str:
        """A text as it may stand anywhere; `=` before it says that it is no `~`."""
        if text == "~":
            return text
        text = text[1:]
        plainly = yaml.safe_dump(text, default_flow_style=True, width=10**6).splitlines()[0]
        quoted = json.dumps(text, ensure_ascii=False)
        single = "'" + text.replace("'", "''") + "'"
        simple = text.isprintable() and text == text.strip() and "\\" not in quoted
        return self.choose.choice([quoted, single, plainly]) if simple and text else quoted

    def flow(self, tree: Tree) -> str:
        if isinstance(tree, str):
            return self.scalar(tree)
        pad = self.choose.choice(["", "", " "])
        comma = self.choose.choice([",", ", ", " ,  "])
        end = self.choose.choice(["", "", ","]) if tree else ""
        if isinstance(tree, list):
            return f"[{pad}{comma.join(map(self.flow, tree))}{end}{pad}]"
        inner = [f"{self.scalar('=' + key)}: {self.flow(one)}" for key, one in tree.items()]
        return f"{{{pad}{comma.join(inner)}{end}{pad}}}"

    def value(self, tree: Tree, indent: int) -> list[str]:
        """What stands behind a colon or dash at a column: the rest of its line, and more lines."""
        behind = self.comment(0.1)
        if tree and not isinstance(tree, str) and self.choose.random() < 0.6:
            return [f" {behind}".rstrip(), *self.block(tree, indent + self.choose.randint(1, 4))]
        if isinstance(tree, str) and self.choose.random() < 0.1 and _is_one_line(tree[1:]):
            sign = self.choose.choice(["|-", ">-", "|2-"])
            more = " " * (indent + (2 if sign == "|2-" else self.choose.randint(1, 4)))
            return [f"{self.spaces()}{sign}", more + tree[1:]]
        return [f"{self.spaces()}{self.flow(tree)}{'  ' if behind else ''}{behind}"]

    def between(self, indent: int) -> Iterator[str]:
        """Lines of their own before an entry."""
        if self.choose.random() < 0.1:
            yield from [""] * self.choose.randint(1, 3)
        if one := self.comment():
            yield " " * self.choose.choice([indent, indent, indent + 1, 0]) + one

    def block(self, tree: Tree, indent: int) -> list[str]:
        lines: list[str] = []
        column = " " * indent
        if isinstance(tree, dict):
            for key, one in tree.items():
                first, *more = self.value(one, indent)
                lines += [*self.between(indent), f"{column}{self.scalar('=' + key)}:{first}", *more]
        elif isinstance(tree, list):
            for one in tree:
                lines += self.between(indent)
                if isinstance(one, dict) and one and self.choose.random() < 0.5:
                    gap = self.spaces()
                    first, *more = self.block(one, indent + 1 + len(gap))
                    while not first.strip() or first.lstrip().startswith("#"):
                        lines.append(first)
                        first, *more = more
                    lines += [f"{column}-{gap}{first.lstrip()}", *more]
                else:
                    first, *more = self.value(one, indent)
                    lines += [f"{column}-{first}", *more]
        return lines


@st.composite
def written_by_hand(draw: st.DrawFn) -> Case:
    """Grown content, with all YAML files that can be read written anew as somebody might."""
    case = draw(st.one_of(changed_trees(), grown_trees(), procedures(), revisions()))
    hand = Hand(draw)
    files = []
    for name, data in case.files:
        text = data.decode()
        if name.endswith(".yaml") and not read_yaml(text, "")[1]:
            tree = tree_of(yaml.compose(text, Loader=yaml.CSafeLoader))
            if isinstance(tree, dict) and tree:
                anew = "\n".join(hand.block(tree, 0)) + "\n"
                text = anew if not read_yaml(anew, "")[1] else text
        files.append((name, text.encode()))
    return Case("by hand", tuple(files))


@settings(
    max_examples=25,
    phases=[Phase.generate],  # to shrink a ruleset takes many minutes
    suppress_health_check=list(HealthCheck),
)
@given(written_by_hand())
def test_the_form_changes_and_nothing_else(case: Case) -> None:
    with TemporaryDirectory() as name:
        case.put(Path(name))
        folder = Path(name) / "game"
        before = load(folder)
        found, told = format_ruleset(folder)
        assert {one.code for one in told} <= {one.code for one in before.report}
        for one in found:
            assert comments(one.after) == comments(one.before)
            one.file.write_bytes(one.after.encode())
        again, _ = format_ruleset(folder)
        assert [one.file.name for one in again if one.before != one.after] == []
        after = load(folder)
        codes = [sorted(one.code for one in loaded.report) for loaded in (before, after)]
        assert codes[0] == codes[1]
        if before.ruleset and after.ruleset:
            said = [canonical(plain_ruleset(one.ruleset)) for one in (before, after) if one.ruleset]
            assert said[0] == said[1]
