"""Rules that compare a file with the editor's decisions: lemmata, corrections, and what decisions quote from sources.

An apparatus note that misquotes its witness is worse than none; `decision-untrue` checks each quotation.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any

from pipeline.decisions.characters import Decisions, Placed, place_in
from pipeline.decisions.kinds import KINDS, Filed, load
from pipeline.decisions.readings import (
    Quoted,
    ids_by_name,
    ids_of_speakers,
    lacking_in,
    quotations_of,
    without_punctuation,
)
from pipeline.decisions.tables import CorrectionDecision, ReadingDecision
from pipeline.errors import CatalogError, DecisionError, Message, TeiError, suggestion
from pipeline.model import App, Break, Correction, Document, Figure, Gap, Head, Note, Supplied, Trailer, Unit
from pipeline.model.text import attested, edited, received
from pipeline.model.walk import items, leaves, walk
from pipeline.model.words import LINE_END
from pipeline.settings.values import Strict
from pipeline.system.listing import matching
from pipeline.tei.lossless import differences, lost_characters
from pipeline.tei.parse import from_tei
from pipeline.tei.tree import ID, Element, parse
from pipeline.tei.views import source_text
from pipeline.tei.witness_text import pieces, printed
from pipeline.validate.rule import Home, Problem, Subject, rule, shown


@rule("lemma-differs")
def _lemma(subject: Subject) -> Iterator[Problem]:
    plan = subject.home.plan if subject.home else None
    if plan is None or plan.kind != "critical":
        return
    bases = {str(chapter.n): f"#{chapter.base}" for chapter in plan.chapters}
    for app in subject.in_text("app"):
        chapter = next((d.get("n", "") for d in app.iterancestors("{*}div") if d.get("type") == "pian"), "")
        base = bases.get(chapter, "")
        if base in _undecided_against(app) and next(app.iterancestors("{*}note"), None) is None:
            yield Problem(
                app, Message("the lemma of {} differs from the base text {}, without a decision",
                             app.get(ID) or Message("an entry"), base),
                Message("add a decision to tei/decisions/lemmas.toml, or print the reading of the base text"),
            )
    for note in subject.in_text("note"):
        works = set(note.get("source", "").split())
        printed = (app for app in note.iter("{*}app") if next(app.iterancestors("{*}rdg"), None) is None)
        if len(works) > 1 and works <= set().union(*map(_undecided_against, printed)):
            name = note.get(ID) or Message("a note")
            yield Problem(
                note, Message("no witness has {} as it is printed, apart from decisions", name),
                Message("print it as one of its witnesses has it, or add a decision to tei/decisions/lemmas.toml"),
            )


def _undecided_against(app: Element) -> set[str]:
    """Return the witnesses whose words an entry does not print though no decision or loss says why."""
    if app.get("type") or not len(app) or app[0].get("source", "").startswith("decision:"):
        return set()
    kept = (reading.get("wit", "") for reading in app.iterfind("{*}rdg") if not _is_lost(reading))
    return set(" ".join(kept).split())


def _is_lost(reading: Element) -> bool:
    """Whether a reading gives way by rule: its graph is lost or corrected."""
    mended = any(reading.find(f".//{{*}}{name}") is not None for name in ("choice", "supplied", "surplus"))
    return mended or reading.get("ana") == "#var-lacuna"


@rule("decision-stale")
def _decisions(subject: Subject) -> Iterator[Problem]:
    home = subject.home
    if home is None or home.entry is None or home.document is None:
        return
    try:
        decided = Decisions.load(home.root)
    except CatalogError as error:
        yield Problem(subject.root, Message.of(str(error)))
        return
    text, judged = _received(home.document)
    name = home.entry.id
    placed: tuple[Placed, ...] = (*decided.corrections, *decided.supplied)
    for filed in placed:
        decision = filed.decision
        if decision.source == name:
            if isinstance(decision, CorrectionDecision):
                expected, words = (decision.sic, decision.corr), decision.context
            else:
                expected, words = ("", decision.text), f"{decision.before}[{decision.text}]{decision.after}"
            try:
                found = judged.get(place_in(filed, text))
            except DecisionError:
                found = None
            if found != expected:
                yield Problem(subject.root, Message("the decision on “{}” in tei/decisions/{} does not fit the text",
                                                    words, filed.path.name),
                              Message("correct its context, or withdraw the decision; then convert the source again"))


def _received(document: Document) -> tuple[str, dict[int, tuple[str, str]]]:
    """Return the text to which decisions are applied, without brackets, and its corrections and supplements by offset.

    The text is that of the reader's plain strings, without pictures and lacunae that the reader recognised.
    """
    parts: list[str] = []
    judged: dict[int, tuple[str, str]] = {}
    at = 0
    for item in leaves(document.divisions):
        match item:
            case Correction():
                judged[at] = item.sic, item.corr
            case Supplied():
                judged[at] = "", item.text
        own = not isinstance(item, Figure) and not (isinstance(item, Gap) and item.reason != "blank")
        parts.append(received(item) if own else "")
        at += len(parts[-1])
    return "".join(parts), judged


PHRASE = 4
"""With so many characters a quotation is a phrase and is searched in the whole source; fewer occur in any long text by
chance and are searched at the decision's place."""
_REFERENCE = re.compile(r"\d+(?:\.\d+)+")
Quotation = tuple[Filed[Any], Quoted]
"""A decision and a quotation in it."""


@rule("decision-untrue")
def _quoted(subject: Subject) -> Iterator[Problem]:
    """Check what reasons say: phrases in a witness's file; in an edition single words at their place, what witnesses
    lack there, and what commentators say."""
    home = subject.home
    if home is None or home.document is None or (home.entry is None and home.plan is None):
        return
    try:
        decisions: Sequence[Filed[Any]] = load(home.root, Strict)
    except CatalogError:
        return  # every command that reads decisions reports it
    sources = home.catalog.sources.values()
    known = ids_by_name((each.id, each.siglum, each.title) for each in sources)
    quoted_words = [(filed, quoted) for filed in decisions
                    for text in (filed.decision.why, getattr(filed.decision, "evidence", ""))
                    for quoted in quotations_of(text, known)]
    mend = Message("correct the quotation; for words of another unit add its reference: （6.1.3）")
    for (filed, quoted), where in _untrue(home, home.document, quoted_words):
        named = *_named(filed), quoted.words, home.catalog.sources[quoted.source].siglum
        if where:
            message = Message("the [[{}]] in line {} of tei/decisions/{} quotes “{}” from {}, which does not have it "
                              "in {}", *named, where)
        else:
            message = Message("the [[{}]] in line {} of tei/decisions/{} quotes “{}” from {}, which does not have it",
                              *named)
        yield Problem(subject.root, message, mend)
    if home.plan is None or home.plan.kind != "critical":
        return
    own = [each for each in decisions if isinstance(each.decision, ReadingDecision)
           and each.decision.id.partition(".")[0] == home.plan.id]
    for filed, source, words in _wrongly_lacking(home.document, own, known):
        message = Message("the [[{}]] in line {} of tei/decisions/{} says that {} lacks “{}”, which it has there",
                          *_named(filed), home.catalog.sources[source].siglum, words)
        yield Problem(subject.root, message, Message("correct the reason to what the witnesses have"))
    for filed, quoted in _wrongly_spoken(home, home.plan.all_witnesses(), own):
        message = Message("the [[{}]] in line {} of tei/decisions/{} quotes “{}” from {}, whose notes do not have it",
                          *_named(filed), quoted.words, home.catalog.persons[quoted.source].name)
        yield Problem(subject.root, message, Message("name who says it, or the book where it is"))


def _named(filed: Filed[Any]) -> tuple[str, int, str]:
    kind = next(each.name for each in KINDS if each.table is type(filed.decision))
    return kind, filed.line, filed.path.name


def _wrongly_lacking(
    document: Document, decisions: Iterable[Filed[Any]], names: Mapping[str, str]
) -> Iterator[tuple[Filed[Any], str, str]]:
    """Yield the decisions that say that a source lacks words that it has in the decided entry, with both."""
    entries = [item for text in walk(document) if isinstance(text, (Unit, Note))
               for item in items(text.content) if isinstance(item, App)]
    by_reason = {attested(note.content): app for app in entries for note in app.notes}
    for filed in decisions:
        app = by_reason.get(filed.decision.why)
        for said in lacking_in(filed.decision.why, names) if app else ():
            for reading in (app.lemma, *app.readings) if app else ():
                words = without_punctuation(edited(reading.content))
                if said.source in reading.witnesses and words and said.words in words:
                    yield filed, said.source, said.words or words


def _wrongly_spoken(
    home: Home, witnesses: Iterable[str], decisions: Iterable[Filed[Any]]
) -> Iterator[tuple[Filed[Any], Quoted]]:
    """Yield the decisions that quote a phrase from a commentator of whom no witness has a note with it, nor is it of
    the base text."""
    spoken: dict[str, list[str]] = {}
    base: list[str] = []
    for document in filter(None, map(home.witness, witnesses)):
        for text in walk(document):
            if isinstance(text, (Unit, Note)):
                own = base if isinstance(text, Unit) else spoken.setdefault(text.resp, [])
                own += map(without_punctuation, {attested(text.content), edited(text.content)})
    names = {name: key for name, key in ids_of_speakers(home.catalog.persons).items() if key in spoken}
    book = re.compile(f"本(?:{'|'.join(map(re.escape, names))})")  # of an edition outside the folder: 四库本敖氏集说
    for filed in decisions:
        for quoted in quotations_of(book.sub("本", filed.decision.why), names):
            texts = (*spoken[quoted.source], *base)
            if len(quoted.words) >= PHRASE and not any(quoted.words in text for text in texts):
                yield filed, quoted


def _untrue(home: Home, document: Document, quoted_words: Iterable[Quotation]) -> Iterator[tuple[Quotation, str]]:
    """Yield the false quotations that this file can disprove, with the place where they are not found."""
    if home.entry is not None:
        every = [item for item in walk(document) if isinstance(item, (Unit, Note, Head, Trailer))]
        layers = (every, [item for item in every if isinstance(item, Unit)])
        texts = [without_punctuation("".join(view(item.content) for item in layer))
                 for view in (attested, edited) for layer in layers]
        own = (each for each in quoted_words if each[1].source == home.path.stem and _is_phrase(*each))
        yield from ((each, "") for each in own if not any(each[1].words in one for one in texts))
        return
    there: dict[str, list[tuple[str, str]]] = {}
    printed = _readings_by_witness(document)
    for filed, quoted in quoted_words:
        decision, source = filed.decision, quoted.source
        if home.plan is None or source not in home.plan.all_witnesses() or _is_phrase(filed, quoted):
            continue
        if decision.id.partition(".")[0] == home.plan.id:
            if source not in there:
                whole: dict[str, str] = {}
                for piece in pieces(document, source):
                    whole[piece.here] = whole.get(piece.here, "") + piece.text
                there[source] = [(place, without_punctuation(text))
                                 for place, text in (*whole.items(), *printed.get(source, ()))]
            places = f"{decision.id}.", *(f"{home.plan.id}.{each}." for each in _REFERENCE.findall(decision.why))
            if not any(quoted.words in text for place, text in there[source] if f"{place}.".startswith(places)):
                yield (filed, quoted), decision.id


def _readings_by_witness(document: Document) -> dict[str, list[tuple[str, str]]]:
    """Return what the readings of each witness print, with the id of their unit or note."""
    found: dict[str, list[tuple[str, str]]] = {}
    for text in walk(document):
        if isinstance(text, (Unit, Note)) and text.id:
            for app in (item for item in items(text.content) if isinstance(item, App)):
                for reading in (app.lemma, *app.readings):
                    with suppress(KeyError):  # it holds what no text may, which the schema reports
                        words = attested(reading.content)
                        for witness in reading.witnesses:
                            found.setdefault(witness, []).append((text.id, words))
    return found


def _is_phrase(filed: Filed[Any], quoted: Quoted) -> bool:
    return len(quoted.words) >= PHRASE or not isinstance(filed.decision, ReadingDecision)


_AROUND = 8
"""Characters shown on each side of a difference."""
_AGAIN = Message("convert the source again; change the text only by decisions")
_TEI_ID = re.compile(rb"<TEI\b[^>]*\bxml:id=[\"']([^\"']*)[\"']")


def difference(expected: str, found: str) -> tuple[int, str, str]:
    """Return the offset where two texts differ first, and the context in each, with a bar at the place."""
    pairs = enumerate(zip(expected, found, strict=False))
    at = next((n for n, (a, b) in pairs if a != b), min(len(expected), len(found)))
    before = shown(expected[max(0, at - _AROUND) : at])
    return at, f"{before}|{shown(expected[at : at + _AROUND])}", f"{before}|{shown(found[at : at + _AROUND])}"


@rule("source-differs")
def _source(subject: Subject) -> Iterator[Problem]:
    entry = subject.home.entry if subject.home else None
    if subject.home is None or entry is None:
        return
    path = subject.home.catalog.path(entry)
    data = path.read_bytes() if path.exists() else b""
    found = hashlib.sha256(data).hexdigest()
    named = next((each.text or "" for each in subject.all("idno") if each.get("type") == "sha256"), "")
    if named != entry.sha256:
        message = Message("the header has the sha256 {} for the source, the catalog has {}",
                          named or Message("unknown"), entry.sha256)
        yield Problem(subject.root, message, Message("convert the source again"))
    if found != entry.sha256:
        message = Message("the source {} has the sha256 {}, the catalog has {}", entry.file, found, entry.sha256)
        mend = Message("restore the file, or update its sha256 in the catalog and convert it again")
        yield Problem(subject.root, message, mend)
    elif (document := subject.home.document) is not None and entry.reader == "tei":
        yield from _tei_source(subject, data, document, entry.file)
    elif document is not None and not (
        # markup, of a wiki or of pages and lines, is only in part in text or ledger: compared where it is converted
        subject.home.catalog.convention(entry.id).get("markup")
        or any(isinstance(each, Break) for each in items(document.divisions))
    ):
        yield from _text(subject, data.decode("utf-8-sig", "replace"), document, entry.file)


def _tei_source(subject: Subject, data: bytes, document: Document, file: str) -> Iterator[Problem]:
    """Compare with a TEI source: our encoding word for word, any other by its characters."""
    try:
        whole = source_text(from_tei(data, name=file)) == source_text(document)
        gone = "" if whole else "…"
    except TeiError:
        gone = "".join(sorted(lost_characters(parse(data, name=file), document)))[:20]
    if gone:
        message = Message("the source {} has characters that the text lacks: “{}”", file, gone)
        yield Problem(subject.root, message, _AGAIN)


def _text(subject: Subject, source: str, document: Document, file: str) -> Iterator[Problem]:
    """Compare text and ledger together with the source, with white space inside lines."""
    try:
        text = source_text(document).replace("\n", "")
    except TeiError as error:
        yield Problem(subject.root, Message.of(error.message), Message.of(error.mend))
        return
    dropped = [line for _, words in document.dropped for line in map(_bare, words.split("\n")) if line]
    kept: list[tuple[int, str]] = []
    for number, line in enumerate(LINE_END.split(source), 1):
        if dropped and _bare(line) == dropped[0]:
            dropped.pop(0)
        elif dropped and line.strip().startswith(dropped[0]):
            kept.append((number, line.strip().removeprefix(dropped.pop(0)).strip()))
        elif line.strip():
            kept.append((number, line.strip()))
    at, expected, found = difference("".join(line for _, line in kept), text)
    if expected != found:
        ends = accumulate(len(line) for _, line in kept)
        left = [number for (number, _), end in zip(kept, ends, strict=True) if at < end]
        number = (left or [kept[-1][0] if kept else 0])[0]
        message = Message("the source has “{}” (line {} of {}), the text has “{}”", expected, number, file, found)
        bare = len(_bare(text[:at]))
        extents = printed(document).extents.items()
        around = [(e.end - e.start, name) for name, e in extents if e.start <= bare <= e.end]
        target = subject.target(min(around)[1]) if around else None
        yield Problem(subject.root if target is None else target, message, _AGAIN)
    if dropped:
        message = Message("the ledger lists “{}”, which is not in the source {}", dropped[0][:20], file)
        yield Problem(subject.root, message)


def _bare(line: str) -> str:
    return "".join(line.split())


@rule("edition-differs")
def _edition(subject: Subject) -> Iterator[Problem]:
    home = subject.home
    plan = home.plan if home else None
    if home is None or plan is None or home.document is None or plan.kind != "critical":
        return
    marks = {(m.get("ed"), m.get("n")): m for m in subject.all("milestone")}
    for name in plan.all_witnesses():
        witness = home.witness(name)
        if witness is None:
            continue
        chapters = {str(chapter.n) for chapter in plan.chapters if name in chapter.witnesses}
        near: Element | None = None
        for each in differences(home.document, witness, name, chapters):
            mark = marks.get((name, each.own))
            near = near if mark is None else mark
            _, expected, found = difference(each.expected, each.found)
            mend = Message("collate again")
            if mark is None and each.expected:
                mend = Message('expected: <milestone unit="unit" ed="{}" n="{}"/>', name, each.own)
            message = Message("{} is “{}” in the witness's own file, “{}” in the edition", each.id, expected, found)
            yield Problem(subject.root if near is None else near, message, mend)


@rule("id-shared")
def _shared(subject: Subject) -> Iterator[Problem]:
    home, identifier = subject.home, subject.root.get(ID, "")
    if home is None or identifier == home.path.stem:
        return
    for folder in ("witnesses", "editions"):
        for other in matching(home.root / "tei" / folder, "*.xml"):
            with other.open("rb") as stream:
                found = _TEI_ID.search(stream.read(4096))
            name = found[1].decode("utf-8", "replace") if found else ""
            if other != home.path and name == identifier:
                message = Message('the id "{}" is also the id of {}', identifier, f"tei/{folder}/{other.name}")
                yield Problem(subject.root, message, Message("expected: the id {}", home.path.stem))


@rule("pointer-witness")
def _witness(subject: Subject) -> Iterator[Problem]:
    if subject.home is None:
        return
    known: dict[str, frozenset[str]] = {}
    pointing = ((element, name) for element, name in subject.pointing if name in ("corresp", "source", "target"))
    for element, name in pointing:
        for word in element.get(name, "").split() if "w:" in element.get(name, "") else ():
            witness, _, _ = word.removeprefix("w:").partition(".")
            if word.startswith("w:") and witness not in known:
                document = subject.home.witness(witness)
                inside = items(document.divisions) if document else ()
                known[witness] = frozenset(getattr(each, "id", "") for each in inside) - {""}
            if word.startswith("w:") and word[2:] not in known[witness]:
                every = known[witness] or subject.home.catalog.sources
                wrong = word[2:] if known[witness] else witness
                mend = suggestion(wrong, every, Message("collate again"), prefix="w:")
                message = Message('@{} points to "{}", which is not in tei/witnesses/{}.xml', name, word, witness)
                yield Problem(element, message, mend, attribute=name)
