"""A loaded ruleset -> faults in the sense of the game."""
