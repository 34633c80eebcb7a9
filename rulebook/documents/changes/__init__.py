"""What changed since the edition before, in print, on a screen, as text and as data."""
