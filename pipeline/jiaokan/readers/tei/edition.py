"""A TEI text with its entries as an edition, and what became of each ``app``."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from jiaokan.errors import Finding, JiaokanError, Message, Place
from jiaokan.model import Division, Document, Note
from jiaokan.model.vocabulary import EDITORS
from jiaokan.readers.tei.absent import absences_as_entries, continuing
from jiaokan.readers.tei.alone import text_of_entries
from jiaokan.readers.tei.facts import editor_of
from jiaokan.readers.tei.text import OtherText, other_text, our_text
from jiaokan.readers.tei.weave import Weaver, as_words, by_place, in_pieces
from jiaokan.tei.linking.placing import NO_WORDS
from jiaokan.tei.tree import parse


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
        *_account_for(text, weaver, file),
    ]
    names = text.facts.persons | text.facts.witnesses.sigla
    notes = tuple(
        Note(content=(*([f"{entry.loc}: "] if entry.loc else []), *words), kind="variant", place="block")
        for entry, _ in text.nowhere if (words := as_words(entry, lambda w: names.get(w, w)))
    )
    if notes:
        last = divisions[-1]
        assert isinstance(last, Division), "entries of divisions stay in these"
        divisions = (*divisions[:-1], _append_notes(last, notes))
    return replace(text.document, divisions=divisions), tuple(findings)


def _append_notes(division: Division, notes: Sequence[Note]) -> Division:
    last = division.items[-1] if division.items else None
    inner = (_append_notes(last, notes),) if isinstance(last, Division) else (*division.items[-1:], *notes)
    return replace(division, items=(*division.items[:-1], *inner))


def _account_for(text: OtherText, weaver: Weaver, file: str) -> Iterator[Finding]:
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
