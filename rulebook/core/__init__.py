"""The rules core: procedures -> odds, single plays, told steps, computed tables, true examples."""
