"""Reads the content of a paragraph: words, breaks, characters, notes; and the entries in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from jiaokan.errors import Message
from jiaokan.model import Break, Figure, Juan, Note, Span
from jiaokan.model.numerals import whole
from jiaokan.model.vocabulary import TEI
from jiaokan.readers.tei import elements
from jiaokan.readers.tei.arrange import Part, Point, RawEntry, as_content, tidy
from jiaokan.readers.tei.editorial import EditorialReader
from jiaokan.readers.tei.elements import is_note, name_of, whole_text
from jiaokan.readers.tei.facts import picture_of
from jiaokan.readers.tei.looks import look_of
from jiaokan.tei.apparatus import Variation
from jiaokan.tei.linking.read import END, START
from jiaokan.tei.tree import LANG, Element, after, loose_words, mixed_content

_ENTRY_ENDS = [f"{space}{name}" for name in ("anchor", "app") for space in ("", f"{{{TEI}}}")]


@dataclass(slots=True)
class InlineReader(EditorialReader):
    """Reads content, and records its entries and what it shows otherwise or leaves out."""

    pictures: dict[str, str] = field(default_factory=dict)
    """Addresses of pictures of pages, by id."""
    zones: frozenset[str] = frozenset()
    """Ids of surfaces and zones of pages."""
    spaced: bool = False
    """Whether the file has white space at line ends between words (`has_spaced_breaks`)."""

    def content(self, nodes: Iterable[str | Element]) -> list[Part]:
        """Return words and elements as content with its points."""
        items: list[Part] = []
        for node in nodes:
            if not isinstance(node, str):
                name = name_of(node)
                apart = elements.is_word_apart(node)
                if apart or _next_word(name, node):
                    items.append(" ")
                _READ_BY.get(name, InlineReader._read_words)(self, name, node, items)
                items += [" "] if apart else []
            elif items and isinstance(items[-1], Break) and items[-1].rend == "no":  # inside a word: ``lb break="no"``
                items.append(node.lstrip(" \t\r\n"))
            else:
                items.append(node)
        return items

    def inside(self, node: Element) -> list[Part]:
        """Return an element's content with its points."""
        if len(node):
            return self.content(mixed_content(node, self.file))
        return [node.text] if node.text else []

    def _end(self, name: str, node: Element, items: list[Part]) -> None:
        items.append(Point(node.get("n", ""), "start" if name == START else "end"))

    def _read_style(self, name: str, node: Element, items: list[Part]) -> None:
        """Read words that a page shows in a form of their own."""
        address = node.get("target", "") if name == "ref" else ""
        if address.startswith(("http://", "https://")):
            self._put_span("link", node, items, ref=address)
        elif (look := look_of(node, elements.STYLES[name], self.facts.looks)) and name not in ("ref", "email"):
            self._put_span("hi", node, items, subtype=look)
        else:
            self.record.show_as(name, "its words")
            items += self.inside(node)

    def figure(self, node: Element) -> Figure:
        """Return a picture: its address, and its head and description."""
        graphic = node if name_of(node) != "figure" else node.find(".//{*}graphic")
        image = "" if graphic is None else graphic.get("url", "")
        image = image or picture_of(node.get("facs", ""), self.pictures)
        return Figure(source="", description=" ".join(" ".join(map(str, node.itertext())).split()), image=image)

    def _picture(self, _: str, node: Element, items: list[Part]) -> None:
        items.append(self.figure(node))

    def _note_or_words(self, name: str, node: Element, items: list[Part]) -> None:
        if name == "noteGrp":
            self.record.show_as(name, "its notes")
            items += [self.note(child) for child in node if isinstance(child.tag, str)]
            items += [Note(content=(" ".join(words.split()),), kind="gloss") for words in loose_words(node)]
        else:
            items += [self.note(node)] if is_note(node) else self.inside(node)

    def _turn(self, _: str, node: Element, items: list[Part]) -> None:
        """Read where the witnesses of ``@wit`` begin or stop; in a reading its entry has that."""
        around = node.getparent()
        while around is not None and name_of(around) not in ("lem", "rdg"):
            around = around.getparent()
        turns = () if around is not None or not node.get("wit") else tuple(self.turns(node, ()))
        if turns:
            self.count += 1
            key = f"turn {self.count}"
            items += [Point(key, "start"), Point(key, "end")]
            self.entries.append(RawEntry(key, Variation(start=0, end=0, lemma=None, readings=(), turning=True), turns))
        items += self.inside(node)

    def _milestone(self, name: str, node: Element, items: list[Part]) -> None:
        if node.get("unit") == "juan" and whole(node.get("n", ""), -1) >= 0:
            items += [Juan(n=whole(node.get("n", ""))), *self.inside(node)]
        else:
            self._read_words(name, node, items)

    def _character(self, _: str, node: Element, items: list[Part]) -> None:
        """Read one character: its words, or ``@n`` (TLS writes punctuation so)."""
        n = node.get("n")
        items += [n] if n and not whole_text(node) else self.inside(node)

    def _guide(self, name: str, node: Element, items: list[Part]) -> None:
        """Read what is written beside words to say how to read them (the reading of ruby, 返り点): a note on them."""
        self.record.show_as(name, Message("a-note"))
        items += [self.note(node)] if whole_text(node).strip() else self.inside(node)

    def _page(self, name: str, node: Element, items: list[Part]) -> None:
        """Read a page, column or line; a break inside a word is no white space."""
        inside_word = node.get("break") == "no" or (self.spaced and _is_in_word(node))
        while inside_word and items and isinstance(items[-1], str):
            items[-1] = items[-1].rstrip(" \t\r\n")
            if items[-1]:
                break
            items.pop()
        edition = node.get("ed", "") or node.get("edRef", "").removeprefix("#")
        items.append(Break(
            unit=elements.PAGES[name], n=node.get("n", ""), edition=edition,  # type: ignore[arg-type]
            image=picture_of(node.get("facs", ""), self.pictures), rend="no" if inside_word else "",
            zone=" ".join(word[1:] for word in node.get("facs", "").split() if word[1:] in self.zones),
        ))
        if not inside_word:
            items.append(" ")
        if (len(node) or node.text) and whole_text(node).strip():  # TEI gives it no content; what it has follows it
            self.record.show_as(name, "its words")
            items += self.inside(node)

    def _read_punctuation(self, name: str, node: Element, items: list[Part]) -> None:
        """Read a mark of punctuation: where a file gives each token a line, the line end before a mark that closes is
        no white space."""
        last = items[-1] if items else ""
        if isinstance(last, str) and "\n" in last[len(last.rstrip()):] and _closes(whole_text(node).strip(), node):
            items[-1:] = [last.rstrip()] if last.rstrip() else []
        self._read_words(name, node, items)

    def _span(self, name: str, node: Element, items: list[Part]) -> None:
        if next(node.iterdescendants(*_ENTRY_ENDS), None) is not None:  # an entry begins or ends in it
            self._read_words(name, node, items)
            return
        inside = self.inside(node)
        noted = any(is_note(inner) for inner in node.iterdescendants("{*}*"))
        remarks = [item for item in inside if isinstance(item, Note) and not noted]
        words = [item for item in inside if item not in remarks]
        if any(isinstance(item, (Note, Juan)) for item in words) or not whole_text(node).strip():
            self.record.show_as(name, "its words")
            items += inside
        else:  # expansions of abbreviations in a name follow it
            items += [Span(role=elements.SPANS[name], content=as_content(words)), *remarks]  # type: ignore[arg-type]

    def note(self, node: Element, *, place: str = "inline") -> Note:
        """Return a note; brackets round all of it become its brackets."""
        kind, top = node.get("type", ""), "top" in node.get("place", "").split()
        if kind not in elements.NOTE_KINDS:
            layer = name_of(node) == "seg" or node.get("place") in ("inline", "interlinear") or top
            kind = "commentary" if layer or elements.COMMENTARY.fullmatch(kind) else "gloss"
        content, rend = _without_brackets(tidy(self.inside(node)))
        return Note(
            content=as_content(content), kind=kind, subtype=elements.note_role(node),  # type: ignore[arg-type]
            resp=self.person(node.get("resp", "")), rend=rend, place="top" if top else place,  # type: ignore[arg-type]
        )

    def _app(self, _: str, node: Element, items: list[Part]) -> None:
        """Read an entry; if it stands round its words, its lemma is added between its points."""
        surrounding = self.surrounding_entry(node)
        if surrounding is None:
            self.apart(node)
            return
        key, chosen = surrounding
        items.append(Point(key, "start"))
        if chosen is not None:
            if name_of(chosen) != "lem":
                self.record.show_as("app without lem", "its first reading is the text")
            items += self.inside(chosen)
        items.append(Point(key, "end"))
        self.entry(node, key, chosen)


def has_spaced_breaks(root: Element) -> bool:
    """Whether a file that does not say which line ends are inside words has white space at most of the others: those
    directly between two letters are then inside a word."""
    breaks = [node for text in root.iter("{*}text") for node in text.iter("{*}lb", "{*}pb", "{*}cb")]
    inside = sum(map(_is_in_word, breaks))
    spaced = sum(_before(node)[-1:].isspace() or after(node)[:1].isspace() for node in breaks)
    return inside < spaced and not any(node.get("break") for node in breaks)


def _is_in_word(node: Element) -> bool:
    return _before(node)[-1:].isalpha() and after(node)[:1].isalpha() and after(node)[:1] == after(node)[:1].lower()


def _before(node: Element) -> str:
    previous, around = node.getprevious(), node.getparent()
    return after(previous) if previous is not None else (around is not None and around.text) or ""


def _next_word(name: str, node: Element) -> bool:
    """Whether an element is a word directly after another, of which it is no part."""
    before = node.getprevious() if name == "w" and not (node.get("part") or node.get("join")) else None
    return before is not None and not after(before) and name_of(before) == "w" and not (
        before.get("part") or before.get("join"))


def _closes(mark: str, node: Element) -> bool:
    """Whether no space is before a mark; French has one before its high marks."""
    language = next((lang for up in (node, *node.iterancestors()) if (lang := up.get(LANG, ""))), "")
    spaced = _HIGH if language.split("-")[0] in ("fr", "fro", "frm", "pro") else ()
    return mark[:1] in (_CLOSING | _HIGH) - {*spaced}


_READ_BY: Mapping[str, Callable[[InlineReader, str, Element, list[Part]], None]] = {
    **dict.fromkeys(elements.WORDS_ONLY | {"note", "noteGrp", "seg"}, InlineReader._note_or_words),
    **dict.fromkeys(elements.STYLES, InlineReader._read_style),
    **dict.fromkeys(("figure", "graphic", "media", "binaryObject"), InlineReader._picture),
    **dict.fromkeys(elements.TURNS, InlineReader._turn),
    **dict.fromkeys(elements.LEFT_OUT, InlineReader._leave_out),
    **dict.fromkeys(elements.DELETED, InlineReader._read_deleted), "restore": InlineReader._restore,
    **dict.fromkeys(elements.SPANS, InlineReader._span), **dict.fromkeys(elements.PAGES, InlineReader._page),
    **dict.fromkeys(elements.BESIDE, InlineReader._guide),
    **dict.fromkeys(("unclear", "damage"), InlineReader._read_illegible),
    **dict.fromkeys(("gap", "space", "ellipsis"), InlineReader._gap),
    **dict.fromkeys((START, END), InlineReader._end), "app": InlineReader._app,
    "c": InlineReader._character, "pc": InlineReader._read_punctuation, "milestone": InlineReader._milestone,
    "choice": InlineReader._choice, "supplied": InlineReader._read_supplied, "g": InlineReader._glyph,
}
"""Methods by element name; any other element is read as its words."""
_CLOSING, _HIGH = frozenset(",.·)]…’”"), frozenset(";:!?»\u037e")
_BRACKETS = ("（）", "()", "〔〕", "【】", "〈〉", "［］", "[]")


def _without_brackets(content: list[Part]) -> tuple[list[Part], str]:
    first, last = (content[0], content[-1]) if content else ("", "")
    if isinstance(first, str) and isinstance(last, str):
        pair = first[:1] + last[-1:]
        whole = "".join(item for item in content if isinstance(item, str))
        if pair in _BRACKETS and whole.count(pair[0]) == whole.count(pair[1]) == 1 and len(whole) > len(pair):
            rest: list[Part] = [first[1:-1]] if len(content) == 1 else [first[1:], *content[1:-1], last[:-1]]
            return [item for item in rest if item != ""], pair
    return content, ""
