"""A text of the folder kept in the process, and the parts of its pages set as they are now.

A part is a section of a chapter, or the chapter where what changed is in none. The stylesheets of the pages set it
(`jiaokan.outputs.html.parts`), as a build would, from an edition without what it does not need (`thin_chapter`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby

from msgspec.structs import replace

from jiaokan.decisions.punctuation.apply import punctuate
from jiaokan.decisions.punctuation.files import ParsedFiles, PunctuatedLine
from jiaokan.decisions.punctuation.files import load as load_lines
from jiaokan.decisions.punctuation.matching import LineMatches, graphs_by_ref, match_lines
from jiaokan.editions.edition import declared_by, edition_tei
from jiaokan.editions.translations import translations_of
from jiaokan.entries.collation_notes import NoteRow, joined
from jiaokan.entries.grounds import cited
from jiaokan.errors import DecisionError
from jiaokan.model import (
    App,
    Block,
    Division,
    Document,
    Head,
    Inline,
    Item,
    Mark,
    Note,
    NoteGroup,
    Paragraph,
    Reading,
    Trailer,
    Unit,
)
from jiaokan.model.references import References
from jiaokan.model.walk import items, walk
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.html import parts as set_parts
from jiaokan.outputs.web.links import quoted_xml
from jiaokan.proposals.lay import add_quotations
from jiaokan.proposals.lay import read as read_quotations
from jiaokan.proposals.quotations import Quotation
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import edition_path, quoted_path, shown_text, shown_texts
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.process import without_collection
from jiaokan.tei.persons import Declared
from jiaokan.tei.pointers import ids_in, pointed_id, pointer_attributes
from jiaokan.tei.tree import element, parse
from jiaokan.tei.write import to_tei

STUBS = "stubs"
"""Name of the division, in each chapter, that holds what is only pointed to."""
OUTSIDE = "."
"""After the id of a chapter: what of it is in none of its sections."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of a page as it is now."""

    page: str
    """The name of its page: the number of the chapter."""
    id: str
    """Id of the section or chapter; with `OUTSIDE`, of a chapter whose sections stay as the page has them."""
    html: str
    """An ``article`` that holds it."""


class DeskText(ABC):
    """A text with its decisions as of the last request; subclasses are the kinds of editions.

    Faults in the files of the editor's punctuation are kept as `fault`.
    """

    def __init__(self, plan: EditionPlan, catalog: Catalog) -> None:
        self.plan, self.catalog = plan, catalog
        self.fault: DecisionError | None = None
        self.lines: tuple[PunctuatedLine, ...] = ()
        self.by_chapter: dict[str, tuple[PunctuatedLine, ...]] = {}
        self._files: ParsedFiles = {}
        self.notes: dict[str, tuple[NoteRow, ...]] = {}
        self._declared: Declared | None = None
        self._matches: dict[str, tuple[Division, tuple[PunctuatedLine, ...], LineMatches]] = {}
        labelled = any(isinstance(item, Division) and item.label for item in walk(self.document))
        self.references = References(self.document).as_xml() if self.document.reference or labelled else ""
        self._read_lines()

    @property
    @abstractmethod
    def document(self) -> Document:
        """The text with its decisions, without the editor's punctuation."""

    def collation_notes(self, chapter: Division) -> tuple[NoteRow, ...]:
        """Return the 校勘记 of a chapter; empty for a reading edition."""
        return self.notes.get(chapter.id, ())

    @abstractmethod
    def renew(self, *, sources: bool, characters: bool) -> None:
        """Update the text to the present state of the folder, after changes of decisions on readings; on `sources` or
        `characters` too."""

    def preparations(self) -> Iterator[Callable[[], object]]:
        """Yield the steps that compute what the first decision would wait for: the 校勘记, the compiled stylesheets."""
        for chapter in self.document.divisions[:1]:
            sections = [item.id for item in chapter.items if isinstance(item, Division)]
            yield partial(self.part, chapter.n or chapter.kind, sections[:1])
        for chapter in self.document.divisions:
            yield partial(self.collation_notes, chapter)

    @without_collection()
    def remake(self, *, sources: bool, characters: bool) -> tuple[tuple[PagePart, ...], int, int]:
        """Apply the present decisions and marks of the folder, and render the parts that they change.

        Parameters as for `renew`. Returns the parts, and how many entries the changed chapters had before and have now.
        Raises CatalogError for a malformed file.
        """
        old, typed = {division.id: division for division in self.document.divisions}, self.lines
        notes = {name: self.notes[name] for name in old if name in self.notes}
        self.renew(sources=sources, characters=characters)
        self._read_lines()
        touched: tuple[str, ...] = ()
        if typed is not self.lines:
            old_lines, other = ({(line.ref, line.text, line.basis) for line in lines} for lines in (typed, self.lines))
            touched = tuple(f"{self.document.id}.{ref}" for ref, _, _ in old_lines ^ other)
        changed = {
            new.id: (old[new.id], new) for new in self.document.divisions if new.id in old
            if old[new.id] is not new or any(_within(place, new.id) for place in touched)
        }
        for name in changed:
            self.notes.pop(name, None)
        parts: list[PagePart] = []
        for name, (before, new) in changed.items():
            rows = self.collation_notes(new)
            was, now = ({(row.id, row.xml) for row in some if row.kind != "chapter"}
                        for some in (notes.get(name, rows), rows))
            parts += self._set(new, _sections_to_render(before, new, {row for row, _ in was ^ now}, touched))
        counted = [(_entries(before), _entries(new)) for before, new in changed.values()]
        return tuple(parts), sum(n for n, _ in counted), sum(n for _, n in counted)

    def part(self, page: str, wanted: Sequence[str]) -> tuple[PagePart, ...]:
        """Render parts of a chapter as they are now."""
        return tuple(self._set(next(division for division in self.document.divisions
                                    if (division.n or division.kind) == page), wanted))

    def _read_lines(self) -> None:
        try:
            lines = load_lines(self.catalog.root, self.plan.id, self.catalog.persons, self._files)
        except DecisionError as error:
            self.fault = error
        else:
            self.fault = None
            if lines != self.lines:
                self.lines, self.by_chapter = lines, {number: tuple(chapter_lines) for number, chapter_lines in groupby(
                    sorted(lines, key=_chapter), key=_chapter)}

    def row(self, line: PunctuatedLine) -> str:
        """Return a line as its file has it."""
        return self._files[line.path][0].decode("utf-8-sig").split("\n")[line.number - 1].rstrip("\r")

    def match_lines(self, chapter: Division) -> LineMatches:
        """Return the punctuated lines of a chapter, matched with its words."""
        lines = self.by_chapter.get(chapter.id.partition(".")[2], ())
        cached = self._matches.get(chapter.id)
        if cached is None or cached[0] is not chapter or cached[1] != lines:
            texts = graphs_by_ref(Document(id=self.document.id, divisions=(chapter,)))
            cached = self._matches[chapter.id] = (chapter, lines, match_lines(lines, texts))
        return cached[2]

    def chapter_of(self, name: str) -> Division | None:
        """Return the chapter that contains a unit or note; None if there is none."""
        return next((division for division in self.document.divisions if _within(name, division.id)), None)

    @property
    def known(self) -> Declared:
        """The declarations in the header of the text."""
        if self._declared is None:
            self._declared = declared_by(self.plan, self.document, self.catalog)
        return self._declared

    @cached_property
    def quotations(self) -> tuple[Quotation, ...]:
        """The quotations in the text and from it, as the last build found them."""
        return read_quotations(quoted_path(self.catalog.root / "build", shown_text(self.plan)))

    @cached_property
    def quotations_xml(self) -> str:
        """The quotations from the text as XML for the stylesheets."""
        people = {person.id: person.label or person.name for person in self.catalog.persons.values()}
        folders = {text: plan.id for text, plan in shown_texts(self.catalog).items()}
        return quoted_xml(shown_text(self.plan), self.quotations, people, folders)

    def _set(self, chapter: Division, wanted: Sequence[str]) -> list[PagePart]:
        groups = [[name for name in wanted if name.endswith(OUTSIDE) == around] for around in (True, False)]
        return [part for group in groups if group for part in self._part(chapter, group)]

    def _part(self, chapter: Division, wanted: Sequence[str]) -> list[PagePart]:
        around = wanted == [f"{chapter.id}{OUTSIDE}"]
        inside = tuple(f"{item.id}." for item in chapter.items if around and isinstance(item, Division))
        prefixes = tuple(f"{name.rstrip(OUTSIDE)}." for name in wanted)

        def is_own(name: str) -> bool:
            return f"{name}.".startswith(prefixes) and not f"{name}.".startswith(inside)

        rows = [row for row in self.collation_notes(chapter)  # entries in an abridged note are not in its stub
                if is_own(row.id) or (row.kind != "abridged" and not row.within)]
        data = self._tei(chapter, wanted, rows, is_own, inside[-1].rstrip(".") if inside else "")
        settings = OutputSettings(apparatus=self.plan.apparatus, decisions=self.catalog.root / "tei" / "decisions",
                                  quoted=self.quotations_xml)
        rendered = set_parts(data, [name.rstrip(OUTSIDE) for name in wanted], settings, usual=_usual(chapter),
                             entry_words=joined(rows) if rows else "", references=self.references)
        return [PagePart(chapter.n or chapter.kind, *part) for part in zip(wanted, rendered, strict=True)]

    def _tei(self, chapter: Division, wanted: Sequence[str], rows: Sequence[NoteRow], is_own: Callable[[str], bool],
             hidden: str) -> bytes:
        thin = replace(self.document, divisions=(thin_chapter(chapter, wanted),))
        lines = [line for line in self.lines if is_own(f"{self.document.id}.{line.ref}")]
        quoted = [quotation for quotation in self.quotations if is_own(quotation.here.id)]
        punctuation = punctuate(thin, self.plan.id, self.catalog, lines)
        text = add_quotations(punctuation.document, quoted)
        quoting_it = (quotation.here.id for quotation in self.quotations
                      if any(is_own(source.id) for source in quotation.source))
        repeated = (row.same_as for row in rows if row.same_as and is_own(row.id))
        text = _add_stubs(text, self.document, (*repeated, *quoting_it), hidden)
        others = sorted({quotation.document for quotation in quoted if quotation.document})
        shown, tei = shown_texts(self.catalog) if others else {}, self.catalog.root / "tei"
        files = {name: edition_path(self.catalog, shown[name]).relative_to(tei).as_posix() if name in shown
                 else f"editions/{name}.xml" for name in others}
        whole = Document(id=text.id, divisions=(chapter,))
        other = translations_of(whole, self.plan.id, self.catalog, after=len(punctuation.bases))
        return edition_tei(self.plan, text, self.catalog, grounds=cited(text), bases=(*punctuation.bases, *other.bases),
                           homes=files, back=other.back)


def _sections_to_render(before: Division, new: Division, row_ids: Iterable[str], touched: Sequence[str]) -> list[str]:
    """Return the sections to render: changed ones and those with a changed 校勘记; `OUTSIDE` if the rest of the
    chapter changed; the chapter if its sections are others."""
    sections = {item.id: item for item in new.items if isinstance(item, Division)}
    earlier = {item.id: item for item in before.items if isinstance(item, Division)}
    if [*sections] != [*earlier]:
        return [new.id]
    names = [name for name, section in sections.items()
             if section != earlier[name] or any(_within(place, name) for place in (*row_ids, *touched))]
    around = [[item for item in chapter.items if not isinstance(item, Division)] for chapter in (before, new)]
    others = (place for place in (*row_ids, *touched) if _within(place, new.id))
    if around[0] != around[1] or not all(any(_within(place, name) for name in sections) for place in others):
        names.append(f"{new.id}{OUTSIDE}" if sections else new.id)
    return names


def _chapter(line: PunctuatedLine) -> str:
    return line.ref.partition(".")[0]


def _within(name: str, section: str) -> bool:
    return f"{name}.".startswith(f"{section}.")


def _entries(chapter: Division) -> int:
    return sum(isinstance(item, App) and item.kind == "variant" for item in items((chapter,)))


def thin_chapter(chapter: Division, wanted: Collection[str]) -> Division:
    """Return a chapter in which only the wanted sections keep their words, or what is in none (`OUTSIDE`).

    Of other sections the units are kept, without words: by these a page says which witness has a unit elsewhere; for
    what is in no section also the notes, without words: by these it says in which work most are.
    """
    if chapter.id in wanted:
        return chapter
    first = next((item.id for item in chapter.items if isinstance(item, Division) and _entries(item)), "")
    around = f"{chapter.id}{OUTSIDE}" in wanted
    thin_items = (item if _id(item) in wanted or (around and not isinstance(item, Division))
                  else _bare(item, _id(item) == first, around) for item in chapter.items)
    return replace(chapter, items=tuple(item for item in thin_items if item is not None))


def _usual(chapter: Division) -> str:
    """Return the witness that has most notes of a chapter, as the stylesheets count them (`xslt/html/notes.xsl`)."""
    notes = (item for item in items((chapter,), readings=False) if isinstance(item, Note))
    return next((name for name, _ in Counter(name for note in notes for name in note.sources).most_common(1)), "")


def _add_stubs(document: Document, whole: Document, also: Iterable[str], hidden: str) -> Document:
    """Return a thinned document with a stub for each id of the `whole` that it, or `also`, points to and it lacks.

    Stubs of a chapter stand in a section of their own, or in that of the id `hidden`, which is not shown.
    """
    tree = parse(to_tei(document, element("teiHeader")), name=document.id)
    pointed = {pointed_id(pointer) for attribute in pointer_attributes(tree) for pointer in attribute.pointers()}
    lacking = (pointed | {*also}) - {"", *ids_in(tree)}
    if not lacking:
        return document
    thin_divisions = {division.id: division for division in document.divisions}
    divisions = []
    near = tuple({".".join(name.split(".")[:2]) for name in lacking})
    for division in (division for division in whole.divisions if division.id in thin_divisions or division.id in near):
        content: list[Inline] = []
        for item in items((division,)):
            if _id(item) in lacking and not isinstance(item, Reading):
                lacking.discard(_id(item))
                content.append(replace(item, content=(), target="", target_end="", alike=()) if isinstance(item, Note)
                               else Unit(id=_id(item), content=()))
        stubs = (Paragraph(content=tuple(content)),) if content else ()
        here = thin_divisions.get(division.id, replace(division, items=()) if stubs else None)
        if here is not None and stubs:
            section = Division(kind="section", n="0", id=f"{division.id}.{STUBS}", title=STUBS, items=stubs)
            new_items = tuple(replace(item, items=(*item.items, *stubs))
                              if isinstance(item, Division) and item.id == hidden
                              else item for item in here.items)
            here = replace(here, items=new_items if hidden.startswith(f"{here.id}.") else (*here.items, section))
        if here is not None:
            divisions.append(here)
    return replace(document, divisions=tuple(divisions))


def _id(item: Item) -> str:
    return getattr(item, "id", "")


def _bare(item: Block | Division, keep_entry: bool, notes: bool) -> Block | Division | None:
    """Return a block or division without words; None if nothing depends on it.

    With `keep_entry` its units keep their words, so that the chapter's first apparatus stays in its place.
    """
    match item:
        case Division():
            inside = (_bare(child, keep_entry, notes) for child in item.items)
            return replace(item, items=tuple(child for child in inside if child is not None))
        case Paragraph():
            return replace(item, content=tuple(_inlines(item.content, keep_entry, notes)))
        case Head() | Trailer():
            return replace(item, content=())
        case Note() | NoteGroup() | App():
            inlines = tuple(_inlines((item,), keep_entry, notes))
            return Paragraph(content=inlines) if inlines else None
    return None


def _inlines(content: Iterable[Inline | Block], keep_entry: bool, notes: bool) -> Iterator[Inline]:
    for item in content:
        match item:
            case Unit():
                marks = tuple(child for child in item.content if isinstance(child, Mark))
                yield item if keep_entry else replace(item, content=marks, verse=False)
            case Note() if notes:
                yield replace(item, content=())
            case NoteGroup() if notes:
                yield replace(item, notes=tuple(replace(note, content=()) for note in item.notes))
            case App() if item.kind == "variant":
                yield from _inlines(item.lemma.content, keep_entry, notes)
