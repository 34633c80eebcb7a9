"""Markdown with `{bindings}` -> Markdown in which the values stand.

Values are escaped, so that nothing in the data can turn into markup.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rulebook.documents.parts.views import StepsView
from rulebook.loading.bindings import bindings_of, heading_id
from rulebook.markdown_reader import RULE
from rulebook.model.lookup import computed_in, find, find_entity, name_in, printed
from rulebook.model.procedures import all_steps
from rulebook.model.prose import Binding, rule_numbers
from rulebook.model.ruleset import Ruleset
from rulebook.model.scalars import Prose
from rulebook.problems import Span
from rulebook.quantities import parse_length

#: What Markdown takes for itself and a backslash keeps from it; the rest are entities.
#: A link to a heading, in the text or below it; ids are kept with underscores.
_HEADING_LINK = re.compile(
    r"(\]\(\s*+<?#|^(?:[^\S\n]|[>*+-]|\d++[.)])*+\[[^\[\]]++\]:\s*+<?#)([\w-]++)", re.MULTILINE
)
#: The same in the text, with its words.
_LINK_TO_HEADING = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*+)\]\(\s*+<?#([\w-]++)([^()]*\))")
#: Between a number and its unit, where a line is not to end.
_BEFORE_UNIT = re.compile(r"(?<=[0-9¼-¾⅐-⅞]) (?=(?:mm|cm|m|yd|bases?)\b)")
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|>])")


def escape_markdown(text: str) -> str:
    """Escapes a text so that Markdown prints it literally."""
    return _MARKUP.sub(r"\\\1", text).replace("&", "&amp;").replace("<", "&lt;")


def unbroken(text: str) -> str:
    """Makes the space between each number and a unit of length after it a no-break space."""
    return _BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", text)


_LINKED = re.compile(r"(?<!\\)\[([^\[\]]*+)\]\([^()]*+(?:\([^()]*+\)[^()]*+)*+\)")
#: A character that is kept from Markdown, or marks around words.
_MARKS = re.compile(r"\\.|\*++|`++|_++")


def plain_text(markdown: str) -> str:
    """Removes the markup from a line of Markdown: links, emphasis, code marks and escapes."""
    text = _without_marks(_LINKED.sub(r"\1", markdown))
    return html.unescape(re.sub(r"\\(.)", r"\1", text))


def _without_marks(text: str) -> str:
    """Removes the marks around emphasised words and code, also if they are nested."""
    paired: list[tuple[int, int]] = []
    opened: dict[str, list[tuple[int, int]]] = {}
    for marks in _MARKS.finditer(text):
        start = marks.start()
        before, after = text[max(start - 1, 0) : start], text[marks.end() : marks.end() + 1]
        # Underlines inside a word are letters.
        beside = "_" in marks[0] and (before.isalnum(), after.isalnum())
        waiting = opened.get(marks[0])
        if waiting and before.strip() and not (beside and beside[1]):
            first = waiting.pop()
            for pending in opened.values():
                while pending and pending[-1] > first:
                    pending.pop()
            paired += [first, marks.span()]
        elif marks[0][0] != "\\" and after.strip() and not (beside and beside[0]):
            opened.setdefault(marks[0], []).append(marks.span())
    pieces: list[str] = []
    end = 0
    for begin, behind in sorted(paired):
        pieces.append(text[end:begin])
        end = behind
    return "".join([*pieces, text[end:]])


@dataclass(frozen=True)
class Binder:
    """Replaces the bindings of one ruleset by their values.

    `references` says how a cross-reference prints: `full` as number and title with a link, `number`
    as § 4.2 alone. `values` is the ruleset with other options whose values are shown, for an
    example that is played with these; computed values still come from `ruleset`.
    """

    ruleset: Ruleset
    references: Literal["full", "number"] = "full"
    values: Ruleset | None = None

    def numbers(self) -> Mapping[str, str]:
        return rule_numbers(self.ruleset.chapters)

    def prose(self, text: Prose | None, known: Mapping[str, str] | None = None) -> str:
        """Returns the Markdown of a text in which values replace the bindings; empty for None.

        `known` has the values, as text, of further paths, which take precedence over the ruleset's.
        """
        if text is None:
            return ""
        bindings, _ = bindings_of(text.markdown, Span(""))
        return self.text(text.markdown, bindings, known)

    def plain(self, text: Prose | None) -> str:
        """Returns a text as plain text, with values in place of its bindings; empty for None."""
        return plain_text(self.prose(text))

    def text(
        self, markdown: str, bindings: tuple[Binding, ...], known: Mapping[str, str] | None = None
    ) -> str:
        parts: list[str] = []
        end = 0
        for binding in bindings:
            value = (known or {}).get(binding.target)
            if binding.kind == "length":
                value = str(parse_length(binding.target))
            bound = self._value(binding) if value is None else escape_markdown(unbroken(value))
            parts += [markdown[end : binding.start], bound]
            end = binding.end
        whole = "".join([*parts, markdown[end:]])
        whole = _HEADING_LINK.sub(lambda link: link[1] + heading_id(link[2]), whole)
        return whole if self.references == "full" else self._elsewhere(whole)

    def _elsewhere(self, markdown: str) -> str:
        """Returns a text in which links lead to rules that stand in another document.

        Their words are followed by the number of the rule.
        """
        numbers = self.numbers()

        def numbered(link: re.Match[str]) -> str:
            words, heading, rest = link.groups()
            number = f" (§\u00a0{numbers[heading]})" if heading in numbers else ""
            return f"[{words}{number}](#{RULE}{heading}{rest}"

        inline = _LINK_TO_HEADING.sub(numbered, markdown)
        return re.sub(rf"(\]:\s*+<?#)(?!{RULE})", rf"\1{RULE}", inline)

    def steps(self, procedure_id: str) -> StepsView:
        """Returns the title of a procedure and the sentences of its steps, in the order of play.

        Steps that are repeated are listed once, and steps without a sentence not at all.
        """
        procedure = self._knowing(procedure_id).procedures[procedure_id]
        steps = tuple(self.prose(step.say) for step in all_steps(procedure.steps) if step.say)
        return StepsView(procedure_id, procedure.title, steps)

    def _value(self, binding: Binding) -> str:
        if binding.kind == "rule":
            return self._reference(binding.target)
        where = self.values
        if where is None or computed_in(where, binding):
            where = self._knowing(name_in(binding.target))
        return escape_markdown(unbroken(printed(find(where, binding.target))))

    def _knowing(self, name: str) -> Ruleset:
        """Returns a ruleset that has the entity called `name`.

        It is the binder's own, or one with the option in force that adds the entity.
        """
        return self.ruleset if find_entity(self.ruleset, name) else self.ruleset.lending(name)

    def _reference(self, heading: str) -> str:
        number = self.numbers()[heading]
        if self.references == "number":
            return f"§\u00a0{number}"  # the sheet has no headings for a link to lead to
        return f"[{number} {escape_markdown(self._title(heading))}](#{heading})"

    def _title(self, heading: str) -> str:
        return title_of_heading(heading, self.ruleset)


def title_of_heading(heading: str, *rulesets: Ruleset) -> str:
    """Returns the title of the section with the id `heading`, in the first ruleset that has it.

    Raises StopIteration if none has it.
    """
    return next(
        section.title
        for ruleset in rulesets
        for chapter in ruleset.chapters
        for section in chapter.sections
        if section.id == heading
    )
