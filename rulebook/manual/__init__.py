"""The manual: chapters of Markdown, and those made from the program, as one ruleset of its own."""
