"""The editor's decisions: their kinds, loading and checks, filing, and those applied to sources; punctuation.

In come the TOML files in `tei/decisions`; out go typed decisions with their file and line, and files with new ones.
Read first `kinds` (a row for each kind), `tables` (their types) and `filing` (how one is written).
"""
