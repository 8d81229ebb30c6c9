"""RELAX NG in compact syntax, read by ``rnc2rng``."""

from __future__ import annotations

import re
from pathlib import Path

from pipeline.errors import Place, TeiError
from pipeline.tei.tree import Element, parse

_OTHERS = re.compile(rb"^[^#\n]*\b(?:include|external)\s+[\"']", re.M)
"""What names another file: rnc2rng would open it, wherever it lies."""


def grammar(data: bytes, path: Path) -> Element:
    """Give a grammar in XML syntax; raises TeiError for what is no compact syntax, or names other files."""
    import rnc2rng  # rply builds its tables at import: only where such a schema is given
    from rnc2rng.parser import ParseError
    from rply import LexingError

    if _OTHERS.search(data):
        raise TeiError("a grammar in compact syntax that includes another is not read", place=Place(str(path)),
                       mend="give it in XML syntax: trang FILE.rnc FILE.rng")
    try:
        made = rnc2rng.dumps(rnc2rng.loads(data.decode("utf-8-sig")))
        root = parse(made.encode(), name=str(path))
    except (ParseError, LexingError, TeiError, LookupError, ValueError, AttributeError) as error:
        # AttributeError is what rnc2rng raises where the grammar ends too early
        where = f": {error.msg}" if isinstance(error, ParseError) else ""
        raise TeiError(f"the grammar in compact syntax cannot be read{where}".split("\n")[0], place=Place(str(path)),
                       mend="look whether jing takes it; or give it in XML syntax: trang FILE.rnc FILE.rng") from None
    return root
