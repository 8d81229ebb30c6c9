"""Readings that notes report of editions nobody collated, as readings of the entries that they are about."""
