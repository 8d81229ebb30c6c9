"""The index of a site's search: in which chapters two graphs stand side by side, in files of which a phrase needs few.

A phrase can stand only in chapters that have each pair of its neighbours, so these are the ones that the search loads.
Pairs part Chinese texts as well as words do and need no segmentation (Nie, Gao, Zhang and Zhou, "On the use of words
and n-grams for Chinese information retrieval", IRAL 2000). A pair stands in the file that its code points name, so that
a page asks for as many files as its phrase has pairs, however large the library is.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.outputs.web.finding import Folding, script_data, streams
from pipeline.system.atomic import remove, write_file

FOLDER = "grams"
"""The folder of `assets` in which the files are."""
_SHARE = 96 * 1024
"""So many bytes of what can be found go to one file, whose size then is about two thirds of it (62 KB at 1,000 texts of
10,000 characters). Smaller, a site has more files than some hosts take; larger, a phrase of five characters loads more
than a picture."""
_HELD = 400_000
"""So many pairs are held at once, about 150 MB with the chapters that have them; the rest waits on disk."""

Postings = dict[str, list[int]]
"""By pair or single graph the numbers of the chapters that have it, ascending."""


def shard(gram: str, shards: int) -> int:
    """Give the number of the file in which a pair stands; ``search.js`` reckons the same."""
    number = 0
    for graph in gram:
        number = number * 31 + ord(graph)
    return number % shards


def write_grams(assets: Path, chapters: Sequence[Path], families: Iterable[str]) -> int:
    """Write the index of some chapters (their ``find-PAGE.js``, numbered in this order) into the folder ``grams`` of
    `assets`, in place of one that is there; give how many files it is parted into. One that would say nothing is not
    written.

    A file gives by pair, or by single graph, the numbers of the chapters that have it, each less the one before it.
    """
    size = sum(path.stat().st_size for path in chapters)
    shards = 1 << (size // _SHARE).bit_length()
    folder = assets / FOLDER
    remove(folder)
    folder.mkdir()
    with tempfile.TemporaryDirectory() as aside, contextlib.ExitStack() as stack:
        runs = [stack.enter_context(path.open(encoding="utf-8"))
                for path in _runs(Path(aside), chapters, Folding(families), shards)]
        for number, lines in enumerate(zip(*runs, strict=True)):
            if postings := _merged(map(json.loads, lines)):
                write_file(folder / f"{number}.js", _script(number, postings), lasting=False)
    return shards


def _runs(aside: Path, chapters: Sequence[Path], folding: Folding, shards: int) -> Iterator[Path]:
    """Write the pairs of all chapters to disk, as many at a time as are held: a line for each file of the index."""
    held: Postings = {}
    for number, path in enumerate(chapters):
        for gram in grams(streams(script_data(path)["parts"]), folding):
            held.setdefault(gram, []).append(number)
        if len(held) > _HELD:
            yield _run(aside / f"{number}", held, shards)
            held = {}
    yield _run(aside / "last", held, shards)


def _run(path: Path, held: Mapping[str, list[int]], shards: int) -> Path:
    parts: list[Postings] = [{} for _ in range(shards)]
    for gram, numbers in held.items():
        parts[shard(gram, shards)][gram] = numbers
    path.write_text("".join(f"{json.dumps(part)}\n" for part in parts), encoding="utf-8")
    return path


def grams(texts: Iterable[str], folding: Folding) -> set[str]:
    """Give the graphs of some texts and the pairs of those that stand side by side, folded."""
    found: set[str] = set()
    for text in texts:
        folded = text.translate(folding)
        found.update(folded)
        found.update(map(str.__add__, folded, folded[1:]))
    return found


def _merged(parts: Iterable[Postings]) -> Postings:
    whole: Postings = {}
    for part in parts:
        for gram, numbers in part.items():
            whole.setdefault(gram, []).extend(numbers)
    return whole


def _script(number: int, postings: Postings) -> bytes:
    steps = {gram: [after - before for before, after in zip([0, *numbers], numbers, strict=False)]
             for gram, numbers in sorted(postings.items())}
    data = json.dumps(steps, ensure_ascii=False, separators=(",", ":"))
    return f"(self.jiaokanGrams ||= [])[{number}] = {data};\n".encode()
