"""The odds explorer, a page for a screen."""
