"""Graded equality of characters (same, graphic variant, loan, taboo form …), each judgement with its source.

In come two graphs, words or readings; out goes a class of variants with its source, or the normal form by which a place
is found. Read first `relations` (the tables and their order), `equality` (whole readings) and `scripts` (traditional
and simplified). `glyphs` proposes graphs for places that a transcription lost, by `parallels` in other texts.
"""
