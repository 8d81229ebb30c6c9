"""The index of a site's search: in which chapters two graphs stand side by side, in files of which a phrase needs few.

A phrase can stand only in chapters that have each pair of its neighbours, so these are the ones that the search loads.
Pairs part Chinese texts as well as words do and need no segmentation (Nie, Gao, Zhang and Zhou, "On the use of words
and n-grams for Chinese information retrieval", IRAL 2000). A pair stands in the file that its code points name, so that
a page asks for as many files as its phrase has pairs, however large the library is.
"""

from __future__ import annotations

import contextlib
import hashlib
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import sub
from pathlib import Path

import msgspec

from pipeline.outputs.web.earlier import EarlierSite, identity
from pipeline.outputs.web.finding import Folding, script_data, streams
from pipeline.system.atomic import remove, write_file

FOLDER = "grams"
"""The folder of `assets` in which the files are."""
_SHARE = 96 * 1024
"""So many bytes of what can be found go to one file, whose size then is about two thirds of it (62 KB at 1,000 texts of
10,000 characters). Smaller, a site has more files than some hosts take; larger, a phrase of five characters loads more
than a picture."""
_BLOCK, _RUNS = 2**22, 64
"""Chapters are looked through in blocks of about so many bytes, or a larger power of two where that would be more than
about so many blocks, and at most twice as many: 16 MB, 100 MB of memory, at 10,000 texts of 10,000 characters. Larger,
more is looked through again where a text changes; with more blocks, more files are open at once (some systems allow a
process 256)."""

Postings = dict[str, list[int]]
"""By pair or single graph the chapters that have it, ascending, each as its number less the one before it."""


def shard(gram: str, shards: int) -> int:
    """Give the number of the file in which a pair stands; ``search.js`` reckons the same."""
    number = 0
    for graph in gram:
        number = number * 31 + ord(graph)
    return number % shards


def write_grams(
    site: Path, chapters: Sequence[Path], families: Sequence[str], earlier: EarlierSite, said: Mapping[str, str],
) -> int:
    """Write the index of some chapters (their ``find-PAGE.js``, numbered in this order) into ``assets/grams`` of a
    site, in place of one that is there; give how many files it is parted into. One that would say nothing is not
    written.

    A file gives by pair, or by single graph, the numbers of the chapters that have it, each less the one before it.
    Blocks of chapters that are what they were, and files that would say the same, are taken from the `earlier` site.
    `said` gives the graphs of each text by its folder.
    """
    sizes = [path.stat().st_size for path in chapters]
    shards, folder = 1 << (sum(sizes) // _SHARE).bit_length(), site / "assets" / FOLDER
    remove(folder)
    folder.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        runs = [(at, stack.enter_context(path.open("rb")))
                for at, path in _runs(chapters, sizes, families, shards, earlier, said)]
        for number, lines in enumerate(zip(*(stream for _, stream in runs), strict=True)):
            parts = [(at, line) for (at, _), line in zip(runs, lines, strict=True)]
            made_of = hashlib.sha256(b"".join(b"%d %s" % each for each in parts)).hexdigest()
            if not earlier.again(site, f"assets/{FOLDER}/{number}.js", made_of) and (postings := _merged(parts)):
                write_file(folder / f"{number}.js", _script(number, postings), lasting=False)
    return shards


def _runs(
    chapters: Sequence[Path], sizes: Sequence[int], families: Sequence[str], shards: int, earlier: EarlierSite,
    said: Mapping[str, str],
) -> Iterator[tuple[int, Path]]:
    """Give for each block of chapters the number of its first and the pairs of them on disk, a line for each file of
    the index: as it is kept, if the block and how its graphs are folded are what they were."""
    folding, first = Folding(families), {graph: family[0] for family in families for graph in family}
    for at, end in _blocks(chapters, sizes):
        block = chapters[at:end]
        graphs = {*chain.from_iterable(said[folder] for folder in {path.parent.name for path in block})}
        made_of = [(path.parent.name, identity(path)) for path in block]
        path = earlier.file(f"grams/{earlier.key(shards, made_of, sorted((g, first[g]) for g in graphs & {*first}))}")
        if not path.exists():
            write_file(path, _run(block, folding, shards), lasting=False)
        yield at, path


def _blocks(chapters: Sequence[Path], sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Part chapters into blocks: where one ends the chapters' names say, so that a new text changes the block that it
    comes into and no other (as content-defined chunking does: Muthitacharoen, Chen and Mazières, SOSP 2001)."""
    share = max(_BLOCK, 1 << (sum(sizes) // _RUNS).bit_length())
    at = held = 0
    for number, (path, size) in enumerate(zip(chapters, sizes, strict=True)):
        marked = zlib.crc32(f"{path.parent.name}/{path.name}".encode()) % share < size
        if number > at and (marked or held + size > 2 * share):
            yield at, number
            at, held = number, 0
        held += size
    yield at, len(chapters)


def _run(block: Sequence[Path], folding: Folding, shards: int) -> bytes:
    """Give the pairs of a block: a line for each file of the index, with the last chapter before the steps to each."""
    held: dict[str, list[int]] = defaultdict(list)
    for number, path in enumerate(block):
        for gram in grams(streams(script_data(path)["parts"]), folding):
            held[gram].append(number)
    parts: list[Postings] = [{} for _ in range(shards)]
    for gram, numbers in held.items():
        steps = map(sub, numbers, [0, *numbers])
        parts[shard(gram, shards)][gram] = [numbers[-1], *steps]
    return b"".join(msgspec.json.encode(part, order="sorted") + b"\n" for part in parts)


def grams(texts: Iterable[str], folding: Folding) -> set[str]:
    """Give the graphs of some texts and the pairs of those that stand side by side, folded."""
    found: set[str] = set()
    for text in texts:
        folded = text.translate(folding)
        found.update(folded)
        found.update(map(str.__add__, folded, folded[1:]))
    return found


def _merged(parts: Iterable[tuple[int, bytes]]) -> Postings:
    """Put together what the blocks say, each with the number of its first chapter."""
    whole: Postings = {}
    last: dict[str, int] = {}
    for at, line in parts:
        for gram, (end, first, *others) in msgspec.json.decode(line, type=Postings).items():
            whole.setdefault(gram, []).append(at + first - last.get(gram, 0))
            whole[gram] += others
            last[gram] = at + end
    return whole


def _script(number: int, postings: Postings) -> bytes:
    return b"(self.jiaokanGrams ||= [])[%d] = %s;\n" % (number, msgspec.json.encode(postings, order="sorted"))
