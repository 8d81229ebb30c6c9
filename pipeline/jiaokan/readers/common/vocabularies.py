"""Recognise XML and HTML by their beginning, so that the markup of another vocabulary is not read as plain text."""

from __future__ import annotations

import re

_BEGINNING = re.compile(
    r"\s*(?P<xml><\?xml\b[^>]*>)?\s*(?:<\?[^>]*\?>\s*|<!--.*?-->\s*)*"
    r"(?P<type><!DOCTYPE\s+(?P<named>[\w:.-]+)[^>\[]*(?:\[[^\]]*\]\s*)?>\s*)?(?:<\?[^>]*\?>\s*|<!--.*?-->\s*)*"
    r"<(?:[\w.-]+:)?(?P<root>[A-Za-z_][\w.-]*)(?P<attributes>\s[^<>]*|)(?P<empty>/?)>", re.S)
_SAMPLE = 20_000
"""Characters that are examined for the root element."""
_END = 2000
"""Characters that are examined for its end."""
_NAMES = {
    "alto": "ALTO", "PcGts": "PAGE", "mets": "METS", "mods": "MODS", "modsCollection": "MODS", "record": "MARCXML",
    "collection": "MARCXML", "ead": "EAD", "osis": "OSIS", "usx": "USX", "FictionBook": "FictionBook",
    "DjVuXML": "DjVuXML", "document": "Office Open XML or ABBYY", "document-content": "OpenDocument",
    "article": "JATS or DocBook", "book": "DocBook", "package": "an EPUB package", "ncx": "an EPUB table of contents",
    "mediawiki": "a MediaWiki export", "rss": "RSS", "feed": "Atom", "svg": "SVG", "math": "MathML", "RDF": "RDF",
    "score-partwise": "MusicXML", "mei": "MEI", "cei": "CEI", "EEBO": "TEI P4", "TEI.2": "TEI P4", "xmi": "XMI",
    "D-Spin": "TCF", "annotationGraph": "an annotation graph", "stylesheet": "XSLT", "schema": "a schema",
    "grammar": "RELAX NG", "opml": "OPML", "tmx": "TMX", "xliff": "XLIFF",
}
"""Vocabularies by their root elements, for messages only: any root that is neither TEI nor HTML is refused."""
_TEI = frozenset({"TEI", "teiCorpus"})
_INLINE = frozenset(re.findall(r"\w+", """
    a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd mark nobr q rb rp rt rtc ruby s samp
    small span strike strong sub sup time tt u var wbr"""))
"""Elements of HTML within a line; text that begins with one is text with tags, no page."""
_BLOCKS = frozenset(re.findall(r"\w+", """
    address article aside audio base basefont blockquote body button canvas caption center col colgroup datalist dd
    details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head
    header hgroup hr html iframe input label legend li link main map menu meta meter nav noframes noscript object ol
    optgroup option output p param picture pre progress script section select slot source style summary table tbody td
    template textarea tfoot th thead title tr track ul video"""))
HTML = _INLINE | _BLOCKS
"""All elements of HTML (HTML Standard, 4, and the obsolete ones of 16.2)."""


def kind_of_markup(text: str) -> str:
    """Return ``tei``, ``html``, or the name of another XML vocabulary; empty if a text is no document of markup."""
    beginning = _BEGINNING.match(text[:_SAMPLE])
    if not beginning:
        return "XML" if re.match(r"\s*<\?xml\b", text) else ""
    root = beginning["root"]
    declared = bool(beginning["xml"] or beginning["type"])
    if root in _TEI:
        return "tei"
    if (beginning["named"] or "").lower() == "html" or root.lower() in ("html", "body", "head"):
        return "html"
    namespace = re.search(r"\sxmlns(?::[\w.-]+)?\s*=", beginning["attributes"])
    if root.lower() in HTML and not namespace and not beginning["xml"]:
        return "html" if root.lower() in _BLOCKS else ""
    end = rf"</(?:[\w.-]+:)?{re.escape(root)}\s*>\s*(?:<!--.*-->\s*)?\Z"
    closed = bool(beginning["empty"]) or re.search(end, text[-_END:])
    return (_NAMES.get(root, "") or f"<{root}>") if declared or namespace or closed else ""
