"""What named rules left out of a source, kept in the TEI header: ``encodingDesc/samplingDecl``."""

from __future__ import annotations

from pipeline.errors import Place, TeiError
from pipeline.tei.tree import FORBIDDEN, SPACE, Element, add_block, blocks, element, text_only

_PATH = "{*}encodingDesc/{*}samplingDecl/{*}ab[@type='ledger']"


def write(header: Element, dropped: tuple[tuple[str, str], ...], name: str) -> None:
    """Put the ledger into `header`, in place of any that is there: one item for each text, its rule in ``@n``.

    Raises TeiError for a text that XML cannot hold.
    """
    for old in header.iterfind("{*}encodingDesc/{*}samplingDecl"):
        encoding = old.getparent()
        if encoding is not None:
            encoding.remove(old)
    if not dropped:
        return
    items = element("list")
    for rule, text in dropped:
        if bad := FORBIDDEN.search(rule + text):
            raise TeiError(
                f"the ledger's rule {rule!r} holds U+{ord(bad[0]):04X}, which cannot stand in XML", place=Place(name),
                mend="let the reader write such a character as its code point",
            )
        add_block(items, element("item", {"n": rule, SPACE: "preserve"}, text))
    made = add_block(element("samplingDecl"), element("ab", {"type": "ledger"}, "", items))
    add_block(_encoding(header), made)


def _encoding(header: Element) -> Element:
    """Give the header's ``encodingDesc``, made after ``fileDesc`` if it lacks one."""
    found = header.find("{*}encodingDesc")
    if found is None:
        found = element("encodingDesc")
        header.insert(1, found)
    return found


def read(header: Element | None, name: str) -> tuple[tuple[str, str], ...]:
    """Give the ledger of a header back; empty if it has none."""
    found = None if header is None else header.find(_PATH)
    if found is None:
        return ()
    return tuple(
        (item.get("n", ""), text_only(item, name)) for items in blocks(found, name) for item in blocks(items, name)
    )
