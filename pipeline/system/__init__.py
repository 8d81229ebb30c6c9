"""The machine: files, processes, XSLT, the preview server."""
