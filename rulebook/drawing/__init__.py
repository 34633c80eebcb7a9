"""Shapes and words in exact millimetres -> PDF, SVG and DXF, set with our own fonts."""
