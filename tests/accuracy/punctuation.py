"""How well punctuation is proposed: stops in what was read, left out of what the proposals know.

Three questions, as they meet an editor. *A source that prints marks* teaches alone: five sixths of it, asked for the
last. *The editor's own punctuation* teaches: each time a sixth of all sections is left out, with all that stands in
these sections, and with what any source prints of their chapter. *A parallel is punctuated*: notes of which at least
half the places are in a punctuated source, which teaches alone.

Counted are stops between two graphs of a unit or note; its end, which is known, only where it is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from jiaokan.model.marks import STOPS
from jiaokan.proposals.folder import FolderTexts, PunctuatedText
from jiaokan.proposals.passages import FolderUsage, PunctuatedPassage
from jiaokan.proposals.punctuation import SURE, Allowed, Evidence, propose
from jiaokan.proposals.stop_model import StopModel

FOLDS = 6
"""Parts of the sections of which each is left out once: one section at a time would be 570 trainings for the same."""


@dataclass(frozen=True, slots=True)
class StopScore:
    """Stops that were proposed, held against those that are right."""

    right: int = 0
    """Places with a stop in both."""
    kinds: int = 0
    """Of these with the same one."""
    wrong: int = 0
    missed: int = 0
    sure: int = 0
    """Proposed without doubt, and of these right."""
    sure_right: int = 0

    def __add__(self, other: StopScore) -> StopScore:
        return StopScore(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    @property
    def breaks(self) -> float:
        """F1 of places."""
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)

    @property
    def signs(self) -> float:
        """F1 of places with the right mark."""
        return 2 * self.kinds / max(1, 2 * self.right + self.wrong + self.missed)

    @property
    def saved(self) -> float:
        """Share of the editor's strokes that the proposals save: he types what is missed, and takes out what is wrong
        or replaces it."""
        strokes = self.missed + self.wrong + self.right - self.kinds
        return 1 - strokes / max(1, self.right + self.missed)

    def told(self) -> str:
        """Return a row of a table."""
        sure = f"{self.sure_right / self.sure:9.3f}" if self.sure else f"{'':9}"
        return f"{self.precision:9.3f}{self.recall:8.3f}{self.breaks:8.3f}{self.signs:8.3f}{self.saved:8.1%}{sure}"


def scored(wanted: PunctuatedPassage, evidence: Evidence, allowed: Allowed = lambda _: True, *,
           ends: bool = False) -> StopScore:
    """Propose for a passage and count."""
    last = len(wanted.passage.graphs) + ends
    made = {mark.at: mark for mark in propose(wanted.passage, evidence, allowed).marks
            if mark.sign in STOPS and mark.at < last}
    stops = {at: sign for at, sign in wanted.stops.items() if at < last}
    sure = [at for at, mark in made.items() if mark.chance >= SURE]
    right = made.keys() & stops.keys()
    return StopScore(len(right), sum(made[at].sign == stops[at] for at in right), len(made.keys() - stops.keys()),
                     len(stops.keys() - made.keys()), len(sure), sum(at in stops for at in sure))


def total(scores: Iterable[StopScore]) -> StopScore:
    """Add scores."""
    return sum(scores, StopScore())


def last_sixth(source: list[PunctuatedPassage]) -> int:
    """Return the first passage of the last sixth of a text, by its graphs."""
    sizes = [len(each.passage.graphs) for each in source]
    done = 0
    for n, size in enumerate(sizes):
        done += size
        if 6 * done > 5 * sum(sizes):
            return n + 1
    return len(sizes)


def of_source(texts: FolderTexts) -> Iterator[tuple[str, StopScore]]:
    """Five sixths of what a source punctuates teach the last."""
    source = list(texts.printed)
    cut = last_sixth(source)
    known, asked = source[:cut], source[cut:]
    usage = FolderUsage.of(each.keys for some in texts.witnesses for each in some)
    model = StopModel.train(known, usage)
    text = PunctuatedText.of(known)
    for name, evidence in {
        "carried over": Evidence(punctuated=text, rules=False), "rules": Evidence(),
        "model": Evidence(model=model, rules=False), "all": Evidence(punctuated=text, model=model),
    }.items():
        yield name, total(scored(each, evidence) for each in asked)
    yield "all, with ends", total(scored(each, evidence, ends=True) for each in asked)


def of_parallel(texts: FolderTexts) -> Iterator[tuple[str, StopScore]]:
    """Notes of the edition that stand in a punctuated source, too."""
    text = PunctuatedText.of(texts.printed)
    asked = [each for each in texts.read if each.passage.note and not each.passage.printed and _covered(each, text)]
    model = StopModel.train(texts.printed, texts.usage)
    yield "carried over", total(scored(each, Evidence(punctuated=text, rules=False)) for each in asked)
    yield "all", total(scored(each, Evidence(punctuated=text, model=model)) for each in asked)


def _covered(wanted: PunctuatedPassage, text: PunctuatedText) -> bool:
    keys = wanted.passage.keys
    found = sum(text.at(keys, at, lambda _: True) is not None for at in range(1, len(keys)))
    return 2 * found >= len(keys) > 1


def of_editor(texts: FolderTexts, folds: Iterable[int] = range(FOLDS)) -> Iterator[tuple[str, StopScore]]:
    """Each sixth of the sections by what is punctuated elsewhere."""
    own = [each for each in texts.read if each.passage.text == texts.edition[0].text]
    sections = sorted({each.passage.section for each in own})
    part = {section: n % FOLDS for n, section in enumerate(sections)}
    scores: dict[str, StopScore] = {}
    for fold in folds:
        model = StopModel.train([each for each in own if part[each.passage.section] != fold], texts.usage)
        for each in own:
            if part[each.passage.section] == fold:
                layer = "notes" if each.passage.note else "base text"
                for name, score in _asked(each, Evidence(punctuated=texts.punctuated_text, model=model)):
                    for key in (f"{layer}: {name}", f"together: {name}"):
                        scores[key] = scores.get(key, StopScore()) + score
    yield from sorted(scores.items())


def _asked(wanted: PunctuatedPassage, evidence: Evidence) -> Iterator[tuple[str, StopScore]]:
    """Score a passage that is left out, with its section and its chapter in the sources, by each evidence."""
    home, chapter = wanted.passage, wanted.passage.section.partition(".")[0]

    def allowed(source: PunctuatedPassage) -> bool:
        if source.passage.text == home.text:
            return source.passage.section != home.section
        return source.passage.section.partition(".")[0] != chapter

    yield "1 carried over", scored(wanted, replace(evidence, model=None, rules=False), allowed)
    yield "2 rules", scored(wanted, Evidence(), allowed)
    yield "3 model", scored(wanted, replace(evidence, punctuated=None, rules=False), allowed)
    yield "4 all", scored(wanted, evidence, allowed)
    yield "5 all, with ends", scored(wanted, evidence, allowed, ends=True)
