"""The table of a scenario -> a drawn map: geometry in millimetres -> SVG for paper and screen."""
