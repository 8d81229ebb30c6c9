"""Write the model as TEI. ``shapes.py`` has the element of each type; this module walks the document."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy

from jiaokan import model
from jiaokan.errors import Message, Place, TeiError
from jiaokan.model.text import edited
from jiaokan.model.variants import ORTHOGRAPHIC
from jiaokan.model.walk import marks
from jiaokan.tei.facsimile import write_facsimile
from jiaokan.tei.header import declarations
from jiaokan.tei.persons import qualify_persons
from jiaokan.tei.shapes import LAYER, SHAPES, Shape
from jiaokan.tei.tree import FORBIDDEN, ID, LANG, Element, add_block, add_text, element, inside, serialise, within


def to_tei(document: model.Document, header: Element, *, schemas: str = "", language: str = "") -> bytes:
    """Return the TEI document of a witness or an edition: `header` with the ledger; the leading front divisions in
    ``front``, all others in ``body``. `schemas` is the folder of our schemas as seen from where the file will lie; with
    it, the file names them. `language` is that of the text; without it the first of ``langUsage`` is. Adjacent strings
    become one and empty strings nothing; otherwise ``from_tei`` gives the same document back. Raises TeiError, naming
    the unit or note, for what XML or the encoding cannot hold."""
    head = deepcopy(header)
    declarations.write_ledger(head, document.dropped, document.id)
    used = head.find(".//{*}langUsage/{*}language")
    root = element("TEI", {ID: document.id, LANG: language or ("" if used is None else used.get("ident", ""))})
    fronts = next((n for n, division in enumerate(document.divisions) if division.kind != "front"), 0)
    parts = {"front": document.divisions[:fronts], "body": document.divisions[fronts:]}
    parts = {tag: divisions for tag, divisions in parts.items() if divisions or tag == "body"}
    planes = (write_facsimile(document.surfaces),) if document.surfaces else ()
    add_block(root, head, *planes, add_block(element("text"), *map(element, parts)))
    writer = _Writer(document.id, declarations.usual_layer(head))
    qualify_persons(root, root)
    shell = serialise(root, schemas)
    chunks: list[bytes] = []
    for tag, divisions in parts.items():
        if divisions:
            before, empty, shell = shell.partition(f"<{tag}/>".encode())
            if not empty:
                raise TeiError(Message("place-missing", tag=tag), place=Place(document.id))
            chunks += [before, f"<{tag}>\n".encode()]
            for division in divisions:  # one after the other: a tree takes ten times the room of its bytes
                chunks += [writer.alone(division, root), b"\n"]
            chunks.append(f"</{tag}>".encode())
    return b"".join([*chunks, shell])


_BY_KIND: dict[type, tuple[Shape, ...]] = {
    shape.kind: tuple(other for other in SHAPES if other.kind is shape.kind) for shape in SHAPES
}
_ALONE: dict[type, Shape] = {
    kind: shapes[0] for kind, shapes in _BY_KIND.items() if len(shapes) == 1 and not shapes[0].implied
}
_LEM, _RDG = _BY_KIND[model.Reading]
_CHOICE, _CORR, _SURPLUS = _BY_KIND[model.Correction]
_WRITTEN = {
    id(shape): tuple((attribute.field, attribute.key, attribute.codec.write) for attribute in shape.attributes)
    for shape in SHAPES
}
"""Of each shape its attributes: field, name, and how a value is written."""
_PLAIN = (model.Mark, model.Unit, model.Note, model.Span, model.Line, model.Paragraph)
"""The most frequent types, whose element contains just their content."""
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"
"""Instead of the tags of a mark that is as most are: an element for each would take as long as all others together.
Noncharacters of Unicode, which XML allows; texts have none."""
_OPENS, _CLOSES = _OPEN.encode(), _CLOSE.encode()
_DERIVING = (model.Unit, model.Note, model.Span)


class _Writer:
    def __init__(self, name: str, usual: Mapping[str, str]) -> None:
        self.name = self.near = name
        self.usual: dict[type, dict[str, str]] = {
            model.EditorsMark: {**usual}, model.EditorsName: {key: usual[key] for key in usual if key != "resp"}}
        """Attributes that the header states, of marks and of names, which are known by their ``resp``."""
        self.plain: tuple[object, ...] | None = tuple(
            attribute.codec.read(usual[key]) if key in usual else "" for key, attribute in LAYER.items())
        """The fields of a mark that has no attributes; None if such marks cannot be written as text."""
        self.marks = 0

    def alone(self, division: model.Division, root: Element) -> bytes:
        self.marks = 0
        tree = self.division(None, division)
        qualify_persons(root, tree)
        written = within(tree)
        if self.plain and written.count(_OPENS) + written.count(_CLOSES) != 2 * self.marks:
            self.plain = None  # the text has such a character
            return self.alone(division, root)
        return written.replace(_OPENS, b"<pc>").replace(_CLOSES, b"</pc>") if self.plain else written

    def division(self, parent: Element | None, division: model.Division) -> Element:
        """``div``; its title for tables of contents and what references call it are ``index`` entries. What holds
        blocks is put into the document before it is filled: libxml2 registers each id anew in a subtree that comes into
        another document, so that to move it at every level costs more than all the rest."""
        node = self.shape_item(division)
        if parent is not None:
            add_block(parent, node)
        for name, words in (("contents", division.title), ("reference", division.label)):
            if words:
                term = element("term")
                self.write_text(term, words)
                add_block(node, element("index", {"indexName": name}, "", term))
        for item in division.items:
            match item:
                case model.Division():
                    self.division(node, item)
                case model.Paragraph(kind="jing", form="", n="", content=(model.Unit(verse=True) as only,)):
                    add_block(node, self.inline(only))  # the ``lg`` itself
                case _:
                    add_block(node, self.inline(item))
        return node

    def inline(self, item: model.Item, parent: Element | None = None) -> Element:
        if isinstance(item, _PLAIN):
            node = self.shape_item(item, parent)
            self.content(node, getattr(item, "content", ()), lines=isinstance(item, model.Unit) and item.verse)
            return node
        match item:
            case model.App():
                node = self.shape_item(item, parent)
                for shape, member in ((_LEM, item.lemma), *((_RDG, reading) for reading in item.readings)):
                    reading = self.by_shape(shape, member, node)
                    if member.variant:
                        reading.set("type", "orthographic" if member.variant in ORTHOGRAPHIC else "substantive")
                    self.content(reading, member.content)
                self.content(node, item.notes)
            case model.Correction():
                node = self.correction(item, parent)
            case model.Space():
                node = self.space(item, parent)
            case model.Glyph():
                node = self.shape_item(item, parent)
                self.write_text(node, edited(item))
            case model.Supplied():
                node = self.shape_item(item, parent)
                self.write_text(node, item.text)
            case model.EditorsMark():
                node = self.shape_item(item, parent)
                self.write_text(node, item.sign)
            case model.Figure():
                node = self.shape_item(item, parent)
                if item.description:
                    self.write_text(inside(node, "figDesc", {}), item.description)
            case _:
                node = self.shape_item(item, parent)
                self.content(node, item.notes if isinstance(item, model.NoteGroup) else getattr(item, "content", ()))
        return node

    def content(self, parent: Element, content: model.Content, *, lines: bool = False) -> None:
        """Fill a mixed element; with `lines`, reject text outside a line of verse."""
        words = ""
        for item in content:
            if isinstance(item, str):
                if lines and item:
                    raise self.error(Message("words-outside-verse", words=item[:20]), Message("put-line"))
                words += item
            elif isinstance(item, model.EditorsMark) and (item.resp, item.cert, item.basis) == self.plain:
                words += f"{_OPEN}{item.sign}{_CLOSE}"
                self.marks += 1
            else:
                if words:
                    self.write_text(parent, words)
                    words = ""
                self.inline(item, parent)
        if words:
            self.write_text(parent, words)

    def shape_item(self, item: model.Item, parent: Element | None = None) -> Element:
        if (alone := _ALONE.get(type(item))) is not None:
            return self.by_shape(alone, item, parent)
        for shape in _BY_KIND.get(type(item), ()):
            if not shape.implied or all(getattr(item, name) == value for name, value in shape.implied.items()):
                return self.by_shape(shape, item, parent)
        raise self.error(Message("no-place-in-tei", name=type(item).__name__, what=item))

    def by_shape(self, shape: Shape, item: model.Item, parent: Element | None = None) -> Element:
        self.near = getattr(item, "id", "") or self.near
        values = dict(shape.fixed)
        for field, key, write in _WRITTEN[id(shape)]:
            value = getattr(item, field)
            if (value or value == 0) and (value := write(value)):
                values[key] = f"{values[key]} {value}" if key in values else value
        for key, value in self.usual.get(type(item), {}).items():
            if key not in values:
                raise self.error(Message("mark-name-without-header-states", key=key), Message("state-it"))
            if values[key] == value:
                del values[key]
        for key, value in self.derive_attributes(item).items() if isinstance(item, _DERIVING) else ():
            values[key] = " ".join(filter(None, (value, values.get(key))))
        try:
            return inside(parent, shape.tag, values)
        except ValueError:
            self.check(*values.values())
            raise

    def derive_attributes(self, item: model.Item) -> dict[str, str]:
        """Derived attributes: the number of a unit, a note's own notes in the witnesses."""
        match item:
            case model.Unit(id=identifier, n=stated) if identifier or stated:
                return {"subtype": "stated"} if stated else {"n": identifier.rpartition(".")[2]}
            case model.Note(content=content):
                return {"corresp": " ".join(f"w:{m.witness}.{m.unit}" for m in marks(content) if "+" not in m.unit)}
            case model.Span(target="", target_end=end) if end:
                raise self.error(Message("span-ends-begins-nowhere", end=end), Message("give-target"))
        return {}

    def correction(self, item: model.Correction, parent: Element | None) -> Element:
        """``choice`` of ``sic`` and ``corr``; ``surplus`` for graphs that the source itself deletes."""
        node = self.by_shape(_SURPLUS if item.rend and not item.corr else _CHOICE, item, parent)
        if item.corr or not item.rend:
            self.write_text(inside(node, "sic", {}), item.sic)
            self.write_text(self.by_shape(_CORR, item, node), item.corr)
        else:
            self.write_text(node, item.sic)
        return node

    def space(self, item: model.Space, parent: Element | None) -> Element:
        if not item.text:
            raise self.error(Message("white-space-no-character"))
        points = [f"U+{ord(c):04X}" for c in item.text]
        rend = points[0] if len(set(points)) == 1 else " ".join(points)
        return inside(parent, "space", {"quantity": str(len(points)), "unit": "chars", "rend": rend})

    def write_text(self, parent: Element, text: str) -> None:
        try:
            add_text(parent, text)
        except ValueError:
            self.check(text)
            raise

    def check(self, *texts: str) -> None:
        for text in texts:
            if bad := FORBIDDEN.search(text):
                around = text[max(0, bad.start() - 8) : bad.end() + 8]
                raise self.error(Message("u-cannot-stand-in-xml", code=ord(bad[0]), around=around),
                                 Message("drop-named-rule-reader"))

    def error(self, message: str, mend: str = "") -> TeiError:
        return TeiError(Message("in-name", name=self.near, message=message), place=Place(self.name), mend=mend)
