"""Pointers to words, resolved by what ``prefixDef`` says and nothing else: they find the words that are quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.model import Head, Note, Trailer, Unit
from jiaokan.model.text import counted
from jiaokan.model.walk import walk
from jiaokan.tei.header.declarations import prefixes
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import ID

TOP = Path(__file__).parents[1] / "tei"
FILES = sorted(TOP.glob("*/*.xml"))
_LEFT_OUT = ("note", "noteGrp", "rdg", "corr", "supplied", "index", "figure")
_FORMATTED = ("app", "choice", "noteGrp")


def local(node: etree._Element) -> str:
    return etree.QName(node).localname


class Resolver:
    """Finds the words of a pointer as the header's ``prefixDef`` describes it."""

    def __init__(self, root: etree._Element) -> None:
        self.definition = root.find(".//{*}prefixDef[@ident='words']")
        self.ids = {node.get(ID): node for node in root.iter("{*}*") if node.get(ID)}

    def words(self, pointer: str) -> tuple[str, bool]:
        """The words of a pointer, and whether an entry touches them; fails if it does not lead to any."""
        assert self.definition is not None
        match = re.fullmatch(self.definition.get("matchPattern", ""), pointer.removeprefix("words:"))
        assert match, pointer
        target = self.definition.get("replacementPattern", "").replace("$1", match[1])
        first, last = int(match[2]), int(match[2]) + int(match[3])
        at, text, disputed = 0, "", False
        for piece, in_entry in self.pieces(self.ids[target.removeprefix("#")]):
            disputed |= in_entry and at <= last and first <= at + len(piece)
            at, text = at + len(piece), text + piece
        assert last <= at, pointer
        return text[first:last], disputed

    def text(self, node: etree._Element) -> str:
        return "".join(piece for piece, _ in self.pieces(node))

    def pieces(self, node: etree._Element, in_entry: bool = False) -> Iterator[tuple[str, bool]]:
        """What is counted in an element, with whether it is in an apparatus entry."""
        def written(words: str | None) -> str:
            return "" if local(node) in _FORMATTED and not (words or "").strip() else (words or "").replace("\n", "")

        in_entry |= local(node) == "app"
        yield written(node.text), in_entry
        for child in node.iterchildren():
            if isinstance(child.tag, str):
                yield from self._child(child, in_entry)
            yield written(child.tail), in_entry

    def _child(self, node: etree._Element, in_entry: bool) -> Iterator[tuple[str, bool]]:
        name = local(node)
        if name == "g":
            mapped = {str(mapping.get("type")): mapping for mapping in self.ids[node.get("ref", "")[1:]]}
            yield str((mapped["source"] if "source" in mapped else mapped["PUA"]).text), in_entry
        elif name == "gap":
            yield node.get("rend", ""), in_entry
        elif name == "space":
            yield chr(int(node.get("rend", "U+20")[2:], 16)) * int(node.get("quantity", "1")), in_entry
        elif name in _LEFT_OUT or (name == "pc" and not node.get("type")) or (
                node.get("rend") and name not in ("choice", "surplus")):
            yield "", in_entry
        else:
            yield from self.pieces(node, in_entry)


def pointers(root: etree._Element) -> list[tuple[etree._Element, str]]:
    return [(node, word) for node in root.iter("{*}*") if local(node) != "prefixDef"
            for value in node.attrib.values() for word in str(value).split() if word.startswith("words:")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_the_definition_in_the_header_finds_the_words_that_the_program_counts(file: Path) -> None:
    data = file.read_bytes()
    root = etree.fromstring(data)
    resolver = Resolver(root)
    for item in walk(from_tei(data, name=file.name)):
        if isinstance(item, (Unit, Note, Head, Trailer)) and item.id:
            assert resolver.text(resolver.ids[item.id]) == counted(item.content).replace("\n", ""), item.id
    assert pointers(root)
    for node, pointer in pointers(root):
        words, disputed = resolver.words(pointer)
        quoted = resolver.text(node).strip("“”‘’")
        if file.parent.name == "editions" and local(node) == "quote" and not disputed:
            assert words == quoted, pointer


def test_most_quoted_words_of_the_editions_are_found_and_none_is_taken_for_granted() -> None:
    agreeing = 0
    for file in (TOP / "editions").glob("*.xml"):
        root = etree.parse(file).getroot()
        resolver = Resolver(root)
        quotes = [(node, pointer) for node, pointer in pointers(root) if local(node) == "quote"]
        agreeing += sum(resolver.words(pointer)[0] == resolver.text(node).strip("“”‘’") for node, pointer in quotes)
        assert not any(word.startswith("#string-range") for node in root.iter("{*}*") for word in node.attrib.values())
    assert agreeing > 1700


def test_the_form_of_earlier_files_is_read_as_the_same() -> None:
    data = (TOP / "editions" / "gangmu.xml").read_bytes()
    old = re.sub(rb"words:([a-z][^/\" ]*)/([0-9]+)/([0-9]+)(?=[ \"])", rb"#string-range(\1,\2,\3)", data)
    assert old != data and from_tei(old, name="old") == from_tei(data, name="new")


HEADER = etree.tostring(prefixes(variants=False), encoding="unicode")


@pytest.mark.parametrize(("content", "pointer", "words"), [
    ("甲<note>注</note>乙丙", "a/1/2", "乙丙"),
    ("甲<app>\n<lem wit='#A'>乙丙</lem>\n<rdg wit='#B'>丁</rdg>\n</app>戊", "a/2/2", "丙戊"),
    ("<choice><sic>甲</sic><corr>乙乙</corr></choice><supplied>丙</supplied>丁", "a/0/2", "甲丁"),
    ("甲<pc>，</pc><pc type='source'>。</pc><pc rend='〈〉'>句</pc>乙", "a/1/2", "。乙"),
    ("甲\n<gap rend='□□'/>乙<space rend='U+3000' quantity='2'/>丙", "a/1/6", "□□乙　　丙"),
    ("<g ref='#g-KR0014'>木</g>甲<g ref='#g-E14B'>乙</g>", "a/8/2", "甲\ue14b"),
    ("甲乙", "a/1/0", ""),
])
def test_each_clause_of_the_definition(content: str, pointer: str, words: str) -> None:
    chars = ("<char xml:id='g-KR0014'><mapping type='source'>&amp;KR0014;</mapping><mapping type='standard'>木"
             "</mapping></char><char xml:id='g-E14B'><mapping type='PUA'>\ue14b</mapping></char>")
    root = etree.fromstring(f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader>{HEADER}{chars}</teiHeader><text>"
                            f"<seg xml:id='a'>{content}</seg></text></TEI>")
    assert Resolver(root).words(f"words:{pointer}")[0] == words
