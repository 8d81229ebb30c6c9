"""How an apparatus is linked to its text, and the same by another method (TEI Guidelines, 12.2), in anybody's TEI.

The file is taken as it is written, byte by byte (`source`); `read` makes of it one stream of tags and words in which
each entry has two edges, whatever method it was linked by; `parallel` and `apart` write the stream by another one;
`proof` says what an apparatus holds, so that before and after can be compared; `convert` does all of it.
"""
