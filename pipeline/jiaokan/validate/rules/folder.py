"""Rules that compare a file with its source, its witnesses and the other files of its folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import accumulate

from jiaokan.decisions.kinds import Filed, load
from jiaokan.decisions.tables import Decision, ReadingDecision
from jiaokan.errors import CatalogError, Message, TeiError, suggestion
from jiaokan.model import Break, Document
from jiaokan.model.walk import items
from jiaokan.model.words import LINE_END
from jiaokan.system.listing import matching
from jiaokan.tei.lossless import differences, lost_characters
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import ID, Element, local, parse
from jiaokan.tei.views import source_text
from jiaokan.tei.witness_text import printed_text
from jiaokan.validate.homes import Home
from jiaokan.validate.rule import Problem, Subject, printable, rule

_AROUND = 8
_AGAIN = Message("convert-source-again-change-text")
_TEI_ID = re.compile(rb"<TEI\b[^>]*\bxml:id=[\"']([^\"']*)[\"']")


def difference(expected: str, actual: str) -> tuple[int, str, str]:
    """Return the offset where two texts differ first, and the context in each, with a bar at the place."""
    pairs = enumerate(zip(expected, actual, strict=False))
    at = next((n for n, (a, b) in pairs if a != b), min(len(expected), len(actual)))
    before = printable(expected[max(0, at - _AROUND) : at])
    return at, f"{before}|{printable(expected[at : at + _AROUND])}", f"{before}|{printable(actual[at : at + _AROUND])}"


@rule("source-differs")
def _source(subject: Subject) -> Iterator[Problem]:
    entry = subject.home.entry if subject.home else None
    if subject.home is None or entry is None:
        return
    path = subject.home.catalog.path(entry)
    data = path.read_bytes() if path.exists() else b""
    digest = hashlib.sha256(data).hexdigest()
    named = next((idno.text or "" for idno in subject.all("idno") if idno.get("type") == "sha256"), "")
    if named != entry.sha256:
        message = Message("header-sha256-source-catalog", named=named or Message("unknown"), sha256=entry.sha256)
        yield Problem(subject.root, message, Message("convert-source-again"))
    if digest != entry.sha256:
        message = Message("source-checksum-differs", source=entry.file, sha256=digest, declared=entry.sha256)
        mend = Message("restore-file-update-sha256-catalog")
        yield Problem(subject.root, message, mend)
    elif (document := subject.home.document) is not None and entry.reader == "tei":
        try:  # our encoding is compared word for word, any other by its characters
            whole = source_text(from_tei(data, name=entry.file)) == source_text(document)
            gone = "" if whole else "…"
        except TeiError:
            gone = "".join(sorted(lost_characters(parse(data, name=entry.file), document)))[:20]
        if gone:
            message = Message("source-characters-text-lacks", file=entry.file, gone=gone)
            yield Problem(subject.root, message, _AGAIN)
    elif document is not None and not (
        # markup, of a wiki or of pages and lines, is only in part in text or ledger: compared where it is converted
        subject.home.catalog.convention(entry.id).get("markup")
        or any(isinstance(item, Break) for item in items(document.divisions))
    ):
        yield from _text(subject, data.decode("utf-8-sig", "replace"), document, entry.file)


def _text(subject: Subject, source: str, document: Document, file: str) -> Iterator[Problem]:
    """Compare text and ledger together with the source, with white space inside lines."""
    try:
        text = source_text(document).replace("\n", "")
    except TeiError as error:
        yield Problem(subject.root, Message.of(error.message), Message.of(error.mend))
        return
    dropped = [line for _, words in document.dropped for line in map(str.strip, words.split("\n")) if line]
    kept_lines: list[tuple[int, str]] = []
    for number, line in enumerate(LINE_END.split(source), 1):
        if dropped and _bare(line) == _bare(dropped[0]):
            dropped.pop(0)
        elif dropped and line.strip().startswith(dropped[0]):
            kept_lines.append((number, line.strip().removeprefix(dropped.pop(0)).strip()))
        elif line.strip():
            kept_lines.append((number, line.strip()))
    at, expected, actual = difference("".join(line for _, line in kept_lines), text)
    if expected != actual:
        ends = accumulate(len(line) for _, line in kept_lines)
        left = [number for (number, _), end in zip(kept_lines, ends, strict=True) if at < end]
        number = (left or [kept_lines[-1][0] if kept_lines else 0])[0]
        message = Message("source-and-text-differ", source=expected, line=number, file=file, text=actual)
        bare = len(_bare(text[:at]))
        extents = printed_text(document).extents.items()
        around = [(e.end - e.start, name) for name, e in extents if e.start <= bare <= e.end]
        target = subject.target(min(around)[1]) if around else None
        yield Problem(subject.root if target is None else target, message, _AGAIN)
    if dropped:
        message = Message("ledger-lists-not-source", dropped=dropped[0][:20], file=file)
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
        for gap in differences(home.document, witness, name, chapters):
            mark = marks.get((name, gap.unit))
            near = near if mark is None else mark
            _, expected, actual = difference(gap.expected, gap.actual)
            mend = Message("collate-again")
            if mark is None and gap.expected:
                mend = Message("expected-milestone-unit-unit-ed", name=name, own=gap.unit)
            message = Message("witness-and-edition-differ", id=gap.id, witness=expected, edition=actual)
            yield Problem(subject.root if near is None else near, message, mend)


@rule("id-shared")
def _check_ids(subject: Subject) -> Iterator[Problem]:
    home, identifier = subject.home, subject.root.get(ID, "")
    if home is None or identifier == home.path.stem:
        return
    for folder in ("witnesses", "editions"):
        for other in matching(home.root / "tei" / folder, "*.xml"):
            with other.open("rb") as stream:
                match = _TEI_ID.search(stream.read(4096))
            name = match[1].decode("utf-8", "replace") if match else ""
            if other != home.path and name == identifier:
                message = Message("id-id", identifier=identifier, folder=f"tei/{folder}/{other.name}")
                yield Problem(subject.root, message, Message("expected-id", stem=home.path.stem))


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
                known[witness] = frozenset(getattr(item, "id", "") for item in inside) - {""}
            if word.startswith("w:") and word[2:] not in known[witness]:
                every = known[witness] or subject.home.catalog.sources
                wrong = word[2:] if known[witness] else witness
                mend = suggestion(wrong, every, Message("collate-again"), prefix="w:")
                message = Message("points-not-tei-witnesses-xml", name=name, word=word, witness=witness)
                yield Problem(element, message, mend, attribute=name)


@rule("date-early")
def _check_publication_date(subject: Subject) -> Iterator[Problem]:
    """Report a date of publication before the last change of the text: a revision, or a decision that it has."""
    home = subject.home
    published = next((date for date in subject.all("date")
                      if (parent := date.getparent()) is not None and local(parent) == "publicationStmt"), None)
    stated = "" if published is None else published.get("when", "")
    if home is None or len(stated) < len("2026-11-29"):
        return
    changes = [(revision.when, "catalog.toml") for revision in home.catalog.revisions if home.path.stem in revision.of]
    changes += [(str(when), f"decisions/{filed.path.name}") for filed in _decisions_on(home)
                if (when := getattr(filed.decision, "when", None))]
    last, file = max(changes, default=("", ""))
    if published is not None and last > stated:
        yield Problem(published, Message("publication-before-change", date=stated, when=last, file=f"tei/{file}"),
                      Message("correct-date-of-publication"), attribute="when")


def _decisions_on(home: Home) -> Iterator[Filed[Decision]]:
    """Yield the decisions on the text of a file and, for an edition, on its witnesses."""
    names = {home.path.stem, *(home.plan.all_witnesses() if home.plan else ())}
    try:
        decisions = load(home.root, Decision)
    except CatalogError:
        return  # every command that reads decisions reports it
    for filed in decisions:
        decision = filed.decision
        on = (decision.id.partition(".")[0] if isinstance(decision, ReadingDecision)
              else getattr(decision, "source", "") or getattr(decision, "edition", ""))
        if on in names:
            yield filed
