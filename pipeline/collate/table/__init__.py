"""The table of columns: what each witness has for each token of the base."""
