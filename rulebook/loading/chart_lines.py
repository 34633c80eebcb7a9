"""The line of a chart -> procedure, result and inputs, each with its place.

`volley casualties by range and cover with firers=12`. Names are read here and looked up later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebook.loading.prose import Placing
from rulebook.model.prose import Chart, Setting, Word
from rulebook.model.scalars import LONGEST_LINE
from rulebook.problems import Problem

_LINE = re.compile(
    r"\s*(?P<procedure>[\w-]+)\s+(?P<result>[\w-]+)"
    r"(?:\s+by\s+(?P<by>.+?))?(?:\s+with\s+(?P<given>.+?))?\s*"
)
_ALONG = re.compile(r"\s*([\w-]+)(?:\s*=\s*(\S.*?))?\s*")
_FIXED = re.compile(r"\s*([\w-]+)\s*=\s*(\S.*?)\s*")
_FORM = "such as {chart: volley casualties by range and cover with firers=12}"
#: Inputs that a chart can show side by side: one along its axis, one as series.
MOST_AXES = 2


def read_chart(text: str, place: Placing) -> Chart | Problem:
    """Read what stands after `chart:`; `place` says where a part of it stands."""
    match = _LINE.fullmatch(text) if len(text) <= LONGEST_LINE else None
    if match is None:
        start = len(text) - len(text.lstrip())
        here = place(start, max(len(text), start + 1))
        return Problem.of("R219 line", here, form=_FORM)
    along = list(_parts(match, "by", r"\s+and\s+"))
    if len(along) > MOST_AXES:
        start, end = along[MOST_AXES]
        here = place(start, max(end, start + 1))
        return Problem.of("R219 inputs", here, count=len(along), most=MOST_AXES)
    by = [_setting(text, start, end, _ALONG, place) for start, end in along]
    given = [
        _setting(text, start, end, _FIXED, place) for start, end in _parts(match, "given", ",")
    ]
    settings: list[list[Setting]] = [[], []]
    for found, kept in zip((by, given), settings, strict=True):
        for one in found:
            if isinstance(one, Problem):
                return one
            kept.append(one)
    return Chart(
        _word(text, match.start("procedure"), match.end("procedure"), place, name=True),
        _word(text, match.start("result"), match.end("result"), place, name=True),
        tuple(settings[0]),
        tuple(settings[1]),
        place(0, len(text)),
    )


def _parts(match: re.Match[str], group: str, between: str) -> Iterator[tuple[int, int]]:
    """Where the parts of a group begin and end."""
    if match[group] is None:
        return
    start = match.start(group)
    for gap in re.finditer(between, match[group]):
        yield start, match.start(group) + gap.start()
        start = match.start(group) + gap.end()
    yield start, match.end(group)


def _setting(
    text: str, start: int, end: int, form: re.Pattern[str], place: Placing
) -> Setting | Problem:
    match = form.fullmatch(text, start, end)
    if match is None:
        what = text[start:end].strip()
        here = place(start, max(end, start + 1))
        if not what:
            return Problem.of("R219 nothing", here)
        words = re.findall(r"[\w-]+", what)
        hint = ""
        if form is _FIXED and len(words) == 2:
            hint = f"write {'='.join(words)}"
        elif form is _ALONG and len(words) == 2 and "," in what:
            hint = f"write {' and '.join(words)}"
        return Problem.of("R219 setting", here, what=what, hint=hint)
    name = _word(text, match.start(1), match.end(1), place, name=True)
    if match[2] is None:
        return Setting(name)
    return Setting(name, _word(text, match.start(2), match.end(2), place))


def _word(text: str, start: int, end: int, place: Placing, *, name: bool = False) -> Word:
    word = text[start:end]
    return Word(word.replace("-", "_") if name else word, place(start, end))
