"""Cutouts on sheets of paper, at true scale."""
