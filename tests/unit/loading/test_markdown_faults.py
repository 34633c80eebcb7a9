"""Lines of Markdown that print otherwise than they look, each with its place and what to write."""

import pytest
from beside import beside

from rulebook.loading.bindings import placed_at
from rulebook.loading.markdown_faults import markdown_faults
from rulebook.problems import Span


@pytest.mark.parametrize(("text", "found"), beside(__file__, "faults"))
def test_faults_have_their_lines(text, found):
    faults = markdown_faults(text, placed_at(text, Span("rules.md", 1, 1)))
    assert [
        f"{fault.span.line}:{fault.span.column} {fault.severity[0]}: {fault.message}; {fault.hint}"
        for fault in faults
    ] == found


@pytest.mark.parametrize("text", beside(__file__, "not_reported"))
def test_what_is_read_is_not_reported(text):
    assert [*markdown_faults(text, placed_at(text, Span("rules.md", 1, 1)))] == []
