"""Straight marks become primes behind figures, and marks that turn the right way elsewhere."""

import pytest
from beside import beside

from rulebook.markdown_reader import new_reader, to_html
from rulebook.quotation_marks import with_marks, with_primes


@pytest.mark.parametrize(("typed", "marked"), beside(__file__, "plain"))
def test_plain_texts(typed, marked):
    assert with_marks(typed) == marked
    assert len(with_primes(typed)) == len(typed)
    assert with_marks(marked) == marked


@pytest.mark.parametrize(("typed", "html"), beside(__file__, "markdown"))
def test_markdown(typed, html):
    assert to_html(new_reader(), typed).replace("\n", "") == html
