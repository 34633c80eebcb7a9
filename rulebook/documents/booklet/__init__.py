"""The booklet of the rules."""
