"""RELAX NG in compact syntax as a grammar in XML syntax; ``rnc2rng`` reads it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from jiaokan.errors import Message, Place, TeiError
from jiaokan.relaxng.trees import Element, parse

_OTHERS = re.compile(rb"^[^#\n]*\b(?:include|external)\s+[\"']", re.M)
"""References to other files, which rnc2rng would open wherever they are."""


def from_compact(data: bytes, path: Path) -> Element:
    """Return a grammar in XML syntax; raises TeiError if it is not compact syntax, or includes other files."""
    if sys.modules.get("rnc2rng", sys) is None:  # the command hides it from lxml
        del sys.modules["rnc2rng"]
    import rnc2rng  # rply builds its tables at import: only where such a schema is given
    from rnc2rng.parser import ParseError
    from rply import LexingError

    if _OTHERS.search(data):
        raise TeiError(Message("grammar-compact-syntax-includes-another"), place=Place(str(path)),
                       mend=Message("give-xml-syntax-trang-file"))
    try:
        xml_syntax = rnc2rng.dumps(rnc2rng.loads(data.decode("utf-8-sig")))
        return parse(xml_syntax.encode(), str(path))
    except (ParseError, LexingError, TeiError, LookupError, ValueError, AttributeError) as error:
        # AttributeError is what rnc2rng raises where the grammar ends too early
        where = f": {error.msg}" if isinstance(error, ParseError) else ""
        raise TeiError(Message("grammar-compact-syntax-cannot-read", where=where.partition("\n")[0]),
                       place=Place(str(path)),
                       mend=Message("look-whether-jing-takes-give")) from None
