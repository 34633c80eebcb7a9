"""`python -m rulebook` -> the command line."""

from __future__ import annotations

from rulebook.cli import main

if __name__ == "__main__":  # worker processes import this module too, and must not start a build
    main()
