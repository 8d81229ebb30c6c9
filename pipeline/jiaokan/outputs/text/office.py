"""What the language of a text asks of a word processor: faces, direction, and what its styles are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

from lxml import etree

from jiaokan.characters.scripts import Interface, term
from jiaokan.characters.writing import scripts
from jiaokan.model.vocabulary import WORD_STYLES
from jiaokan.outputs import DOCUMENT
from jiaokan.outputs.text.prepare import script_of_text
from jiaokan.settings.plans import TypePlan
from jiaokan.tei.tree import LANG, beginning

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@dataclass(frozen=True, slots=True)
class OfficeSetting:
    """What the language and the script of a text ask of a word processor."""

    interface: Interface
    language: str  # BCP 47
    script: str

    @property
    def rtl(self) -> bool:
        """Whether the script runs from right to left."""
        return scripts()[self.script].direction == "rtl"

    @property
    def kind(self) -> str:
        """Return the attribute of ``w:lang`` for the language (17.3.2.20)."""
        return "eastAsia" if scripts()[self.script].cells else "bidi" if self.rtl else "val"

    def faces(self, letters: TypePlan) -> dict[str, str]:
        """Return the faces of ``w:rFonts`` by its attributes; a text in letters has one for all that is not Chinese."""
        script = scripts()[self.script]
        others = letters.faces.latin or ("" if script.cells else letters.faces.base or script.office)
        chinese = script.office if script.cells else scripts()["Hani"].office
        named = {"eastAsia": (letters.faces.base if script.cells else "") or chinese, "ascii": others, "hAnsi": others,
                 "cs": "" if script.cells else letters.faces.base or script.office}
        return {name: face for name, face in named.items() if face}


def setting_of(tei: bytes, interface: Interface) -> OfficeSetting:
    """Return the settings for a TEI file or its prepared form. East Asian text has the languages of word processors."""
    language, script = beginning(tei, name=DOCUMENT).get(LANG) or "", script_of_text(tei)
    if script == "Hani":
        language = "zh-TW" if interface == "hant" else "zh-CN"
    return OfficeSetting(interface, language if language not in ("", "und") else scripts()[script].language, script)


_OF_TEXT = frozenset({"经文", "注文", "题", "结语", "正文", "卷端", "说话人", "舞台提示", "落款", "居中", "引文"})
"""Styles of paragraphs in the language of the text; entries, whose words are English, run from left to right."""
_AFTER_BIDI = ("adjustRightInd", "snapToGrid", "spacing", "ind", "contextualSpacing", "mirrorIndents", "jc",
              "outlineLvl")
"""What comes after ``w:bidi`` in the properties of a paragraph (17.3.1.26)."""
def with_names(styles: bytes, setting: OfficeSetting) -> bytes:
    """Return styles with their names in the language of the interface, and language and direction of the text."""
    tree = etree.fromstring(styles)
    for lang in tree.iter(f"{_W}lang"):
        lang.set(f"{_W}{setting.kind}", setting.language)
    for style in tree.iter(f"{_W}style"):
        identity = str(style.get(f"{_W}styleId"))
        if (key := WORD_STYLES.get(identity)) and (name := style.find(f"{_W}name")) is not None:
            name.set(f"{_W}val", term(f"book-style-{key}", setting.interface))
        if setting.rtl and identity in _OF_TEXT:
            _insert_before(_properties(style), "bidi", _AFTER_BIDI)
    return etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True)


def _properties(element: etree._Element) -> etree._Element:
    """Return the properties of the paragraphs of a style, made after its head if it has none."""
    properties = element.find(f"{_W}pPr")
    if properties is None:
        properties = etree.Element(f"{_W}pPr")
        run = element.find(f"{_W}rPr")
        element.insert(len(element) if run is None else element.index(run), properties)
    return properties


def _insert_before(properties: etree._Element, name: str, later: tuple[str, ...]) -> None:
    """Add an empty element to properties before those that come later in their order."""
    at = next((n for n, child in enumerate(properties) if etree.QName(child).localname in later), len(properties))
    properties.insert(at, etree.Element(f"{_W}{name}"))


_LEFT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
_OTHER = rf"(?!{_LEFT})[^\W\d_]"
_WORDS = rf"{_OTHER}(?:(?:(?!{_LEFT}).)*{_OTHER})?"
_RUNS = re.compile(rf"\[{_WORDS}\]|\({_WORDS}\)|{_WORDS}", re.S)
"""Words with what is between them, as far as no letter of a script from right to left is among them."""
_LEFTWARD = re.compile(_LEFT)


def with_direction(part: bytes) -> bytes:
    """Return a part whose words from right to left are runs of their own, marked as such (17.3.2.30)."""
    tree = etree.fromstring(part)
    for text in [*tree.iter(f"{_W}t")]:
        run, words = text.getparent(), text.text or ""
        if run is None or not _LEFTWARD.search(words):
            continue
        for words_here, leftward in _directions(words):
            copy = deepcopy(run)
            for child in [*copy]:
                if child.tag == f"{_W}t":
                    child.text = words_here
                    child.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            properties = copy.find(f"{_W}rPr")
            if properties is None:
                properties = etree.Element(f"{_W}rPr")
                copy.insert(0, properties)
            if leftward:
                _insert_before(properties, "rtl", ("cs", "em", "lang", "eastAsianLayout", "specVanish", "oMath"))
            run.addprevious(copy)
        parent = run.getparent()
        assert parent is not None  # a run is in a paragraph
        parent.remove(run)
    return etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True)


def _directions(words: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of words with whether they run from right to left; marks between go with these."""
    done = 0
    for match in _RUNS.finditer(words):
        if _LEFTWARD.search(match[0]):
            continue
        if match.start() > done:
            yield words[done : match.start()], True
        yield match[0], False
        done = match.end()
    if done < len(words):
        yield words[done:], True
