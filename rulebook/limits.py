"""How large content may be: one table of limits, for all that reads, plays or prints it.

Content may come from strangers. What has a limit here is refused where it is read, with its place;
what none of these limits reaches takes no more time or memory than they allow together. The manual
gives the same table (strangers.md).
"""

from __future__ import annotations

from rulebook.problems import Problem, Span

#: Bytes of a file of content; of a picture made of points, and of all content of a ruleset; of a
#: released edition, and of what is packed in a workbook.
LARGEST_FILE = 1 << 20
LARGEST_RULESET = LARGEST_PICTURE = 4 << 20
LARGEST_RELEASE = LARGEST_UNPACKED = 16 << 20
#: Files of a ruleset.
MOST_FILES = 500
#: Values of a ruleset: of YAML and spreadsheets, lines of prose and signs of Markdown in it; what
#: a drawing draws; states of a procedure.
MOST_VALUES = 100_000
#: Items of a list, keys of a mapping, cells of a table, cards of a deck, headings of a chapter.
MOST_ITEMS = 5_000
#: Characters of a text in YAML and of a paragraph of prose; of a title, a key, a line of code; of
#: prose between two headings.
LONGEST_TEXT = 4_000
LONGEST_LINE = 200
LONGEST_PROSE = 50_000
#: Levels of folders, values, groups of a drawing, and of brackets and steps of a procedure.
DEEPEST = 32
#: Lists, quotations and brackets in each other, in prose; lines of it without an empty one.
DEEPEST_PROSE = 6
MOST_LINES = 300
#: Steps of a work: moves from state to state of a procedure whose odds are asked, and values that
#: are read, counted again for each option.
MOST_WORK = 1_000_000
#: Points of a picture: an A4 page has 35 million where there are 600 for each inch.
MOST_POINTS = 40_000_000
#: Faults of one file or table; what is wrong behind them is not looked for.
MOST_FAULTS = 500


def beyond(limit: int | str, of: str, span: Span | None, hint: str = "") -> Problem:
    """Returns the problem R102: content has more than `limit` of something, named by `of`."""
    hint = hint or "make it smaller, or cut it into parts"
    return Problem("R102", f"more than {limit} {of}", span, f"up to {limit}", hint)


def mebibytes(size: int) -> str:
    return f"{size >> 20} MiB"
