"""Files, the cache, processes, XSLT, git and the preview server."""
