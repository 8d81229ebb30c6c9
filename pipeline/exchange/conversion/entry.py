"""Writes an ``app`` with the same readings, notes and attributes, and other words of the text in it."""

from __future__ import annotations

from pipeline.tei.linking.stream import LINKS, LinkedEntry, RawNode, number_holder
from pipeline.tei.tree import ID


def with_words(entry: LinkedEntry, words: str, *, lemma: bool = True, n: str = "", **links: str) -> str:
    """Return an entry as XML with `words` in its lemma, or in the reading that is the text.

    An entry without either gets a ``lem`` if it is to have a `lemma`; `n` is the lemma's number. `links` are new
    attributes (``xml_id`` for ``xml:id``).
    """
    node, slot = entry.node, entry.slot
    inside = f"{entry.lead}{words}{entry.trail}"
    if n and number_holder(entry) is node:
        links, n = {**links, "n": n}, ""
    if slot is not None and (not lemma or slot.name == "lem"):
        children = _children(node, {slot: _filled(slot, inside, n=n)})
    else:
        instead = {slot: _filled(slot, inside)} if slot is not None else {}
        new = _filled(RawNode("lem", f"<{node.prefix}lem>", end=f"</{node.prefix}lem>"), words, n=n)
        children = (new if lemma else "") + _children(node, instead)
    return f"{_opened(node.without(*LINKS, **links))}{children}{_end(node)}"


def around_words(entry: LinkedEntry, words: str, **links: str) -> str:
    """Return an entry round its words. A lemma of its own becomes a note (``type`` lemma), since here the lemma is the
    text."""
    whole = with_words(entry, words, lemma=entry.slot is None, **links)
    if not entry.own_lemma:
        return whole
    end, p = _end(entry.node), entry.node.prefix
    return f'{whole[: -len(end)]}<{p}note type="lemma">{entry.own_lemma}</{p}note>{end}'


def further_piece(entry: LinkedEntry, words: str, **links: str) -> str:
    """Return a further piece of an entry; its readings are empty, since the first piece has them."""
    node, slot = entry.node, entry.slot
    parts = [_filled(slot, words, plain=True) if slot is not None else f"<{node.prefix}lem>{words}</{node.prefix}lem>"]
    parts += [_filled(each, "", plain=True) for each in entry.readings() if each is not slot]
    return f"{_opened(node.without(*LINKS, 'xml:id', 'corresp', **links))}{''.join(parts)}{_end(node)}"


def _children(node: RawNode, instead: dict[RawNode, str]) -> str:
    parts: list[str] = []
    for each in node.children:
        if isinstance(each, str):
            parts.append(each)
        elif each in instead:
            parts.append(instead[each])
        elif each.name == "rdgGrp":
            parts.append(each.start + _children(each, instead) + each.end)
        else:
            parts.append(each.written())
    return "".join(parts)


def _filled(node: RawNode, words: str, *, plain: bool = False, n: str = "") -> str:
    tag = node.without("xml:id") if plain else node.without(n=n) if n else node.start
    if not words and not node.end:
        return tag
    return f"{_opened(tag)}{words}{_end(node)}"


def _opened(tag: str) -> str:
    return f"{tag[:-2].rstrip()}>" if tag.endswith("/>") else tag


def _end(node: RawNode) -> str:
    return node.end or f"</{node.prefix}{node.name}>"


def id_of(entry: LinkedEntry) -> str:
    """Return the id of an entry in its file; empty if it has none."""
    return entry.node.attributes.get(ID, "")


class EntryNames:
    """New ids for entries and their ends, unlike any in the file."""

    def __init__(self, taken: set[str]) -> None:
        self.taken, self.ids = set(taken), dict[tuple[LinkedEntry, int], str]()
        self.number = 0

    def __call__(self, entry: LinkedEntry, number: int) -> str:
        if (entry, number) not in self.ids:
            own = id_of(entry)
            if number == 1 and own:
                return own
            self.ids[entry, number] = self.free(self(entry, 1), number) if number > 1 else self.free("", 0)
        return self.ids[entry, number]

    def point(self, entry: LinkedEntry, side: str) -> str:
        """Return the id of the point where an entry begins (``from``) or ends (``to``)."""
        key = entry, -1 if side == "from" else -2
        if key not in self.ids:
            name = f"{self(entry, 1)}.{side}"
            self.ids[key] = self.free(f"{name}.", 1) if name in self.taken else name
            self.taken.add(name)
        return self.ids[key]

    def free(self, stem: str, number: int) -> str:
        """Return an unused id for a piece of `stem`, or a new one without `stem`, and mark it as used."""
        name = f"{stem}.{number}" if stem else ""
        while not name or name in self.taken:
            self.number += 1
            name = f"{stem}.{number}.{self.number}" if stem else f"app.{self.number}"
        self.taken.add(name)
        return name
