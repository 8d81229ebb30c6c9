"""The model as TEI P5 and back (`write`, `parse`, both by the table `shapes`); headers; plain text by reference.

In comes a document of the model or TEI; out goes the other, so that each gives the other back. Read first `shapes` (the
table of both directions), `write` and `parse` (the walks).
"""
