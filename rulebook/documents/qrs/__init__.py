"""The quick-reference sheet: its panels, its sides on paper, its page for a screen."""
