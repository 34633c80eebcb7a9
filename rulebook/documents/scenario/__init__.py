"""The booklet of a battle and what belongs to it: maps, rosters, cards, cutouts."""
