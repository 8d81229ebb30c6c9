"""Read TEI into the model. ``shapes.py`` has the meaning of each element; this module walks the tree."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from jiaokan import model
from jiaokan.errors import Message, TeiError, suggestion
from jiaokan.model.numerals import MOST_SPACE, whole
from jiaokan.model.text import UNDECIDED
from jiaokan.model.vocabulary import TEI
from jiaokan.model.walk import drop_layer
from jiaokan.model.words import description_of
from jiaokan.system.store import Store, cache_folder, program
from jiaokan.tei.facsimile import read_facsimile
from jiaokan.tei.header import declarations
from jiaokan.tei.header.declarations import form_of
from jiaokan.tei.persons import unqualify_persons
from jiaokan.tei.shapes import LAYER, SHAPES, Shape
from jiaokan.tei.tree import ID, Element, blocks, local, mixed_content, parse, place, text_only

T = TypeVar("T", bound=Struct)
_BY_TAG = {shape.tag: tuple(other for other in SHAPES if other.tag == shape.tag) for shape in SHAPES}
_TAGS = {f"{space}{tag}": (
    next((name for shape in shapes for name in shape.fixed), "type"),
    {value: shape for shape in shapes for value in shape.fixed.values()},
    [shape for shape in shapes if not shape.fixed],
) for tag, shapes in _BY_TAG.items() for space in ("", f"{{{TEI}}}")}
"""For each tag the attribute whose value distinguishes its shapes, the shape for each value, and shapes for others."""
TYPED = {tag: frozenset().union(*(shape.known - shape.fixed.keys() for shape in shapes))
         for tag, shapes in _BY_TAG.items() if len(shapes) > 1}
"""Elements whose attributes depend on their type, which our schema cannot express: all attributes of any type."""


def shape_of(node: Element) -> Shape | None:
    """Return the shape of an element, by its name and type; None if there is none."""
    name, fixed, others = _TAGS.get(str(node.tag), ("", {}, []))
    if fixed and (shape := fixed.get(node.get(name, ""))):
        return shape
    for shape in others:
        if not shape.needs or node.get(shape.needs) is not None:
            return shape
    return None


def misplaced_in(unit: Element) -> Element | None:
    """Return the element around a unit and its entries if that is not a paragraph of base text; else None."""
    above = unit.getparent()
    while above is not None and local(above) in ("app", "lem", "rdg"):
        above = above.getparent()
    return None if above is None or local(above) in ("ab", "div") else above


def misplaced_unit(above: Element) -> tuple[Message, Message]:
    """Return message and mend for a unit in another element."""
    return (Message("unit-base-text-not-allowed", element=local(above)),
            Message("put-ab-type-jing-unit"))


BLOCKS = frozenset({"ab", "p", "lg", "head", "trailer", "fw", "milestone", "figure", "note", "noteGrp", "app"})
"""Elements allowed in a division besides divisions."""

_BLOCKS_ONLY = (model.Division, model.Head, model.Paragraph, model.Trailer)
_LARGE, _MOST = 500_000, 32
"""Bytes of a file from which on its document is stored, and how many are. Five steps of a build read 仪礼 (6 MB), each
in 0.55 s; decoding what is stored takes 0.03. Small texts, of which libraries have thousands, would fill the disk to
save a hundredth of a second each."""


def from_tei(data: bytes, *, name: str, layer: bool = False) -> model.Document:
    """Return the document of a TEI file of our encoding; `name` is the file's name in messages. The editor's
    punctuation and names are left out unless `layer` is true: comparing, counting, searching and exporting do not need
    them. Raises TeiError with file and line if it is not XML, not TEI, or not in our encoding."""
    if len(data) < _LARGE:
        return _from_tei(data, name, layer)
    store, made_from = Store(cache_folder("documents"), limit=_MOST), program()
    key = f"{hashlib.sha256(data).hexdigest()}-{layer:d}"  # the name is for errors only
    if (document := store.get(key, made_from, model.Document)) is None:
        document = _from_tei(data, name, layer)
        store.put(key, made_from, document)
    return document


def _from_tei(data: bytes, name: str, layer: bool) -> model.Document:
    try:
        root = parse(data if layer else without_marks(data), name=name)
    except TeiError:
        root = parse(data, name=name)  # columns as in the file
    try:
        return _Parser(name, layer=layer).document(root)
    except RecursionError:
        raise TeiError(Message("elements-nested-too-deeply"), place=place(root, name)) from None


_MARKS, _ASIDE = re.compile(rb"<pc>[^<\n]*</pc>"), re.compile(rb'<pc type="source">([^<\n]*)</pc>')


def without_marks(data: bytes) -> bytes:
    """Return a TEI file of ours without the editor's marks that have no attributes, and with those of the source in
    whose place they stand as text: half of the elements of a punctuated edition. Lines stay lines."""
    ours = b'<punctuation resp="' in data and b"<![CDATA[" not in data
    return _ASIDE.sub(rb"\1", _MARKS.sub(b"", data)) if ours else data


class _Parser:
    def __init__(self, name: str, *, layer: bool) -> None:
        self.name = name
        self.layer = layer  # whether to keep the editor's marks and names
        self.layered = False  # whether the element being read directly contains any
        self.usual: dict[str, Any] = {}  # the fields of most marks and names, as the header states them
        self.special: dict[type, Callable[[Element, Shape], model.Item]] = {
            model.App: self.app, model.Correction: self.correction, model.Space: self.space, model.Glyph: self.glyph,
            model.Supplied: self.supplied, model.EditorsMark: self.mark, model.EditorsName: self.editors_name,
            model.Figure: self.figure, model.NoteGroup: self.group, model.Unit: self.unit, model.Reading: self.stray,
        }

    def only(self, parent: Element, *tags: str) -> list[Element]:
        children = list(blocks(parent, self.name))
        for child in children:
            if local(child) not in tags:
                raise self.unknown(child, parent, tags)
        return children

    def shape(self, node: Element) -> Shape:
        if (shape := shape_of(node)) is not None:
            return shape
        parent = node.getparent()
        raise self.unknown(node, node if parent is None else parent, sorted({shape.tag for shape in SHAPES}))

    def build_as(self, kind: type[T], node: Element, shape: Shape, **content: object) -> T:
        """Return the value of `build`, of an element whose tag has one type only."""
        value = self.build(node, shape, **content)
        assert isinstance(value, kind), "the tag has no other type"
        return value

    def build(self, node: Element, shape: Shape, **content: object) -> model.Item:
        """Return the model's value for an element: its attributes by the table, and `content`."""
        stated: dict[str, Any] = {}
        if not shape.known.issuperset(node.keys()):  # with the values lxml takes quadratic time
            other = next(str(key) for key in node.keys() if key not in shape.known)  # noqa: SIM118 (no dict)
            message = Message("attribute-not-allowed", element=local(node), attribute=other)
            raise self.error(node, message, _near(other, shape.known))
        for name, written_value in node.items():
            key, written = str(name), str(written_value)  # the stubs know of bytes
            for field, read, allowed in shape.reads.get(key, ()):
                try:
                    value = read(written)
                except TeiError as error:
                    message = Message("attribute-problem", element=local(node), key=key, message=error.message)
                    raise self.error(node, message, error.mend) from None
                except (ValueError, IndexError):
                    raise self.invalid(node, key, written) from None
                if allowed and value not in allowed:
                    raise self.invalid(node, key, written, _near(str(value), allowed))
                if field in shape.split_fields:  # a note first, then what the judgement rests on
                    parts = sorted(filter(None, (stated.get(field), str(value))), key=lambda part: part[0] != "#")
                    value = " ".join(parts)
                stated[field] = value
        kind: type = shape.kind
        values = {**shape.implied, **content, **stated}
        try:
            item: model.Item = kind(**values)
        except TypeError:
            missing = sorted(attribute.key for attribute in shape.attributes if attribute.field not in values)
            raise self.error(node,
                             Message("element-lacks-one-of", element=local(node), missing=", ".join(missing))) from None
        return item

    def invalid(self, node: Element, key: str, value: str, mend: str = "") -> TeiError:
        return self.error(node, Message("attribute-value-invalid", element=local(node), key=key, value=value), mend)

    def unknown(self, node: Element, parent: Element, expected: Collection[str]) -> TeiError:
        attributes = "".join(f' {key}="{node.get(key)}"' for key in ("type", "unit") if node.get(key))
        message = Message("not-allowed", element=local(node) + attributes, element2=local(parent))
        return self.error(node, message, _near(local(node), expected))

    def error(self, node: Element, message: str, mend: str = "") -> TeiError:
        return TeiError(message, place=place(node, self.name), mend=mend)

    def document(self, root: Element) -> model.Document:
        if local(root) != "TEI":
            raise self.error(root, Message("cannot-outermost-element", element=local(root)),
                             Message("expected-value", expected="<TEI>"))
        header, text = root.find("{*}teiHeader"), root.find("{*}text")
        if text is None:
            raise self.error(root, Message("element-lacks-child", element="TEI", missing="text"))
        unqualify_persons(root, root)
        self.usual = _usual(header)
        divisions: list[model.Division] = []
        for part in blocks(text, self.name):
            if local(part) == "back":  # translations of the text, which are not the text
                continue
            if local(part) not in ("front", "body"):
                raise self.unknown(part, text, ("front", "body"))
            divisions.extend(map(self.division, self.only(part, "div")))
        surfaces, others = read_facsimile(root)
        if others:
            facsimile = root.find("{*}facsimile")
            message = Message("not-allowed", element=others[0], element2="facsimile")
            raise self.error(root if facsimile is None else facsimile, message)
        return model.Document(
            id=root.get(ID, ""), divisions=tuple(divisions), reference=form_of(header),
            dropped=declarations.read_ledger(header, self.name), surfaces=surfaces,
        )

    def division(self, node: Element) -> model.Division:
        items: list[model.Item] = []
        named = {"contents": "", "reference": ""}
        for child in self.only(node, "div", "index", *sorted(BLOCKS)):
            if local(child) == "index":
                words = "".join(text_only(term, self.name) for term in self.only(child, "term"))
                purpose = child.get("indexName", "") or "contents"
                named[purpose] = words
            elif local(child) == "div":
                items.append(self.division(child))
            else:
                items.append(self.block(child))
        return self.build_as(model.Division, node, self.shape(node), items=tuple(items), title=named["contents"],
                             label=named["reference"])

    def block(self, node: Element) -> model.Item:
        """An item of a division; a bare ``lg`` is a paragraph of one verse unit."""
        block = self.inline(node)
        return model.Paragraph(content=(block,)) if isinstance(block, model.Unit) else block

    def inline(self, node: Element) -> model.Item:
        shape = self.shape(node)
        if special := self.special.get(shape.kind):
            value = special(node, shape)
        elif shape.has_content:
            value = self.build(node, shape, content=self.content(node))
        elif len(node) or node.text:
            raise self.error(node, Message("must-empty", element=local(node)))
        else:
            value = self.build(node, shape)
        self.layered = self.layered or shape.in_layer
        return value

    def within(self, node: Element) -> model.Item:
        value = self.inline(node)
        if isinstance(value, _BLOCKS_ONLY) and (above := node.getparent()) is not None:
            raise self.unknown(node, above, sorted({shape.tag for shape in SHAPES} - BLOCKS))
        return value

    def content(self, node: Element, parts: Iterable[str | Element] | None = None) -> tuple[model.Item, ...]:
        """The content of an element, without the editor's layer directly in it unless that is kept."""
        if parts is None and not len(node):
            return (node.text,) if node.text else ()
        parts = mixed_content(node, self.name) if parts is None else parts
        outer, self.layered = self.layered, False
        values = [part if isinstance(part, str) else self.within(part) for part in parts]
        content = drop_layer(values) if self.layered and not self.layer else tuple(values)
        self.layered = outer
        return content

    def app(self, node: Element, shape: Shape) -> model.Item:
        first, *rest = self.only(node, "lem", "rdg", "note") or [node]
        if local(first) != "lem" or any(local(child) == "lem" for child in rest):
            raise self.error(node, Message("app-must-begin-lem"))
        lemma, *readings = (self.build(child, self.shape(child), witnesses=(), content=self.content(child))
                            for child in (first, *rest) if local(child) != "note")
        notes = tuple(self.inline(note) for note in rest if local(note) == "note")
        return self.build(node, shape, lemma=lemma, readings=tuple(readings), notes=notes)

    def stray(self, node: Element, shape: Shape) -> model.Item:
        raise self.error(node, Message("outside-app", tag=shape.tag), Message("put-app-round"))

    def correction(self, node: Element, shape: Shape) -> model.Item:
        if local(node) == "surplus":
            return self.build(node, shape, sic=text_only(node, self.name), cert="")
        children = {local(child): child for child in self.only(node, "sic", "corr")}
        if len(node) != 2 or len(children) != 2 or {*node.attrib} - {"rend"}:
            raise self.error(node, Message("choice-must-sic-corr-no"))
        texts = {tag: text_only(child, self.name) for tag, child in children.items()}
        if rend := node.get("rend"):
            texts |= {"cert": "", "rend": rend}
        return self.build(children["corr"], self.shape(children["corr"]), **texts)

    def space(self, node: Element, shape: Shape) -> model.Item:
        try:
            points = [chr(int(point.removeprefix("U+"), 16)) for point in node.get("rend", "").split()]
            count = whole(node.get("quantity", "1"))
            text = points[0] * (count if count <= MOST_SPACE else 0) if len(points) == 1 else "".join(points)
        except (ValueError, OverflowError):
            text = ""
        if not text or text_only(node, self.name):
            raise self.error(node, Message("space-not-name-characters"),
                             Message("expected-value", expected='rend="U+3000" quantity="1"'))
        return self.build(node, shape, text=text)

    def glyph(self, node: Element, shape: Shape) -> model.Glyph:
        text = text_only(node, self.name)
        glyph = self.build_as(model.Glyph, node, shape, standard="" if text == UNDECIDED else text)
        return replace(glyph, standard="") if text == description_of(glyph.code) else glyph

    def supplied(self, node: Element, shape: Shape) -> model.Item:
        return self.build(node, shape, text=text_only(node, self.name), **({"cert": ""} if node.get("rend") else {}))

    def mark(self, node: Element, shape: Shape) -> model.Item:
        sign = text_only(node, self.name)
        if not node.keys() and "resp" in self.usual:
            return model.EditorsMark(sign=sign, **self.usual)
        if not self.usual and node.get("resp") is None:  # a sign of the source, in files of earlier versions
            return model.Span(role="punct", content=(sign,))
        return self.build(node, shape, **{**self.usual, "sign": sign})

    def editors_name(self, node: Element, shape: Shape) -> model.Item:
        return self.build(node, shape, **{**self.usual, "content": self.content(node)})

    def figure(self, node: Element, shape: Shape) -> model.Item:
        description = "".join(text_only(child, self.name) for child in self.only(node, "figDesc"))
        return self.build(node, shape, source="", description=description)

    def group(self, node: Element, shape: Shape) -> model.Item:
        return self.build(node, shape, notes=tuple(map(self.inline, self.only(node, "note"))))

    def unit(self, node: Element, shape: Shape) -> model.Item:
        """``seg type="jing"``, or ``lg`` with its lines and no words outside them."""
        if (above := misplaced_in(node)) is not None:
            raise self.error(node, *misplaced_unit(above))
        parts = blocks(node, self.name) if local(node) == "lg" else None
        unit = self.build_as(model.Unit, node, shape, content=self.content(node, parts))
        return unit if node.get("subtype") == "stated" or not unit.n else replace(unit, n="")


def _usual(header: Element | None) -> dict[str, object]:
    stated = declarations.usual_layer(header)
    return {attribute.field: attribute.codec.read(stated[key]) for key, attribute in LAYER.items() if key in stated}


def _near(value: str, expected: Collection[str]) -> str:
    return suggestion(value, expected, Message("expected-one-of", expected=", ".join(sorted(expected))))
