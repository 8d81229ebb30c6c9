"""The editor's punctuation and names: typed in plain text, held against the edition, laid on it."""
