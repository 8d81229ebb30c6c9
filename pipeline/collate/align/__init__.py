"""Alignment of two sequences of tokens."""
