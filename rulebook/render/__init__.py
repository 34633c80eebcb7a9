"""View models and templates -> HTML -> PDF."""
