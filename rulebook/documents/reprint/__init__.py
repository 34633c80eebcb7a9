"""The pages, cards and cutouts that an edition changed, to be printed again."""
