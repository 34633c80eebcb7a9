"""Figures of rules -> their geometry and drawings."""
