"""``teiHeader``: what it declares of a witness or an edition, written from the catalog and read back."""
