"""The editor's desk: the HTML edition of a folder on this machine, with a column in which an editor decides.

What is decided there is written into the same files that a person writes (`jiaokan.decisions.filing`), and the page is
mended at once. It needs the extra ``desk`` (Starlette and uvicorn) beside ``edition``.
"""
