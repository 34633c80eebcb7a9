"""Decks of cards, on sheets and on a screen."""
