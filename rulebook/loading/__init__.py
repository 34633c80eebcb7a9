"""Files of a content folder -> a typed Ruleset and a Report of every fault in it."""
