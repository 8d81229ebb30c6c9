"""Entries of the apparatus, written from the columns of the table."""
