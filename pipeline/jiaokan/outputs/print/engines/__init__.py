"""Lay out books in columns: the traditional page, on a grid, and the punctuated vertical one, by lengths of sorts.

Typst has no vertical writing, so pages are laid out by `jiaokan.columns`, a sealed room, and Typst only places what is
on them. Here are the books:

- `reading` reads the lists of the layout's stylesheet into blocks of sorts;
- `book` lays out the text, then contents and indexes, which name its pages;
- a module for each layout says how words are set and pages written in Typst: `woodblock` (with `cells`) and `vertical`
  (with `faces`).
"""
