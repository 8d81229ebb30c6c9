"""Detect the settings of files, again and again with other examples: the files are unpacked and surveyed once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from jiaokan.errors import Message, Place, SourceError
from jiaokan.scaffold.files import load_text
from jiaokan.scaffold.folder import Folder, make_folder
from jiaokan.scaffold.gaiji import read_table
from jiaokan.scaffold.gather import FoundText, expand_archives, gather
from jiaokan.scaffold.origins import is_named, plain_line
from jiaokan.scaffold.outcomes import FolderReading, compare, is_met, why_unmet
from jiaokan.scaffold.repository import expand_repositories
from jiaokan.scaffold.survey import Survey, survey_witnesses
from jiaokan.scaffold.works import group_by_work
from jiaokan.structure.examples import Example

_STEPS = 6
"""Up to so many examples, what each of them changes is reported apart; more would take too long."""
_SHOWN = 8


class Detection:
    """The texts in files, folders and repositories, unpacked in the folder `unpacked`. Raises SourceError if there is
    no text."""

    def __init__(self, paths: Sequence[Path], gaiji: Path | None, unpacked: Path, today: date) -> None:
        expanded = expand_repositories(expand_archives(paths, unpacked), unpacked)
        gathered = gather(expanded.paths)
        self.texts: Sequence[FoundText] = gathered.texts
        if not self.texts:
            raise SourceError(Message("no-text-found", map=", ".join(map(str, paths))),
                              mend=Message("give-files-folder-contains-subfolders"))
        self.evidence, self.today = expanded.evidence, today
        self.before = [*expanded.report, *gathered.report]
        self.gaiji, self.table = gaiji, read_table(gaiji) if gaiji else {}
        self.surveys: dict[tuple[int, tuple[Example, ...]], tuple[Survey, ...]] = {}

    def settings(self, examples: Sequence[Example] = ()) -> Folder:
        """Return the settings that agree with some examples. Raises SourceError for an empty text, for an example of no
        file or line, and for one whose file is not clear."""
        for example in examples:
            self._check(example)
        surveys = [survey for number in range(len(self.texts)) for survey in self._survey(number, examples)]
        works = group_by_work(surveys, self.evidence, self.table, self.gaiji.name if self.gaiji else "")
        folder = make_folder(works, today=self.today)
        folder.report[:0] = self.before
        folder.origins = [survey.origins for work in works for survey in work.surveys if survey.origins]
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


def settings_by_examples(detection: Detection, examples: Sequence[Example]) -> Folder:
    """Return the settings that agree with all examples that can be met. Its report begins with what each one changes,
    its doubts with those that cannot be met."""
    folder = detection.settings(examples)
    if not examples:
        return folder
    after, before = FolderReading.of(folder), FolderReading.of(detection.settings())
    unmet = [Message("example-unmet", example=example.text, why=why_unmet(example, after))
             for example in examples if not is_met(example, after)]
    met = [example for example in examples if is_met(example, after)]
    if unmet:  # what they changed is not what they are for
        folder = detection.settings(met)
        after = FolderReading.of(folder)
    reports = [*unmet, *_changes(detection, met, before, after)]
    return replace(folder, report=[*reports, *folder.report], doubts=[*unmet, *folder.doubts])


def _changes(
    detection: Detection, examples: Sequence[Example], before: FolderReading, after: FolderReading
) -> Iterator[Message]:
    """Yield what each example changes, beyond those before it; of many examples what they change together."""
    if len(examples) > _STEPS:
        yield Message("examples-change", changes=compare(before, after).message())
        return
    for number, example in enumerate(examples, 1):
        step = after if number == len(examples) else FolderReading.of(detection.settings(examples[:number]))
        changes = compare(before, step)
        yield (Message("example-changes", example=example.text, changes=changes.message()) if changes
               else Message("example-changes-nothing", example=example.text))
        before = step
