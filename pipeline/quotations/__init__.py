"""Quotations between the passages of a folder: found for all texts at once, kept as a table, laid on each text."""
