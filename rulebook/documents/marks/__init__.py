"""What was otherwise in the edition before, for the bars and struck words of any document."""
