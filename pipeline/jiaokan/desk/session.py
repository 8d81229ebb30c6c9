"""The state of a desk: the open texts of a folder, open questions, decisions and what they changed.

All of it belongs to one thread, to which the server passes every request (`jiaokan.desk.server`).
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict
from datetime import date
from fnmatch import fnmatch
from pathlib import Path

from jiaokan.build import Event, build
from jiaokan.collate.editorial import contradiction
from jiaokan.decisions.kinds import KINDS, Filed, load
from jiaokan.decisions.tables import OnEntry, Passim, ReadingDecision, Second, SettingsQuestion
from jiaokan.desk.conflicts import fault_rows, find_conflicts, key_of
from jiaokan.desk.folder import file_states, settings
from jiaokan.desk.input_types import faults_of, line_for_page
from jiaokan.desk.journal import Journal, Turned
from jiaokan.desk.people import assigned_editors, check_editor, editors
from jiaokan.desk.questions import (
    DeskQuestion,
    Questions,
    filed_rows,
    is_about,
    marked_entries,
    progress,
    question_in_context,
    rows,
    table_at,
)
from jiaokan.desk.remake import DeskEdition, ReceivedSources, open_text
from jiaokan.desk.replies import Changes, Conflict, Reply, TextLists, edits_for_page
from jiaokan.desk.requests import Edits, Repair, Request, describe_request, edits, forms, repaired_text
from jiaokan.desk.second import agreement, blind, sample
from jiaokan.desk.tasks import Work, tasks
from jiaokan.desk.texts import DeskText, PagePart
from jiaokan.editions.review import OpenEntry
from jiaokan.errors import DecisionError, JiaokanError, Message, Place, machine
from jiaokan.model.variants import TABLE
from jiaokan.proposals.folder import FolderTexts
from jiaokan.proposals.punctuation import Evidence
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog
from jiaokan.system.store import check_cache

LATER = ("pdf", "also", "check")
"""Stages that nobody who opens a desk waits for: what "make all again" does."""
_LOG = 50
"""Lines of the journal that the page shows."""


class Session:
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
        self._texts: dict[str, DeskText] = {}
        self._evidence: dict[str, Evidence] = {}
        self.received = ReceivedSources(self.catalog)
        self._questions: dict[str, Questions] = {}
        self.stale = False
        """Whether settings or sources have changed since the last build, or the pages of a text that is opened."""
        self._changed = False
        """Whether pages of texts that are not open may be older than the files."""
        self.fault: JiaokanError | None = None
        """Why the present files cannot be read; till they can, everything is as it was read last."""
        self._seen = self._tried = file_states(self.root / "tei")
        self._listed: dict[str, tuple[int, TextLists]] = {}
        self._filed: tuple[Filed[OnEntry], ...] = ()

    @property
    def site(self) -> Path:
        """The folder of the pages."""
        return self.root / "build" / "html"

    def texts(self) -> list[str]:
        """Return the ids of the editions, those with entries first."""
        return sorted(self.catalog.editions, key=lambda name: self.catalog.editions[name].kind != "critical")

    def desk_text(self, text: str) -> DeskText:
        """Return an edition, read and collated at the first request; raises DecisionError for an unknown id."""
        if text not in self.texts():
            raise DecisionError(Message("edition-unknown", name=text),
                                mend=Message("editions-known", editions=", ".join(self.texts())))
        if text not in self._texts:
            plan = self.catalog.editions[text]
            self._texts[text] = open_text(plan, self.catalog, self.received)
            self._questions[text] = Questions(plan.settled, plan.apparatus)
            self.stale = self.stale or self._changed
        return self._texts[text]

    def preparations(self, text: str) -> list[Callable[[], object]]:
        """Return the steps that spare the first decision on a text its preparations."""
        return [*self._texts[text].preparations()] if text in self._texts else []

    def questions(self, text: str) -> dict[str, DeskQuestion]:
        """Return the questions of an edition by the ids of their entries."""
        desk_text = self.desk_text(text)
        questions = self._questions[text].of(desk_text.document, desk_text.notes) if isinstance(desk_text,
                                                                                                DeskEdition) else ()
        return {question.id: question for question in questions}

    def overview(self, text: str, who: str) -> Reply:
        """Return what the column shows at first: chapters, people, kinds, conflicts, the last actions."""
        self.refresh()
        text = text or next(iter(self.texts()), "")
        try:
            names = self.desk_text(text).known.printed_names()
        except JiaokanError as error:
            if text not in self.texts():
                raise
            self._keep_fault(error)
            names = {}
        known = editors(self.catalog)  # 郑玄 is a person of the folder, too
        if who not in known:
            who = "" if len(known) > 1 else next(iter(known))
        return {
            "text": text, "state": self.state,
            "failed": self.failed, "built": self.built,
            "texts": [{"id": name, "title": self.catalog.editions[name].title} for name in self.texts()],
            "persons": [{"id": name, "name": printed} for name, printed in known.items()], "who": who,
            "names": names,
            "classes": [*TABLE],
            "kinds": forms(self.catalog), **self._lists(text), **self.done(who),
        }

    def _lists(self, text: str) -> TextLists:
        state, known = self._listed.get(text, (0, None))
        if known and (state == self.state or self.fault):  # another window asks what a decision changed
            return {**known, "conflicts": [*fault_rows(self.root, self.fault), *known["conflicts"]]}
        if text not in self._texts and self.fault:
            return {"chapters": [], "open": [], "conflicts": [*fault_rows(self.root, self.fault)], "assigned": {},
                    "proposed": [], "commented": []}
        desk_text, questions = self.desk_text(text), self.questions(text)
        lists: TextLists = {"chapters": progress(questions.values(), desk_text), "open": rows(questions.values()),
                 "conflicts": self.conflicts(text), "assigned": assigned_editors(self.catalog),
                 **marked_entries(questions.values(), self.root)}
        self._listed[text] = self.state, lists
        return lists

    def entry(self, text: str, name: str) -> Reply:
        """Return a question with its context; raises DecisionError for an unknown id."""
        questions, edition = self.questions(text), self.desk_text(text)
        if name not in questions or not isinstance(edition, DeskEdition):
            raise DecisionError(Message("no-open-entry", name=name), mend=Message("part-another-entry-now"))
        if not self.fault:
            self._filed = load(self.root, OnEntry)
        return {"state": self.state,
                **question_in_context(questions[name], edition, list(questions.values()), self._filed)}

    def tasks(self, text: str, work: Work, who: str) -> Reply:
        """Return the open work of one kind; for second decisions also how far both agree."""
        if work == "second":
            questions, seconds = self.questions(text).values(), [row.decision for row in load(self.root, Second)]
            bases = {f"{text}.{chapter.n}": chapter.base for chapter in self.desk_text(text).plan.chapters}
            rows = sample(questions, seconds, who)
            seen = (question for question in questions
                    if all(question.id != row["id"] for row in rows))  # to others it would tell
            return {"tasks": rows, "agreement": agreement(seen, seconds, bases)}
        return {"tasks": tasks(self.desk_text(text), work, self.received)}

    def second(self, text: str, name: str) -> Reply:
        """Return a decided entry for a second decision; raises DecisionError for an unknown id."""
        if (question := self.questions(text).get(name)) is None:
            raise DecisionError(Message("there-is-no-entry", name=name), mend=Message("part-another-entry-now"))
        return blind(question, self.desk_text(text).known.printed_names())

    def folder(self) -> Reply:
        """Return the settings that were guessed, with what is still to be checked."""
        questions = load(self.root, SettingsQuestion)
        return {"settings": [asdict(setting) for setting in settings(self.catalog)], "questions": [
            {"told": question.decision.why, "path": f"tei/decisions/{question.path.name}",
             "table": table_at(question.path.read_text(encoding="utf-8"), question.line)} for question in questions]}

    def selected(self, text: str, words: str, before: str) -> Reply:
        """Return selected words as decisions on each source state them, by source."""
        selections = {name: self.received.locate_selection(name, words, before)
                      for name in self.desk_text(text).plan.all_witnesses()}
        return {"selected": {name: selection for name, selection in selections.items() if selection}}

    def filed(self, text: str) -> Reply:
        """Return all decisions on a text and its witnesses, of any kind."""
        return {"filed": filed_rows(self.root, text, self.desk_text(text).plan.all_witnesses())}

    def line(self, text: str, name: str) -> Reply:
        """Return a unit or note with its punctuation and the proposals; raises DecisionError for an unknown id."""
        self.refresh()
        if text not in self._evidence:
            self._evidence[text] = Evidence(punctuated=FolderTexts.of(self.catalog, text).punctuated_text)
        return {"state": self.state, **line_for_page(self.desk_text(text), name, self._evidence[text])}

    def check_line(self, text: str, name: str, typed: str) -> Reply:
        """Return the faults of a line that is being typed; raises DecisionError for an unknown unit or note."""
        faults = faults_of(self.desk_text(text), name, typed)
        return {"faults": [{"column": fault.column, "message": fault.message, "mend": fault.mend} for fault in faults]}

    def conflicts(self, text: str) -> list[Conflict]:
        """Return the decisions and punctuated lines that do not fit."""
        return find_conflicts(self.desk_text(text), self.received, self.root)

    def done(self, who: str) -> Reply:
        """Return what was done last, and what an undo and a redo would be of."""
        undo, redo = self.journal.next("undo", who), self.journal.next("redo", who)
        keys = ("n", "do", "who", "when", "what", "place")
        return {"log": [{key: getattr(line, key) for key in keys} for line in reversed(self.journal.entries[-_LOG:])],
                "undo": undo.what if undo else "", "redo": redo.what if redo else ""}

    def decide(self, request: Request, who: str) -> Reply:
        """Write an editor's decision and return what it changed.

        Raises DecisionError, with nothing written, for one that does not fit, and for anybody who is not an editor;
        Clash for what somebody else has changed.
        """
        self.refresh()
        check_editor(who, self.catalog)
        if self.fault:
            raise self.fault
        questions = self.questions(request.text)
        file_edits = edits(request, who, questions, self.desk_text(request.text), date.today())
        summary, place = describe_request(request, questions)
        before = {key_of(conflict) for conflict in self.conflicts(request.text)}
        entry = self.journal.write(file_edits, who=who, what=summary, text=request.text, place=place)
        entries = [questions[name].entry for action in request.actions
                   if (name := getattr(action, "entry", "")) in questions]
        try:
            answer = self._apply_edits(request.text, file_edits)
            new = [conflict for conflict in answer["conflicts"] if key_of(conflict) not in before]
            self._check(new, "\n".join(table for _, _, come in file_edits for table in come), entries)
        except JiaokanError as error:
            self.journal.turn("undo", who)
            self._apply_edits(request.text, file_edits)
            raise DecisionError(Message("the-decision-not-fit", message=error.message), mend=error.mend) from None
        misfits = [conflict for conflict in new if conflict["kind"] not in ("moved", "line")]
        return {**answer, "n": entry.n, "what": summary, "edits": edits_for_page(file_edits), "misfits": misfits,
                **self.done(who)}

    def _check(self, conflicts: Iterable[Conflict], come: str, entries: Collection[OpenEntry]) -> None:
        """Raise DecisionError for a decision that does not fit, or because of which another one on its entry no longer
        does. `come` are its tables; `entries` those that it is on, as they were before."""
        for conflict in conflicts:
            if conflict["kind"] == "source" or (conflict["table"] and conflict["table"] in come):
                raise DecisionError(conflict["reason"], mend=Message("nothing-written"))
            for filed in load(self.root, ReadingDecision):
                is_same = (f"tei/decisions/{filed.path.name}", filed.line) == (conflict["path"], conflict.get("line"))
                if is_same and any(is_about(filed.decision, entry) for entry in entries):
                    raise DecisionError(contradiction([filed]), mend=Message("nothing-written"))

    def _apply_edits(self, text: str, file_edits: Edits) -> Changes:
        """Apply what was written; after a change of settings everything is read again."""
        if not all(path.startswith(("tei/decisions/", "tei/punctuation/")) for path, _, _ in file_edits):
            self._reopen()
        return self._remake(text)

    def repair(self, repair: Repair, who: str) -> Reply:
        """Write a file anew that cannot be read; what is still wrong with it is the next fault.

        Raises DecisionError for any other file, Clash if somebody else has changed it.
        """
        self.refresh()
        check_editor(who, self.catalog)
        if repair.path not in {row["path"] for row in fault_rows(self.root, self.fault)}:
            raise DecisionError(Message("file-can-be-read"), place=Place(repair.path), mend=Message("load-page-again"))
        before = (self.root / repair.path).read_text(encoding="utf-8", errors="surrogateescape")
        after = repaired_text(repair, before, who)
        self.journal.write([(repair.path, [before], [after])], who=who, what=repair.path, whole=True)
        return {**self._repaired(""), **self.done(who)}

    def _repaired(self, text: str) -> Changes:
        """Read the files after a repair or its undoing, whatever is wrong with them."""
        self.refresh()
        return {"state": self.state, "parts": [], "before": 0, "after": 0,
                **self._lists(text or next(iter(self.texts()), ""))}

    def turn(self, do: Turned, text: str, who: str) -> Reply:
        """Undo or redo an editor's last decision; raises Clash, or DecisionError with nothing changed."""
        check_editor(who, self.catalog)
        entry = self.journal.turn(do, who)
        turned = entry.text if entry and entry.text in self.texts() else text
        edits = [(edit.path, list(edit.gone), list(edit.come)) for edit in entry.edits] if entry else []
        try:
            answer = self._repaired(text) if entry and entry.edits[0].whole else self._apply_edits(turned, edits)
        except JiaokanError as error:
            if entry:
                self.journal.turn("redo" if do == "undo" else "undo", who)
            self._apply_edits(turned, edits)
            raise DecisionError(Message("the-decision-no-longer-fits", message=error.message),
                                mend=error.mend) from None
        return {**answer, "what": entry.what if entry else "", "place": entry.place if entry else "",
                "edits": edits_for_page(edits), "misfits": [], **self.done(who)}

    def news(self, text: str, page: str, since: int) -> Reply:
        """Return the parts of a page that changed since a state, also by others, and the number of builds."""
        self.refresh()
        part_changes = [change for (name, _), change in self.mended.items()
                        if name == text and change[1].page == page and change[0] > since]
        return {"state": self.state, "built": self.built, "failed": self.failed,
                "parts": [asdict(part) for _, part in sorted(part_changes, key=lambda change: change[0])]}

    def finish_build(self, failed: str, since: int, *, anew: bool = True) -> None:
        """Register the end of a build that began in the state `since`; `anew`: it had something to do."""
        self.failed = failed
        if not failed:
            self._changed = False
            self.mended = {key: change for key, change in self.mended.items() if change[0] > since}
            self.state, self.built = self.state + 1, self.built + anew

    def refresh(self) -> None:
        """Apply what others have written since; after a change of settings or sources everything is read again.

        Files that cannot be read are kept as `fault`, and change nothing else.
        """
        now, before = file_states(self.root / "tei"), self._seen
        if now == (self._tried if self.fault else before):
            return
        changed = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
        known = self.catalog, self.received, self._texts, self._questions, self._evidence
        try:
            if {path.relative_to(self.root / "tei").parts[0] for path in changed} - {"decisions", "punctuation"}:
                self._reopen()
                for text in known[2]:
                    if text in self.texts():
                        self.desk_text(text)
            for text in tuple(self._texts):
                if text in self._texts:
                    self._remake(text)
        except JiaokanError as error:
            self.catalog, self.received, self._texts, self._questions, self._evidence = known
            self._seen = before
            self._keep_fault(error)
            return
        self.stale = self.stale or bool(self.failed)
        self._changed = True
        self.fault, self._seen, self.state = None, now, self.state + 1

    def _keep_fault(self, error: JiaokanError) -> None:
        if str(error) != str(self.fault or ""):
            self.state += 1
        self.fault, self._tried = error, file_states(self.root / "tei")

    def _reopen(self) -> None:
        """Read all again; raises JiaokanError for faulty settings."""
        self.catalog = catalogs.load(self.root)
        self.received, self.stale, self.state = ReceivedSources(self.catalog), True, self.state + 1
        self._texts, self._questions, self._evidence = {}, {}, {}

    def _remake(self, text: str) -> Changes:
        desk_text, now = self.desk_text(text), file_states(self.root / "tei")
        names = {path.name for path in self._seen.keys() | now.keys() if self._seen.get(path) != now.get(path)}
        kinds = [kind for kind in KINDS if any(fnmatch(name, pattern) for name in names for pattern in kind.files)]
        sources = any("read" in kind.stages for kind in kinds)
        characters = any("collate" in kind.stages and not issubclass(kind.table, ReadingDecision | Passim)
                         for kind in kinds)
        if sources or characters:
            self._texts, self._changed = {text: desk_text}, True
        parts, before, after = desk_text.remake(sources=sources, characters=characters)
        self._seen = now  # not before: a file that cannot be read is reported until it is mended, to every window
        self.state += 1
        self.mended |= {(text, part.id): (self.state, part) for part in parts}
        return {"state": self.state, "parts": [asdict(part) for part in parts], "before": before, "after": after,
                **self._lists(text)}


def build_stale(root: Path, without: Collection[str] = (), watch: Callable[[Event], None] = lambda _: None) -> str:
    """Build what is stale of a folder except the stages in `without`; return the error message, or ""."""
    try:
        build(root, without=without, watch=watch)
        check_cache()  # a site whose hashes could not be stored is not served
    except JiaokanError as error:
        return str(error)
    except (OSError, MemoryError, RecursionError) as error:
        return str(machine(error))
    except Exception as error:  # the page must not wait for a build that has ended
        traceback.print_exception(error)
        return str(Message("internal-error-jiaokan-files-fine", name=type(error).__name__))
    return ""
