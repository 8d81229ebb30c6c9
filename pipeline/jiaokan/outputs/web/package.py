"""The package of an e-book: its package document (EPUB 3.3) and its files as an archive."""

from __future__ import annotations

import re
import uuid
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from xml.sax.saxutils import escape, quoteattr

from lxml import html as markup

from jiaokan.outputs.print.engines.fixed import FixedPage

_FIXED = """
<meta property="rendition:layout">pre-paginated</meta><meta property="rendition:spread">landscape</meta>"""
_WRITING = '\n<meta name="primary-writing-mode" content="vertical-rl"/>'
"""The direction for readers that do not wait for the style sheet."""
_EPOCH = (2000, 1, 1, 0, 0, 0)
_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
"""
_PACKAGE = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang={lang}>
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">{id}</dc:identifier>
{about}<meta property="dcterms:modified">{date}T00:00:00Z</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">tableOfContents</meta>
<meta property="schema:accessibilityFeature">readingOrder</meta>
<meta property="schema:accessibilityFeature">structuralNavigation</meta>
<meta property="schema:accessibilityHazard">none</meta>{writing}{fixed}</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="style" href="book.css" media-type="text/css"/>
<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>
{items}</manifest>
<spine{progression}>{spine}</spine></package>
"""


def creators(landing: markup.HtmlElement) -> list[str]:
    """Return the authors and editors that a landing page names."""
    return [str(meta.get("content")) for meta in landing.iter("meta") if meta.get("name") == "DC.creator"]


def package(
    landing: markup.HtmlElement, texts: Iterable[str], lang: str, tei: bytes, fixed: Sequence[FixedPage], *,
    vertical: bool, leftward: bool,
) -> str:
    """Return the package document: `texts` are the files in the order of reading, before the `fixed` pages."""
    named = {str(meta.get("name")): str(meta.get("content")) for meta in landing.iter("meta") if meta.get("name")}
    date = named.get("DC.date", "")
    about = [("title", named.get("DC.title") or str(landing.findtext(".//title"))), ("language", lang.strip('"'))]
    about += [("creator", creator) for creator in creators(landing)]
    about += [(key, named[f"DC.{key}"]) for key in ("publisher", "date", "rights") if named.get(f"DC.{key}")]
    names = [*texts, *(f"p{number}.xhtml" for number in range(1, len(fixed) + 1))]
    flows = ' properties="rendition:layout-reflowable"' if fixed else ""
    sides = [flows] * (len(names) - len(fixed))
    sides += [f' properties="page-spread-{"left" if page.left_hand else "right"}"' for page in fixed]
    return _PACKAGE.format(
        fixed=_FIXED if fixed else "",
        writing=_WRITING if vertical else "", progression=' page-progression-direction="rtl"' if leftward else "",
        lang=lang, id=uuid.uuid5(uuid.NAMESPACE_OID, tei.decode("utf-8", "replace")).urn,
        about="".join(f"<dc:{key}>{escape(value)}</dc:{key}>\n" for key, value in about),
        date=date if re.fullmatch(r"\d{4}-\d\d-\d\d", date) else "2000-01-01",
        items="".join(
            f'<item id="p{n}" href={quoteattr(name)} media-type="application/xhtml+xml"/>\n'
            for n, name in enumerate(names)
        ) + '<item id="fixed" href="fixed.css" media-type="text/css"/>' * bool(fixed),
        spine="".join(f'<itemref idref="p{n}"{side}/>' for n, side in enumerate(sides)),
    )


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """Return the archive; its first file is stored uncompressed, as EPUB requires."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as book:
        book.writestr(zipfile.ZipInfo("mimetype", _EPOCH), "application/epub+zip")
        for name, words in {"META-INF/container.xml": _CONTAINER, **{f"book/{n}": t for n, t in files.items()}}.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            book.writestr(entry, words)
    return data.getvalue()
