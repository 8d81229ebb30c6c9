"""Form ``tei-traditional``: the edition's TEI with its text in traditional graphs, for a text in simplified ones.

Each graph gets one form, so numbers of characters (``words:``) stay right. Readings of witnesses (``rdg``) stay
as the witnesses have them. ``encodingDesc/editorialDecl/normalization`` states what was converted.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from jiaokan.characters.scripts import interface_words
from jiaokan.characters.traditional import in_traditional, load_forms
from jiaokan.errors import JiaokanError, Message
from jiaokan.exchange.exports import ExportSettings
from jiaokan.model import Document
from jiaokan.tei.tree import ID, LANG, Element, Words, add_block, element, local, parse, put_across, serialise

_LAYERS = {"seg": "unit", "ab": "unit", "head": "unit", "trailer": "unit", "note": "note", "l": "unit", "p": "unit"}
"""Blocks whose text is one context, with the layer of an editor's decision."""
_OF_TODAY = frozenset({"editorial", "translation"})
_UNCONVERTED = frozenset({"rdg", "egXML"})
_STATEMENT = "本文件由简体字版逐字转为繁体，字形依上下文而定；他本异文（rdg）未转。"


def write(_document: Document, settings: ExportSettings) -> str:
    """Return the TEI document, as it is if its text is not in simplified Chinese graphs (``xml:lang`` in ``Hans``).
    Raises JiaokanError if classes are to be left out."""
    if settings.without or settings.part != "all":
        raise JiaokanError(Message("tei-keeps-every-entry"), mend=Message("choose-level-part-other-forms"))
    root = parse(settings.tei, name="TEI") if settings.tei.strip() else None
    simplified = [] if root is None else [
        node for node in root.iter("{*}TEI", "{*}text", "{*}body") if node.get(LANG, "").endswith("Hans")]
    if root is None or not simplified:
        return settings.tei.decode("utf-8")
    decided = load_forms(settings.decisions / "forms.toml") if settings.decisions else {}
    for text in root.iter("{*}text"):
        for layer, runs in _texts(text):
            words = "".join(run.get() for run in runs)
            put_across(runs, in_traditional(words, decided, layer) if layer else interface_words(words, "hant"))
    for node in simplified:
        node.set(LANG, node.get(LANG, "").removesuffix("Hans") + "Hant")
    for language in root.iter("{*}language"):
        if language.get("ident", "") == "lzh-Hans":
            language.set("ident", "lzh-Hant")
            language.text = "文言，繁體字 (Literary Chinese, traditional)"
    _map_to_forms(root)
    for normalization in root.iter("{*}normalization"):
        add_block(normalization, element("p", {LANG: "zh"}, _STATEMENT))
    return serialise(root).decode("utf-8")


def _map_to_forms(root: Element) -> None:
    """Map each character without a code to the form that the converted text has for it, if it is one form; in readings,
    too."""
    uses: dict[str, list[Element]] = {}
    for use in root.iter("{*}g"):
        uses.setdefault((use.get("ref") or "").removeprefix("#"), []).append(use)
    for char in root.iter("{*}char"):
        of_char = uses.get(char.get(ID) or "", [])
        forms = {use.text or "" for use in of_char if next(use.iterancestors("{*}rdg"), None) is None}
        mappings = [mapping for mapping in char.iterchildren("{*}mapping") if mapping.get("type") == "standard"]
        for node in (*mappings, *of_char) if len(forms) == 1 and mappings else ():
            node.text = next(iter(forms))


def _texts(text: Element) -> Iterator[tuple[str, list[Words]]]:
    """Yield the runs of each block of a text that are one context, with its layer; no layer: words of today."""
    blocks: dict[int, tuple[str, list[Words]]] = {0: ("", [])}

    def visit(node: Element, block: int) -> None:
        name = local(node)
        if name in _UNCONVERTED:
            return
        if name in _LAYERS:
            block = len(blocks)
            blocks[block] = "" if node.get("type") in _OF_TODAY else _LAYERS[name], []
        blocks[block][1].append(Words(node, follows=False))
        for child in node.iterchildren(etree.Element):
            visit(child, block)
            blocks[block][1].append(Words(child, follows=True))

    visit(text, 0)
    yield from blocks.values()
