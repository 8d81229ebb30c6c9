"""The TEI of single chapters as downloads: the header and the chapter, unchanged but for what leads out of the file.

A pointer to another chapter leads into the file of the whole text: ``whole:yili.5.1.1``,
``whole-words:yili.5.1.1/4/2``. The prefix of pointers into witnesses' files names the files that exist; to the others
it gives names only (URNs).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from xml.sax.saxutils import escape, quoteattr

from lxml import etree

from jiaokan.model.pointers import WORDS
from jiaokan.model.vocabulary import TEI
from jiaokan.tei.header.declarations import PREFIXES
from jiaokan.tei.pointers import PointerAttribute, ids_in, pointed_id, pointer_attributes
from jiaokan.tei.tree import LANG, Element, Words, alone, parse, put_instead

_TEI = f"{{{TEI}}}"
_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>'
_CHAPTER, _TITLE = b"<?jiaokan chapter?>", b"<?jiaokan title?>"
"""In place of a chapter and its title."""
_WITNESS = "w:"
"""Prefix of a pointer into a witness's own file (`jiaokan.tei.header.declarations.PREFIXES`)."""


def excerpts(
    tei: bytes, titles: Mapping[str, str], *, whole: str, beside: Collection[str], name: str
) -> Iterator[tuple[str, bytes]]:
    """Yield each chapter of a text's body as a TEI file, with the name of its page.

    `titles` are those of the chapters by page, `whole` is the address of the TEI of the whole text, `beside` the
    witnesses whose TEI is in the same folder as that. Front matter alone is not a text: TEI requires a body. Raises
    TeiError if the file is not XML.
    """
    root = parse(tei, name=name)
    text = root.find(f"{_TEI}text")
    chapters = [] if text is None else text.findall(f"{_TEI}body/{_TEI}div")
    if text is None or not chapters:
        return
    lacking = sorted(_witnesses(root) - {*beside})
    root = _skeleton(root, text)
    _declare_prefixes(root, whole, beside, lacking)
    for statement in root.iter(f"{_TEI}titleStmt"):
        _add_title(root, statement)
    outside, pointing = ids_in(root), [*pointer_attributes(root)]
    declared = [f" xmlns{f':{prefix}' if prefix else ''}={quoteattr(uri)}".encode()
                for prefix, uri in root.nsmap.items()]
    for chapter in chapters:
        page, known = chapter.get("n") or chapter.get("type") or "", outside | ids_in(chapter)
        _redirect(pointing, known)
        _redirect(pointer_attributes(chapter), known)
        start, end = etree.tostring(chapter, encoding="UTF-8", with_tail=False).split(b">", 1)
        for declaration in declared:  # the root has them
            start = start.replace(declaration, b"", 1)
        title = escape(titles.get(page, "")).encode()
        chapter_file = etree.tostring(root, encoding="UTF-8").replace(_TITLE, title)
        yield page, _DECLARATION + chapter_file.replace(_CHAPTER, start + b">" + end)


def _witnesses(tree: Element) -> set[str]:
    """Return the witnesses into whose own files a tree points."""
    values = {attribute.value: attribute for attribute in pointer_attributes(tree, _WITNESS)}
    return {pointer.removeprefix(_WITNESS).partition(".")[0] for attribute in values.values()
            for pointer in attribute.pointers() if pointer.startswith(_WITNESS) and "." in pointer}


def _redirect(attributes: Iterable[PointerAttribute], known: Collection[str]) -> None:
    """Redirect pointers to unknown ids into the file of the whole text."""
    redirected: dict[str, str] = {}  # most attributes with pointers are the same
    for attribute in attributes:
        if attribute.value not in redirected:
            redirected[attribute.value] = " ".join(_redirect_pointer(name, known) for name in attribute.pointers())
        attribute.element.set(attribute.name, redirected[attribute.value])


def _redirect_pointer(pointer: str, known: Collection[str]) -> str:
    identifier = pointed_id(pointer)
    if not identifier or identifier in known:
        return pointer
    return f"whole-{pointer}" if pointer.startswith(WORDS) else f"whole:{pointer[1:]}"


def _skeleton(root: Element, text: Element) -> Element:
    """Return a copy of a text with a place for a chapter. To remove the others from it would take lxml a second."""
    skeleton = etree.Element(root.tag, nsmap=root.nsmap)  # type: ignore[arg-type]  # lxml takes None: the default
    emptied = etree.Element(text.tag)
    skeleton.attrib.update(root.attrib)
    emptied.attrib.update(text.attrib)
    skeleton.text = root.text
    skeleton.extend(emptied if child is text else deepcopy(child) for child in root)
    etree.SubElement(emptied, f"{_TEI}body").append(etree.PI("jiaokan", "chapter"))
    Words(emptied, follows=True).put(Words(text, follows=True).get())
    return skeleton


def _add_title(root: Element, statement: Element) -> None:
    """Add a title after those of the whole, with a place for that of a chapter."""
    titles = statement.findall(f"{_TEI}title")
    title = etree.Element(f"{_TEI}title", type="part")
    title.append(etree.PI("jiaokan", "title"))
    if LANG in root.attrib:
        title.set(LANG, root.attrib[LANG])
    if titles:
        after = Words(titles[-1], follows=True)
        statement.insert(statement.index(titles[-1]) + 1, title)
        Words(title, follows=True).put(after.get())
        after.put("\n")


def _declare_prefixes(root: Element, whole: str, beside: Collection[str], lacking: Collection[str]) -> None:
    files = f"{whole.rpartition('/')[0]}/"
    for old in [*root.iter(f"{_TEI}prefixDef")]:
        if old.get("ident") == "text":
            pattern = str(old.get("replacementPattern", ""))
            old.set("replacementPattern", files + pattern.rpartition("/")[2])
        elif old.get("ident") == "w":
            _declare_witnesses(old, files, beside, lacking)
    for encoding in root.iter(f"{_TEI}encodingDesc"):
        lists = encoding.findall(f"{_TEI}listPrefixDef") or [etree.SubElement(encoding, f"{_TEI}listPrefixDef")]
        for prefix_list in lists:
            prefix_list.append(_prefix("whole", "(.+)", f"{whole}#$1",
                                       "What stands in another chapter is in the file of the whole."))
            prefix_list.append(_prefix("whole-words", PREFIXES["words"][0], f"{whole}#$1",
                                       "Words in another chapter: counted as words: says, in the file of the whole."))


def _declare_witnesses(old: Element, files: str, beside: Collection[str], lacking: Collection[str]) -> None:
    """Replace the prefix of pointers into witnesses' files."""
    definitions = []
    if beside:
        there = alone(old)
        there.set("matchPattern", rf"({'|'.join(beside)})\.(.+)")
        there.set("replacementPattern", f"{files}$1.xml#$1.$2")
        definitions.append(there)
    if lacking or not beside:
        definitions.append(_prefix("w", old.get("matchPattern", ""), "urn:jiaokan:$1.$2",
                                   "The element of this name in the witness's own file, which does not come with this "
                                   "one."))
    put_instead(old, definitions)


def _prefix(ident: str, matched: str, replaced: str, words: str) -> Element:
    definition = etree.Element(f"{_TEI}prefixDef", ident=ident, matchPattern=matched, replacementPattern=replaced)
    paragraph = etree.SubElement(definition, f"{_TEI}p", {LANG: "en"})
    paragraph.text = words
    return definition
