"""Conversion of a TEI file's apparatus to another linking method, with proof that it holds the same.

`parallel` and `apart` write the stream of `jiaokan.tei.linking`; `proof` compares before and after; `convert` does all
of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from jiaokan.errors import Finding, Message, Place, TeiError, together
from jiaokan.exchange.conversion import proof
from jiaokan.exchange.conversion.apart import ApartWriter
from jiaokan.exchange.conversion.parallel import ParallelWriter
from jiaokan.readers.tei.facts import Witnesses
from jiaokan.tei.linking import stream
from jiaokan.tei.linking.read import link_text

Where = Literal["internal", "external"]
_NAMES: dict[stream.Method, str] = {"parallel": "parallel-segmentation", "double-end-point": "double-end-point",
                             "location": "location-referenced"}
_FAULTS = 20  # errors listed one by one; the rest are counted


@dataclass(frozen=True, slots=True)
class Converted:
    """A file with its apparatus by another method."""

    data: bytes
    before: proof.Contents
    after: proof.Contents
    findings: tuple[Finding, ...]

    @property
    def proof(self) -> str:
        """What was compared, as a table."""
        return proof.comparison_table(self.before, self.after)


def convert_apparatus(
    data: bytes, method: stream.Method, *, file: str, where: Where = "external", split: bool = False, keep: bool = False
) -> Converted:
    """Return a TEI file with its apparatus by another method; the rest of it stays as it is written.

    `where` tells whether entries beside the text stand in it (internal) or in a list (external); parallel segmentation
    is internal. `split` cuts entries into pieces that overlap others or begin in one element and end in another, as
    parallel segmentation needs; `keep` leaves entries as they are whose words are not found. Without these two options
    such entries are errors.

    Raises TeiError for all entries that cannot be converted, each with its line and the reason, and for a file that is
    not TEI.
    """
    text = link_text(data, file)
    lost = [_app_error(entry, entry.problem, file) for entry in text.entries if entry.problem]
    if lost and (not keep or len(lost) == len(text.entries)):
        raise _joined_error(lost, Message("no-other-entry-convert") if keep else
                            Message("mend-file-leave-unheld-keep"))
    witnesses = proof.witnesses_of(data, file)
    before = proof.read_contents(text, witnesses)
    if not before.entries and re.search(rb"<(\w+:)?app[\s>]", data):
        raise TeiError(Message("entries-beside-no-text-file"), place=Place(file),
                       mend=Message("put-text-point-first-text"))
    if not before.entries:
        raise TeiError(Message("file-no-apparatus"), place=Place(file), mend=Message("apparatus-app-lem-rdg"))
    if method == "location" and (unmovable := [_app_error(e, why, file) for e in text.entries
                                               if (why := _own_number(e))]):
        raise _joined_error(unmovable, Message("move-number-another-attribute-choose"))
    _declare_method(text, method, "internal" if method == "parallel" else where)
    findings = list(text.findings)
    if method == "parallel":
        writer = ParallelWriter(text)
        out = writer.write()
        findings += _split_findings(writer, text, witnesses, split=split)
    else:
        out = ApartWriter(text, method, internal=where == "internal").write()
    converted = out.encode(stream.decode_bytes(data)[1])
    after = proof.contents(converted, file)
    _check_same(before, after, text, witnesses)
    findings += [Finding("tei-app-kept", Place(file, e.line), Message("app-stays", problem=e.problem),
                         severity="warning")
                 for e in text.entries if e.problem]
    return Converted(converted, before, after, tuple(findings))


def _app_error(entry: stream.LinkedEntry, reason: str, file: str) -> TeiError:
    return TeiError(Message("app-cannot-converted", reason=reason), place=Place(file, entry.line))


def _joined_error(errors: list[TeiError], mend: str) -> TeiError:
    more = Message("more-listed", count=len(errors) - _FAULTS) if len(errors) > _FAULTS else ""
    if len(errors) == 1:
        return TeiError(errors[0].message, place=errors[0].place, mend=mend)
    joint = together(errors[:_FAULTS], "entries-unconverted", all=len(errors), more=more, mend=mend)
    joint.several = tuple(errors)
    return joint


def _own_number(entry: stream.LinkedEntry) -> str:
    """Return why an entry cannot have the number that a location needs: it has one of the file's own; else empty."""
    holder = stream.number_holder(entry)
    n = "" if holder is None else holder.attributes.get("n", "")
    if holder is None or not n or not (holder is entry.node or n.isdecimal()):
        return ""
    return Message("n-number-file-own-location", holder=holder.name, number=n)


def _split_findings(
    writer: ParallelWriter, text: stream.LinkedText, witnesses: Witnesses, *, split: bool
) -> list[Finding]:
    """Return a finding for each entry that was cut. Raises TeiError if none may be, or if two that overlap name one
    witness."""
    pieces = writer.split.values()
    errors = [
        _app_error(piece.entry, Message("both-name", reason=piece.reason, both=", ".join(sorted(both))),
                   text.file) for piece in pieces
        if piece.other is not None and (both := _names(piece.entry, witnesses) & _names(piece.other, witnesses))
    ]
    if errors:
        raise _joined_error(errors, Message("give-witness-reading"))
    if pieces and not split:
        raise _joined_error([_app_error(piece.entry, piece.reason, text.file) for piece in pieces],
                            Message("cut-pieces-overlap-split"))
    return [Finding("tei-app-split", Place(text.file, piece.entry.line), Message("app-pieces", reason=piece.reason),
                    severity="info") for piece in pieces]


def _names(entry: stream.LinkedEntry, witnesses: Witnesses) -> set[str]:
    return {name for reading in entry.readings() if reading is not entry.slot
            for name in proof.witness_ids(reading, witnesses)}


def _check_same(before: proof.Contents, after: proof.Contents, text: stream.LinkedText, witnesses: Witnesses) -> None:
    for name, words in before.texts.items():
        if after.texts.get(name) != words:
            raise TeiError(Message("app-text-not-same", name=name or Message("the-file")),
                           place=Place(text.file, _line_named_twice(text, witnesses, name)),
                           mend=Message("inside-another-entry-names-nothing", name=name))
    if before.entries != after.entries or before.loose != after.loose:
        entry_before, other = next(((a, b) for a, b in zip(before.entries, after.entries, strict=False) if a != b),
                                   (before.entries[-1], None))
        raise TeiError(Message("app-not-same", word=entry_before.words[:20], start=entry_before.start,
                               end=entry_before.end),
                       place=Place(text.file, entry_before.line),
                       mend=Message("nothing-written-same-text", other=other and other.readings))


def _line_named_twice(text: stream.LinkedText, witnesses: Witnesses, witness: str) -> int:
    """Return the line of the first entry inside another that names the same witness; 0 if there is none."""
    named = {entry for entry in text.entries
             if witness in {witnesses.sigla.get(name, name) for name in _names(entry, witnesses)}}
    around: list[stream.LinkedEntry] = []
    for edge in text.items:
        if not isinstance(edge, stream.Edge) or edge.entry not in named:
            continue
        if not edge.opens:
            around.remove(edge.entry)
        elif around:
            return edge.entry.line
        else:
            around.append(edge.entry)
    return 0


def _declare_method(text: stream.LinkedText, method: stream.Method, where: Where) -> None:
    values = {"method": _NAMES[method], "location": where}
    header = next((item for item in text.items if isinstance(item, stream.RawNode) and item.name == "teiHeader"), None)
    if header is None or not header.end:
        return
    wholes = [item for item in text.items if isinstance(item, stream.RawNode) and item.name]
    if declared := [n for item in wholes for n in stream.named_nodes(item) if n.name == "variantEncoding"]:
        for node in declared:
            node.start = node.without(*values, **values)
        return
    p = header.prefix
    new = f'<{p}variantEncoding method="{values["method"]}" location="{where}"/>'
    described = next((element for element in header.elements() if element.name == "encodingDesc" and element.end), None)
    if described is not None:
        described.children.append(new)
    else:
        first = (header.children.index(element) for element in header.elements() if element.name == "fileDesc")
        at = next(first, len(header.children) - 1)
        header.children.insert(at + 1, f"<{p}encodingDesc>{new}</{p}encodingDesc>")
