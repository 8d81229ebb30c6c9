"""Mutants of TEI files, made by program and a seed: elements removed, moved, renamed, unwrapped; attributes dropped or
misspelt; pointers broken; text moved, dropped or changed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from lxml import etree

from pipeline.names import TEI, XML

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
    return f"removed {name(element)}"


def moved(root: Element, chance: random.Random) -> str:
    element, target = chance.sample(texts(root), 2)
    while target in element.iter() or target is element.getparent():
        element, target = chance.sample(texts(root), 2)
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


KINDS: tuple[Callable[[Element, random.Random], str], ...] = (
    removed, moved, renamed, dropped, misspelt, broken, unnamed, shifted, lost, changed,
)


def mutants(data: bytes, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Give so many mutants of a file, each with what was done."""
    chance = random.Random(seed)
    original = etree.fromstring(data)
    for number in range(count):
        root = deepcopy(original)
        what = KINDS[number % len(KINDS)](root, chance)
        yield what, etree.tostring(root, encoding="UTF-8", xml_declaration=True)
