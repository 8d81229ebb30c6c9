"""An apparatus in a file of its own: put into the file of its text, or listed where that is not given."""

from __future__ import annotations

from collections.abc import Iterator

from jiaokan.errors import Finding, Message, Place, TeiError
from jiaokan.tei.linking.placing import POINTS
from jiaokan.tei.linking.stream import LINKS
from jiaokan.tei.lossless import text_elements
from jiaokan.tei.tree import ID, Element, add_text, alone, bare, cut, element, inside, parse, serialise

_DECLARED = {"listWit": "sourceDesc", "listPerson": "sourceDesc", "listBibl": "sourceDesc", "respStmt": "titleStmt"}
"""Elements of a header that say who and what its entries name, each with its place in ``fileDesc``."""


def with_text(apparatus: bytes, text: bytes, *, name: str, text_name: str) -> bytes:
    """Return the TEI file `text` with the entries of the file `apparatus` in its ``standOff``, and with the witnesses,
    persons and linking method that its header declares; the names are those of the files in messages.

    Raises TeiError if one of them is not TEI, or if `apparatus` has no entries.
    """
    entries_root, root = parse(apparatus, name=name), parse(text, name=text_name)
    apps = [alone(app) for app in _outermost(entries_root)]
    if bare(root) != "TEI":
        raise TeiError(Message("root-is", element=bare(root)), place=Place(text_name), mend=Message("text-begins-tei"))
    if not apps:
        raise TeiError(Message("file-no-apparatus"), place=Place(name), mend=Message("apparatus-app-lem-rdg"))
    ids = {node.get(ID) for node in root.iter() if node.get(ID)}
    header = _child(root, "teiHeader")
    for declaration in entries_root.iterfind("{*}teiHeader/{*}fileDesc/*/*"):
        if bare(declaration) in _DECLARED and declaration.get(ID) not in ids:
            moved = alone(declaration)
            for known in [node for node in moved if node.get(ID) in ids]:
                cut(known)
            _child(_child(header, "fileDesc"), _DECLARED[bare(declaration)]).append(moved)
    if (method := next(entries_root.iter("{*}variantEncoding"), None)) is not None:
        for encoding in list(root.iter("{*}variantEncoding")):
            cut(encoding)
        _child(header, "encodingDesc").append(alone(method))
    for app in apps:
        for name in POINTS:
            if place := app.get(name, "").rpartition("#")[2]:
                app.set(name, f"#{place}")
        for node in (node for node in app.iter() if node.get(ID) in ids):
            del node.attrib[ID]
    root.append(element("standOff", {}, "", element("listApp", {}, "", *apps)))
    return serialise(root)


def _child(parent: Element, tag: str) -> Element:
    child = parent.find(f"{{*}}{tag}")
    return inside(parent, tag, {}) if child is None else child


def _outermost(root: Element) -> Iterator[Element]:
    return (app for app in root.iter("{*}app") if next(app.iterancestors("{*}app"), None) is None)


def _words(node: Element) -> str:
    return "".join("".join(map(str, node.itertext())).split())


def _beside(root: Element) -> Iterator[Element]:
    """Yield what a file has beside its header and texts, without entries."""
    for part in root.iterchildren("{*}*"):
        if bare(part) in ("TEI", "teiCorpus"):
            yield from _beside(part)
        elif bare(part) not in ("teiHeader", "text"):
            copy = alone(part)
            for app in [*_outermost(copy)]:
                cut(app)
            yield copy


def text_of_entries(root: Element, file: str) -> tuple[Element, tuple[Finding, ...]]:
    """Return a file with entries and no text as a text of its entries, each a paragraph with what it points to in a
    note; any other file as it is. Also a finding."""
    apps, texts = list(_outermost(root)), text_elements(root)
    linked = [app for app in apps if any(map(app.get, LINKS)) and any(up in texts for up in app.iterancestors())]
    rest = sum(len(_words(text)) for text in texts) - sum(len(_words(app)) for app in linked)
    if rest or not any(_words(app) or next(app.iter("{*}ptr"), None) is not None for app in apps):
        return root, ()
    division = element("div")
    for app in map(alone, apps):
        where = "–".join(dict.fromkeys(filter(None, (str(app.attrib.pop(name, "")) for name in LINKS))))
        if next(app.iter("{*}lem", "{*}rdg"), None) is None:
            app.set("loc", where)
            division.append(element("listApp", {}, "", app))
            continue
        for reading in app.iter("{*}lem", "{*}rdg"):
            if not _words(reading):  # a pointer to the words
                add_text(reading, " ".join(pointer.get("target", "") for pointer in reading.iter("{*}ptr")))
        division.append(element("p", {}, "", app))
        if where:
            app.append(element("note", {}, where))
    document = element("TEI", {}, "", *map(alone, root.iterfind("{*}teiHeader")),
                   element("text", {}, "", element("body", {}, "", division)), *_beside(root))
    return document, (Finding(
        "tei-app-alone", Place(file),
        Message("app-no-text-listed-lemmata", count=len(apps)),
        Message("give-text", file=file), "warning"),)
