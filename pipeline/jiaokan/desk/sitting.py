"""The state of a desk: the kept editions of a folder, open questions, decisions and what they changed.

All of it belongs to one thread, to which the server passes every request (`jiaokan.desk.server`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from jiaokan.build import Event, build
from jiaokan.collate.editorial import contradiction
from jiaokan.decisions.kinds import KINDS, load
from jiaokan.decisions.tables import OnEntry, Passim, ReadingDecision, Second, SettingsQuestion
from jiaokan.desk.asked import Edits, Request, edits, forms, what
from jiaokan.desk.folder import settings
from jiaokan.desk.journal import Journal, Turned
from jiaokan.desk.kept import KeptText, PagePart
from jiaokan.desk.people import assigned, check_editor, editors
from jiaokan.desk.questions import (
    DeskQuestion,
    Questions,
    Work,
    all_filed,
    as_filed,
    is_about,
    marked,
    progress,
    question_in_context,
    rows,
    table_at,
    table_of,
    tasks,
)
from jiaokan.desk.remake import KeptEdition, ReceivedSources, kept_text
from jiaokan.desk.second import agreement, blind, sample
from jiaokan.desk.typed import faults_of, shown, unfit_lines
from jiaokan.editions.review import OpenEntry
from jiaokan.errors import DecisionError, Finding, JiaokanError, Message, Place
from jiaokan.model.variants import TABLE
from jiaokan.proposals.folder import FolderTexts
from jiaokan.proposals.punctuation import Evidence
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog
from jiaokan.system.listing import below

LATER = ("pdf", "also", "check")
"""Stages that nobody who opens a desk waits for: what "make all again" does."""
_LOG = 50
"""Lines of the journal that the page shows."""


class Sitting:
    """An open desk."""

    def __init__(self, root: Path) -> None:
        """Open the desk of an edition folder, and end what an earlier one was interrupted in. Raises JiaokanError if
        the settings are faulty."""
        self.root = root
        self.journal = Journal(root)
        self.journal.recover()
        self.failed = ""
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
        self._listed: tuple[str, int, dict[str, Any]] = "", 0, {}

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
            raise DecisionError(Message("edition-unknown", name=text),
                                mend=Message("editions-known", editions=", ".join(self.texts())))
        if text not in self._kept:
            plan = self.catalog.editions[text]
            self._kept[text] = kept_text(plan, self.catalog, self.received)
            self._questions[text] = Questions(plan.settled, plan.apparatus)
        return self._kept[text]

    def warming(self, text: str) -> list[Callable[[], object]]:
        """Return the steps that spare the first decision on a text its preparations."""
        return [*self._kept[text].warming()] if text in self._kept else []

    def questions(self, text: str) -> dict[str, DeskQuestion]:
        """Return the questions of an edition by the ids of their entries."""
        kept = self.kept(text)
        found = self._questions[text].of(kept.document, kept.notes) if isinstance(kept, KeptEdition) else ()
        return {each.id: each for each in found}

    def overview(self, text: str, who: str) -> dict[str, Any]:
        """Return what the column shows at first: chapters, people, kinds, conflicts, the last actions."""
        text = text or next(iter(self.texts()), "")
        kept = self.kept(text)
        known = editors(self.catalog)  # 郑玄 is a person of the folder, too
        who = who if who in known else "" if len(known) > 1 else next(iter(known))
        return {
            "text": text, "texts": self.texts(), "state": self.state, "failed": self.failed,
            "built": self.built,
            "persons": [{"id": name, "name": each} for name, each in known.items()], "who": who,
            "names": kept.known.printed(),
            "classes": [{"id": each, "zh": TABLE[each].chinese, "en": TABLE[each].english} for each in TABLE],
            "kinds": forms(self.catalog), **self._lists(text), **self.done(who),
        }

    def _lists(self, text: str) -> dict[str, Any]:
        kept, found = self.kept(text), self.questions(text)
        if self._listed[:2] == (text, self.state):  # another window asks what a decision changed
            return self._listed[2]
        made = {"chapters": progress(found.values(), kept), "open": rows(found.values()),
                "conflicts": self.conflicts(text), "assigned": assigned(self.catalog),
                **marked(found.values(), self.root)}
        self._listed = text, self.state, made
        return made

    def entry(self, text: str, name: str) -> dict[str, Any]:
        """Return a question with its context; raises DecisionError for an unknown id."""
        found, kept = self.questions(text), self.kept(text)
        if name not in found or not isinstance(kept, KeptEdition):
            raise DecisionError(Message("no-open-entry", name=name), mend=Message("part-another-entry-now"))
        filed = load(self.root, OnEntry)
        return {"state": self.state, **question_in_context(found[name], kept, list(found.values()), filed)}

    def tasks(self, text: str, work: Work, who: str) -> dict[str, Any]:
        """Return the open work of one kind; for second decisions also how far both agree."""
        if work == "second":
            found, seconds = self.questions(text).values(), [each.decision for each in load(self.root, Second)]
            bases = {f"{text}.{each.n}": each.base for each in self.kept(text).plan.chapters}
            rows = sample(found, seconds, who)
            seen = (each for each in found if all(each.id != row["id"] for row in rows))  # to others it would tell
            return {"tasks": rows, "agreement": agreement(seen, seconds, bases)}
        return {"tasks": tasks(self.kept(text), work, self.received)}

    def second(self, text: str, name: str) -> dict[str, Any]:
        """Return a decided entry for a second decision; raises DecisionError for an unknown id."""
        if (question := self.questions(text).get(name)) is None:
            raise DecisionError(Message("there-is-no-entry", name=name), mend=Message("part-another-entry-now"))
        return blind(question, self.kept(text).known.printed())

    def folder(self) -> dict[str, Any]:
        """Return the settings that were guessed, with what is still to be checked."""
        asked = load(self.root, SettingsQuestion)
        return {"settings": [asdict(each) for each in settings(self.catalog)], "questions": [
            {"told": each.decision.why, "path": f"tei/decisions/{each.path.name}",
             "table": table_at(each.path.read_text(encoding="utf-8"), each.line)} for each in asked]}

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

    def decide(self, request: Request, who: str) -> dict[str, Any]:
        """Write an editor's decision and return what it changed.

        Raises DecisionError, with nothing written, for one that does not fit, and for anybody who is not an editor;
        Clash for what somebody else has changed.
        """
        self.refresh()
        check_editor(who, self.catalog)
        found = self.questions(request.text)
        made = edits(request, who, found, self.kept(request.text), date.today())
        summary, place = what(request, found)
        before = {_key(each) for each in self.conflicts(request.text)}
        entry = self.journal.write(made, who=who, what=summary, text=request.text, place=place)
        entries = [found[name].entry for action in request.actions if (name := getattr(action, "entry", "")) in found]
        try:
            answer = self._written(request.text, made)
            new = [each for each in answer["conflicts"] if _key(each) not in before]
            self._check(new, "\n".join(table for _, _, come in made for table in come), entries)
        except JiaokanError as error:
            self.journal.turn("undo", who)
            self._written(request.text, made)
            raise DecisionError(Message("the-decision-not-fit", message=error.message), mend=error.mend) from None
        misfits = [each for each in new if each["kind"] not in ("moved", "line")]
        return {**answer, "n": entry.n, "what": summary, "edits": _shown_edits(made), "misfits": misfits,
                **self.done(who)}

    def _check(self, conflicts: Iterable[dict[str, Any]], come: str, entries: Collection[OpenEntry]) -> None:
        """Raise DecisionError for a decision that does not fit, or because of which another one on its entry no longer
        does. `come` are its tables; `entries` those that it is on, as they were before."""
        for each in conflicts:
            if each["kind"] == "source" or (each["table"] and each["table"] in come):
                raise DecisionError(each["reason"], mend=Message("nothing-written"))
            for filed in load(self.root, ReadingDecision):
                own = (f"tei/decisions/{filed.path.name}", filed.line) == (each["path"], each.get("line"))
                if own and any(is_about(filed.decision, entry) for entry in entries):
                    raise DecisionError(contradiction([filed]), mend=Message("nothing-written"))

    def _written(self, text: str, made: Edits) -> dict[str, Any]:
        """Apply what was written; after a change of settings everything is read again."""
        if not all(path.startswith(("tei/decisions/", "tei/punctuation/")) for path, _, _ in made):
            self._reopen()
        return self._again(text)

    def turn(self, do: Turned, text: str, who: str) -> dict[str, Any]:
        """Undo or redo an editor's last decision; raises Clash, or DecisionError with nothing changed."""
        check_editor(who, self.catalog)
        entry = self.journal.turn(do, who)
        turned = entry.text if entry and entry.text in self.texts() else text
        edits = [(each.path, list(each.gone), list(each.come)) for each in entry.edits] if entry else []
        try:
            answer = self._written(turned, edits)
        except JiaokanError as error:
            if entry:
                self.journal.turn("redo" if do == "undo" else "undo", who)
            self._written(turned, edits)
            raise DecisionError(Message("the-decision-no-longer-fits", message=error.message),
                                mend=error.mend) from None
        return {**answer, "what": entry.what if entry else "", "place": entry.place if entry else "",
                "edits": _shown_edits(edits), "misfits": [], **self.done(who)}

    def news(self, text: str, page: str, since: int) -> dict[str, Any]:
        """Return the parts of a page that changed since a state, also by others, and the number of builds."""
        self.refresh()
        found = [each for (name, _), each in self.mended.items()
                 if name == text and each[1].page == page and each[0] > since]
        return {"state": self.state, "built": self.built, "failed": self.failed,
                "parts": [asdict(part) for _, part in sorted(found, key=lambda each: each[0])]}

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
            try:
                self._reopen()
            except JiaokanError as error:
                self.failed = str(error)
                return
        for text in tuple(self._kept):
            if text in self._kept:
                self._again(text)
        self._seen = now

    def _reopen(self) -> None:
        """Read all again; raises JiaokanError for faulty settings."""
        self.catalog = catalogs.load(self.root)
        self.received, self.stale, self.state = ReceivedSources(self.catalog), True, self.state + 1
        for kept in (self._kept, self._questions, self._evidence):
            kept.clear()

    def _again(self, text: str) -> dict[str, Any]:
        kept, now = self.kept(text), self._stamp()
        names = {path.name for path in self._seen.keys() | now.keys() if self._seen.get(path) != now.get(path)}
        kinds = [kind for kind in KINDS if any(fnmatch(name, each) for name in names for each in kind.files)]
        sources = any("read" in kind.stages for kind in kinds)
        characters = any("collate" in kind.stages and not issubclass(kind.table, ReadingDecision | Passim)
                         for kind in kinds)
        if sources or characters:
            self._kept = {text: kept}
        parts, before, after = kept.again(sources=sources, characters=characters)
        self._seen = now  # not before: a file that cannot be read is reported until it is mended, to every window
        self.state += 1
        self.mended |= {(text, part.id): (self.state, part) for part in parts}
        return {"state": self.state, "parts": [asdict(each) for each in parts], "before": before, "after": after,
                **self._lists(text)}

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
    made = []
    for path, gone, come in found:
        if not path.startswith(("tei/decisions/", "tei/punctuation/")):  # of settings the piece is the whole file
            old, new = ("\n".join(each).split("\n") for each in (gone, come))
            gone, come = [each for each in old if each not in new], [each for each in new if each not in old]
        made.append({"path": path, "gone": gone, "come": come})
    return made


def _key(conflict: Mapping[str, Any]) -> tuple[str, str]:
    return str(conflict["path"]).partition(":")[0], str(conflict["table"] or conflict["reason"])


def made(root: Path, without: Collection[str] = (), watch: Callable[[Event], None] = lambda _: None) -> str:
    """Build what is stale of a folder except the stages in `without`; return the error message, or ""."""
    try:
        build(root, without=without, watch=watch)
    except JiaokanError as error:
        return str(error)
    return ""
