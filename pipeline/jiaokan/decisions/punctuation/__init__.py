"""The editor's punctuation and names: read from plain text, matched with the edition, inserted into it."""
