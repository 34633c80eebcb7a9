"""The rules core: procedures -> odds, plays, programs for pages, computed tables, true examples."""
