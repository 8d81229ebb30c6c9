"""Compares two forms of an apparatus: the text of each witness, and the entries."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from jiaokan.errors import Message
from jiaokan.readers.tei.facts import Witnesses, facts
from jiaokan.tei.linking import stream
from jiaokan.tei.linking.read import link_text
from jiaokan.tei.tree import parse

PRINTED = ""  # name of the text as the file prints it


@dataclass(frozen=True, slots=True)
class ProvenEntry:
    """An entry as it is compared."""

    start: int
    end: int
    words: str
    readings: tuple[str, ...]  # for people: its lemma and readings with their witnesses (``virum C``)
    written: str  # the entry as XML without the words of the text, its links, and white space
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of an apparatus; two that are equal hold the same."""

    texts: dict[str, str]  # the text of each witness by siglum, and `PRINTED`, without white space
    entries: tuple[ProvenEntry, ...]
    loose: tuple[str, ...]  # entries whose place is unknown, as XML


def contents(data: bytes, file: str) -> Contents:
    """Return the contents of a file's apparatus; `file` is its name in messages. Raises TeiError if it is not XML."""
    return read_contents(link_text(data, file), witnesses_of(data, file))


def witnesses_of(data: bytes, file: str) -> Witnesses:
    """Return the witnesses that a TEI file declares. Raises TeiError if it is not XML."""
    return facts(parse(data, name=file)).witnesses


def read_contents(text: stream.LinkedText, witnesses: Witnesses) -> Contents:
    """Return the contents of an apparatus."""
    entries = tuple(sorted(_entries(text, witnesses), key=lambda entry: (entry.start, -entry.end, entry.written)))
    loose = tuple(stream.bare(entry.node.markup()) for entry in text.entries if entry.problem)
    return Contents(_WitnessTexts(text, witnesses).all(), entries, loose)


def witness_ids(reading: stream.RawNode, witnesses: Witnesses) -> tuple[str, ...]:
    """Return the ids of a reading's witnesses: of groups each member, of a hand the hand."""
    ids = witnesses.ids_of(reading.attributes.get("wit", ""))
    hand = reading.attributes.get("hand", "").rpartition("#")[2]
    return tuple(witnesses.hand(name, hand) for name in ids) if hand else ids


def _entries(text: stream.LinkedText, witnesses: Witnesses) -> Iterator[ProvenEntry]:
    at = 0
    begun: dict[stream.LinkedEntry, tuple[int, list[str]]] = {}
    for item in text.items:
        if isinstance(item, str):
            at += stream.ink_size(item)
        if isinstance(item, (str, stream.Tag)):
            for _, written in begun.values():
                written.append(item if isinstance(item, str) else item.markup())
        elif isinstance(item, stream.Edge) and item.opens:
            begun[item.entry] = at, []
        elif isinstance(item, stream.Edge):
            start, parts = begun.pop(item.entry)
            words, entry = stream.ink("".join(part for part in parts if not part.startswith("<"))), item.entry
            shown = tuple(_reading_lines(entry, words, witnesses))
            tag = stream.bare(entry.node.without(*stream.LINKS, "next", "xml:id"))
            inside = _LEMMA_ALONE.sub("", "".join(_entry_parts(entry.node, entry, "".join(parts))))
            xml = f"{tag}{inside}{stream.bare(entry.lead)}|{stream.bare(entry.own_lemma)}|{stream.bare(entry.trail)}"
            yield ProvenEntry(start, at, words, shown, xml, entry.line)


def _reading_lines(entry: stream.LinkedEntry, words: str, witnesses: Witnesses) -> Iterator[str]:
    for reading in entry.readings():
        text = words if reading is entry.slot else "".join(reading.words().split())
        who = " ".join(witnesses.sigla.get(name, name) for name in witness_ids(reading, witnesses))
        who = who or reading.attributes.get("resp", "")
        if who or reading.name != "lem":
            yield f"{text or '∅'} {who}".rstrip()


_LEMMA_ALONE = re.compile(r"<(?:[^\s/>]*:)?lem(?: n=(?:\"\d+\"|'\d+'))?>=</(?:[^\s/>]*:)?lem>")


def _entry_parts(node: stream.RawNode, entry: stream.LinkedEntry, words: str) -> Iterator[str]:
    for child in node.children:
        if isinstance(child, str):
            yield stream.bare(child)
        elif child.name == "rdgGrp":
            yield stream.bare(child.start)
            yield from _entry_parts(child, entry, words)
            yield stream.bare(child.end)
        elif child.name in ("lem", "rdg"):
            inside = "".join(part if isinstance(part, str) else part.markup() for part in child.children)
            same = child is entry.slot or stream.copies(inside, words)
            tag = stream.bare(child.start).removesuffix("/>").removesuffix(">")
            yield f"{tag}>{'=' if same else stream.bare(inside)}</{child.prefix}{child.name}>"
        else:
            yield stream.bare(child.markup())


class _WitnessTexts:
    def __init__(self, text: stream.LinkedText, witnesses: Witnesses) -> None:
        self.witnesses = witnesses
        self.runs: list[str | stream.Edge] = []
        words: list[str] = []
        for item in text.items:
            if isinstance(item, stream.Edge):
                self.runs += ["".join(words), item]
                words = []
            elif isinstance(item, str):
                words.append(stream.ink(item))
        self.runs.append("".join(words))
        self.readings: dict[str, dict[stream.LinkedEntry, stream.RawNode]] = {}
        """By witness its readings that are not the text."""
        self.turning: dict[str, dict[stream.LinkedEntry, tuple[bool, bool]]] = {}
        """By witness the entries where it stops and where it begins to have text."""
        entries = dict.fromkeys(run.entry for run in self.runs if isinstance(run, stream.Edge))
        for entry, reading in [(linked_entry, reading) for linked_entry in entries
                               for reading in linked_entry.readings()]:
            slot = reading is entry.slot
            written = entry.lead + entry.trail if slot else reading.markup()
            stops, begins = bool(_STOPS.search(written)), bool(_BEGINS.search(written))
            for name in witness_ids(reading, witnesses):
                readings_here, turning = self.readings.setdefault(name, {}), self.turning.setdefault(name, {})
                if not slot:
                    readings_here.setdefault(entry, reading)
                if stops or begins:
                    before = turning.get(entry, (False, False))
                    turning[entry] = stops or before[0], begins or before[1]

    def all(self) -> dict[str, str]:
        sigla = {name: name for name in self.readings} | self.witnesses.sigla
        printed = {PRINTED: "".join(run for run in self.runs if isinstance(run, str))}
        return printed | {siglum: "".join(self.of(name)) for name, siglum in sigla.items()}

    def of(self, witness: str) -> Iterator[str]:
        """Yield the text of a witness; where entries with readings of it overlap, that of the first."""
        inside: stream.LinkedEntry | None = None
        readings_here, turning = self.readings.get(witness, {}), self.turning.get(witness, {})
        away = next((begins for _, begins in turning.values()), False)
        for item in self.runs:
            if isinstance(item, str):
                yield "" if away or inside is not None else item
                continue
            entry = item.entry
            stops, begins = turning.get(entry, (False, False))
            away = (away and not begins) if item.opens else (away or stops)
            if item.opens and inside is None and entry in readings_here:
                inside = entry
                yield "" if away else "".join(stream.unescape_text(_words(readings_here[entry], witness,
                                                                      self.witnesses)).split())
            elif not item.opens and inside is entry:
                inside = None


_STOPS = re.compile(r"<(?:[^\s/>]*:)?(?:lacunaStart|witEnd)\b")
_BEGINS = re.compile(r"<(?:[^\s/>]*:)?(?:lacunaEnd|witStart)\b")


def _words(node: stream.RawNode, witness: str, witnesses: Witnesses) -> str:
    parts: list[str] = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(child)
        elif child.name == "app":
            groups = list(stream.readings(child))
            groups_here = [rdg for rdg in groups if witness in witness_ids(rdg, witnesses)]
            groups_here += [rdg for rdg in groups if rdg.name == "lem"] or groups[:1]
            parts += [_words(rdg, witness, witnesses) for rdg in groups_here[:1]]
        else:
            parts.append(_words(child, witness, witnesses))
    return "".join(parts)


def comparison_table(before: Contents, after: Contents) -> str:
    """Return what was compared, by witness and by entry, as lines with tabs."""
    lines = ["witness\tcharacters\tsha256 before\tsha256 after\t"]
    for name in dict.fromkeys([*before.texts, *after.texts]):
        text_before, other = before.texts.get(name), after.texts.get(name)
        sums = ["-" if text is None else hashlib.sha256(text.encode()).hexdigest()[:16]
                for text in (text_before, other)]
        same = "equal" if text_before == other else "NOT"
        lines.append("\t".join((name or Message("as-printed"), str(len(text_before or "")), *sums, same)))
    lines.append(f"entries\t{len(before.entries)}\t\t{len(after.entries)}\t"
                 f"{'equal' if before.entries == after.entries and before.loose == after.loose else 'NOT'}")
    for number, entry in enumerate(before.entries, 1):
        lines.append(f"{number}\t{entry.start}–{entry.end}\t{entry.words or '∅'}\t{' | '.join(entry.readings)}")
    return "\n".join(lines) + "\n"
