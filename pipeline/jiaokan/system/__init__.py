"""Files, the cache, processes, XSLT and git.

In come paths, bytes and functions; out go the same, safely: read within limits, written whole, run in other processes.
Read first `listing` (reading), `atomic` (writing) and `process` (workers).
"""
