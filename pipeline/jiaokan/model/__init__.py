"""The types of a text, as readers make it, collation compares it and TEI stores it; views, references, vocabularies."""

from jiaokan.model.document import *  # noqa: F403 (exactly the names of its __all__)
