"""What a program proposes with its evidence: punctuation, names, and quotations between the texts of a folder."""
