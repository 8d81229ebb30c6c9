"""Readings that commentaries report, as readings of the entries that they are about."""
