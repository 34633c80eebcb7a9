"""Markdown is read as CommonMark says, but for what is listed; tables as on GitHub."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from beside import as_written, beside

from rulebook.markdown_lines import as_library_reads
from rulebook.markdown_reader import new_reader, to_html

#: The examples of https://github.com/commonmark/commonmark-spec, 0.31.2, (C) John MacFarlane, under
#: CC BY-SA 4.0.
EXAMPLES = json.loads((Path(__file__).parent / "commonmark" / "spec.json").read_text("utf-8"))
LISTED = as_written(__file__, "examples_read_otherwise")
#: Signs that are set as printers do.
_SET = str.maketrans("“”‘’–—…", "\"\"''---")
#: A list of short items may be printed with or without paragraphs in it.
_PASSED_OVER = {"p", "thead", "tbody"}


class _Shape(HTMLParser):
    """The elements of a page with their links and words, without white space outside of code."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag not in _PASSED_OVER:
            kept = [pair for pair in sorted(attrs) if pair[0] in ("href", "start", "src", "alt")]
            self.found.append(f"<{tag}{kept}>")

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if tag not in (*_PASSED_OVER, "br", "hr", "img"):
            self.found.append(f"</{tag}>")

    def handle_data(self, data):
        self.found.append(data)


def shape(html: str) -> str:
    return re.sub(r"\s+", "", "".join(_Shape(html).found)).translate(_SET)


def test_the_examples_of_commonmark():
    otherwise: dict[str, list[str]] = {}
    for example in EXAMPLES:
        if "HTML" in example["section"]:
            continue  # of which nothing is read
        if shape(to_html(new_reader(), example["markdown"])) != shape(example["html"]):
            otherwise.setdefault(example["section"], []).append(str(example["example"]))
    assert otherwise == LISTED
    assert len(EXAMPLES) == 655


@pytest.mark.parametrize(("typed", "lines"), beside(__file__, "lines"))
def test_lines_as_the_library_reads_them(typed, lines):
    assert "\n".join(as_library_reads(typed.split("\n"))) == lines


@pytest.mark.parametrize(("typed", "html"), beside(__file__, "tables"))
def test_tables_as_on_github(typed, html):
    assert shape(to_html(new_reader(), typed)) == shape(html)
