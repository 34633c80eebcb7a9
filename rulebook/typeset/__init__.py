"""Views and Jinja templates -> HTML and pages, with our own fonts and inks."""
