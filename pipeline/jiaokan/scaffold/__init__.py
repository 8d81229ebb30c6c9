"""Detect format, chapters, notes and speakers of unknown texts, and write the settings of an edition folder.

The input is paths of texts in any form; the output is the files of an edition folder, as bytes by path, with a report
and a list of doubts. `survey` examines one file, `works` groups files by work and chooses the base, `folder` writes
catalog, conventions, persons and editions. Beside these modules lies the example that ``jiaokan init`` copies.
"""
