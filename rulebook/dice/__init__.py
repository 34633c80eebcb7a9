"""Dice -> exact distributions: whole weights in, fractions out; knows nothing of rules."""
