"""Mutants of TEI files, made by program and a seed: elements removed, moved, renamed, unwrapped, emptied; notes moved;
attributes dropped, misspelt or exchanged; pointers broken; witnesses and ids doubled; text moved, lost, changed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from lxml import etree

from jiaokan.model.vocabulary import TEI, XML

Element = Any
POINTING = ("wit", "resp", "target", "targetEnd", "corresp", "ana", "ref", "source")


def texts(root: Element) -> list[Element]:
    """The elements inside the text."""
    return [each for each in root.find(f"{{{TEI}}}text").iter() if isinstance(each.tag, str)][2:]


def name(element: Element) -> str:
    return str(etree.QName(element).localname)


def detach(element: Element) -> None:
    """Take an element out; what follows it stays."""
    tail, before, parent = element.tail or "", element.getprevious(), element.getparent()
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)


def removed(root: Element, chance: random.Random) -> str:
    element = chance.choice(texts(root))
    detach(element)
    mine = name(element) == "pc" and not {"type", "rend"} & {*element.attrib}  # which the editor may set or not
    return "removed a mark of the editor's" if mine else f"removed {name(element)}"


def moved(root: Element, chance: random.Random) -> str:
    element = chance.choice(texts(root)[1:])
    inside = {*element.iter(), element.getparent()}
    target = chance.choice([each for each in texts(root) if each not in inside])
    detach(element)
    target.insert(0, element)
    element.tail, target.text = target.text, None
    return f"moved {name(element)} into {name(target)}"


def renamed(root: Element, chance: random.Random) -> str:
    element = chance.choice(texts(root))
    before = name(element)
    element.tag = f"{{{TEI}}}{chance.choice([n for n in ('hi', 'seg', 'note', 'ab', before + 's') if n != before])}"
    return f"renamed {before} to {name(element)}"


def dropped(root: Element, chance: random.Random) -> str:
    element = chance.choice([each for each in texts(root) if each.attrib])
    attribute = chance.choice(sorted(element.attrib))
    del element.attrib[attribute]
    return f"dropped {name(element)}/@{etree.QName(attribute).localname}"


def misspelt(root: Element, chance: random.Random) -> str:
    element = chance.choice([each for each in texts(root) if any("}" not in a for a in each.attrib)])
    attribute = chance.choice(sorted(a for a in element.attrib if "}" not in a))
    element.set(f"{attribute}s", element.attrib.pop(attribute))
    return f"misspelt {name(element)}/@{attribute}"


def broken(root: Element, chance: random.Random) -> str:
    element = chance.choice([each for each in texts(root) if any(a in each.attrib for a in POINTING)])
    attribute = chance.choice([a for a in POINTING if a in element.attrib])
    element.set(attribute, element.get(attribute) + "x")
    return f"broken {name(element)}/@{attribute}"


def unnamed(root: Element, chance: random.Random) -> str:
    element = chance.choice([each for each in texts(root) if each.get(f"{{{XML}}}id")])
    element.set(f"{{{XML}}}id", element.get(f"{{{XML}}}id") + "9")
    return f"renumbered {name(element)}"


def words(root: Element) -> list[Element]:
    return [each for each in texts(root) if each.text and len(each.text.strip()) > 1 and name(each) != "term"]


def shifted(root: Element, chance: random.Random) -> str:
    source, target = chance.sample(words(root), 2)
    part = source.text.strip()[:2]
    source.text = source.text.replace(part, "", 1)
    target.text = target.text + part
    return f"text moved from {name(source)} to {name(target)}"


def lost(root: Element, chance: random.Random) -> str:
    element = chance.choice(words(root))
    at = chance.randrange(len(element.text.strip()))
    bare = element.text.strip()
    element.text = element.text.replace(bare, bare[:at] + bare[at + 1 :], 1)
    return f"text lost in {name(element)}"


def changed(root: Element, chance: random.Random) -> str:
    element = chance.choice(words(root))
    bare = element.text.strip()
    element.text = element.text.replace(bare, ("甲" if bare[0] != "甲" else "乙") + bare[1:], 1)
    return f"text changed in {name(element)}"


def apparatus(root: Element) -> list[Element]:
    return [each for each in texts(root) if name(each) == "app"]


def doubled(root: Element, chance: random.Random) -> str:
    """A witness named again: where there is an apparatus in another reading, else in the list of those that have it."""
    entries = apparatus(root)
    if not entries:
        element = chance.choice([each for each in texts(root) if each.get(f"{{{XML}}}id")])
        other = chance.choice([each for each in texts(root) if each.get(f"{{{XML}}}id") and each is not element])
        other.set(f"{{{XML}}}id", element.get(f"{{{XML}}}id"))
        return f"doubled the id of {name(element)}"
    readings = [each for each in chance.choice(entries) if each.get("wit")]
    readings[-1].set("wit", f"{readings[-1].get('wit')} {readings[0].get('wit').split()[0]}")
    return "doubled a witness"


def unwrapped(root: Element, chance: random.Random) -> str:
    """An entry without its readings, or, where there is none, an element without its tags."""
    entries = apparatus(root)
    element = chance.choice(entries or [each for each in texts(root) if len(each) or (each.text or "").strip()])
    kept = element[0] if entries else element
    parent, at = element.getparent(), element.getparent().index(element)
    tail, element.tail = element.tail or "", None
    for child in reversed(list(kept)):
        parent.insert(at + 1, child)
    (parent[at]).tail = kept.text
    detach(element)
    last = parent[at + len(kept) - 1] if len(kept) else (parent[at - 1] if at else None)
    if last is None:
        parent.text = (parent.text or "") + tail
    else:
        last.tail = (last.tail or "") + tail
    report = entries and ".r" in element.get(f"{{{XML}}}id", "")
    return "unwrapped a report" if report else f"unwrapped {name(element)}"


def shuffled(root: Element, chance: random.Random) -> str:
    """A note in another place where notes stand."""
    notes = [each for each in texts(root) if name(each) == "note" and each.get("type") == "commentary"]
    note = chance.choice(notes)
    beside = {note, *note.iter(), *note.iterancestors(), note.getnext()}
    other = chance.choice([each for each in notes if each not in beside])
    detach(note)
    other.addprevious(note)
    return "moved a note"


def swapped(root: Element, chance: random.Random) -> str:
    """Two attributes of one element exchanged."""
    element = chance.choice([each for each in texts(root) if len([a for a in each.attrib if "}" not in a]) > 1])
    one, two = chance.sample(sorted(a for a in element.attrib if "}" not in a), 2)
    first, second = element.get(one), element.get(two)
    element.set(one, second)
    element.set(two, first)
    return f"swapped {name(element)}/@{one} and @{two}" + (", which are alike" if first == second else "")


def emptied(root: Element, chance: random.Random) -> str:
    element = chance.choice([each for each in texts(root) if len(each) or (each.text or "").strip()])
    for child in list(element):
        element.remove(child)
    element.text = None
    return f"emptied {name(element)}"


KINDS: tuple[Callable[[Element, random.Random], str], ...] = (
    removed, moved, renamed, dropped, misspelt, broken, unnamed, shifted, lost, changed, doubled, unwrapped,
    shuffled, swapped, emptied,
)


def mutants(data: bytes, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Return so many mutants of a file, each with what was done."""
    chance = random.Random(seed)
    original = etree.fromstring(data)
    for number in range(count):
        root = deepcopy(original)
        what = KINDS[number % len(KINDS)](root, chance)
        yield what, etree.tostring(root, encoding="UTF-8", xml_declaration=True)
