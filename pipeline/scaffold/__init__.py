"""An edition folder for texts that nobody has described: what the files show of themselves, written as settings.

`survey` looks at one file (its format, notes, heads, speakers), `works` at all of them together (which are texts of
one work, which is the base), `folder` writes the catalog, the conventions, the persons and the editions. Beside
these modules lies the worked example that ``jiaokan init`` copies.
"""
