"""Documents -> files in the output folder: stale ones only, side by side, nothing lost."""
