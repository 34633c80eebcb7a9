"""Everything that is printed: a room for each document, from the ruleset to its pages."""
