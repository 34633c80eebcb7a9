"""What a ruleset is: frozen, typed models; no files, no YAML, no HTML."""
