"""What a program proposes with its evidence: punctuation, names, and quotations between the texts of a folder.

In come the TEI files of a folder and the editor's lines of punctuation; out go lines of punctuation for the editor to
accept, candidates for names, and a table of quotations. Read first `folder` (the texts of a folder), `punctuation`
(marks, weighed at each place) and `quotations` (which passage a comment quotes).
"""
