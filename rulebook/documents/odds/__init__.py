"""The odds explorer: a page, and an atlas of each procedure beside it."""
