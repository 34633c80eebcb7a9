"""Cutouts: what is printed at true scale, cut out and used on the table, by shape."""
