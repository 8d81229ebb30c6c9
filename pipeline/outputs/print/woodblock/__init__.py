"""The traditional page 版式: vertical columns on half-leaves, base text single, commentary in double lines.

Typst knows no vertical writing, so the page is laid out here, and Typst only places lines, by
``xslt/typst/woodblock.typ``.
From the flat list that ``xslt/woodblock`` makes of a text:

- `script` reads it into blocks of cells, one cell a character;
- `page` lays blocks out on half-leaves, a pure function;
- `book` does so for a whole book, with contents and indexes by leaf;
- `source` writes the leaves as a Typst document.
"""
