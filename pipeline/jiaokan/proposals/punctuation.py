"""Proposed punctuation: marks carried over, proven and learned, weighed at each place and written as lines.

Where the evidence agrees, the strongest is named as the reason. Where it differs, a mark carried over weighs more the
more graphs agree, and a proven mark weighs most.

Proposals are written at the end of a chapter's file in tei/punctuation, under a head that names the program. Each mark
has its reason in braces and, in doubt, a question mark. To accept a mark, delete these; to accept a line, move it above
that head. A line that the editor has changed is not touched again: his own lines, and proposed lines with a mark that
has no reason any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from jiaokan.decisions.filing import file_lines as rows_of
from jiaokan.decisions.punctuation.files import PunctuatedLine, file_of, head_row
from jiaokan.decisions.punctuation.notation import TypedMark, TypedName, TypedText, faults, write_notation
from jiaokan.errors import Message
from jiaokan.model.marks import CLOSING, OPENING, PAIRS, STOPS
from jiaokan.model.pointers import order_key
from jiaokan.model.vocabulary import PROGRAM
from jiaokan.proposals.folder import CarriedSlot, PunctuatedText
from jiaokan.proposals.passages import BarePassage, PunctuatedPassage
from jiaokan.proposals.proven import ProvenMark, proven_marks
from jiaokan.proposals.stop_model import StopModel

PROPOSED = 0.4
"""Chance from which a stop is proposed."""
SURE = 0.75
"""Chance from which a proposal has no sign of doubt; `make accuracy` prints how many of both are right."""
_PROVEN = 0.95
"""Chance of a stop by a rule of `proven_marks` (docs/development/measured.md)."""
_WEIGHTS, _WEIGHT = {"gloss begun": 3}, 30
"""How much a rule weighs beside the model; the least sure one is in doubt where the model is against it."""
_FRAGMENT, _SENTENCE = 0.7, 5
"""Chance of a stop after a note of fewer graphs in another note: some are a name put into its words (【用之】)."""
_BASE, _NOTE = 2, 4
"""Graphs beyond four that must agree to weigh as much as the model, in base text (formulae of rites) and in notes."""
_PAIRED = 10
"""Graphs that must agree for quotation marks and titles to be carried over."""
_RIGHT = 0.98
"""Share of places carried over in base text that are right."""

Allowed = Callable[[PunctuatedPassage], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedMark:
    """A proposed mark."""

    sign: str
    at: int
    chance: float
    reason: str
    """On what it rests: ``as 6.1.2``, ``lemma``, ``model 0.8``."""

    def as_typed(self) -> TypedMark:
        """Return it as the editor would type it, with its reason; in doubt marked so."""
        return TypedMark(sign=self.sign, at=self.at, low=self.chance < SURE, why=self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPassage:
    """The proposals for a passage."""

    passage: BarePassage
    marks: tuple[ProposedMark, ...]
    certain: float
    """How sure the least sure place is, with a stop or without."""
    names: tuple[TypedName, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The evidence for proposals; each part may be missing."""

    punctuated: PunctuatedText | None = None
    model: StopModel | None = None
    rules: bool = True


def propose(passage: BarePassage, evidence: Evidence, allowed: Allowed = lambda _: True) -> ProposedPassage:
    """Propose marks for a passage, with carried-over marks from passages that are `allowed` only."""
    keys, length = passage.keys, len(passage.keys)
    seen: dict[int, CarriedSlot] = {}
    if parallels := evidence.punctuated:
        seen = {at: slot for at in range(1, length) if (slot := parallels.at(keys, at, allowed))}
    rules = proven_marks(passage) if evidence.rules else ()
    learned = evidence.model.chances(passage) if evidence.model else [0.0] * max(0, length - 1)
    chances = {at + 1: _weigh_in(chance, seen.get(at + 1), passage.note) for at, chance in enumerate(learned)}
    by_rule: dict[int, tuple[str, str]] = {}
    for mark in rules:
        if stop := _stop_of(mark.signs):
            by_rule.setdefault(mark.at, (stop, mark.rule))
    for at, (_, rule) in by_rule.items():
        if at < length:
            weight = _WEIGHTS.get(rule, _WEIGHT)
            chances[at] = max(chances[at], (chances[at] + weight) / (1 + weight)) if evidence.model else _PROVEN
    places = [at for at in sorted(chances) if chances[at] >= PROPOSED]
    if evidence.rules and length:
        places.append(length)
        chances[length] = _FRAGMENT if passage.ref.count(".n") > 1 and length < _SENTENCE else 1.0
    plain = ["。" if at == length else "，" for at in places]
    signs = evidence.model.signs_at(passage, places) if evidence.model else plain
    name = "model" if evidence.model else ""
    marks = [_stop(at, sign, chances[at], by_rule.get(at), seen.get(at), None if at == length else name)
             for at, sign in zip(places, signs, strict=True)]
    pairs = _fitting(passage, marks, _pairs(rules, seen))
    certain = min((max(chance, 1 - chance) for chance in chances.values()), default=1.0)
    return ProposedPassage(passage=passage, marks=tuple(pairs), certain=certain)


def _weigh_in(chance: float, slot: CarriedSlot | None, note: bool) -> float:
    if slot is None:
        return chance
    weight = (slot.agreeing - 4) / (_NOTE if note else _BASE)
    share = _RIGHT if _stop_of(slot.signs) else 1 - _RIGHT
    return (chance + weight * share) / (1 + weight)


def _stop_of(signs: str) -> str:
    return next((sign for sign in reversed(signs) if sign in STOPS), "")


def _stop(at: int, sign: str, chance: float, rule: tuple[str, str] | None, slot: CarriedSlot | None,
          model: str | None) -> ProposedMark:
    reason = "end" if model is None else f"{model} {chance:.1f}"
    if rule:
        sign, reason = sign if model is None else rule[0], rule[1]
    elif slot and (carried := _stop_of(slot.signs)):
        sign, reason = carried, _as_there(slot)
    return ProposedMark(sign=sign, at=at, chance=chance, reason=reason)


def _as_there(slot: CarriedSlot) -> str:
    return f"as {slot.source.passage.text} {slot.source.passage.ref}".rstrip()


def _pairs(rules: Iterable[ProvenMark], seen: Mapping[int, CarriedSlot]) -> list[ProposedMark]:
    marks: dict[tuple[int, str], ProposedMark] = {}
    slots = [(mark.at, mark.signs, mark.rule) for mark in rules]
    slots += [(at, slot.signs, _as_there(slot)) for at, slot in seen.items() if slot.agreeing >= _PAIRED]
    for at, signs, reason in slots:
        for sign in signs:
            if sign not in STOPS:
                marks.setdefault((at, sign), ProposedMark(sign=sign, at=at, chance=_PROVEN, reason=reason))
    return list(marks.values())


def _fitting(passage: BarePassage, stops: Sequence[ProposedMark], pairs: Sequence[ProposedMark]) -> list[ProposedMark]:
    while True:
        slots: defaultdict[int, list[ProposedMark]] = defaultdict(list)
        for mark in (*stops, *_complete_pairs(pairs)):
            slots[mark.at].append(mark)
        marks = [mark for _, slot in sorted(slots.items()) for mark in sorted(slot, key=partial(_rank, slot=slot))]
        typed = tuple(replace(mark.as_typed(), column=n) for n, mark in enumerate(marks))
        text = TypedText(graphs=passage.graphs, columns=(), marks=typed, names=())
        fault = next(faults(text), None)
        if fault is None:
            return marks
        at = marks[fault.column].at
        near = [mark for mark in marks if mark.sign not in STOPS]
        worst = min(near, key=lambda mark: (abs(mark.at - at), mark.at), default=None)
        if worst is None:
            return [mark for n, mark in enumerate(marks) if n != fault.column]
        pairs = [mark for mark in _complete_pairs(pairs) if mark is not worst]


def _complete_pairs(pairs: Iterable[ProposedMark]) -> list[ProposedMark]:
    whole: list[ProposedMark] = []
    for opens, closes in PAIRS.items():
        begun: ProposedMark | None = None
        for mark in sorted(pairs, key=lambda mark: (mark.at, mark.sign in OPENING)):
            if mark.sign == opens:
                begun = mark
            elif mark.sign == closes and begun is not None:
                whole += [begun, mark]
                begun = None
    titles = [(a.at, b.at) for a, b in pairwise(whole) if a.sign == "《" and b.sign == "》"]
    dots = [mark for mark in pairs if mark.sign == "·" and any(a < mark.at < b for a, b in titles)]
    return whole + dots


def _rank(mark: ProposedMark, slot: Sequence[ProposedMark]) -> int:
    """Return the rank of a mark at its place: closing titles; a quotation of a sentence closes after its stop, one of
    words before it; then opening marks, titles last (GB/T 15834-2011, 4.8)."""
    if mark.sign in CLOSING:
        whole = any(other.sign in "。？！" and other.reason == mark.reason for other in slot)
        if mark.sign in "》〉":
            return 0
        after_stop = 4 if whole else 2
        return after_stop - 1 if mark.sign == "’" else after_stop
    if mark.sign in STOPS or mark.sign == "·":
        closed = mark.sign in "。？！" and any(other.sign in "”’" and other.reason == mark.reason for other in slot)
        return 2 if closed else 3
    return {"“": 5, "‘": 6, "《": 7, "〈": 8}[mark.sign]


EVIDENCE = Message("proposed-jiaokan-punctuate-mark-says")


def line(proposal: ProposedPassage) -> str:
    """Return the line of a file for what is proposed."""
    marks = [mark.as_typed() for mark in proposal.marks]
    return f"{proposal.passage.ref}\t{write_notation(proposal.passage.graphs, marks, proposal.names)}"


def is_untouched(typed: PunctuatedLine) -> bool:
    """Whether a line is a proposal in which nobody has changed a mark."""
    reasons = [*(mark.why for mark in typed.text.marks), *(name.why for name in typed.text.names)]
    return typed.basis.resp == PROGRAM and all(reasons)


FROM = "from "
"""How the reason begins that names a file."""


def origin_of(typed: PunctuatedLine) -> str:
    """Return the name of the file from which a proposed line has its marks; empty if from none."""
    reasons = (mark.why for mark in typed.text.marks)
    return next((reason.removeprefix(FROM) for reason in reasons if reason.startswith(FROM)), "")


def files(
    folder: Path, day: str, proposals: Sequence[ProposedPassage], lines: Sequence[PunctuatedLine],
    reference: str = "", *, origin: str = "",
) -> Mapping[Path, str]:
    """Return the files of a folder of punctuation that change when proposals are written into them. `lines` are the
    present lines. `origin` is the file from which the proposals are, empty for the program's own.

    Untouched proposals of the same origin for the passage at `reference` (empty: the whole text) are replaced, also
    those of units with other words or another number now; those of another origin only by a proposal for the same
    passage. A passage with any other line gets no proposal. `day` is the date of the edition, since no clock decides
    what is written."""
    edited = {line.ref for line in lines if not is_untouched(line)}
    gone: defaultdict[Path, set[int]] = defaultdict(set)
    new: defaultdict[Path, list[ProposedPassage]] = defaultdict(list)
    for proposal in proposals:
        if proposal.passage.ref not in edited and (proposal.marks or proposal.names):
            new[file_of(folder, proposal.passage.ref, lines)].append(proposal)
    refs = {proposal.passage.ref for several in new.values() for proposal in several}
    for typed in lines:
        same = origin_of(typed) == origin and within(typed.ref, reference)
        if is_untouched(typed) and (same or typed.ref in refs):
            gone[typed.path].add(typed.number)
    evidence = f"{FROM}{origin}" if origin else EVIDENCE
    head = [f"# resp: {PROGRAM}", f"# when: {day}", "# cert: medium", f"# evidence: {evidence}"]
    changed: dict[Path, str] = {}
    for path in sorted({*new, *gone}):
        before = rows_of(path.read_bytes().decode("utf-8")) if path.exists() else []
        rows = [row.removesuffix("\n") for n, row in enumerate(before, 1) if n not in gone[path]]
        changed[path] = "\n".join([*_with_proposals(rows, head, new[path]), ""])
    return changed


def _with_proposals(rows: list[str], head: list[str], proposals: Iterable[ProposedPassage]) -> list[str]:
    """Return the rows of a file with proposals at its end, below their head, which is added if it does not hold
    there. A head of the program that has no line any more is left out."""
    while rows and (not rows[-1].strip() or _is_program_head(rows)):
        rows.pop()
    new = [line(proposal) for proposal in sorted(proposals, key=lambda proposal: order_key(proposal.passage.ref))]
    holding = [row.rstrip() for row in rows if head_row(row)[0]][-len(head):]
    if not new or holding == head:
        return [*rows, *new]
    return [*rows, *([""] if rows else []), *head, *new]


def _is_program_head(rows: Sequence[str]) -> bool:
    """Whether the last row is of a head of the program's."""
    last = next((n for n in range(len(rows) - 1, -1, -1) if not head_row(rows[n])[0]), -1)
    return any(head_row(row) == ("resp", PROGRAM) for row in rows[last + 1 :])


def within(ref: str, reference: str) -> bool:
    """Whether a unit or note is in the passage at a reference; all are if the reference is empty."""
    return not reference or f"{ref}.".startswith(f"{reference}.")
