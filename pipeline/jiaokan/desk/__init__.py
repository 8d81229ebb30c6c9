"""The editor's desk: the HTML edition of a folder on this machine, with a column in which an editor decides.

In come requests of the page on this machine; out go pages with the editor's column, and decisions in the files of the
folder. Read first `server` (routes), `session` (the state) and `requests` (what the page may ask).

What is decided there is written into the same files that a person writes (`jiaokan.decisions.filing`), and the page is
mended at once. In come requests of the browser as JSON; out go rows of decision files, the parts of the page that
changed, and a journal by which every step can be undone. Read first: `server` (the requests), `session` (the state of
an open desk) and `requests` (what a decision writes). The desk needs the extra ``desk`` (Starlette and uvicorn) beside
``edition``.
"""
