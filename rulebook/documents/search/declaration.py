"""The index by which the pages of an edition find its rules, tables, terms, units and battles."""

from __future__ import annotations

from rulebook.documents.document_kind import Kind, later
from rulebook.translation import gettext_noop

GROUP = gettext_noop("Search")
#: The library that finds words in a browser.
LIBRARY = "scripts/vendor/minisearch.min.js"
KINDS = (Kind("search", later("search.layout:search_index"), GROUP, templates=(LIBRARY,)),)
