"""Cutouts of a ruleset -> exact drawings in millimetres -> SVG and DXF."""
