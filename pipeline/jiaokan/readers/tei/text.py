"""Reads a TEI file as a text with its entries, or as the text of one of its witnesses."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from jiaokan.errors import Finding, JiaokanError, Message, Place, SourceError, TeiError
from jiaokan.model import (
    App,
    Content,
    Division,
    Document,
    Gap,
    Head,
    Inline,
    Item,
    Note,
    NoteGroup,
    Paragraph,
    Space,
    Unit,
)
from jiaokan.model.attestation import reading_of
from jiaokan.model.references import STATED
from jiaokan.model.text import counted
from jiaokan.model.vocabulary import EDITORS, TEI
from jiaokan.model.walk import Rewriting, walk
from jiaokan.readers.tei.absent import absences, absences_as_entries, continuing
from jiaokan.readers.tei.alone import text_of_entries
from jiaokan.readers.tei.arrange import Extents, Part, Point, ReaderRecord, as_content, resolve_entry, without_points
from jiaokan.readers.tei.blocks import BlockReader
from jiaokan.readers.tei.declared import follow_declaration
from jiaokan.readers.tei.elements import has_running_text, is_text, name_of
from jiaokan.readers.tei.facts import Facts, editor_of, facts, pictures
from jiaokan.readers.tei.inline import InlineReader
from jiaokan.readers.tei.milestones import divide_at_milestones
from jiaokan.readers.tei.numbers import reference_form, with_title
from jiaokan.readers.tei.passages import cut_passages, mark_passages
from jiaokan.readers.tei.polarity import Polarity, polarise, polarity_inside, polarity_of
from jiaokan.readers.tei.spans import put_spans_round_words
from jiaokan.readers.tei.weave import Weaver, as_words, by_place, in_pieces
from jiaokan.tei.apparatus import Absence, Variation, base_words, inner_items, refill, size
from jiaokan.tei.fates import attribute_fates
from jiaokan.tei.header.stated import Statement, statements_of
from jiaokan.tei.included import XI
from jiaokan.tei.linking.placing import NO_WORDS, UNLINKED
from jiaokan.tei.linking.read import END, START, mark_ends
from jiaokan.tei.lossless import all_words, outside_text, standoff_entries, text_elements
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import is_ours
from jiaokan.tei.prefixes import resolve_prefixes
from jiaokan.tei.tree import ID, Element, Words, after, cut, parse, place


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


def other_text(root: Element, file: str, identifier: str) -> OtherText:
    """Read any TEI P5 document or corpus; `file` is its name in messages. Raises TeiError with file and line if it has
    no text."""
    resolve_prefixes(root)
    divide_at_milestones(root)
    put_spans_round_words(root)
    parts, apps = _text_parts(root, file), sum(1 for _ in root.iter("app", f"{{{TEI}}}app"))
    known, record = facts(root), ReaderRecord()
    problems, findings = mark_ends(root, file, name_of(parts[0]), is_text=is_text)
    declared = follow_declaration(root)
    form = declared.form
    if (not form or declared.by_chunks) and (finer := mark_passages(root)) and form:
        form = f"{form}.{{{STATED}{finer}}}"
    _bring_notes(root, known.tradition.entries.notes)
    starts = {node.get("n", ""): node for node in root.iter(START)}
    who = known.witnesses.whole()
    inline = InlineReader(known, file, record, pictures=pictures(root), starts=starts,
                          polarity=polarity_inside(root, known.witnesses.ids_of, who))
    reader = BlockReader(inline, lists_alone=not any(map(has_running_text, parts)))
    divisions = [division for part in parts
                 for division in (reader.text(part) if name_of(part) == "text" else reader.body(part))]
    _count_attributes(parts, record)
    for path, beside in outside_text(root):
        record.leave_out(path, beside)
    for app in standoff_entries(root):
        inline.apart(app)
    inline.emend()
    if not divisions:
        rules = {rule for rule, _ in record.ledger()} - {"tei-shown", "tei-text"}
        left = ", ".join(sorted(rule.removeprefix("tei-") for rule in rules))
        message = Message("text-only-left-out", elements=left) if left else Message("words-text-not-front-body")
        raise TeiError(message, place=place(parts[0], file), mend=Message("put-body"))
    points, extents = dict[Point, int](), Extents()
    if next(root.iter(START), None) is not None:
        divisions = cut_passages(divisions)
    bare, end = _base_text(divisions, reader.waiting(), points, extents)
    words = base_words(bare) if any(raw.entry.lemma is None for raw in inline.entries) else ""
    placed, turns, nowhere = list[Variation](), list[tuple[int, str, str]](), list[tuple[Variation, str]]()
    for raw in inline.entries:
        if span := raw.place(points):
            placed.append(resolve_entry(raw.entry, span, record, words))
            turns += [(span[where == "after"], side, witness) for side, witness, where in raw.turns]
        else:
            problem = problems.get(raw.key, "its words are not in the text" if raw.key else UNLINKED)
            nowhere.append((raw.entry, problem))
    bare = with_title(bare, known.title)
    document, who = Document(
        id=identifier, divisions=bare, dropped=record.ledger(), reference=form or reference_form(bare)),\
        known.witnesses.whole()
    silence = polarity_of(root, placed, who)
    text = OtherText(document, polarise(placed, silence, who), tuple(absences(turns, end)), known, nowhere=nowhere,
                     extents=extents, apps=apps, record=record, polarity=silence)
    text.findings = (*findings, *_findings(text, file, root), *_unread_declaration(declared.unread, root, file))
    return text


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


def with_entries(text: OtherText, file: str) -> tuple[Document, tuple[Finding, ...]]:
    """Return a text with its entries, as an edition of the file's witnesses; not numbered. Also findings."""
    bare = text.document.divisions
    weaver = Weaver(text.facts.witnesses.whole(), text.extents.sizes, editor=editor_of(text.facts) or EDITORS)
    whole, cut = in_pieces(text.entries, text.extents)
    whole.sort(key=by_place)
    begun, joined = continuing(text.absences, whole)
    entries = [*absences_as_entries(bare, 0, text.absences, joined, text.extents.sizes, begun), *joined]
    divisions = weaver.blocks(bare, 0, sorted(entries, key=by_place))
    findings = [
        *(Finding("tei-app-unheld", Place(file, misfit.entry.line),
                  Message("app-cannot-become-entry", reason=misfit.reason),
                  Message("shown-note"), "warning") for misfit in weaver.unplaced),
        *(Finding("tei-app-split", Place(file, entry.line), Message("app-continues-another-paragraph-line"),
                  Message("shown-entry"), "info") for entry in cut),
        *_accounts(text, weaver, file),
    ]
    names = text.facts.persons | text.facts.witnesses.sigla
    notes = tuple(
        Note(content=(*([f"{entry.loc}: "] if entry.loc else []), *words), kind="variant", place="block")
        for entry, _ in text.nowhere if (words := as_words(entry, lambda w: names.get(w, w)))
    )
    if notes:
        last = divisions[-1]
        assert isinstance(last, Division), "entries of divisions stay in these"
        divisions = (*divisions[:-1], _ending_with(last, notes))
    return replace(text.document, divisions=divisions), tuple(findings)


def _ending_with(division: Division, notes: Sequence[Note]) -> Division:
    last = division.items[-1] if division.items else None
    inner = (_ending_with(last, notes),) if isinstance(last, Division) else (*division.items[-1:], *notes)
    return replace(division, items=(*division.items[:-1], *inner))


def _accounts(text: OtherText, weaver: Weaver, file: str) -> Iterator[Finding]:
    """Yield what became of the ``app`` elements of a file: each is counted once, and the sum is checked."""
    if not text.apps:
        return
    nested = text.record.nested
    entries = {number for entry in weaver.placed if entry.readings for number in entry.apps} - nested
    silent = [entry for entry in weaver.placed if not entry.readings]
    notes = {number for entry in silent if entry.notes for number in entry.apps} - entries - nested
    turns = {number for entry in silent if entry.turning for number in entry.apps} - entries - nested - notes
    single = {number for entry in silent for number in entry.apps} - entries - nested - notes - turns
    refused = [(misfit.entry, misfit.reason) for misfit in weaver.unplaced] + text.nowhere
    why = {number: _DETAIL.sub("…", reason) for entry, reason in refused for number in entry.apps}
    known = entries | nested | notes | turns | single
    why = {number: reason for number, reason in why.items() if number not in known}
    noted, unread = text.record.noted + len(notes), text.apps - text.record.apps - text.record.noted
    lost = text.record.apps - len(known | why.keys())
    parts = [
        *([Message("ledger-entries", count=len(entries))] if entries else []),
        *([Message("ledger-notes", noted=noted)] if noted else []),
        *([Message("witnesses-begin-break-off", count=len(turns))] if turns else []),
        *([Message("without-variant", count=len(single))] if single else []),
        *([Message("readings-others", count=len(nested))] if nested else []),
        *([Message("not-read", unread=unread)] if unread else []),
        *(Message("listed-location", count=count) if reason == NO_WORDS else
          Message("notes-since", reason=reason, count=count) for reason, count in Counter(why.values()).items()),
        *([Message("ledger-unaccounted", lost=lost)] if lost else []),
    ]
    words = functools.reduce(lambda words, other: Message("values", name=words, other=other), parts)
    yield Finding("tei-apps", Place(file), Message("app-ledger", count=text.apps, words=words),
                  Message("please-report-file-internal-error") if lost else "", "warning" if lost else "info")


_DETAIL = re.compile(r"(?<==)\"[^\"]*\"|'[^']*'|#\S+|\d+")
"""What differs in reasons of one kind."""


def accounts(data: bytes, name: str) -> tuple[Finding, ...]:
    """Return what becomes of the entries of a TEI file; nothing for one of ours, or one that cannot be read."""
    try:
        if our_text(data, name) is not None:
            return ()
        root, alone = text_of_entries(parse(data, name=name), name)
        findings = with_entries(other_text(root, name, "text"), name)[1]
    except JiaokanError:
        return ()
    return (*alone, *(finding for finding in findings if finding.rule == "tei-apps"))


def in_units(divisions: Sequence[Division]) -> tuple[Division, ...]:
    """Return divisions with paragraphs of base text cut into units, each a run of words up to the next comment. An
    editor's note cuts no text."""
    return tuple(map(_Cutting().division, divisions))


class _Cutting(Rewriting):
    def item(self, item: Item) -> Item:
        if isinstance(item, Paragraph) and item.kind == "jing":
            return replace(item, content=tuple(_units(item.content)))
        return item


def _unit_parts(unit: Unit) -> Iterator[Inline]:
    """Yield a numbered passage as units between its comments, each with its number."""
    for item in _units(unit.content):
        yield replace(item, n=unit.n) if isinstance(item, Unit) else item


def _units(content: Content) -> Iterator[Inline]:
    run: list[Inline] = []
    for item in (*content, None):
        parts = isinstance(item, (NoteGroup, Unit)) or (isinstance(item, Note) and item.kind == "commentary")
        if item is not None and not parts:
            run.append(item)
            continue
        if any(isinstance(part, App) or (size(part) and not isinstance(part, (Space, Note))) for part in run):
            yield Unit(content=tuple(run))
        else:
            yield from run
        run = []
        if isinstance(item, Unit) and not item.verse:
            yield from _unit_parts(item)
        elif item is not None:
            yield item


def as_witness(
    items: Sequence[Item], witness: str, left: list[tuple[str, str]], hands: Mapping[str, str]
) -> tuple[Item, ...]:
    """Return a text with entries as one witness has it; a lost place where its words are unknown, and the
    lemma without `witness`. The words of other readings and of notes on entries go into `left`."""
    content: list[Item] = []
    for item in items:
        if isinstance(item, App):
            groups = (item.lemma, *item.readings)
            reading = reading_of(groups, witness) if witness else item.lemma
            reading = reading or reading_of(groups, hands.get(witness, ""))
            left += [("tei-rdg", words) for group in groups
                     if group is not reading and (words := all_words(group.content))]
            left += [("tei-note", all_words(note.content)) for note in item.notes]
            content += as_witness(reading.content, witness, left, hands) if reading else (Gap(reason="lacuna"),)
        else:
            inside = inner_items(item)
            content.append(item if inside is None else refill(item, as_witness(inside, witness, left, hands)))
    return tuple(content)


@dataclass(frozen=True, slots=True)
class Outline:
    """What `jiaokan init` needs of a TEI file."""

    facts: Facts
    chapters: tuple[tuple[str, tuple[str, ...]], ...]
    """Each chapter's title and its paragraphs without notes."""
    witnesses: tuple[str, ...]
    """Sigla of the witnesses with the whole text, if there is an apparatus; the printed one first."""
    signers: tuple[tuple[str, str], ...] = ()
    """Signers of comments: id in the file, and name."""
    stated: tuple[Statement, ...] = ()
    """What the header states, if it is not one of ours."""


def outline(text: str, file: str) -> Outline:
    """Return the outline of a TEI document. Raises TeiError if it is not TEI or has no words, SourceError for an
    edition of ours."""
    data = text.encode()
    root = parse(data, name=file)
    sigla, signing = tuple[str, ...](), dict[str, str]()
    if ours := our_text(data, file):
        known, document = facts(root), ours
    else:
        other = other_text(root, file, "text")
        known, document = other.facts, other.document
        signing = {item.resp: known.persons[item.resp] for item in walk(document)
                   if isinstance(item, Note) and item.kind == "commentary" and item.resp}
        if any(entry.readings for entry in other.entries):
            sigla = tuple(known.witnesses.sigla[name] for name in known.witnesses.whole())
    outlined = tuple((chapter.title, tuple(_paragraphs(chapter))) for chapter in document.chapters())
    stated = () if is_ours(root) else statements_of(root, principles=True)
    return Outline(known, outlined, sigla, tuple(signing.items()), stated)


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


def _paragraphs(division: Division) -> Iterator[str]:
    for item in division.items:
        if isinstance(item, Division):
            yield from _paragraphs(item)
        elif not isinstance(item, Head) and (words := " ".join(counted(item).split())):
            yield words
