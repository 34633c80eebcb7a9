"""What has changed since the edition before, for the bars and struck words of any document."""
