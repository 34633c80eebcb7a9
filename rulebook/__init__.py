"""Tabletop wargame rules as data, and everything that is printed from them."""
