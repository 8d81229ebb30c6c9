"""Conversion of a TEI file's apparatus to another linking method, with proof that it holds the same.

`parallel` and `apart` write the stream of `pipeline.tei.linking`; `proof` compares before and after; `convert` does all
of it.
"""
