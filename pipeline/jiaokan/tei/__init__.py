"""The model as TEI P5 and back (`write`, `parse`, both by the table `shapes`); headers; plain text by reference."""
