"""The state of a desk: the kept editions of a folder, open questions, decisions and what they changed.

All of it belongs to one thread, to which the server passes every request (`pipeline.desk.server`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from pipeline.build import Event, build
from pipeline.decisions.kinds import KINDS, load
from pipeline.decisions.tables import Boundary, Passim, ReadingDecision
from pipeline.desk.asked import Edits, Request, edits, faults_of, forms, shown, unfit_lines, what
from pipeline.desk.journal import Committing, Journal, When
from pipeline.desk.kept import KeptText, PagePart, Touched
from pipeline.desk.questions import (
    DeskQuestion,
    Questions,
    Work,
    all_filed,
    as_filed,
    progress,
    question_in_context,
    rows,
    table_of,
    tasks,
)
from pipeline.desk.remake import KeptEdition, ReceivedSources, kept_text
from pipeline.errors import DecisionError, Finding, JiaokanError, Place
from pipeline.model.variants import TABLE
from pipeline.model.vocabulary import EDITORS
from pipeline.proposals.folder import FolderTexts
from pipeline.proposals.punctuation import Evidence
from pipeline.settings import catalog as catalogs
from pipeline.settings.catalog import Catalog
from pipeline.system.listing import below

LATER = ("pdf", "also", "check")
"""Stages that nobody who opens a desk waits for: what "make all again" does."""
_LOG = 50
"""Lines of the journal that the page shows."""


class Sitting:
    """An open desk."""

    def __init__(self, root: Path, *, wait: bool = True, commit: When = "") -> None:
        """Open the desk of an edition folder: end what an earlier one was interrupted in, and build what is stale of
        its pages, unless somebody else does that and there is no need to `wait`.

        Raises JiaokanError if the settings are faulty, or there is neither a site nor a way to make one.
        """
        self.root = root
        self.journal = Journal(root)
        self.recovered = self.journal.recover()
        self.commits = Committing(root, commit)
        self.failed = made(root, LATER) if wait else ""
        if self.failed and not (self.site / "index.html").exists():
            raise JiaokanError(self.failed)
        self.catalog: Catalog = catalogs.load(root)
        self.state, self.built = 1, 0
        self.mended: dict[tuple[str, str], tuple[int, PagePart]] = {}
        """Rendered parts that differ from the build, by text and id, each with the state since which they do."""
        self._kept: dict[str, KeptText] = {}
        self._evidence: dict[str, Evidence] = {}
        self.received = ReceivedSources(self.catalog)
        self._questions: dict[str, Questions] = {}
        self.stale = False
        """Whether settings or sources have changed since the last build."""
        self._seen = self._stamp()

    @property
    def site(self) -> Path:
        """The folder of the pages."""
        return self.root / "build" / "html"

    def texts(self) -> list[str]:
        """Return the ids of the editions, those with entries first."""
        return sorted(self.catalog.editions, key=lambda name: self.catalog.editions[name].kind != "critical")

    def kept(self, text: str) -> KeptText:
        """Return an edition, read and collated at the first request; raises DecisionError for an unknown id."""
        if text not in self.texts():
            raise DecisionError(f"unknown edition {text!r}", mend=f"editions: {', '.join(self.texts())}")
        if text not in self._kept:
            plan = self.catalog.editions[text]
            self._kept[text] = kept_text(plan, self.catalog, self.received)
            self._questions[text] = Questions(plan.settled, plan.apparatus)
            self._kept[text].warm()
        return self._kept[text]

    def questions(self, text: str) -> dict[str, DeskQuestion]:
        """Return the questions of an edition by the ids of their entries."""
        kept = self.kept(text)
        found = self._questions[text].of(kept.document) if isinstance(kept, KeptEdition) else ()
        return {each.id: each for each in found}

    def overview(self, text: str, who: str) -> dict[str, Any]:
        """Return what the column shows at first: chapters, people, kinds, conflicts, the last actions."""
        text = text or next(iter(self.texts()), "")
        kept, found = self.kept(text), self.questions(text)
        editors = self.catalog.project.editors  # 郑玄 is a person of the folder, too
        persons = [{"id": each.id, "name": each.name} for each in self.catalog.persons.values() if each.name in editors]
        return {
            "text": text, "texts": self.texts(), "state": self.state, "failed": self.failed,
            "built": self.built, "chapters": progress(found.values(), kept), "open": rows(found.values()),
            "persons": [{"id": EDITORS, "name": ""}, *persons], "names": kept.known.printed(),
            "classes": [{"id": each, "zh": TABLE[each].chinese, "en": TABLE[each].english} for each in TABLE],
            "conflicts": self.conflicts(text), "kinds": forms(self.catalog), **self.done(who or EDITORS),
        }

    def entry(self, text: str, name: str) -> dict[str, Any]:
        """Return a question with its context; raises DecisionError for an unknown id."""
        found, kept = self.questions(text), self.kept(text)
        if name not in found or not isinstance(kept, KeptEdition):
            raise DecisionError(f"there is no open entry {name!r}", mend="it may be part of another entry now")
        filed = load(self.root, ReadingDecision)
        return {"state": self.state, **question_in_context(found[name], kept, list(found.values()), filed)}

    def tasks(self, text: str, work: Work) -> dict[str, Any]:
        """Return the open work of one kind."""
        return {"tasks": tasks(self.kept(text), work, self.received)}

    def selected(self, text: str, words: str, before: str) -> dict[str, Any]:
        """Return selected words as decisions on each source state them, by source."""
        found = {name: self.received.selected(name, words, before) for name in self.kept(text).plan.all_witnesses()}
        return {"selected": {name: said for name, said in found.items() if said}}

    def filed(self, text: str) -> dict[str, Any]:
        """Return all decisions on a text and its witnesses, of any kind."""
        return {"filed": all_filed(self.root, text, self.kept(text).plan.all_witnesses())}

    def line(self, text: str, name: str) -> dict[str, Any]:
        """Return a unit or note with its punctuation and the proposals; raises DecisionError for an unknown id."""
        self.refresh()
        if text not in self._evidence:
            self._evidence[text] = Evidence(punctuated=FolderTexts.of(self.catalog, text).punctuated)
        return {"state": self.state, **shown(self.kept(text), name, self._evidence[text])}

    def held(self, text: str, name: str, typed: str) -> dict[str, Any]:
        """Return the faults of a line that is being typed; raises DecisionError for an unknown unit or note."""
        faults = faults_of(self.kept(text), name, typed)
        return {"faults": [{"column": each.column, "message": each.message, "mend": each.mend} for each in faults]}

    def conflicts(self, text: str) -> list[dict[str, Any]]:
        """Return the decisions and punctuated lines that do not fit, each with the reason and its table."""
        kept = self.kept(text)
        found: list[dict[str, Any]] = []
        if isinstance(kept, KeptEdition):
            found += [{**as_filed(each.filed), "reason": each.why} for each in kept.decided.misfits]
            found += [self._tabled("passim", each) for each in kept.decided.passim]
            found += [self._moved(each) for each in kept.decided.findings if each.rule == "decision-moved"]
        found += [self._tabled("source", each) for name in kept.plan.all_witnesses()
                  if (error := self.received.refused.get(name)) for each in error.several or (error,)]
        return [*found, *([self._tabled("line", kept.fault)] if kept.fault else []), *unfit_lines(kept)]

    def _tabled(self, kind: str, error: JiaokanError) -> dict[str, Any]:
        path, table = table_of(self.root, error.place) or (str(error.place), "")
        return {"kind": kind, "reason": error.message, "path": path, "table": table}

    def _moved(self, finding: Finding) -> dict[str, Any]:
        path, table = table_of(self.root, Place(str(self.root / finding.place.file), finding.place.line)) or ("", "")
        now = finding.mend.removeprefix("write ")
        return {"kind": "moved", "reason": finding.message, "path": path, "table": table,
                "mended": re.sub(r"^unit = .*$", lambda _: now, table, count=1, flags=re.M)}

    def done(self, who: str) -> dict[str, Any]:
        """Return what was done last, and what an undo and a redo would be of."""
        undo, redo = self.journal.next("undo", who), self.journal.next("redo", who)
        keys = ("n", "do", "who", "when", "what", "place")
        return {"log": [{key: getattr(each, key) for key in keys} for each in reversed(self.journal.entries[-_LOG:])],
                "undo": undo.what if undo else "", "redo": redo.what if redo else ""}

    def decide(self, request: Request) -> dict[str, Any]:
        """Write a decision and return what it changed.

        Raises DecisionError, with nothing written, for one that does not fit; Clash for what somebody else has changed.
        """
        self.refresh()
        found = self.questions(request.text)
        made = edits(request, found, self.kept(request.text), date.today())
        summary, place = what(request, found)
        before = {_key(each) for each in self.conflicts(request.text)}
        entry = self.journal.write(made, who=request.resp, what=summary, text=request.text, place=place)
        try:
            answer = self._again(request.text)
        except JiaokanError as error:
            self.journal.undo(request.resp)
            self._again(request.text)
            raise DecisionError(f"this decision does not fit: {error.message}", mend=error.mend) from None
        come = "\n".join(table for _, _, tables in made for table in tables)
        for each in answer["conflicts"]:
            own = each["kind"] == "source" or (each["table"] and each["table"] in come)
            if _key(each) not in before and own:
                self.journal.undo(request.resp)
                self._again(request.text)
                raise DecisionError(f"this decision does not fit: {each['reason']}", mend="nothing was written")
        misfits = [each for each in answer["conflicts"] if _key(each) not in before and each["kind"] != "moved"]
        return {**answer, "n": entry.n, "what": summary, "edits": _shown_edits(made), "misfits": misfits,
                "commit": self.commits.take(entry), **self.done(request.resp)}

    def turn(self, do: str, text: str, who: str) -> dict[str, Any]:
        """Undo or redo a person's last decision; raises Clash, or DecisionError with nothing changed."""
        entry = self.journal.undo(who) if do == "undo" else self.journal.redo(who)
        turned = entry.text if entry and entry.text in self.texts() else text
        try:
            answer = self._again(turned)
        except JiaokanError as error:
            if entry:
                (self.journal.redo if do == "undo" else self.journal.undo)(who)
            self._again(turned)
            raise DecisionError(f"this decision no longer fits: {error.message}", mend=error.mend) from None
        edits = [(each.path, list(each.gone), list(each.come)) for each in entry.edits] if entry else []
        return {**answer, "what": entry.what if entry else "", "place": entry.place if entry else "",
                "edits": _shown_edits(edits), "misfits": [], "commit": self.commits.take(entry) if entry else "",
                **self.done(who)}

    def news(self, text: str, page: str, since: int) -> dict[str, Any]:
        """Return the parts of a page that changed since a state, also by others, and the number of builds."""
        self.refresh()
        found = [each for (name, _), each in self.mended.items()
                 if name == text and each[1].page == page and each[0] > since]
        return {"state": self.state, "built": self.built, "failed": self.failed,
                "parts": [asdict(part) for _, part in sorted(found, key=lambda each: each[0])]}

    def make(self, without: Collection[str] = ()) -> str:
        """Build what is stale except the stages in `without`; return the error message, or ""."""
        self.made(made(self.root, without), self.state)
        return self.failed

    def made(self, failed: str, since: int, *, anew: bool = True) -> None:
        """Register the end of a build that began in the state `since`; `anew`: it had something to do."""
        self.failed = failed
        if not failed:
            self.mended = {key: each for key, each in self.mended.items() if each[0] > since}
            self.state, self.built = self.state + 1, self.built + anew

    def refresh(self) -> None:
        """Apply what others have written since; after a change of settings or sources everything is read again."""
        now, before = self._stamp(), self._seen
        changed = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
        if not changed:
            return
        if any(path.relative_to(self.root / "tei").parts[0] not in ("decisions", "punctuation") for path in changed):
            self._reopen()
        for text in tuple(self._kept):
            if text in self._kept:
                self._again(text)
        self._seen = now

    def _reopen(self) -> None:
        try:
            self.catalog = catalogs.load(self.root)
        except JiaokanError as error:
            self.failed = str(error)
            return
        self.received, self.stale, self.state = ReceivedSources(self.catalog), True, self.state + 1
        for kept in (self._kept, self._questions, self._evidence):
            kept.clear()

    def _again(self, text: str) -> dict[str, Any]:
        kept, now = self.kept(text), self._stamp()
        names = {path.name for path in self._seen.keys() | now.keys() if self._seen.get(path) != now.get(path)}
        kinds = [kind for kind in KINDS if any(fnmatch(name, each) for name in names for each in kind.files)]
        readings = {kind.name for kind in kinds if issubclass(kind.table, ReadingDecision | Passim)}
        changed = Touched(witnesses=any("read" in kind.stages for kind in kinds), readings=bool(readings),
                          speakers=any(kind.table is Boundary for kind in kinds),
                          characters=any("collate" in kind.stages and kind.name not in readings for kind in kinds))
        self._seen = now
        for other in {*self._kept} - {text} if changed.witnesses or changed.characters else ():
            del self._kept[other]
        parts, before, after = kept.again(changed)
        self.state += 1
        for part in parts:
            self.mended[text, part.id] = self.state, part
        found = self.questions(text)
        return {
            "state": self.state, "parts": [asdict(each) for each in parts], "before": before,
            "after": after, "chapters": progress(found.values(), kept), "open": rows(found.values()),
            "conflicts": self.conflicts(text),
        }

    def _stamp(self) -> Mapping[Path, tuple[int, int]]:
        """Return the states of the files that people write: all of ``tei/`` but the TEI that a build makes."""
        stamps, home = {}, self.root / "tei"
        for path in below(home):
            if path.suffix == ".xml" and path.parent in (home / "witnesses", home / "editions"):
                continue
            with suppress(FileNotFoundError):  # somebody was just putting another in its place
                stat = path.stat()
                if not path.name.startswith("."):
                    stamps[path] = stat.st_mtime_ns, stat.st_size
        return stamps


def _shown_edits(found: Edits) -> list[dict[str, Any]]:
    return [{"path": path, "gone": gone, "come": come} for path, gone, come in found]


def _key(conflict: Mapping[str, Any]) -> tuple[str, str]:
    return str(conflict["path"]).partition(":")[0], str(conflict["table"] or conflict["reason"])


def made(root: Path, without: Collection[str] = (), watch: Callable[[Event], None] = lambda _: None) -> str:
    """Build what is stale of a folder except the stages in `without`; return the error message, or ""."""
    try:
        build(root, without=without, watch=watch)
    except JiaokanError as error:
        return str(error)
    return ""
