"""Detect format, chapters, notes and speakers of unknown texts, and write the settings of an edition folder.

In come paths of texts in any form; out go the files of an edition folder, as bytes by path, with a report and a list of
doubts. Read first `survey` (one file examined), `works` (files grouped by work, the base chosen) and `folder` (catalog,
conventions, persons and editions written).

Beside these modules lies the example that ``jiaokan init`` copies.
"""
