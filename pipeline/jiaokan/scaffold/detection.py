"""Detect the settings of files, again and again with other examples: the files are unpacked and surveyed once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from jiaokan.errors import Message, Place, SourceError
from jiaokan.scaffold.files import load_text
from jiaokan.scaffold.folder import Folder, ShownText, make_folder
from jiaokan.scaffold.gaiji import read_table
from jiaokan.scaffold.gather import FoundText, expand_archives, gather
from jiaokan.scaffold.origins import is_named, plain_line
from jiaokan.scaffold.outcomes import FolderReading, compare, is_met, why_unmet
from jiaokan.scaffold.pages import expand_pages
from jiaokan.scaffold.questions import answers_to, place_of
from jiaokan.scaffold.repository import expand_repositories
from jiaokan.scaffold.survey import Survey, survey_witnesses
from jiaokan.scaffold.works import group_by_work
from jiaokan.structure.examples import Example

_STEPS = 6
"""Most examples whose changes are reported one by one: each takes a further detection of all settings. A choice."""
_SHOWN = 8
"""Most names of files that a message lists. A choice."""


class Detection:
    """The texts in files, folders and repositories, unpacked in the folder `unpacked`. Raises SourceError if there is
    no text."""

    def __init__(self, paths: Sequence[Path], gaiji: Path | None, unpacked: Path, today: date) -> None:
        expanded = expand_repositories(expand_archives(paths, unpacked), unpacked)
        gathered = gather(expand_pages(expanded.paths, unpacked))
        self.texts: Sequence[FoundText] = gathered.texts
        if not self.texts:
            raise SourceError(Message("no-text-found", map=", ".join(map(str, paths))),
                              mend=Message("give-files-folder-contains-subfolders"))
        self.evidence, self.today = expanded.evidence, today
        self.before = [*expanded.report, *gathered.report]
        self.gaiji, self.table = gaiji, read_table(gaiji) if gaiji else {}
        self.surveys: dict[tuple[int, tuple[Example, ...]], tuple[Survey, ...]] = {}
        self.surveyed: list[Survey] = []
        """The surveys of the sources of the last settings, in their order."""

    def settings(self, examples: Sequence[Example] = ()) -> Folder:
        """Return the settings that agree with some examples. Raises SourceError for an empty text, for an example of no
        file or line, and for one whose file is not clear."""
        for example in examples:
            self._check(example)
        surveys = [survey for number in range(len(self.texts)) for survey in self._survey(number, examples)]
        works = group_by_work(surveys, self.evidence, self.table, self.gaiji.name if self.gaiji else "")
        folder = make_folder(works, today=self.today)
        folder.report[:0] = self.before
        folder.summary[:0] = self.before
        self.surveyed = [survey for work in works for survey in work.surveys]
        folder.origins = [survey.origins for survey in self.surveyed if survey.origins]
        return folder

    def _survey(self, number: int, examples: Sequence[Example]) -> tuple[Survey, ...]:
        """Survey a text with the examples that are of it, or of persons; not again with the same ones."""
        text = self.texts[number]
        mine = tuple(example for example in examples if example.kind == "person"
                     or any(is_named(file, example.file) for file in text.files))
        key = number, mine
        if key not in self.surveys:
            self.surveys[key] = survey_witnesses(
                *text.files, home=text.home, above=text.above, work=text.work, examples=mine)
            for witness in self.surveys[key]:
                if not witness.text.strip():
                    raise SourceError(Message("file-empty"), place=Place(str(witness.path)),
                                      mend=Message("give-file-text-leave-out"))
        return self.surveys[key]

    def _check(self, example: Example) -> None:
        if example.kind == "person":
            return
        files = [file for text in self.texts for file in text.files if is_named(file, example.file)]
        if not files:
            names = sorted({file.name for text in self.texts for file in text.files})
            more = " …" if len(names) > _SHOWN else ""
            raise SourceError(Message("example-of-no-file", example=example.text, file=example.file),
                              mend=Message("write-example-file", files=", ".join(names[:_SHOWN]) + more))
        words = [self._line(file, example.line) for file in files]
        if not any(words):
            raise SourceError(Message("example-of-no-line", example=example.text, file=example.file, line=example.line),
                              mend=Message("write-example-line"))
        if len({*words}) > 1:
            places = [f"{file.parent.name}/{file.name}" for file in files]
            raise SourceError(Message("example-of-several-files", example=example.text, count=len(files)),
                              mend=Message("write-example-file", files=", ".join(places[:_SHOWN])))

    def _line(self, file: Path, line: int) -> str:
        lines = load_text(file).text.split("\n")
        return plain_line(lines[line - 1]) if 0 < line <= len(lines) else ""


def settings_by_examples(detection: Detection, examples: Sequence[Example], *, show: bool = False) -> Folder:
    """Return the settings that agree with all examples that can be met, with what each one changes; doubts begin with
    those that cannot be met. With `show` the folder has its texts line by line."""
    before = FolderReading.of(detection.settings()) if examples else None
    folder = detection.settings(examples)
    after = FolderReading.of(folder) if examples or show else None
    if before and after:
        unmet = {example: Message("example-unmet", example=example.text, why=why_unmet(example, after))
                 for example in examples if not is_met(example, after)}
        met = [example for example in examples if example not in unmet]
        if unmet:  # what they changed is not what they are for
            after = FolderReading.of(detection.settings(met))
        changes = dict(_changes(detection, met, before, after))
        folder = detection.settings(met)
        folder.outcomes = [unmet.get(example) or changes.get(example) or "" for example in examples]
        folder.doubts[:0] = unmet.values()
        if len(examples) > _STEPS:
            together = Message("examples-change", changes=compare(before, after).message())
            folder.report.insert(0, together)
            folder.summary.insert(0, together)
    if show and after:
        folder.texts = _show_texts(detection.surveyed, after, folder)
    return folder


def _show_texts(surveys: Sequence[Survey], reading: FolderReading, folder: Folder) -> list[ShownText]:
    texts = []
    for survey, text in zip(surveys, reading.texts, strict=True):
        origins = survey.origins
        place = place_of(origins, reading.origins) if origins else lambda _: ""
        lines = tuple((place(number), tuple((stretch.words, stretch.layer, stretch.person) for stretch in line))
                      for number, line in enumerate(text.lines, 1) if line)
        answers = {}
        for doubt in folder.doubts:
            if isinstance(doubt, Message) and doubt.values.get("name") == text.id:
                rows = answers_to(doubt, survey, text, place)
                answers[str(doubt)] = tuple((answer.label, answer.example, answer.asks) for answer in rows)
        texts.append(ShownText(text.id, lines, answers))
    return texts


def _changes(
    detection: Detection, examples: Sequence[Example], before: FolderReading, after: FolderReading
) -> Iterator[tuple[Example, Message]]:
    """Yield what each example changes, beyond those before it; nothing if there are many."""
    if len(examples) > _STEPS:
        return
    for number, example in enumerate(examples, 1):
        step = after if number == len(examples) else FolderReading.of(detection.settings(examples[:number]))
        changes = compare(before, step)
        yield example, (Message("example-changes", example=example.text, changes=changes.message()) if changes
                        else Message("example-changes-nothing", example=example.text))
        before = step
