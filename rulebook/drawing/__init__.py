"""Shapes and words in exact millimetres -> PDF pages, set with our own fonts."""
