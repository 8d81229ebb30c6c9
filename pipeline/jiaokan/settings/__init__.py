"""Settings of an edition folder: TOML as typed tables, faults with places and remedies, the manual of all keys.

In come the TOML files of an edition folder; out go typed tables, or all faults at once. Read first `catalog` (a
folder's settings), `plans` (an edition's) and `toml` (reading with places).
"""
