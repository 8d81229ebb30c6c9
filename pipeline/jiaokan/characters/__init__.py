"""Graded equality of characters (same, graphic variant, loan, taboo form …), each judgement with its source."""
