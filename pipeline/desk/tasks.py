"""Open work beside the variants: marks in doubt, characters that a source could not print, notes of nobody, findings.

Each is a row of the column, by its place, with who proposed something and the decision that would be filed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from pipeline.build import recorded
from pipeline.characters.glyphs import decision_row, proposals, substitutes
from pipeline.desk.kept import KeptText
from pipeline.desk.questions import table_of
from pipeline.desk.remake import KeptEdition, ReceivedSources
from pipeline.errors import DecisionError, Place
from pipeline.model import Note
from pipeline.model.pointers import reference_of
from pipeline.model.text import counted
from pipeline.model.vocabulary import EDITORS, PROGRAM
from pipeline.model.walk import walk
from pipeline.proposals.punctuation import untouched
from pipeline.settings.folder import edition_path

Work = Literal["mark", "glyph", "speaker", "finding"]
_AROUND = 8
"""Characters of context on each side of a row."""
_LINE = 200
"""Characters of the line of a finding that are shown."""
_WORD = re.compile(r"[\w.-]*\w")
_ID = re.compile(r'xml:id="([^"]+)"')


def tasks(kept: KeptText, work: Work, received: ReceivedSources) -> list[dict[str, Any]]:
    """Return the open work of one kind in a text, in reading order."""
    return list({"mark": _marks(kept), "glyph": _glyphs(kept, received), "speaker": _speakers(kept),
                 "finding": _findings(kept)}[work])


def _row(kept: KeptText, name: str, words: tuple[str, str, str], **more: Any) -> dict[str, Any]:
    chapter = kept.chapter_of(name)
    before, lemma, after = words
    return {"id": name, "ref": reference_of(name), "chapter": chapter.id if chapter else "", "speaker": "",
            "before": before[-_AROUND:], "lemma": lemma, "after": after[:_AROUND], "class": "", "kind": "open",
            "by": "", "told": "", "form": None, **more}


def _marks(kept: KeptText) -> Iterator[dict[str, Any]]:
    for chapter in kept.document.divisions:
        for ref, held in kept.held(chapter).held.items():
            text, basis = held.text, held.line.basis
            low = [mark.at for mark in text.marks if mark.low] + [name.start for name in text.names if name.low]
            if low or basis.cert == "low" or untouched(held.line):
                at = min(low, default=0)
                told = f"{len(low)} ?" if low else basis.evidence
                yield _row(kept, f"{kept.document.id}.{ref}", (text.graphs[:at], text.graphs[at : at + 1],
                           text.graphs[at + 1 :]), work="mark", by=basis.resp, told=told)


def _glyphs(kept: KeptText, received: ReceivedSources) -> Iterator[dict[str, Any]]:
    """Yield undecided characters that the sources could not print, with their parallels.

    As long as a decision on the sources does not fit there are none: that conflict comes first."""
    try:
        parallels, decisions = received.parallels(), received.decisions
    except DecisionError:
        return
    for name in kept.plan.all_witnesses():
        text = parallels.witnesses[name]
        for each in proposals(parallels, name, substitutes(decisions, name)):
            around = text.text[: each.leaf], each.found, text.text[each.leaf + len(each.found) :]
            form = None
            if each.proposed:
                (kind, (said,)), = tomllib.loads(decision_row(each, text, EDITORS)).items()
                form = {"kind": kind, "said": said}
            told = "; ".join(f"{reference_of(one.owner)} {one.words or '∅'} ({one.before}+{one.after})"
                             for one in (*each.parallels[:4], *each.against[:3]))
            yield _row(kept, each.owner, around, work="glyph", by=PROGRAM if form else "", told=told, form=form)


def _speakers(kept: KeptText) -> Iterator[dict[str, Any]]:
    own = kept.plan.all_witnesses()
    for note in walk(kept.document):
        if isinstance(note, Note) and note.kind == "commentary" and not note.resp and note.id:
            words = counted(note.content)
            source = next(iter(note.sources), own[0])
            said = {"source": source, "after": words[:_AROUND], "verdict": "note", "person": ""}
            yield _row(kept, note.id, ("", words[:_AROUND], words[_AROUND:]), work="speaker",
                       form={"kind": "boundary", "said": said})


def _findings(kept: KeptText) -> Iterator[dict[str, Any]]:
    path = edition_path(kept.catalog, kept.plan)
    name = path.relative_to(kept.catalog.root).as_posix()
    rows = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    found = recorded(kept.catalog.root / "build", f"{path.parent.name}/{path.name}", kept.plan.all_witnesses())
    for each in (*found, *(kept.decided.findings if isinstance(kept, KeptEdition) else ())):
        own = str(each.place).startswith(name)
        place = each.place if own else Place(str(kept.catalog.root / each.place.file), each.place.line)
        file, table = (not own and table_of(kept.catalog.root, place)) or (each.place.file, "")
        text = kept.document.id
        line, source = "", path if own else Path(place.file)
        if place.line and source.is_file():
            with source.open(encoding="utf-8", errors="replace") as lines:
                line = next(islice(lines, place.line - 1, None), "").strip()[:_LINE]
        named = (word for word in _WORD.findall(each.message) if word.startswith(f"{text}."))
        yield _row(kept, _owner(text, rows, place) if own else next(named, text), ("", "", ""), work="finding",
                   by=each.rule, told=f"{each.message} → {each.mend}" if each.mend else each.message,
                   path=file, table=table, at=str(each.place), line=line)


def _owner(text: str, rows: list[str], place: Place) -> str:
    """Return the last id of a text that its TEI has up to a place."""
    above = "\n".join([*rows[max(0, place.line - 200) : place.line - 1], rows[place.line - 1][: place.column or None]])
    found = [each for each in _ID.findall(above) if place.line and each.startswith(f"{text}.")]
    return str(found[-1]) if found else text
