"""The apparatus of a TEI file written by another linking method, with the proof that it holds the same.

`parallel` and `apart` write the stream of `pipeline.tei.linking`; `proof` says what an apparatus holds, so that before
and after can be compared; `convert` does all of it.
"""
