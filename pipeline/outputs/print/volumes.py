"""Where a book is cut: into volumes, as its plan asks, and these into pieces that Typst can hold one by one.

Volumes begin with chapters. A stylesheet's list of a text gets a line before each that begins one (`marked`); an engine
hands it on as a comment in its Typst document, where `cut` finds it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from pipeline.errors import Place, RenderError
from pipeline.model.numerals import volume_called
from pipeline.outputs import OutputSettings
from pipeline.outputs.print.labels import OPENING, VOLUME, places
from pipeline.outputs.print.pieces import Volume
from pipeline.outputs.print.script import in_script
from pipeline.settings import layouts
from pipeline.settings.plans import PrintPlan

_PIECE = 450_000
"""Characters of a Typst document from which on it is cut for memory: Typst takes about 620 bytes for each besides 60 MB
(仪礼 1,477,000: 954 MB; 礼经本义 806,000: 530 MB). In pieces of this size neither takes more than 400 MB; each piece
takes a quarter of a second of the processor and 0.3 MB of the file, as it has fonts of its own."""
_TEXT = re.compile(r'^(?:#main-matter\(\)|\["main"\])\n', re.M)
_BACK = re.compile(r'^(?:#back-matter\(\)|\["back"\])\n', re.M)
_STRING = r'"((?:[^"\\]|\\.)*)"'
_CHAPTER = re.compile(rf'^(?:#chapter\(|\["division",1,){_STRING}, ?{_STRING}', re.M)
_TITLE = re.compile(r"^#title-page\(.*\n", re.M)
_CONTENTS = re.compile(r"^#contents\(.*\n", re.M)
_INDEXES = re.compile(r'^#part\("(?:speakers|persons|places|works)",.*\n', re.M)
_COLOPHON = re.compile(r"^#colophon\(.*\n", re.M)
_AFTER = re.compile(r"^#(?:substitutions|colophon)\(", re.M)
"""What an engine's document has behind all leaves."""


def named(number: int, settings: OutputSettings) -> str:
    """Give what a volume is called on its title page: 上册, in the script of the book; Volume 1; nothing if alone."""
    count = settings.print.count()
    words = volume_called(number, count)
    if settings.interface == "en":
        return f"Volume {number}" if count > 1 else ""
    return in_script(words, "traditional" if settings.interface == "hant" else settings.print.script)


def marked(made: str, settings: OutputSettings) -> str:
    """Give what a stylesheet made of a text with a line before each chapter that begins a volume.

    Raises RenderError for a plan that asks for more volumes than there are chapters, or names what is no chapter.
    """
    if settings.print.count() == 1:
        return made
    chapters = _chapters(made)
    begun = _begun(chapters, settings.print, len(made))
    engine = bool(layouts.declaration(settings.print.layout).engine)
    parts, at = [], 0
    for number, chapter in enumerate(begun, 1):
        name = named(number, settings)
        line = json.dumps(["volume", name], ensure_ascii=False) + "\n" if engine else f"{VOLUME}{name}\n"
        parts += [made[at:chapter.start()], line]
        at = chapter.start()
    return "".join([*parts, made[at:]])


def _chapters(made: str) -> list[re.Match[str]]:
    """Give where the chapters of a text begin."""
    text, back = _TEXT.search(made), _BACK.search(made)
    return list(_CHAPTER.finditer(made, text.end() if text else 0, back.start() if back else len(made)))


def _begun(chapters: Sequence[re.Match[str]], plan: PrintPlan, end: int) -> list[re.Match[str]]:
    """Give the chapters with which volumes begin."""
    place, many = Place("[print] volumes"), plan.count()
    if len(chapters) < many:
        raise RenderError(f"{many} volumes, but {len(chapters)} chapters", place=place, mend="ask for fewer")
    if isinstance(plan.volumes, int):
        lengths = [second - first for first, second in pairwise([*(each.start() for each in chapters), end])]
        return [chapters[n] for n in balanced(lengths, many)]
    called = {each[2]: n for n, each in enumerate(chapters)}
    if unknown := [name for name in map(str, plan.volumes) if name not in called]:
        raise RenderError(f"no chapter is called {unknown[0]}; they are: {'、'.join(called)}", place=place,
                          mend="name the chapters with which volumes after the first begin")
    found = [called[str(name)] for name in plan.volumes]
    if found != sorted(set(found)) or found[0] == 0:
        raise RenderError("volumes begin with chapters in the order of the text, and the first with its first chapter",
                          place=place, mend="name those with which the others begin, in order")
    return [chapters[n] for n in (0, *found)]


def balanced(lengths: Sequence[int], parts: int) -> list[int]:
    """Give the first of each part of things of some `lengths`, cut so that the parts are as equal as they can be."""
    ends, made = [0, *accumulate(lengths)], [0]
    for part in range(1, parts):
        ideal = ends[-1] * part / parts
        made.append(min(range(made[-1] + 1, len(lengths) - parts + part + 1), key=lambda n: abs(ends[n] - ideal)))
    return made


def cut(source: str, settings: OutputSettings, target: Path) -> tuple[Volume, ...]:
    """Give the volumes of a Typst document, each in pieces; none if it is to be set as it is.

    A press's own functions know nothing of pieces: with these a book is cut only where its plan asks for volumes.
    """
    plan = settings.print
    engine = bool(layouts.declaration(plan.layout).engine)
    if plan.count() == 1 and (engine or settings.press or len(source) <= _PIECE):
        return ()
    files = plan.files(target)
    names = [named(number, settings) for number in range(1, plan.count() + 1)]
    if engine:
        return tuple(_leaves(source, files, names, whole=plan.leaf == "whole"))
    front, text = _TEXT.split(source, maxsplit=1)
    text, back = _BACK.split(text, maxsplit=1)
    texts = re.split(rf"(?m)^{VOLUME}.*\n", text)[1:] if plan.count() > 1 else [text]
    head = front[:_first(front)]
    made = []
    for number, (file, name, words) in enumerate(zip(files, names, texts, strict=True), 1):
        made.append(Volume(
            name=name, file=file.name, head=head, front=_front(front, number, plan), texts=tuple(_pieces(words)),
            back=_back(back, number, plan), own=plan.matter == "volume",
        ))
    return tuple(made)


def _first(front: str) -> int:
    """Give where the pages begin: after what is imported and what holds for the whole document."""
    at = 0
    while front.startswith(("#import ", "#show: "), at):
        at = front.index("\n", at) + 1
    return at


def _front(front: str, number: int, plan: PrintPlan) -> str:
    """Give what stands before the text of a volume: after the first its title page, and its contents if asked."""
    if number == 1:
        return front[_first(front):]
    kept = (_TITLE, _CONTENTS) if plan.matter == "volume" else (_TITLE,)
    return "".join(found[0] for part in kept if (found := part.search(front)))


def _back(back: str, number: int, plan: PrintPlan) -> str:
    """Give what stands behind it: all in the last volume; in the others the colophon, and its indexes if asked."""
    if number == plan.count():
        return back
    kept = (_INDEXES, _COLOPHON) if plan.matter == "volume" else (_COLOPHON,)
    return "".join(found[0] for part in kept for found in part.finditer(back))


def _pieces(text: str) -> list[str]:
    """Cut the text of a volume before chapters, into as many pieces as memory asks for."""
    starts = [each.start() for each in _CHAPTER.finditer(text)]
    lengths = [second - first for first, second in pairwise([*starts, len(text)])]
    first = balanced(lengths, min(len(lengths), -(-len(text) // _PIECE)))
    return [text[a:b] for a, b in pairwise([0, *(starts[n] for n in first[1:]), len(text)])]


def _leaves(source: str, files: Sequence[Path], names: Sequence[str], *, whole: bool) -> list[Volume]:
    """The volumes of an engine's document: all after the first begin with its head, a title page, an odd page."""
    after = _AFTER.search(source)
    end = after.start() if after else len(source)
    first, *others = re.split(rf"(?m)^{VOLUME}.*\n", source[:end])
    first, *others = [first + others[0], *others[1:]]  # before the mark of the first volume stands its front
    title = _TITLE.search(first)
    begun = title.start() if title else _first(first)
    head, colophon = first[:begun], _COLOPHON.search(source, end)
    cover = ("#title-page(", "#let leaf")
    around = "".join(f"{line}\n" for line in first[begun:].split("\n") if line.startswith(cover))
    made = []
    for number, (file, name, leaves) in enumerate(zip(files, names, [first[begun:], *others], strict=True), 1):
        front = "" if number == 1 else around + (OPENING if OPENING in first else "")
        back = source[end:] if number == len(files) else colophon[0] if colophon else ""
        words = front + leaves + back
        made.append(Volume(name=name, file=file.name, head=head, front="", texts=(words,),
                           places=places(words, whole=whole)))
    return made
