"""Lay out books in columns: the traditional page, on a grid, and the punctuated vertical one, by lengths of sorts.

Typst has no vertical writing, so pages are laid out here, and Typst only places what is on them. One engine serves both
layouts:

- `reading` reads the lists of the layout's stylesheet into blocks of sorts (`types`);
- `book` lays out the text and the notes above it, then contents and indexes, which name its pages;
- a module for each layout says how words are set, blocks are laid out and pages written in Typst: `woodblock` (with
  `cells`) and `vertical` (with `faces`, `paging`).
"""
