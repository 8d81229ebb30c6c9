"""The model as TEI P5 and back (`write`, `parse`, both by `shapes`), and what a document says, by reference."""
