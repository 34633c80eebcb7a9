"""What the changes of an edition do to the odds, tables and cutouts."""
