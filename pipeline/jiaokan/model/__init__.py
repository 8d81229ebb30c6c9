"""The types of a text, as readers make it, collation compares it and TEI stores it; views, references, vocabularies.

In come strings and numbers, from any room above; out go frozen values, and what is computed from them alone. Read first
`document` (the types), `text` (eight views of one content) and `attestation` (who reads, lacks, is silent).
"""

from jiaokan.model.document import *  # noqa: F403 (exactly the names of its __all__)
