"""The editor's decisions, applied to a collated chapter or refused by name."""
