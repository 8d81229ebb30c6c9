"""A critical edition kept in the process: decided again in a moment, and the parts of its pages that this changed.

What a part is: a section of a chapter, or the chapter where what changed is in none. A part is set by the stylesheets
of the pages themselves (`pipeline.outputs.html.parts`), so that a mended page is what a build would make of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pipeline.characters.equality import norm
from pipeline.characters.languages import interface_of
from pipeline.collate.again import Decided, Recollation
from pipeline.decisions.punctuation.apply import punctuate
from pipeline.decisions.punctuation.files import PunctuatedLine
from pipeline.decisions.punctuation.files import load as load_lines
from pipeline.desk.thin import completed, thinned
from pipeline.editions.make.edition import witnesses_of
from pipeline.entries import told
from pipeline.entries.grounds import cited
from pipeline.model import App, Division, Document, Note, Paragraph, Unit
from pipeline.model.references import References
from pipeline.model.text import edited
from pipeline.model.walk import items, walk
from pipeline.outputs import OutputSettings
from pipeline.outputs.html import parts as set_parts
from pipeline.outputs.web.quoted import as_xml
from pipeline.quotations.find import Quotation
from pipeline.quotations.lay import declare, quoting
from pipeline.quotations.table import read as read_quotations
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import edition_path, punctuation_paths, quotations_path, shown_text, shown_texts
from pipeline.settings.plans import EditionPlan
from pipeline.system.collection import without_collection
from pipeline.tei.header.build import edition_header
from pipeline.tei.header.read import Declared, declared
from pipeline.tei.tree import element
from pipeline.tei.write import to_tei

_ROW = re.compile(r'^<(?:entry|abridged|move) id="([^"]+)".*$', re.M)
"""What the 校勘记 says of one entry: a row of `told.as_xml`."""
_HEAD = re.compile(r'^<chapter id="([^"]+)".*\n', re.M)
"""What it says of a chapter as a whole."""
_AGAIN = re.compile(r' same-as="([^"]+)"')
"""The entry that another repeats, in such a row."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of a page as it is now."""

    page: str
    """The name of its page: the number of the chapter."""
    id: str
    """Id of the section or chapter."""
    html: str
    """An ``article`` that holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a decision changed in an edition."""

    parts: tuple[PagePart, ...]
    before: int
    """Entries that the changed chapters had."""
    after: int
    """Entries that they have now."""


class KeptEdition:
    """A critical edition, collated, with its decisions as they were when it was last asked."""

    def __init__(self, plan: EditionPlan, catalog: Catalog) -> None:
        """Read and collate its witnesses; raises as `witnesses_of` and `pipeline.collate.collate`."""
        self.plan, self.catalog = plan, catalog
        self.recollation = Recollation(plan, witnesses_of(plan, catalog), catalog)
        self.decided: Decided = self.recollation.decided()
        self.references = _references(self.document)
        self._lines: tuple[PunctuatedLine, ...] = ()
        self._stamp: object = None
        self._told: dict[str, str] = {}
        self._streams: dict[str, tuple[tuple[str, str], ...]] = {}
        self._declared: Declared | None = None

    def warm(self) -> None:
        """Do once what the first decision would wait for: what the 校勘记 says, the stylesheets read."""
        for chapter in self.document.divisions:
            self.told(chapter)
        for section in (each for each in self.document.divisions[0].items if isinstance(each, Division)):
            self.part(self.document.divisions[0].n or self.document.divisions[0].kind, [section.id])
            break

    @cached_property
    def quotations(self) -> tuple[Quotation, ...]:
        """What texts of the folder quote from each other, as the last build found it."""
        path = quotations_path(self.catalog.root / "build")
        return tuple(read_quotations(path)) if path.exists() else ()

    @cached_property
    def quoted(self) -> str:
        """Who quotes the edition where, as the stylesheets take it."""
        people = {person.id: person.label or person.name for person in self.catalog.persons.values()}
        folders = {text: each.id for text, each in shown_texts(self.catalog).items()}
        return as_xml(shown_text(self.plan), self.quotations, people, folders)

    @property
    def document(self) -> Document:
        """The edition with its decisions, without the editor's punctuation."""
        return self.decided.document

    @property
    def known(self) -> Declared:
        """What the header of the edition declares."""
        if self._declared is None:
            self._declared = declared(self._shell(), name=self.plan.id)
        return self._declared

    @without_collection()
    def again(self, touched: Iterable[str] = (), *, witnesses: bool = False, characters: bool = False) -> Change:
        """Apply the decisions of the folder as they are now, and set anew what they changed.

        `touched`: ids of units and notes whose punctuation was changed; `witnesses`: their TEI was made anew;
        `characters`: what was decided of characters wherever they stand has changed. Raises CatalogError for a
        malformed file.
        """
        old = self.document
        said = {each.id: self._told[each.id] for each in old.divisions if each.id in self._told}
        if witnesses or characters:
            given = witnesses_of(self.plan, self.catalog) if witnesses else self.recollation.given
            self.recollation, self._declared = Recollation(self.plan, given, self.catalog), None
            self._streams.clear()
            self.__dict__.pop("heads", None)
        self.decided = self.recollation.decided()
        touched = tuple(touched)
        changed = {
            new.id: (before, new) for before, new in zip(old.divisions, self.document.divisions, strict=True)
            if before != new or any(f"{each}.".startswith(f"{new.id}.") for each in touched)
        }
        for name in changed:
            self._told.pop(name, None)
        parts = tuple(
            part for name, (before, new) in changed.items()
            for part in self._set(new, _wanted(before, new, _differing(said.get(name), self.told(new)), touched))
        )
        counted = [(_entries(before), _entries(new)) for before, new in changed.values()]
        return Change(parts=parts, before=sum(n for n, _ in counted), after=sum(n for _, n in counted))

    def part(self, page: str, wanted: Sequence[str]) -> tuple[PagePart, ...]:
        """Set parts of a chapter as they are now."""
        chapter = next(each for each in self.document.divisions if (each.n or each.kind) == page)
        return tuple(self._set(chapter, wanted))

    def told(self, chapter: Division) -> str:
        """Give what the 校勘记 of a chapter says, as the stylesheets take it."""
        if chapter.id not in self._told:
            own = Document(id=self.document.id, divisions=tuple(_beside(chapter, self.document)),
                           reference=self.document.reference)
            said = self._as_xml(own)
            self._told[chapter.id] = _HEAD.sub(lambda row: self.heads.get(row[1], ""), said)
        return self._told[chapter.id]

    @cached_property
    def heads(self) -> dict[str, str]:
        """What is said of each chapter's base and witnesses, where it is not what is said of the one before."""
        bare = tuple(thinned(each, ()) for each in self.document.divisions)
        return {row[1]: row[0] for row in _HEAD.finditer(self._as_xml(replace(self.document, divisions=bare)))}

    def _as_xml(self, document: Document) -> str:
        known = self.known
        names = {**known.sigla, **known.names()}
        return told.as_xml(document, names, interface_of(known.language), self.plan.apparatus)

    def stream(self, witness: str) -> tuple[tuple[str, str], ...]:
        """Give the id of each unit and note of a witness, with its words as they are sought: graphs folded."""
        if witness not in self._streams:
            found = (item for item in walk(self.recollation.given[witness]) if isinstance(item, Unit | Note))
            made = ((item.id, "".join(map(norm, filter(str.isalnum, edited(item.content))))) for item in found)
            self._streams[witness] = tuple(made)
        return self._streams[witness]

    def lines(self) -> tuple[PunctuatedLine, ...]:
        """Give the lines of the editor's punctuation; its files are read again when one has changed."""
        stamp = _stamp(punctuation_paths(self.catalog.root, self.plan.id))
        if stamp != self._stamp:
            self._lines = load_lines(self.catalog.root, self.plan.id, self.catalog.persons)
            self._stamp = stamp
        return self._lines

    def _shell(self) -> bytes:
        """The edition's header with no text."""
        header = edition_header(self.plan, self.document, self.catalog)
        return to_tei(Document(id=self.document.id, divisions=()), header)

    def _set(self, chapter: Division, wanted: Sequence[str]) -> Iterator[PagePart]:
        """Set parts of a chapter together, and give them one by one."""
        if not wanted:
            return
        thin = replace(self.document, divisions=(thinned(chapter, wanted),))
        own = tuple(f"{each}." for each in wanted)
        lines = [line for line in self.lines() if f"{self.plan.id}.{line.ref}.".startswith(own)]
        quoted = [each for each in self.quotations if f"{each.here.id}.".startswith(own)]
        made = punctuate(thin, self.plan.id, self.catalog, lines)
        text = quoting(made.document, quoted)
        pointed = to_tei(text, element("teiHeader"))
        quoting_it = (each.here.id for each in self.quotations
                      if any(f"{source.id}.".startswith(own) for source in each.source))
        text = completed(text, self.document, pointed, (*_AGAIN.findall(self.told(chapter)), *quoting_it))
        header = edition_header(self.plan, text, self.catalog, cited(text), made.bases)
        if others := {each.document for each in quoted if each.document}:
            known = homes(self.catalog)
            declare(header, {name: known.get(name, f"editions/{name}.xml") for name in sorted(others)})
        data = to_tei(text, header)
        settings = OutputSettings(apparatus=self.plan.apparatus, decisions=self.catalog.root / "tei" / "decisions",
                                  quoted=self.quoted)
        for each in wanted:
            html = set_parts(data, [each], settings, told=self.told(chapter), references=self.references)
            yield PagePart(chapter.n or chapter.kind, each, html)


def _wanted(before: Division, new: Division, said: Iterable[str], touched: Sequence[str]) -> list[str]:
    """Give the sections that are not what they were, or of which the 校勘记 says something else; the chapter if
    anything outside of sections is not."""
    same = len(before.items) == len(new.items)
    found: list[str] = []
    for old, now in zip(before.items, new.items, strict=False) if same else ():
        if old != now and not (isinstance(old, Division) and isinstance(now, Division) and old.id == now.id):
            same = False
        elif isinstance(now, Division) and (old != now or any(_within(each, now.id) for each in (*said, *touched))):
            found.append(now.id)
    sections = [each.id for each in new.items if isinstance(each, Division)]
    outside = any(not any(_within(each, section) for section in sections)
                  for each in (*said, *touched) if _within(each, new.id))
    return found if same and not outside else [new.id]


def _within(name: str, section: str) -> bool:
    return f"{name}.".startswith(f"{section}.")


def _differing(before: str | None, now: str) -> set[str]:
    """Give the ids of entries of which something else is said than before."""
    if before is None:
        return set()
    old, new = ({found[1]: found[0] for found in _ROW.finditer(text)} for text in (before, now))
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def _beside(chapter: Division, document: Document) -> Iterator[Division]:
    """Give a chapter in its place among those to which its moves lead: of these only which units they have."""
    targets = {each.target for app in items(chapter.items) if isinstance(app, App) and app.kind == "move"
               for each in app.readings}
    for division in document.divisions:
        if division.id == chapter.id:
            yield chapter
        elif any(_within(each, division.id) for each in targets):
            units = tuple(replace(each, content=()) for each in items(division.items) if isinstance(each, Unit))
            yield replace(division, items=(Paragraph(content=units),))


def _entries(chapter: Division) -> int:
    return sum(isinstance(item, App) and item.kind == "variant" for item in items(chapter.items))


def homes(catalog: Catalog) -> dict[str, str]:
    """Give where the file of each text that is shown lies, as seen from ``tei/``."""
    return {text: edition_path(catalog, plan).relative_to(catalog.root / "tei").as_posix()
            for text, plan in shown_texts(catalog).items()}


def _references(document: Document) -> str:
    """Give what ids are cited by, where they do not say it themselves."""
    labelled = any(isinstance(item, Division) and item.label for item in walk(document))
    return References(document).as_lines() if document.reference or labelled else ""


def _stamp(paths: Iterable[Path]) -> Mapping[Path, tuple[int, int]]:
    return {path: (stat.st_mtime_ns, stat.st_size) for path in paths if (stat := path.stat())}
