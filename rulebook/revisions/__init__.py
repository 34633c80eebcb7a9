"""Two editions of a ruleset as plain data -> what changed between them, and what that means."""
