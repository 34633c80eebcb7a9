"""A ruleset -> view models: what stands on which page, without HTML."""
