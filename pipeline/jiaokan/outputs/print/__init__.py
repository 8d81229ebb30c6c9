"""Printed books: Typst, fonts, script, volumes, pages in columns, files for the press."""
