"""Files, the cache, processes, XSLT and git."""
