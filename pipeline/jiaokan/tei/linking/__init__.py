"""Reader of apparatus linking: from where to where each entry of a TEI file reaches (TEI Guidelines, 12.2).

The three methods are parallel segmentation, double end-point attachment and location-referenced. `read` returns a file,
byte by byte as it is written, as one stream of tags and words with two edges for each entry: for conversion. `points`
marks the same edges in a parsed tree: for readers of the text.
"""
