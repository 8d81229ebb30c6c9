"""What the editor's examples change, and whether the settings meet them: by the lines as their readers read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jiaokan.characters.equality import norm
from jiaokan.errors import Message, join_messages
from jiaokan.scaffold.folder import Folder
from jiaokan.scaffold.layers import LayeredText, Stretch, layered_texts
from jiaokan.scaffold.origins import Origins
from jiaokan.structure.examples import Example

LAYERS = ("head", "section", "base", "note", "front", "back", "page")
"""The layers whose lines are counted, in the order of the report."""
NAMES = {
    "head": Message("layer-head"), "section": Message("layer-section"), "base": Message("layer-base"),
    "note": Message("layer-note"), "front": Message("layer-front"), "back": Message("layer-back"),
    "page": Message("layer-page"), "editorial": Message("layer-editorial"),
}
_KINDS = {"head": "head", "text": "base", "note": "note", "front": "front", "back": "back", "page": "page"}
"""The layer in which the line of an example of a kind is."""


@dataclass(frozen=True, slots=True)
class FolderReading:
    """The texts of a folder as their readers read them, with the lines of their files."""

    texts: tuple[LayeredText, ...]
    origins: tuple[Origins, ...]

    @classmethod
    def of(cls, folder: Folder) -> FolderReading:
        """Read the texts of a folder that is not written yet."""
        return cls(layered_texts(folder.files), tuple(folder.origins))

    def lines(self) -> dict[tuple[str, int, int], tuple[Stretch, ...]]:
        """Return the stretches of each line by its file, its line there, and the number of the witness in the file."""
        witnesses: Counter[tuple[str, ...]] = Counter()
        lines: dict[tuple[str, int, int], tuple[Stretch, ...]] = {}
        for text, origins in zip(self.texts, self.origins, strict=True):
            files = tuple(map(str, origins.files))
            witness = witnesses[files]
            witnesses[files] += 1
            for stretches, (file, line) in zip(text.lines, origins.lines, strict=False):
                key = (files[file], line, witness)
                lines[key] = (*lines.get(key, ()), *stretches)
        return lines

    def of_example(self, example: Example) -> tuple[Stretch, ...]:
        """Return the stretches of the words of an example."""
        for text, origins in zip(self.texts, self.origins, strict=True):
            if line := origins.line_of(example):
                return tuple(_overlap(text.stretches(line), example.words))
        return ()

    def speakers(self) -> Counter[str]:
        """Return the speakers of notes by their names, with the number of their notes."""
        speeches = {(text.id, stretch.run): stretch.person for text in self.texts for line in text.lines
                    for stretch in line if stretch.layer == "note" and stretch.person}
        return Counter(speeches.values())


def _overlap(stretches: Sequence[Stretch], words: str) -> Iterator[Stretch]:
    whole = "".join(stretch.words for stretch in stretches)
    start = whole.find(words) if words else -1
    at = 0
    for stretch in stretches:
        if stretch.layer != "markup" and (start < 0 or (at < start + len(words) and at + len(stretch.words) > start)):
            yield stretch
        at += len(stretch.words)


@dataclass(frozen=True, slots=True)
class LayerChanges:
    """How many lines come into a layer and leave it, and how many notes have another speaker."""

    added: Mapping[str, int]
    removed: Mapping[str, int]
    speakers: int = 0

    def __bool__(self) -> bool:
        return bool(self.speakers or any(self.added.values()) or any(self.removed.values()))

    def message(self) -> Message:
        """Return the changes in words."""
        parts = [Message("layer-changes", layer=NAMES[layer], added=self.added.get(layer, 0),
                         removed=self.removed.get(layer, 0))
                 for layer in LAYERS if self.added.get(layer) or self.removed.get(layer)]
        if self.speakers:
            parts.append(Message("speaker-changes", count=self.speakers))
        return join_messages("list-semicolon", parts) if parts else Message("nothing-changes")


def compare(before: FolderReading, after: FolderReading) -> LayerChanges:
    """Return what differs between two readings of the same files."""
    old, new = before.lines(), after.lines()
    added: Counter[str] = Counter()
    removed: Counter[str] = Counter()
    speeches: set[tuple[str, int, int]] = set()
    for key in old.keys() | new.keys():
        here, there = ([stretch for stretch in lines.get(key, ()) if stretch.layer != "markup"] for lines in (old, new))
        layers = [_count_layers(stretches) for stretches in (here, there)]
        removed.update(layers[0] - layers[1])
        added.update(layers[1] - layers[0])
        if layers[0] == layers[1]:
            spoken = {(stretch.words, stretch.person) for stretch in here}
            speeches |= {(key[0], key[2], stretch.run) for stretch in there
                         if stretch.layer == "note" and (stretch.words, stretch.person) not in spoken}
    return LayerChanges(dict(added), dict(removed), len(speeches))


def _count_layers(stretches: Sequence[Stretch]) -> Counter[str]:
    """Return the layers of a line, and how many headings are in it: one line can be a whole text."""
    runs = {(str(stretch.layer), stretch.run if stretch.layer in ("head", "section") else 0) for stretch in stretches}
    return Counter(layer for layer, _ in runs)


def is_met(example: Example, reading: FolderReading) -> bool:
    """Whether the settings read the words of an example as it says."""
    if example.kind == "person":
        names = {norm(name) for name in reading.speakers()}
        return norm(example.value) in names and norm(example.name) not in names
    stretches = reading.of_example(example)
    layers = {stretch.layer for stretch in stretches}
    if example.kind == "no-head":
        return bool(stretches) and not layers & {"head", "section"}
    if example.kind in ("front", "back"):  # a preface before a later chapter stands after an earlier one
        return bool(layers & {"front", "back"})
    layer = "section" if example.is_section else _KINDS[example.kind]
    named = {norm(stretch.person) for stretch in stretches if stretch.layer == "note"}
    return layer in layers and (example.kind != "note" or not example.value or norm(example.value) in named)


def why_unmet(example: Example, reading: FolderReading) -> Message:
    """Return why no settings meet an example."""
    if example.kind == "person":
        names = reading.speakers()
        known = [name for name in (example.name, example.value) if name in names]
        return Message("unmet-person", name=example.name, known="、".join(known) or "–")
    of_tei = any(text.id and origins.line_of(example) and origins.files[0].suffix == ".xml"
                 for text, origins in zip(reading.texts, reading.origins, strict=True))
    if of_tei:
        return Message("unmet-tei")
    stretches = reading.of_example(example)
    layers = list(dict.fromkeys(NAMES[stretch.layer] for stretch in stretches if stretch.layer in NAMES))
    now = join_messages("list-and", layers) if layers else Message("layer-markup")
    if example.kind == "note" and example.words and not example.value:
        return Message("unmet-inside-line", now=now)
    if example.kind == "note" and "note" in {stretch.layer for stretch in stretches}:
        people = "、".join(dict.fromkeys(stretch.person for stretch in stretches if stretch.person)) or "–"
        return Message("unmet-speaker", person=people)
    return Message("unmet-line", now=now)
