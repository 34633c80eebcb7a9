"""Pages -> the sheets that are printed, folded and cut."""
