"""What a program proposes with its evidence: punctuation, names, and quotations between the texts of a folder.

In come the texts of a folder; out go marks, names and quotations that an editor may accept, each with its evidence.
Read first `quotations` (what a comment quotes), `punctuation` (marks, weighed) and `lay` (quotations in TEI).
"""
