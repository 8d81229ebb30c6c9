"""Reads a TEI file as a text with its entries, or as the text of one of its witnesses."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from jiaokan.errors import Finding, Message, Place, SourceError, TeiError
from jiaokan.model import (
    App,
    Division,
    Document,
    Paragraph,
)
from jiaokan.model.references import STATED
from jiaokan.model.vocabulary import TEI
from jiaokan.model.walk import walk
from jiaokan.readers.tei.absent import absences
from jiaokan.readers.tei.arrange import Extents, Part, Point, ReaderRecord, as_content, resolve_entry, without_points
from jiaokan.readers.tei.blocks import BlockReader
from jiaokan.readers.tei.declared import follow_declaration
from jiaokan.readers.tei.elements import has_running_text, is_text, name_of
from jiaokan.readers.tei.facts import Facts, facts, pictures
from jiaokan.readers.tei.inline import InlineReader, has_spaced_breaks
from jiaokan.readers.tei.milestones import divide_at_milestones
from jiaokan.readers.tei.numbers import reference_form, with_title
from jiaokan.readers.tei.passages import cut_passages, mark_passages
from jiaokan.readers.tei.polarity import Polarity, polarise, polarity_inside, polarity_of
from jiaokan.readers.tei.spans import put_spans_round_words
from jiaokan.readers.tei.translated import Translation, characters_before, take_translations
from jiaokan.tei.apparatus import Absence, Variation, base_words
from jiaokan.tei.facsimile import ids_of, read_facsimile
from jiaokan.tei.fates import attribute_fates
from jiaokan.tei.included import XI
from jiaokan.tei.linking.placing import NO_WORDS, UNLINKED
from jiaokan.tei.linking.read import END, START, mark_ends
from jiaokan.tei.lossless import outside_text, standoff_entries, text_elements
from jiaokan.tei.parse import from_tei
from jiaokan.tei.prefixes import resolve_prefixes
from jiaokan.tei.tree import ID, Element, Words, after, cut, place


@dataclass(slots=True)
class OtherText:
    """The contents of a TEI file in any encoding."""

    document: Document
    """Without entries; not numbered."""
    entries: tuple[Variation, ...]
    absences: tuple[Absence, ...]
    facts: Facts
    findings: tuple[Finding, ...] = ()
    nowhere: list[tuple[Variation, str]] = field(default_factory=list)
    """Entries whose words were not found, each with the reason."""
    extents: Extents = field(default_factory=Extents)
    apps: int = 0
    """Number of ``app`` elements in the file."""
    record: ReaderRecord = field(default_factory=ReaderRecord)
    polarity: Polarity = "by entry"
    translations: tuple[Translation, ...] = ()
    points: Mapping[str, int] = field(default_factory=dict)
    """Where the blocks begin that the translations translate, by the keys of their passages: how many characters of
    the text, without notes, are before them."""


def other_text(root: Element, file: str, identifier: str) -> OtherText:
    """Read any TEI P5 document or corpus; `file` is its name in messages. Raises TeiError with file and line if it has
    no text."""
    resolve_prefixes(root)
    translations = take_translations(root)
    divide_at_milestones(root)
    put_spans_round_words(root)
    parts, apps = _text_parts(root, file), sum(1 for _ in root.iter("app", f"{{{TEI}}}app"))
    known, record = facts(root), ReaderRecord()
    problems, findings = mark_ends(root, file, name_of(parts[0]), is_text=is_text)
    form, unread = _mark_references(root)
    _bring_notes(root, known.tradition.entries.notes)
    starts = {node.get("n", ""): node for node in root.iter(START)}
    who = known.witnesses.whole()
    surfaces, others = read_facsimile(root)
    for name in others:
        record.show_as(name if name.startswith("@") else f"facsimile/{name}", "left out")
    inline = InlineReader(known, file, record, pictures=pictures(root), starts=starts, zones=ids_of(surfaces),
                          spaced=has_spaced_breaks(root),
                          polarity=polarity_inside(root, known.witnesses.ids_of, who))
    reader = BlockReader(inline, lists_alone=not any(map(has_running_text, parts)))
    divisions = _read_divisions(root, parts, reader)
    points, extents = dict[Point, int](), Extents()
    bare, end = _base_text(divisions, reader.waiting(), points, extents)
    placed, turns, nowhere = _place_entries(inline, bare, points, problems)
    bare = with_title(bare, known.title)
    document = Document(
        id=identifier, divisions=bare, dropped=record.ledger(), reference=form or reference_form(bare),
        surfaces=surfaces)
    who = known.witnesses.whole()  # without those that only entries name, which are known now
    silence = polarity_of(root, placed, who)
    text = OtherText(document, polarise(placed, silence, who), tuple(absences(turns, end)), known, nowhere=nowhere,
                     extents=extents, apps=apps, record=record, polarity=silence, translations=translations)
    if translations:
        keys = {key for translation in translations for passage in translation.passages for key in passage.keys}
        text.points = characters_before(bare, {key: points.get(Point(key, "start"), end) for key in keys})
    text.findings = (*findings, *_findings(text, file, root), *_unread_declaration(unread, root, file))
    return text


def _read_divisions(root: Element, parts: Sequence[Element], reader: BlockReader) -> list[Division]:
    """Return the divisions of the texts of a file, and record what is beside them: attributes, entries, other words.
    Raises TeiError if there is no text."""
    inline, divisions = reader.inline, list[Division]()
    for part in parts:
        divisions += reader.text(part) if name_of(part) == "text" else reader.body(part)
    _count_attributes(parts, inline.record)
    for path, beside in outside_text(root):
        inline.record.leave_out(path, beside)
    for app in standoff_entries(root):
        inline.apart(app)
    inline.emend()
    if not divisions:
        raise _no_text(inline.record, place(parts[0], inline.file))
    return cut_passages(divisions) if next(root.iter(START), None) is not None else divisions


def _place_entries(
    inline: InlineReader, bare: tuple[Division, ...], points: Mapping[Point, int], problems: Mapping[str, str | Message]
) -> tuple[list[Variation], list[tuple[int, str, str]], list[tuple[Variation, str]]]:
    """Return the entries with their places in the text, where witnesses begin or stop, and the entries whose words were
    not found, each with the reason."""
    words = base_words(bare) if any(raw.entry.lemma is None for raw in inline.entries) else ""
    placed, turns, nowhere = list[Variation](), list[tuple[int, str, str]](), list[tuple[Variation, str]]()
    for raw in inline.entries:
        if span := raw.place(points):
            placed.append(resolve_entry(raw.entry, span, inline.record, words))
            turns += [(span[where == "after"], side, witness) for side, witness, where in raw.turns]
        else:
            problem = problems.get(raw.key, "its words are not in the text" if raw.key else UNLINKED)
            nowhere.append((raw.entry, problem))
    return placed, turns, nowhere


def _mark_references(root: Element) -> tuple[str, str]:
    """Mark what can be cited; return the form of references that the file declares, with the level of finer passages
    in its divisions, and the expression of a declaration that could not be read."""
    declared = follow_declaration(root)
    finer = mark_passages(root) if not declared.form or declared.by_chunks else ""
    return declared.form + (f".{{{STATED}{finer}}}" if finer and declared.form else ""), declared.unread


def _no_text(record: ReaderRecord, where: Place) -> TeiError:
    rules = {rule for rule, _ in record.ledger()} - {"tei-shown", "tei-text"}
    left = ", ".join(sorted(rule.removeprefix("tei-") for rule in rules))
    message = Message("text-only-left-out", elements=left) if left else Message("words-text-not-front-body")
    return TeiError(message, place=where, mend=Message("put-body"))


def _count_attributes(parts: Sequence[Element], record: ReaderRecord) -> None:
    """Record the attributes with words that no page shows: lemmata, regular forms, metre."""
    for name in (str(key) for part in parts for node in part.iter("*") for key in node.keys()):  # noqa: SIM118 (no dict)
        if name in _LEFT_OUT:
            record.show_as(f"@{name}", "left out")


_LEFT_OUT = frozenset(name for name, fate in attribute_fates().items() if fate == "left-out")


def _text_parts(root: Element, file: str) -> list[Element]:
    if name_of(root) not in ("TEI", "teiCorpus", "text"):
        old = name_of(root) in ("TEI.2", "teiCorpus.2")
        raise TeiError(Message("root-is", element=name_of(root)), place=place(root, file),
                       mend=Message("tei-p4-make-p5-first") if old else Message("tei-document-begins-tei"))
    parts = text_elements(root)
    if not any(str(words).strip() for part in parts for words in part.itertext()):
        what = "<text> has no paragraph, line or head with words" if parts else Message("file-no-text")
        raise TeiError(what, place=place(root, file))
    return parts


def _base_text(
    divisions: list[Division], rest: Sequence[Part], points: dict[Point, int], extents: Extents
) -> tuple[tuple[Division, ...], int]:
    """Return divisions without points, with the `rest` after the last paragraph, and the place of their end."""
    if not rest:
        return without_points(divisions, points, extents=extents)
    *before, last = divisions
    paragraph = Paragraph(content=as_content(rest), kind="prose")
    bare, end = without_points([*before, replace(last, items=(*last.items, paragraph))], points, extents=extents)
    ending = bare[-1].items[-1]
    if not isinstance(ending, Paragraph) or ending.content:
        return bare, end
    end -= extents.sizes.of(ending)  # the rest was points alone: they are at the end
    points |= {point: min(at, end) for point, at in points.items()}
    return (*bare[:-1], replace(bare[-1], items=bare[-1].items[:-1])), end


def _bring_notes(root: Element, types: Collection[str]) -> None:
    """Move notes of the back that point into the text (``@target``) there; those of some `types` belong to the entry of
    the same number."""
    notes = [note for name in ("back", "standOff") for part in root.iter(f"{{*}}{name}")
             for note in part.iterfind(".//{*}note[@target]")]
    if not notes:
        return
    anchors = {anchor.get(ID, ""): anchor.get("n", "") for anchor in root.iter("{*}anchor")}
    entries = {anchors.get(app.get("from", "").removeprefix("#"), ""): app for app in root.iter("{*}app")}
    targets = {element.get(ID): element for element in root.iterfind(f".//{{*}}body//*[@{ID}]")}
    for note in dict.fromkeys(notes):
        target = note.get("target", "").removeprefix("#")
        entry = entries.get(note.get("n", "")) if note.get("n") and note.get("type") in types else None
        if entry is not None or target in targets:
            cut(note)
        if entry is not None:
            entry.append(note)
        elif target in targets:
            before = targets[target]
            while (following := before.getnext()) is not None and following.tag == END and not after(before):
                before = following
            Words(before, follows=True).insert(0, note)
            targets[target] = note


def _unread_declaration(path: str, root: Element, file: str) -> Iterator[Finding]:
    if path:
        declaration = next(root.iter("{*}refsDecl"), root)
        yield Finding("tei-references", place(declaration, file), Message("reference-declaration-unread", path=path),
                      Message("references-by-numbers"), "warning")


def _findings(text: OtherText, file: str, root: Element) -> Iterator[Finding]:
    if root.tag == name_of(root) and name_of(root) in ("TEI", "teiCorpus"):
        yield Finding("tei-namespace", place(root, file), Message("root-no-namespace", element=name_of(root)),
                      Message("declare-tei-namespace", namespace=TEI), "warning")
    if name_of(root) == "teiCorpus" and (count := sum(1 for _ in root.iterchildren("{*}TEI"))) > 1:
        yield Finding("tei-corpus", place(root, file), Message("corpus-read-as-one", count=count),
                      Message("corpus-one-file-each"), "info")
    for include in root.iter(f"{{{XI}}}include"):  # a source of an edition folder is one file
        yield Finding("structure", place(include, file), Message("source-includes", file=include.get("href", "")),
                      Message("give-included-as-source"), "warning")
    if undeclared := text.facts.witnesses.undeclared:
        yield Finding("tei-witness", place(root, file),
                      Message("witnesses-named-entries-not-declared", count=len(undeclared),
                              undeclared=", ".join(undeclared)),
                      Message("declare-header-listwit-witness"), "warning")
    for line, siglum in text.record.twice:
        yield Finding("tei-witness-twice", Place(file, line), Message("named-two-readings-entry", siglum=siglum),
                      Message("second-shown", siglum=siglum), "warning")
    for entry, problem in text.nowhere:
        if problem == NO_WORDS:
            continue  # as EpiDoc has all; they are counted with the others
        yield Finding("tei-app-nowhere", dataclasses.replace(place(root, file), line=entry.line),
                      Message("app-shown-note-end", problem=problem),
                      Message("give-location-words-text"), "warning")


def our_text(data: bytes, file: str) -> Document | None:
    """Return the document of TEI in our encoding; None for other TEI. Raises SourceError for an edition: its witnesses
    have TEI of their own, which says more."""
    try:
        document = from_tei(data, name=file)
    except TeiError:
        return None
    if any(document.chapters()) and any(isinstance(item, App) for item in walk(document)):
        raise SourceError(Message("edition-not-witness"), place=Place(file),
                          mend=Message("give-tei-witnesses"))
    return document if any(document.chapters()) else None
