"""The texts of a site as one XML document, from which its first page, lists and search are made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

from lxml import etree

from pipeline.characters import pinyin
from pipeline.characters.scripts import Interface, interface_of
from pipeline.tei.tree import LANG

PREPARED = "urn:jiaokan:prepared"
_SHELF = 60
"""Up to this number of texts the first page shows title slips and chapters (about fifteen screens). With more, it shows
sections and a search field, and pages of lines list the texts."""
_SHEET = 100
"""Texts on a list page: five screens, 30 KB."""


def in_order(cards: Iterable[Path], sections: Mapping[str, str]) -> list[Path]:
    """Return the ``card.xml`` of texts in the order of the site's list: critical editions first, then reading texts.

    Texts of one section (`sections`, by folder) stay together, in the order in which sections first occur.
    """
    kinds = {path: etree.parse(path).getroot().get("kind", "reading") for path in cards}
    listed = sorted(kinds, key=lambda path: kinds[path] != "critical")
    if len(listed) <= _SHELF:
        return listed
    first = {section: place for place, section in reversed([*enumerate(_section(each, sections) for each in listed)])}
    return sorted(listed, key=lambda path: (not _section(path, sections), first[_section(path, sections)]))


def _section(card: Path, sections: Mapping[str, str]) -> str:
    return sections.get(card.parent.name, "")


def collection(cards: Sequence[Path], title: str, sections: Mapping[str, str]) -> bytes:
    """Return the cards of texts, in order, as one XML document; each has its ``@folder`` and ``@section``.

    In a library each also has ``@sheet``, the number of the page that lists it.
    """
    library = len(cards) > _SHELF
    said = ' library="yes"' if library else ""
    made = [f'<collection xmlns="{PREPARED}" title={quoteattr(title)}{said}>']
    sheet, room, last = 0, 0, ""
    for path in cards:
        card, section = etree.parse(path).getroot(), _section(path, sections)
        card.set("folder", path.parent.name)
        card.set("section", section)
        if library:
            if not room or section != last:
                sheet, room, last = sheet + 1, _SHEET, section
            room -= 1
            card.set("sheet", str(sheet))
        for name in card.findall(f"{{{PREPARED}}}name"):  # they are for `names` alone
            card.remove(name)
        made.append(etree.tostring(card, encoding="unicode"))
    return "".join([*made, "</collection>"]).encode()


def spoken_of_all(cards: Iterable[Path]) -> Interface:
    """Return the interface language of a site: that of its Chinese texts, traditional if all are; English if it has
    none."""
    spoken_of = {interface_of(etree.parse(path).getroot().get(LANG) or "") for path in cards}
    return "en" if spoken_of == {"en"} else "hant" if spoken_of <= {"en", "hant"} else "hans"


def names(cards: Iterable[Path], said: Mapping[str, str]) -> bytes:
    """Return the script with the pinyin of all names and titles: as set in `said`, else as usually read."""
    read: dict[str, str] = {}
    for path in cards:
        for name in etree.parse(path).iter(f"{{{PREPARED}}}name"):
            words = name.text or ""
            read[words] = said.get(words) or (pinyin.person if name.get("kind") == "person" else pinyin.title)(words)
    known = {words: latin for words, latin in sorted(read.items()) if words and latin != words}
    return f"self.jiaokanNames = {json.dumps(known, ensure_ascii=False, indent=0)};\n".encode()
