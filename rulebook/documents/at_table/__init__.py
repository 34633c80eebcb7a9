"""The page for the table, on a telephone."""
