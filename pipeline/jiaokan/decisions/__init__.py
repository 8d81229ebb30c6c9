"""The editor's decisions: their kinds, loading and checks, filing, and those applied to sources; punctuation."""
