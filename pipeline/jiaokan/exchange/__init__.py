"""What comes in and goes out: imports, adoption of published editions, conversion of apparatus, exports, bundles.

In come files of other programs or an edition's TEI; out go TEI or files of other programs. Read first `imports` (a
format in one module), `exports` (the same outward) and `adopt` (a published edition becomes decisions).
"""
