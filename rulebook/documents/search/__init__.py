"""Search: the words of an edition, for a browser to find rules by."""
