"""Form ``tei-plain``: TEI for programs that read only parallel segmentation (CETEIcean, teiphy and others).

TEI Guidelines 12.2.3. Its entries are those in which collated witnesses differ, as in ``nexus``: no moves, no
accidentals, no readings that are only reported or conjectured. It has one flat ``listWit`` with distinct sigla; the
header of somebody else's file stays as it is. Text is plain: an editor's ``corr`` and ``supplied``, a sign for a lost
place. A witness whose words are lost has a ``rdg`` of type ``lac``, which teiphy leaves out with ``-m lac``.

``editorialDecl/normalization`` (2.3.3) says what is left out. ``tagsDecl/rendition`` (2.3.4) has the styles that
CETEIcean applies: lemma in the line, readings after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jiaokan import model
from jiaokan.entries import Entry, EntryReading, carriers, collated, entries
from jiaokan.exchange.exports import ExportSettings, left_out_by, tell_programs
from jiaokan.model.text import edited
from jiaokan.model.vocabulary import PROGRAM
from jiaokan.model.walk import content_of, items
from jiaokan.tei.persons import is_shown
from jiaokan.tei.tree import (
    FORBIDDEN,
    ID,
    LANG,
    Element,
    add_block,
    add_text,
    alone,
    element,
    local,
    parse,
    put_instead,
    serialise,
)

INSIDE = "inside"  # ``note/@type`` of a reading that is left out but has entries inside
LOST = "lac"  # ``rdg/@type`` of lost words, as teiphy's handbook calls missing data
_REST = "rest"  # ``div/@type`` of blocks after the divisions of a division: a trailer, a note on the whole
_STYLE = {"app": "border-bottom: 1px dotted;", "rdg": "font-size: smaller; color: #a33;",
          "note": "font-size: smaller; color: #555;", "teiHeader": "display: none;"}


def write(document: model.Document, settings: ExportSettings) -> str:
    """Return the TEI document; without entries only the text."""
    names = carriers(document, settings.sigla)
    listed = collated(document, entries(document, without=settings.without, part=settings.part))
    root = element("TEI", {"n": document.id})  # a witness may have the same id
    left = tell_programs(left_out_by(document, settings, listed, moved=False))
    add_block(root, _header(document, names, settings, left))
    body = element("body")
    plain = _Plain({entry.id: entry for entry in listed}, frozenset(names), settings)
    for division in document.divisions:
        add_block(body, plain.division(division))
    add_block(root, add_block(element("text"), body))
    return serialise(root).decode("utf-8")


@dataclass(frozen=True, slots=True)
class _Plain:
    entries: Mapping[str, Entry]
    names: frozenset[str]
    settings: ExportSettings

    def division(self, division: model.Division) -> Element:
        division_element = element("div", {"type": division.kind, "n": division.n, ID: division.id})
        blocks = [element_here for item in division.items for element_here in self.block(item)]
        rest: list[Element] = []
        for block in (block for block in blocks if local(block) != "head"):
            if local(block) == "div" or not any(local(before) == "div" for before in rest):
                rest.append(block)
            elif rest[-1].get("type") == _REST:
                add_block(rest[-1], block)
            else:  # TEI allows nothing but divisions beside divisions (4.1)
                rest.append(add_block(element("div", {"type": _REST}), block))
        return add_block(division_element, *(block for block in blocks if local(block) == "head"),
                         *rest or [element("ab")])

    def block(self, item: model.Item) -> Iterable[Element]:
        match item:
            case model.Division():
                yield self.division(item)
            case model.Head() | model.Trailer() | model.Furniture():
                if self.settings.part != "notes" and edited(item.content):
                    yield self.build_block("head" if isinstance(item, model.Head) else "ab", item)
            case model.Note():
                if self.settings.part != "text":
                    yield add_block(element("ab", {"type": "commentary"}), self.build_block("note", item))
            case model.NoteGroup():
                for note in item.notes:
                    yield from self.block(note)
            case model.App():
                ab = element("ab")
                self.fill(ab, (item,))
                yield ab
            case model.Unit() | model.Paragraph() | model.Line():
                yield self.build_block("ab", item)

    def build_block(self, tag: str, item: model.Item) -> Element:
        identifier = getattr(item, "id", "")
        filled_element = element(tag, {ID: identifier} if identifier else {})
        self.fill(filled_element, content_of(item) or ())
        return filled_element

    def fill(self, parent: Element, content: Iterable[model.Item]) -> None:
        for item in content:
            match item:
                case model.App() if item.id in self.entries:
                    parent.append(self.app(item, self.entries[item.id]))
                case model.App() if item.kind == "continued":
                    parent.append(self.rest_of_run(item))
                case model.App():
                    self.fill(parent, item.lemma.content)
                    for reading in item.readings if self.has_entries(item.readings) else ():
                        note = element("note", {"type": INSIDE})
                        self.fill(note, reading.content)
                        parent.append(note)
                case model.Note():
                    if self.settings.part != "text":
                        parent.append(self.build_block("note", item))
                case model.NoteGroup():
                    self.fill(parent, item.notes)
                case model.Span() if item.rend:
                    pass
                case model.Unit():
                    parent.append(self.build_block("seg", item))
                case model.Span() | model.Line() | model.Paragraph():
                    self.fill(parent, item.content)
                case _:
                    add_text(parent, FORBIDDEN.sub("", edited(item)))

    def has_entries(self, readings: Iterable[model.Reading]) -> bool:
        """Whether readings that are left out have entries inside."""
        inside = (item for reading in readings for item in items(reading.content))
        return any(isinstance(item, model.App) and item.id in self.entries for item in inside)

    def app(self, app: model.App, entry: Entry) -> Element:
        """Return an entry with the witnesses of each reading; readings of a class that is left out join the lemma."""
        app_element = element("app", {ID: entry.id})
        groups = [(app.lemma, entry.lemma)]
        groups += [(text_reading, entry_reading) for entry_reading in entry.readings for text_reading in app.readings
                   if _reads(entry_reading, text_reading)]
        for n, (reading, entry_reading) in enumerate(groups):
            wit = " ".join(f"#{name}" for name in entry_reading.witnesses if name in self.names)
            attributes = {"wit": wit, "n": str(n)} | ({"type": LOST} if entry_reading.lost else {})
            app_element.append(self.reading(element("rdg" if n else "lem", attributes), reading))
        return app_element

    def rest_of_run(self, app: model.App) -> Element:
        """Return what an entry of an earlier block says of this one: the same witnesses lack its words too."""
        app_element = element("app", {"type": app.kind})
        for n, reading in enumerate((app.lemma, *app.readings)):
            wit = " ".join(f"#{name}" for name in reading.witnesses if name in self.names)
            attributes = {"wit": wit, "n": str(n)} | ({"type": LOST} if reading.variant == "lacuna" else {})
            app_element.append(self.reading(element("rdg" if n else "lem", attributes), reading))
        return app_element

    def reading(self, child: Element, reading: model.Reading) -> Element:
        """Fill the element of a reading."""
        if any(isinstance(item, (model.App, model.Note, model.NoteGroup)) for item in reading.content):
            self.fill(child, reading.content)
        else:
            add_text(child, FORBIDDEN.sub("", edited(reading.content)))
        return child


def _reads(entry_reading: EntryReading, reading: model.Reading) -> bool:
    """Whether a reading of the text is that of an entry: some witnesses of an entry's are those of no other."""
    names = {*entry_reading.witnesses}
    return bool(names) and names <= {*reading.witnesses} and entry_reading.target == reading.target


def _header(
    document: model.Document, names: Iterable[str], settings: ExportSettings, left: Iterable[str]
) -> Element:
    root = parse(settings.tei, name=document.id) if settings.tei.strip() else None
    if root is not None and is_shown(root) and (header := root.find("{*}teiHeader")) is not None:
        return _carry_header(header, names, settings, left)
    titles = root.findall("{*}teiHeader/{*}fileDesc/{*}titleStmt/{*}title") if root is not None else []
    words = [element("title", {}, "".join(map(str, title.itertext()))) for title in titles]
    publication = root.find("{*}teiHeader/{*}fileDesc/{*}publicationStmt") if root is not None else None
    if publication is None:
        publication = add_block(element("publicationStmt"), element("p", {LANG: "en"}, "unpublished"))
    return add_block(
        element("teiHeader"),
        add_block(
            element("fileDesc"), add_block(element("titleStmt"), *words or [element("title", {}, document.id)]),
            publication, add_block(element("sourceDesc"), _witnesses(names, settings)),
        ),
        _encoding(left),
    )


def _carry_header(
    header: Element, names: Iterable[str], settings: ExportSettings, left: Iterable[str]
) -> Element:
    """Return the header of somebody else's file as it is, with the siglum of each witness.

    What the program added on its encoding is replaced: this is another one, which no reader may take for ours.
    """
    copied = alone(header)
    sigla = settings.distinct_sigla(names)
    for witness in copied.iter("{*}witness"):
        if witness.get(ID) in sigla:
            witness.set("n", sigla[witness.get(ID, "")])
    for encoding_desc in copied.findall(f"{{*}}encodingDesc[@resp='#{PROGRAM}']"):
        encoding = _encoding(left)
        encoding.set("resp", f"#{PROGRAM}")
        put_instead(encoding_desc, [encoding])
    return copied


def _encoding(left: Iterable[str]) -> Element:
    style = element("tagsDecl")
    for name, css in _STYLE.items():
        add_block(style, element("rendition", {"scheme": "css", "selector": name}, css))
    variants = element("variantEncoding", {"method": "parallel-segmentation", "location": "internal"})
    lines = [element("p", {LANG: "en"}, line) for line in left]
    editorial = [add_block(element("editorialDecl"), add_block(element("normalization"), *lines))] if lines else []
    return add_block(element("encodingDesc"), *editorial, style, variants)


def _witnesses(names: Iterable[str], settings: ExportSettings) -> Element:
    sigla = settings.distinct_sigla(names)
    listed = [element("witness", {ID: name, "n": siglum}, siglum) for name, siglum in sigla.items()]
    return add_block(element("listWit"), *listed) if listed else element("p", {LANG: "en"}, "no witnesses")
