"""Reads what editors and hands did to words: corrections, deletions, additions, gaps, and signs without a code."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jiaokan.errors import Message
from jiaokan.model import Correction, Figure, Gap, Glyph, Juan, Note, NoteGroup, Role, Span, Supplied
from jiaokan.model.text import put_in_brackets
from jiaokan.model.vocabulary import EDITORS
from jiaokan.readers.tei import elements
from jiaokan.readers.tei.arrange import Part, Point, Restored, as_content, first_name, one_line, plain, split_runs
from jiaokan.readers.tei.deleted import (
    in_brackets,
    is_deleted,
    is_restored,
    restored_items,
    unwrap_restored,
    without_restored,
)
from jiaokan.readers.tei.elements import form_of_source, is_note, name_of, whole_text
from jiaokan.readers.tei.entries import EntryReader
from jiaokan.tei.apparatus import size
from jiaokan.tei.linking.read import END, START
from jiaokan.tei.lossless import all_words
from jiaokan.tei.tree import Element, loose_words, place

_LOST = {"blank": "blank", "illegible": "lacuna", "lost": "lacuna", "lacuna": "lacuna", "glyph-lost": "glyph-lost"}
"""Our reasons for a gap by those of the Guidelines (11.3.3) and of EpiDoc; any other is a lacuna."""
_NAMED_SIGNS = {
    "interpunct": "·", "middot": "·", "dot": "·", "punctus": ".", "slash": "/", "virgula": "/", "virgule": "/",
    "dbslash": "//", "pilcrow": "¶", "para": "¶", "section": "§", "hedera": "❧", "leaf": "❧", "cross": "✝",
    "chirho": "☧", "chi-rho": "☧"}
"""Signs that projects name without declaring them (EpiDoc, SCTA), where ``g`` has no words."""
_UNSTATED = "unstated"
"""The reason of words that an editor supplied without one: that they were lost, or left out, is not claimed."""
_SIGNS = [f"{{*}}{name}" for name in ("gap", "space", "g", "c", "figure", "graphic", "unclear", "damage", "supplied")]
"""Elements that show something without words."""


@dataclass(slots=True)
class EditorialReader(EntryReader):
    """Reads the elements of editors and hands; all others are read by the class that derives from it."""

    def _read_words(self, name: str, node: Element, items: list[Part]) -> None:
        if elements.is_unknown(name) and whole_text(node).strip():
            self.record.show_as(name, Message("its-words-marked"))
            self._put_span("foreign", node, items, subtype=first_name(name.rpartition("}")[2], "unknown"))
            return
        self.record.show_as(name, "its place" if name in elements.EMPTY and not whole_text(node) else "its words")
        items += self.inside(node)

    def _put_span(self, role: Role, node: Element, items: list[Part], *, subtype: str = "", ref: str = "") -> None:
        """Add the words of an element as spans: one between two of the places where an entry begins or ends, and of
        notes, so that every way of linking entries gives the same text."""
        divides = (Note, NoteGroup, Juan, Point, Restored, Figure)
        for run, item in split_runs(self.inside(node), lambda item: isinstance(item, divides)):
            words = any(size(part) for part in run if not isinstance(part, (Point, Restored)))
            items += [Span(role=role, content=as_content(run), subtype=subtype, ref=ref)] if words else run
            items += [] if item is None else [item]

    def _leave_out(self, name: str, node: Element, _: list[Part]) -> None:
        self.record.show_as(name, "left out")
        self.record.leave_out(name, whole_text(node))

    def _read_illegible(self, name: str, node: Element, items: list[Part]) -> None:
        """Read words that are hard to read, or damaged; none at all are lost."""
        if whole_text(node).strip() or next(node.iterdescendants(*_SIGNS), None) is not None:
            self._read_words(name, node, items)
        else:
            items += [*self.inside(node), Gap(reason="lacuna")]

    def _choice(self, _: str, node: Element, items: list[Part]) -> None:
        """Read two forms of one place: as a correction, as an abbreviation with a note that expands it, or as the
        source's form with the other in the ledger."""
        for words in loose_words(node):
            self.record.leave_out("choice", words)
        forms = {name_of(child): child for child in reversed(node)}
        if forms.keys() == {"sic", "corr"} and len(node) == 2:
            self._correction(forms["sic"], forms["corr"], items)
            return
        first, notes = form_of_source(node), list[Note]()
        for child in node:
            words = " ".join(whole_text(child).split())
            if child is first:
                items += self.inside(child)
            elif words and first is not None and (name_of(first), name_of(child)) == ("abbr", "expan"):
                self.record.show_as("choice-expan", Message("a-note"))
                notes.append(Note(content=(words,), kind="editorial", resp=self.person(child.get("resp", ""))))
            else:
                self.record.show_as(f"choice-{name_of(child)}", "left out")
                self.record.leave_out(name_of(child), whole_text(child))
        items += notes
        self.record.show_as("choice", "the form of the source")

    def _correction(self, sic: Element, corr: Element, items: list[Part]) -> None:
        """Read words and their correction, an entry round them too. If entries are about a part of them, the correction
        is the lemma of an entry with these words as the reading of all witnesses; beside anything else it is a note."""
        resp = self.person(corr.get("resp", "")) or EDITORS
        content: list[Part] = [whole_text(sic)] if _is_plain(sic) else self.inside(sic)
        words = "".join(item for item in content if isinstance(item, str))
        written = [n for n, item in enumerate(content) if isinstance(item, str) and item.strip()]
        inner = content[written[0] : written[-1]] if written else [*content, None]
        simple = all(isinstance(item, str) for item in inner) and all(isinstance(i, (str, Point)) for i in content)
        if simple and _is_plain(corr):
            correction = Correction(sic=one_line(words), corr=one_line(whole_text(corr)), resp=resp,
                                    cert=elements.CERTAINTIES.get(corr.get("cert", ""), ""))
            points = [item for item in content[: written[0]] if isinstance(item, Point)]
            items += [*points, correction, *(item for item in content[written[0] :] if isinstance(item, Point))]
            return
        entries = next(corr.iter("{*}app"), None) is not None or any(isinstance(item, Point) for item in content)
        if entries and self.facts.witnesses.whole():
            self.count += 1
            key = f"choice {self.count}"
            self.emended.append((key, content, resp, place(sic, "").line))
            items += [Point(key, "start"), *self.inside(corr), Point(key, "end")]
            return
        items += content
        self.record.show_as("choice", "the form of the source")
        if words := " ".join(whole_text(corr).split()):
            items.append(Note(content=(words,), kind="editorial", resp=resp))

    def _read_deleted(self, name: str, node: Element, items: list[Part]) -> None:
        """Read words that are to be deleted, as `deletions` says. Words with entries stay words, since these are about
        them; a note shows them in brackets."""
        if is_restored(node):
            self._read_words(name, node, items)
            return
        has_restored = next(node.iterdescendants("{*}restore"), None) is not None
        if self.deletions == "left out" and not has_restored and next(node.iter("{*}app"), None) is None:
            self._leave_out(name, node, items)
            return
        content = self.inside(node)
        if self.deletions == "left out" and next(node.iter("{*}app"), None) is None:
            self.record.show_as(name, "left out")
            self.record.leave_out(name, all_words(without_restored(content)))
            items += restored_items(content)
            return
        shown = self.deletions == "shown"
        self.record.show_as(name, Message("sign-brackets") if shown else "its words")
        entries = any(isinstance(item, Point) for item in content)
        items += in_brackets(content, elements.DELETED[name]) if shown and not entries else unwrap_restored(content)
        if shown and entries:
            words = put_in_brackets(one_line(plain(without_restored(content))), elements.DELETED[name])
            items.append(Note(content=(words,), kind="editorial"))

    def _restore(self, name: str, node: Element, items: list[Part]) -> None:
        """Read words of which a deletion is cancelled: round the deletion, or inside it."""
        self.record.show_as(name, "its words")
        items += [Restored(content=as_content(self.inside(node)))] if is_deleted(node) else self.inside(node)

    def _read_supplied(self, _: str, node: Element, items: list[Part]) -> None:
        """Read an editor's addition; one that holds more than words is shown as its content."""
        content = self.inside(node) if all(name_of(child) in (START, END) for child in node) else []
        words = [item for item in content if not isinstance(item, Point)]
        if len(words) == 1 and isinstance(words[0], str) and (text := " ".join(words[0].split())):
            reason = first_name(node.get("reason", ""), _UNSTATED)
            addition = Supplied(text=text, reason=reason, resp=self.person(node.get("resp", "")) or EDITORS,
                                cert=elements.CERTAINTIES.get(node.get("cert", ""), ""))
            items += [addition if item is words[0] else item for item in content]  # ends of entries are beside it
        else:
            self._read_illegible("supplied", node, items)

    def _gap(self, name: str, node: Element, items: list[Part]) -> None:
        """Read a gap; a space left by the source is blank, one of no width (CBETA) nothing."""
        self.record.leave_out("desc", whole_text(node))
        if name == "space" and node.get("quantity") == "0":
            return
        reason = "blank" if name == "space" else _LOST.get((node.get("reason", "").split() or [""])[0], "lacuna")
        items.append(Gap(reason=reason))  # type: ignore[arg-type]

    def _glyph(self, _: str, node: Element, items: list[Part]) -> None:
        """Read a character outside Unicode: its words, else what the header declares of it."""
        known = self.facts.glyphs.get(node.get("ref", "").rpartition("#")[2])
        name = re.split("[#:]", node.get("ref", ""))[-1]
        if known is None and name in self.facts.tradition.glyphs and not whole_text(node).strip():
            letter = self.facts.tradition.glyphs[name]
            self.record.show_as(f"g {name}", letter or "left out")
            items += [letter] if letter else []
            return
        if whole_text(node).strip() or known is None:
            sign = _NAMED_SIGNS.get((name or node.get("type", "")).lower(), "")
            self.record.show_as(f"g {name}" if sign else "g", sign or "its words")
            items += self.inside(node) if whole_text(node).strip() else [sign or Gap(reason="glyph-lost")]
            return
        code, standard, about = known
        if len(standard) > 1:  # a ligature, or a sign for several letters: a character of ours is one
            self.record.show_as(f"g {node.get('ref', '')}", standard)
            items.append(standard)
            return
        if not standard:
            self.record.show_as(f"g {node.get('ref', '')} {about}".strip(), "〓")
        items.append(Glyph(code=code, standard=standard))


def _is_plain(node: Element) -> bool:
    return not any(is_note(inner) or name_of(inner) in ("app", "g", "gap", START, END)
                   for inner in node.iterdescendants())
