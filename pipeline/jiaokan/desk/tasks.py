"""The open work of an edition beside its entries, as rows for the desk's column.

Marks in doubt, characters that a source could not print, notes of nobody, findings: each a row by its place, with who
proposed something and the decision that would be filed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from jiaokan.build import last_findings
from jiaokan.characters.glyphs import decision_row, proposals, substitutes
from jiaokan.desk.questions import table_of
from jiaokan.desk.remake import DeskEdition, ReceivedSources
from jiaokan.desk.replies import Reply
from jiaokan.desk.texts import DeskText
from jiaokan.errors import DecisionError, Place
from jiaokan.model import Note
from jiaokan.model.pointers import reference_of
from jiaokan.model.text import counted
from jiaokan.model.vocabulary import EDITORS, PROGRAM
from jiaokan.model.walk import walk
from jiaokan.proposals.punctuation import is_untouched
from jiaokan.settings.folder import edition_path

Work = Literal["mark", "glyph", "speaker", "finding", "second"]
_CONTEXT = 8
"""Characters of context on each side of a row."""
_LINE = 200
"""Characters of the line of a finding that are shown."""
_WORD = re.compile(r"[\w.-]*\w")
_ID = re.compile(r'xml:id="([^"]+)"')


def tasks(desk_text: DeskText, work: Work, received: ReceivedSources) -> list[Reply]:
    """Return the open work of one kind in a text, in reading order."""
    return list({"mark": _marks(desk_text), "glyph": _glyphs(desk_text, received), "speaker": _speakers(desk_text),
                 "finding": _findings(desk_text)}[work])


def _row(desk_text: DeskText, name: str, words: tuple[str, str, str], **more: object) -> Reply:
    chapter = desk_text.chapter_of(name)
    before, lemma, after = words
    return {"id": name, "ref": reference_of(name), "chapter": chapter.id if chapter else "", "speaker": "",
            "before": before[-_CONTEXT:], "lemma": lemma, "after": after[:_CONTEXT], "class": "", "kind": "open",
            "by": "", "told": "", "form": None, **more}


def _marks(desk_text: DeskText) -> Iterator[Reply]:
    for chapter in desk_text.document.divisions:
        for ref, line in desk_text.match_lines(chapter).lines.items():
            text, basis = line.text, line.line.basis
            low = [mark.at for mark in text.marks if mark.low] + [name.start for name in text.names if name.low]
            if low or basis.cert == "low" or is_untouched(line.line):
                at = min(low, default=0)
                doubt = f"{len(low)} ?" if low else basis.evidence
                yield _row(desk_text, f"{desk_text.document.id}.{ref}", (text.graphs[:at], text.graphs[at : at + 1],
                           text.graphs[at + 1 :]), work="mark", by=basis.resp, told=doubt)


def _glyphs(desk_text: DeskText, received: ReceivedSources) -> Iterator[Reply]:
    """Yield undecided characters that the sources could not print, with their parallels.

    As long as a decision on the sources does not fit there are none: that conflict comes first."""
    try:
        parallels, decisions = received.parallels()
    except DecisionError:
        return
    for name in desk_text.plan.all_witnesses():
        text = parallels.witnesses[name]
        for proposal in proposals(parallels, name, substitutes(decisions, name)):
            start, end = proposal.leaf, proposal.leaf + len(proposal.character)
            around = text.text[:start], proposal.character, text.text[end:]
            form = None
            if proposal.proposed:
                (kind, (fields,)), = tomllib.loads(decision_row(proposal, text, EDITORS)).items()
                form = {"kind": kind, "said": fields}
            places = "; ".join(
                f"{reference_of(parallel.owner)} {parallel.words or '∅'} ({parallel.before}+{parallel.after})"
                for parallel in (*proposal.parallels[:4], *proposal.against[:3]))
            yield _row(desk_text, proposal.owner, around, work="glyph", by=PROGRAM if form else "", told=places,
                       form=form)


def _speakers(desk_text: DeskText) -> Iterator[Reply]:
    witnesses = desk_text.plan.all_witnesses()
    for note in walk(desk_text.document):
        if isinstance(note, Note) and note.kind == "commentary" and not note.resp and note.id:
            words = counted(note.content)
            source = next(iter(note.sources), witnesses[0])
            fields = {"source": source, "after": words[:_CONTEXT], "verdict": "note", "person": ""}
            yield _row(desk_text, note.id, ("", words[:_CONTEXT], words[_CONTEXT:]), work="speaker",
                       form={"kind": "boundary", "said": fields})


def _findings(desk_text: DeskText) -> Iterator[Reply]:
    path = edition_path(desk_text.catalog, desk_text.plan)
    name = path.relative_to(desk_text.catalog.root).as_posix()
    rows = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    findings = last_findings(desk_text.catalog.root / "build", f"{path.parent.name}/{path.name}",
                        desk_text.plan.all_witnesses())
    for finding in (*findings, *(desk_text.decided.findings if isinstance(desk_text, DeskEdition) else ())):
        in_edition = str(finding.place).startswith(name)
        place = finding.place if in_edition else Place(str(desk_text.catalog.root / finding.place.file),
                                                       finding.place.line)
        file, table = (not in_edition and table_of(desk_text.catalog.root, place)) or (finding.place.file, "")
        text = desk_text.document.id
        line, source = "", path if in_edition else Path(place.file)
        if place.line and source.is_file():
            with source.open(encoding="utf-8", errors="replace") as lines:
                line = next(islice(lines, place.line - 1, None), "").strip()[:_LINE]
        named = (word for word in _WORD.findall(finding.message) if word.startswith(f"{text}."))
        yield _row(desk_text, _owner(text, rows, place) if in_edition else next(named, text), ("", "", ""),
                   work="finding",
                   by=finding.rule, told=f"{finding.message} → {finding.mend}" if finding.mend else finding.message,
                   path=file, table=table, at=str(finding.place), line=line)


def _owner(text: str, rows: list[str], place: Place) -> str:
    """Return the last id of a text that its TEI has up to a place."""
    above = "\n".join([*rows[max(0, place.line - 200) : place.line - 1], rows[place.line - 1][: place.column or None]])
    ids = [xml_id for xml_id in _ID.findall(above) if place.line and xml_id.startswith(f"{text}.")]
    return str(ids[-1]) if ids else text
