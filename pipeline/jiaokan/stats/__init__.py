"""Statistics of an edition: agreement of witnesses, variants and comments along the text."""
