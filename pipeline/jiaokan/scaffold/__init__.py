"""Detect format, chapters, notes and speakers of unknown texts, and write the settings of an edition folder.

`survey` examines one file, `works` groups files by work and chooses the base, `folder` writes catalog, conventions,
persons and editions. Beside these modules lies the example that ``jiaokan init`` copies.
"""
