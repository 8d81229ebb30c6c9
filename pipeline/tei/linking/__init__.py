"""How the entries of any TEI file are linked to its text (TEI Guidelines, 12.2).

Three methods: parallel segmentation, double end-point attachment and location-referenced. `read` returns a file, byte
by byte as it is written, as one stream of tags and words in which each entry has two edges.
"""
