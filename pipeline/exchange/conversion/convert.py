"""The apparatus of a TEI file by another method, with the proof that it holds the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pipeline.errors import Finding, Place, TeiError, together
from pipeline.exchange.conversion.apart import ApartWriter
from pipeline.exchange.conversion.parallel import ParallelWriter
from pipeline.exchange.conversion.proof import Held, contents, held, named, witnesses_of
from pipeline.exchange.conversion.proof import proof as proof_of
from pipeline.readers.tei.facts import Witnesses
from pipeline.tei.linking.read import linked
from pipeline.tei.linking.source import RawNode, decoded, every
from pipeline.tei.linking.stream import Edge, LinkedEntry, LinkedText, Method, numbered

Where = Literal["internal", "external"]
_NAMES: dict[Method, str] = {"parallel": "parallel-segmentation", "double-end-point": "double-end-point",
                             "location": "location-referenced"}
_FAULTS = 20
"""So many entries that cannot be held are told one by one."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A file with its apparatus by another method."""

    data: bytes
    before: Held
    after: Held
    findings: tuple[Finding, ...]

    @property
    def proof(self) -> str:
        """What was compared."""
        return proof_of(self.before, self.after)


def converted(
    data: bytes, method: Method, *, file: str, where: Where = "external", split: bool = False, keep: bool = False
) -> Converted:
    """Give a TEI file with its apparatus by another method; all else in it stays as it is written.

    `where` are the entries beside the text: internal, in it, or external; parallel segmentation is internal. `split`
    cuts entries in pieces that overlap others or begin in one element and end in another, as parallel segmentation
    needs; else they are refused. `keep` leaves entries whose words are not found as they are; else they are refused.

    Raises TeiError with all entries that cannot be held, each with its line and why; and for what is no TEI.
    """
    text = linked(data, file)
    lost = [_fault(entry, entry.problem, file) for entry in text.entries if entry.problem]
    if lost and not keep:
        raise _refused(lost, "mend the file, or leave them as they are with --unheld keep")
    witnesses = witnesses_of(data, file)
    before = held(text, witnesses)
    if not before.entries:
        raise TeiError("there is no apparatus in it" if not lost else "no entry of it can be placed", place=Place(file),
                       mend="an apparatus has app with lem or rdg")
    if method == "location" and (taken := [_fault(each, why, file) for each in text.entries if (why := _taken(each))]):
        raise _refused(taken, "write that elsewhere, or take another method")
    _declare(text, method, "internal" if method == "parallel" else where)
    found = list(text.findings)
    if method == "parallel":
        writer = ParallelWriter(text)
        out = writer.written()
        found += _split(writer, text, witnesses, split=split)
    else:
        out = ApartWriter(text, method, internal=where == "internal").written()
    made = out.encode(decoded(data)[1])
    after = contents(made, file)
    _prove(before, after, text, witnesses)
    kept = [Finding("tei-app-kept", Place(file, e.line), f"<app> stays as it is: {e.problem}", severity="warning")
            for e in text.entries if e.problem]
    return Converted(made, before, after, (*found, *kept))


def _fault(entry: LinkedEntry, reason: str, file: str) -> TeiError:
    return TeiError(f"<app> cannot be held: {reason}", place=Place(file, entry.line))


def _taken(entry: LinkedEntry) -> str:
    """Say that an entry has numbers of the file's own where a location counts words; empty if it has none."""
    holder = numbered(entry)
    n = "" if holder is None else holder.attributes.get("n", "")
    if holder is None or not n or not (holder is entry.node or n.isdecimal()):
        return ""
    return f'<{holder.name} n="{n}"> says something else than which words of a location are meant'


def _refused(faults: list[TeiError], mend: str) -> TeiError:
    more = f"; {len(faults) - _FAULTS} more" if len(faults) > _FAULTS else ""
    if len(faults) == 1:
        return TeiError(faults[0].message, place=faults[0].place, mend=mend)
    made = together(faults[:_FAULTS], f"entries cannot be held ({len(faults)} in all{more}; {mend})")
    made.several = tuple(faults)
    return made


def _split(writer: ParallelWriter, text: LinkedText, witnesses: Witnesses, *, split: bool) -> list[Finding]:
    """Say which entries are in pieces; raises TeiError if they must not be, or if a witness is in two that overlap."""
    pieces = writer.split.values()
    faults = [
        _fault(each.entry, f"{each.reason}, and both name {', '.join(sorted(twice))}", text.file) for each in pieces
        if each.other is not None and (twice := _who(each.entry, witnesses) & _who(each.other, witnesses))
    ]
    if faults:
        raise _refused(faults, "say of each witness once what it has there")
    if pieces and not split:
        raise _refused([_fault(each.entry, each.reason, text.file) for each in pieces],
                       "cut them into pieces with --overlap split")
    return [Finding("tei-app-split", Place(text.file, each.entry.line), f"<app> is in pieces: {each.reason}",
                    severity="info") for each in pieces]


def _who(entry: LinkedEntry, witnesses: Witnesses) -> set[str]:
    return {name for each in entry.readings() if each is not entry.slot for name in named(each, witnesses)}


def _prove(before: Held, after: Held, text: LinkedText, witnesses: Witnesses) -> None:
    """Raise TeiError if something is not as it was."""
    for name, words in before.texts.items():
        if after.texts.get(name) != words:
            raise TeiError(f"<app>: the text of {name or 'the file'} would not be the same",
                           place=Place(text.file, _twice(text, witnesses, name)),
                           mend=f"it stands in another entry that names {name}, too; nothing was written")
    if before.entries != after.entries or before.loose != after.loose:
        one, other = next(((a, b) for a, b in zip(before.entries, after.entries, strict=False) if a != b),
                          (before.entries[-1], None))
        raise TeiError(f"<app> on {one.words[:20]!r} ({one.start}–{one.end}) would not be the same",
                       place=Place(text.file, one.line),
                       mend=f"nothing was written; it would be {other and other.readings}")


def _twice(text: LinkedText, witnesses: Witnesses, witness: str) -> int:
    """Give the line of the first entry in another that names the same witness; 0 if there is none."""
    who = {each: {witnesses.sigla.get(name, name) for name in _who(each, witnesses)} for each in text.entries}
    inside: list[LinkedEntry] = []
    for item in text.items:
        if isinstance(item, Edge) and item.opens:
            if witness in who[item.entry] and any(witness in who[outer] for outer in inside):
                return item.entry.line
            inside.append(item.entry)
        elif isinstance(item, Edge):
            inside.remove(item.entry)
    return 0


def _declare(text: LinkedText, method: Method, where: Where) -> None:
    """Say in the header which method it is (``variantEncoding``)."""
    said = {"method": _NAMES[method], "location": where}
    header = next((item for item in text.items if isinstance(item, RawNode) and item.name == "teiHeader"), None)
    if header is None or not header.end:
        return
    nodes = [node for item in text.items if isinstance(item, RawNode) and item.name for node in every(item)]
    declared = [node for node in nodes if node.name == "variantEncoding"]
    for node in declared:
        node.start = node.without(*said, **said)
    if declared:
        return
    p = header.prefix
    new = f'<{p}variantEncoding method="{said["method"]}" location="{where}"/>'
    described = next((each for each in header.elements() if each.name == "encodingDesc" and each.end), None)
    if described is not None:
        described.children.append(new)
    else:
        first = (n for n, each in enumerate(header.children) if isinstance(each, RawNode) and each.name == "fileDesc")
        at = next(first, len(header.children) - 1)
        header.children.insert(at + 1, f"<{p}encodingDesc>{new}</{p}encodingDesc>")
