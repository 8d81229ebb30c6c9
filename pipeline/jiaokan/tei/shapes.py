"""Which TEI element each type of the model is: one table, read by the writer and by the parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from jiaokan import model
from jiaokan.errors import Message, TeiError
from jiaokan.model.pointers import range_of
from jiaokan.model.walk import SET_ASIDE
from jiaokan.tei.tree import ID

PLACE_PREFIX, ORG_PREFIX = "place-", "org-"
"""Prefixes of the ids of places and of states, dynasties, clans in a TEI file."""
_POINTER = re.compile(r"(#|[A-Za-z][A-Za-z0-9+.-]*:)\S+( (#|[A-Za-z][A-Za-z0-9+.-]*:)\S+)*")


class Codec(NamedTuple):
    """Converts the value of a field to an attribute and back."""

    write: Callable[[Any], str]
    read: Callable[[str], object]


def write_pointer(identifier: str) -> str:
    """Return the pointer to an id of the same file; a value with a scheme (``w:…``) is one already."""
    return identifier if ":" in identifier or not identifier else f"#{identifier}"


def read_pointer(pointer: str) -> str:
    """Return the id of a pointer into the file; a pointer with a scheme is returned as it is; else raises TeiError."""
    if pointer.startswith("#") and pointer != "#":
        old = range_of(pointer[1:]) if "(" in pointer else None
        return str(old) if old else pointer[1:]
    if pointer == "#":
        raise TeiError(Message("without-an-id"), mend=Message("write-id-after-remove-attribute"))
    if ":" in pointer:
        return pointer
    raise TeiError(Message("not-pointer", pointer=pointer), mend=Message("did-you-mean", name=f"#{pointer}"))


PLAIN = Codec(str, str)
NEEDED = Codec(str, lambda text: text[0] + text[1:])  # IndexError if it is empty
NUMBER = Codec(str, int)
STEP = Codec(lambda value: str(value or ""), int)
POINTER = Codec(write_pointer, read_pointer)
POINTERS = Codec(lambda values: " ".join(map(write_pointer, values)),
                 lambda text: tuple(map(read_pointer, text.split())))
OWN = Codec(POINTERS.write, lambda text: tuple(pointer[1:] for pointer in text.split() if pointer.startswith("#")))
"""Pointers into the file; others beside them are derived and not read."""
ALL = Codec(lambda value: " ".join(map(write_pointer, value.split())),
            lambda text: " ".join(map(read_pointer, text.split())))
"""Pointers that are one value, separated by spaces."""
FIRST = Codec(write_pointer, lambda text: read_pointer(text.split()[0]))
LAST = Codec(write_pointer, lambda text: "".join(map(read_pointer, text.split()[1:2])))
VARIANT = Codec(lambda value: "" if value == "variant" else value, str)
CITED = Codec(lambda value: value if _POINTER.fullmatch(value) else "", str)
WORDS = Codec(lambda value: "" if _POINTER.fullmatch(value) else value, str)
_ENTITY = re.compile(r"&([A-Za-z](?=[^;]*[0-9])[A-Za-z0-9_.-]*);")
"""A source's name for a character; those in use all have numbers (``KR0014``, ``CB00123``, ``SD-D4EE``)."""
_POINTS = re.compile(r"[0-9A-F]{4,6}(-[0-9A-F]{4,6})*")


def glyph_id(code: str) -> str:
    """Return the id of a glyph in ``charDecl``: ``g-E14B`` by its code points, ``g-KR0014`` by the name of an entity
    unless that could be code points."""
    named = _ENTITY.fullmatch(code)
    if named and not _POINTS.fullmatch(named[1]):
        return f"g-{named[1]}"
    return "-".join(["g", *(f"{ord(c):04X}" for c in code)])


def glyph_code(identifier: str) -> str:
    """Return the glyph of an id (without ``g-``); raises ValueError if it is invalid."""
    if _ENTITY.fullmatch(f"&{identifier};") and not _POINTS.fullmatch(identifier):
        return f"&{identifier};"
    return "".join(chr(int(c, 16)) for c in identifier.split("-"))


def _prefix_codec(prefix: str) -> Codec:
    return Codec(lambda value: f"#{prefix}{value}" if value else "", lambda text: text.removeprefix(f"#{prefix}"))


PLACE_ID, ORG_ID, CLASS = _prefix_codec(PLACE_PREFIX), _prefix_codec(ORG_PREFIX), _prefix_codec("var-")
CHARACTERS = Codec(lambda value: f"#{glyph_id(value)}" if value else "",
                   lambda text: glyph_code(text.removeprefix("#g-")))


ADDRESS = Codec(lambda text: text, lambda text: next((word for word in text.split() if word[0] != "#"), ""))
ZONES = Codec(lambda ids: " ".join(f"#{name}" for name in ids.split()),
              lambda text: " ".join(word[1:] for word in text.split() if word[0] == "#"))
"""What ``@facs`` leads to: a picture, and surfaces or zones of the file."""


class Attribute(NamedTuple):
    """A field of the model as an attribute."""

    field: str
    key: str
    codec: Codec


@dataclass(frozen=True)
class Shape:
    """One element of our TEI and its type of the model."""

    tag: str
    kind: type[Struct]
    implied: Mapping[str, object] = field(default_factory=dict)  # values of fields that the element itself implies
    fixed: Mapping[str, str] = field(default_factory=dict)
    """Attributes that distinguish this shape from others of the same name."""
    attributes: tuple[Attribute, ...] = ()
    derived: frozenset[str] = frozenset()
    needs: str = ""  # an attribute whose presence distinguishes it from others of the same name

    @cached_property
    def known(self) -> frozenset[str]:
        """All attributes that it may have, in lxml's notation."""
        return frozenset({*self.fixed, *self.derived, *(attribute.key for attribute in self.attributes)})

    @cached_property
    def reads(self) -> Mapping[str, tuple[tuple[str, Callable[[str], object], frozenset[str]], ...]]:
        """By attribute the fields that it gives, each with its reading function and closed list of values."""
        return {key: tuple((attribute.field, attribute.codec.read, self.allowed_values(attribute.field))
                           for attribute in self.attributes if attribute.key == key)
                for key in {attribute.key for attribute in self.attributes}}

    @cached_property
    def split_fields(self) -> frozenset[str]:
        """The fields whose value can be in parts, in several attributes."""
        fields = [attribute.field for attribute in self.attributes]
        return frozenset(name for name in fields if fields.count(name) > 1)

    @cached_property
    def in_layer(self) -> bool:
        """Whether it belongs to the editor's layer."""
        return self.kind in (model.EditorsMark, model.EditorsName) or self.implied.get("subtype") == SET_ASIDE

    @cached_property
    def has_content(self) -> bool:
        """Whether its type has content."""
        return "content" in self.kind.__struct_fields__

    def allowed_values(self, name: str) -> frozenset[str]:
        """Return the closed list of a field's values; empty if it is open."""
        hint = _hints(self.kind)[name]
        parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        closed = all(get_origin(part) is Literal for part in parts)
        return frozenset(value for part in parts for value in get_args(part)) if closed else frozenset()


_hints = cache(get_type_hints)


def _a(field: str, name: str = "", codec: Codec = PLAIN) -> Attribute:
    return Attribute(field, name or field, codec)


_ID = _a("id", ID)
_RESP, _CERT, _REND, _PLACE = _a("resp", "resp", POINTER), _a("cert"), _a("rend"), _a("place")
_JUDGED = ("decision:", "rule:", "list:", "unihan:")
"""Prefixes of pointers to what a judgement rests on."""


def _select(text: str, *, judged: bool) -> str:
    return " ".join(word for word in text.split() if word.startswith(_JUDGED) is judged)


_REPORTED = Codec(partial(_select, judged=False), str)  # earlier files have here what judgements rest on, too
_JUDGEMENT = Codec(partial(_select, judged=True), partial(_select, judged=True))
_MOVED_FROM = Codec(write_pointer, lambda text: "".join(map(read_pointer, _select(text, judged=False).split()[:1])))
_SOURCES = _a("sources", "source", POINTERS)
_BASIS = (_a("source", "source", CITED), _a("source", "evidence", WORDS))
_NOTE = (
    _a("kind", "type"), _a("subtype"), _RESP, _CERT, _a("target", "target", POINTER),
    _a("target_end", "targetEnd", POINTER), _PLACE, _REND, _ID, _SOURCES, _a("alike", "corresp", OWN),
)
_READING = (
    _a("witnesses", "wit", POINTERS), _a("variant", "ana", CLASS),
    _a("source", "source", _REPORTED), _CERT, _RESP,
    _a("target", "corresp", _MOVED_FROM), _a("source", "corresp", _JUDGEMENT), _a("order", "varSeq", STEP),
)


def _span(role: str, tag: str, of_type: str = "", about: str = "corresp", ref: str = "source") -> Shape:
    fixed = {"type": of_type} if of_type else {}
    attributes = (_a("subtype"), _a("target", about, FIRST), _a("target_end", about, LAST), _a("ref", ref, ALL), _REND)
    return Shape(tag, model.Span, {"role": role}, fixed, attributes)


_BASIS_OF_MARKS = _a("basis", "ana", POINTER)
LAYER = {attribute.key: attribute for attribute in (_RESP, _CERT, _BASIS_OF_MARKS)}
"""Attributes of the editor's marks and names. The header states the value of each that most have, on ``punctuation``; a
mark without the attribute has that one."""
_EDITORS = (*LAYER.values(), _a("basis", "source", Codec(lambda _: "", read_pointer)))  # as earlier files have it


def _name_shape(kind: str, tag: str, codec: Codec = POINTER) -> Shape:
    attributes = (_a("ref", "ref", codec), *_EDITORS, _a("part", "n"))
    return Shape(tag, model.EditorsName, {"kind": kind}, {}, attributes, needs="resp")


_BREAK = (_a("n"), _a("edition", "ed"), _a("image", "facs", ADDRESS), _a("zone", "facs", ZONES), _REND)
SHAPES: tuple[Shape, ...] = (
    Shape("div", model.Division, {}, {}, (_a("kind", "type"), _a("role", "subtype"), _a("n"), _ID)),
    Shape("ab", model.Paragraph, {"kind": "jing"}, {"type": "jing"}, (_a("form", "rend"), _a("n"))),
    Shape("p", model.Paragraph, {"kind": "prose"}, {}, (_a("form", "rend"), _a("n"))),
    Shape("head", model.Head, {}, {}, (_ID,)),
    Shape("trailer", model.Trailer, {}, {}, (_ID,)),
    Shape("fw", model.Furniture, {}, {}, (_a("kind", "type"),)),
    Shape("milestone", model.Juan, {}, {"unit": "juan"}, (_a("n", "n", NUMBER),)),
    Shape("milestone", model.Mark, {}, {"unit": "unit"}, (_a("witness", "ed", NEEDED), _a("unit", "n", NEEDED))),
    *(
        Shape(tag, model.Break, {"unit": unit}, {}, _BREAK)
        for tag, unit in (("pb", "page"), ("cb", "column"), ("lb", "line"))
    ),
    Shape("figure", model.Figure, {}, {}, (_a("source", "rend"), _a("image", "facs"))),
    Shape("note", model.Note, {}, {}, _NOTE),
    Shape("noteGrp", model.NoteGroup, {}, {}, (_PLACE, _REND)),
    Shape("seg", model.Unit, {"verse": False}, {"type": "jing"}, (_ID, _SOURCES, _a("n")), frozenset({"subtype"})),
    Shape("lg", model.Unit, {"verse": True}, {"type": "jing"}, (_ID, _SOURCES, _a("n")), frozenset({"subtype"})),
    Shape("l", model.Line, {}, {}, (_a("n"),)),
    Shape("app", model.App, {}, {}, (_a("kind", "type", VARIANT), _ID, _a("same_as", "corresp", POINTER))),
    Shape("lem", model.Reading, {}, {}, _READING, frozenset({"type"})),
    Shape("rdg", model.Reading, {}, {}, _READING, frozenset({"type"})),
    Shape("choice", model.Correction, {}, {}, (_REND,)),
    Shape("corr", model.Correction, {}, {}, (_RESP, _CERT, *_BASIS)),
    Shape("surplus", model.Correction, {"corr": ""}, {}, (_REND,)),
    Shape("supplied", model.Supplied, {}, {}, (_a("reason"), _CERT, _RESP, *_BASIS, _REND)),
    Shape("gap", model.Gap, {}, {}, (_a("reason"), _REND)),
    Shape("g", model.Glyph, {}, {}, (_a("code", "ref", CHARACTERS),)),
    Shape("space", model.Space, {}, {}, (), frozenset({"quantity", "unit", "rend"})),
    Shape("pc", model.Span, {"role": "punct", "subtype": SET_ASIDE}, {"type": "source"}, (_REND,)),
    replace(_span("punct", "pc", "sign"), implied={"role": "punct", "rend": ""}),
    replace(_span("punct", "pc"), needs="rend"),
    Shape("pc", model.EditorsMark, {}, {}, _EDITORS),
    _name_shape("person", "persName"),
    _name_shape("place", "placeName", PLACE_ID),
    _name_shape("org", "orgName", ORG_ID),
    _name_shape("title", "title"),
    _name_shape("name", "name"),
    _span("attribution", "label", "attribution"),
    _span("scope", "ref", "scope", about="target"),
    _span("call", "ref", "call", about="target"),
    _span("lemma", "quote", "lemma"),
    _span("quote", "quote"),
    _span("person", "persName", ref="ref"),
    _span("title", "title", ref="ref"),
    _span("fanqie", "seg", "fanqie"),
    _span("duruo", "seg", "duruo"),
    _span("textcrit", "seg", "textcrit"),
    Shape("hi", model.Span, {"role": "hi"}, {}, (_a("subtype", "rend"),)),
    Shape("seg", model.Span, {"role": "foreign"}, {"type": "foreign"}, (_a("subtype", "n"),)),
    Shape("ref", model.Span, {"role": "link"}, {"type": "link"}, (_a("ref", "target"),)),
)
