"""A fault of content that is found before it is known where in a file it stands.

`problems` gives it its place. What the codes mean stands in the manual: `rulebook help R301`.
"""

from __future__ import annotations

from typing import Literal

Severity = Literal["error", "warning"]


class Fault(Exception):
    """Something that is wrong in the content.

    `code` is its code, `message` what is wrong, `expected` what would be right, `hint` what to
    write. A kind of fault that knows more takes it behind these four.
    """

    def __init__(self, code: str, message: str, expected: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.expected, self.hint = code, message, expected, hint
