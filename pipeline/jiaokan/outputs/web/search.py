"""Data of a site's search: texts and chapters, an index by pairs of characters, a glossary of characters."""

from __future__ import annotations

import contextlib
import hashlib
import json
import unicodedata
import zlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import sub
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from lxml import etree

from jiaokan.characters.relations import homophones, meaning
from jiaokan.model.words import simplified
from jiaokan.outputs.web.earlier import EarlierSite, identity
from jiaokan.system.atomic import remove, write_file
from jiaokan.system.listing import matching

BEFORE, AFTER = "(self.jiaokanFind ||= []).push(", ");\n"
"""What encloses the data of ``find-PAGE.js`` (`xslt/html/find.xsl`): a script, because a page on disk may load it."""
_PREPARED = "{urn:jiaokan:prepared}"


class IndexRow(NamedTuple):
    """The row of a text in ``index.js``."""

    folder: str
    title: str
    section: str
    """That of the library."""
    pages: list[str]
    """Those that can be searched."""
    chapters: list[str]
    """The titles of these."""
    authors: list[str]


def texts_of(collection: bytes, site: Path) -> list[IndexRow]:
    """Return the rows of the texts of a site; `collection` is that of `jiaokan.outputs.web.published`."""
    rows: list[IndexRow] = []
    for card in etree.fromstring(collection, etree.XMLParser(huge_tree=True)):
        folder = card.get("folder", "")
        chapters = [chapter for chapter in card.findall(f"{_PREPARED}chapter")
                    if (site / folder / f"find-{chapter.get('page')}.js").exists()]
        names = [element.text or "" for name in ("title", "subtitle") for element in card.findall(_PREPARED + name)]
        rows.append(IndexRow(folder, " ".join(names), card.get("section", ""),
                            [chapter.get("page", "") for chapter in chapters],
                            [chapter.get("title", "") for chapter in chapters],
                            [author.text or "" for author in card.findall(f"{_PREPARED}author")]))
    return rows


class Folding(dict[int, str]):
    """A table for `str.translate` that folds as the search does (`fold` in ``search.js``).

    A character becomes the first of its family; anything but letters, numbers and lost characters is removed.
    """

    def __init__(self, families: Iterable[str]) -> None:
        super().__init__({ord(graph): family[0] for family in families for graph in family})

    def __missing__(self, code: int) -> str:
        graph = chr(code)
        category = unicodedata.category(graph)
        self[code] = graph.lower() if category[0] in "LN" or category == "Co" or graph in "〓□" else ""
        return self[code]


def streams(parts: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the searchable texts of a chapter's rows (`prepare` in ``search.js``): base text by section, each note,
    each reading."""
    base: list[str] = []
    for kind, _, words, *_ in parts:
        if kind == "s":
            yield "".join(base)
            base.clear()
        elif kind == "b":
            base.append(words)
        else:
            yield words
    yield "".join(base)


def script_data(path: Path) -> dict[str, Any]:
    """Return the data of a ``find-PAGE.js``: text, work, page, title and parts (see `xslt/html/find.xsl`)."""
    data = path.read_bytes().removeprefix(BEFORE.encode()).removesuffix(AFTER.encode())
    return msgspec.json.decode(data, type=dict[str, Any])


FOLDER = "grams"
"""Folder of the index in `assets`."""
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
"""Pair or character to the chapters that have it, ascending, each number less the one before."""


def shard(gram: str, shards: int) -> int:
    """Return the number of the index file that holds a pair; ``search.js`` computes the same."""
    number = 0
    for graph in gram:
        number = number * 31 + ord(graph)
    return number % shards


def write_grams(
    site: Path, chapters: Sequence[Path], families: Sequence[str], earlier: EarlierSite, characters: Mapping[str, str],
) -> int:
    """Write the search index of chapters (their ``find-PAGE.js``, numbered in order) into ``assets/grams``; return the
    number of files.

    A file maps each character and pair of characters to the chapters that have it, each number less the one before.
    Empty files are not written. Unchanged blocks of chapters and files are reused from the `earlier` site. `said` maps
    each text's folder to its characters.
    """
    sizes = [path.stat().st_size for path in chapters]
    shards, folder = 1 << (sum(sizes) // _SHARE).bit_length(), site / "assets" / FOLDER
    remove(folder)
    folder.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        runs = [(at, stack.enter_context(path.open("rb")))
                for at, path in _runs(chapters, sizes, families, shards, earlier, characters)]
        for number, lines in enumerate(zip(*(stream for _, stream in runs), strict=True)):
            parts = [(at, line) for (at, _), line in zip(runs, lines, strict=True)]
            made_of = hashlib.sha256(b"".join(b"%d %s" % part for part in parts)).hexdigest()
            if earlier.again(site, f"assets/{FOLDER}/{number}.js", made_of):
                continue
            if postings := _merge_postings(parts):
                encoded = msgspec.json.encode(postings, order="sorted")
                data = b"(self.jiaokanGrams ||= [])[%d] = %s;\n" % (number, encoded)
                write_file(folder / f"{number}.js", data, lasting=False)
    return shards


def _merge_postings(parts: Iterable[tuple[int, bytes]]) -> Postings:
    whole: Postings = {}
    last: dict[str, int] = {}
    for at, line in parts:
        for gram, (end, first, *others) in msgspec.json.decode(line, type=Postings).items():
            whole.setdefault(gram, []).append(at + first - last.get(gram, 0))
            whole[gram] += others
            last[gram] = at + end
    return whole


def _runs(
    chapters: Sequence[Path], sizes: Sequence[int], families: Sequence[str], shards: int, earlier: EarlierSite,
    characters: Mapping[str, str],
) -> Iterator[tuple[int, Path]]:
    """Yield each block of chapters: the number of its first chapter, and the file with its pairs, one line for each
    index file, where the last chapter stands before the steps."""
    folding, first = Folding(families), {graph: family[0] for family in families for graph in family}
    for at, end in _blocks(chapters, sizes):
        block = chapters[at:end]
        graphs = {*chain.from_iterable(characters[folder] for folder in {path.parent.name for path in block})}
        made_of = [(path.parent.name, identity(path)) for path in block]
        path = earlier.file(f"grams/{earlier.key(shards, made_of, sorted((g, first[g]) for g in graphs & {*first}))}")
        if not path.exists():
            chapters_by_gram: dict[str, list[int]] = defaultdict(list)
            for number, chapter in enumerate(block):
                for gram in grams(streams(script_data(chapter)["parts"]), folding):
                    chapters_by_gram[gram].append(number)
            parts: list[Postings] = [{} for _ in range(shards)]
            for gram, numbers in chapters_by_gram.items():
                parts[shard(gram, shards)][gram] = [numbers[-1], *map(sub, numbers, [0, *numbers])]
            lines = b"".join(msgspec.json.encode(part, order="sorted") + b"\n" for part in parts)
            write_file(path, lines, lasting=False)
        yield at, path


def _blocks(chapters: Sequence[Path], sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Split chapters into blocks whose ends depend on chapter names, so that a new text changes only its own block
    (content-defined chunking: Muthitacharoen, Chen and Mazières, SOSP 2001)."""
    share = max(_BLOCK, 1 << (sum(sizes) // _RUNS).bit_length())
    at = total = 0
    for number, (path, size) in enumerate(zip(chapters, sizes, strict=True)):
        marked = zlib.crc32(f"{path.parent.name}/{path.name}".encode()) % share < size
        if number > at and (marked or total + size > 2 * share):
            yield at, number
            at, total = number, 0
        total += size
    yield at, len(chapters)


def grams(texts: Iterable[str], folding: Folding) -> set[str]:
    """Return the characters of texts and their adjacent pairs, folded."""
    pairs: set[str] = set()
    for text in texts:
        folded = text.translate(folding)
        pairs.update(folded)
        pairs.update(map(str.__add__, folded, folded[1:]))
    return pairs


Pair = tuple[str, str, str]
"""Lemma and reading, one character each, and the name of the variant class."""


class TextCharacters(msgspec.Struct, frozen=True, array_like=True):
    """The characters and variant pairs of one text."""

    shown: str
    """Those of its pages, those of a chapter together."""
    uses: dict[str, int]
    """How often its chapters have each."""
    searchable: str
    """Those of its chapters, as they are found."""
    pairs: tuple[tuple[Pair, str, str], ...]
    """Each pair of its entries, with the page and the id of the entry's unit."""


def characters_of(folder: Path) -> TextCharacters:
    """Return the characters and variant pairs in the pages of a text's folder."""
    shown: dict[str, None] = {}
    uses: Counter[str] = Counter()
    pairs: list[tuple[Pair, str, str]] = []
    for path in matching(folder, "*.html"):
        shown.update(dict.fromkeys(sorted(set(path.read_text(encoding="utf-8")))))
    for path in matching(folder, "find-*.js"):
        data = script_data(path)
        for kind, name, words, *rest in data["parts"]:
            uses.update(words)
            if kind == "v" and len(rest) == 3 and len(words) == len(rest[1]) == 1 and words != rest[1]:
                pairs.append(((rest[1], words, rest[2]), data["page"], f"{data['text']}.{name}"))
    return TextCharacters("".join(shown), dict(sorted(uses.items())), "".join(sorted(uses)), tuple(pairs))


def glossary(texts: Mapping[str, TextCharacters]) -> bytes:
    """Return the script ``characters.js``: reading and meaning of each character (Unihan), graphs of the texts that
    sound like it in the Guangyun, for each of its sounds; and each variant pair with its places.

    Pairs are sorted by frequency. `texts` is keyed by folder.
    """
    graphs: set[str] = set()
    pairs: dict[Pair, list[tuple[str, str, str]]] = defaultdict(list)
    for folder, text in sorted(texts.items()):
        graphs.update(text.searchable)
        for pair, page, name in text.pairs:
            graphs.update(pair[:2])
            pairs[pair].append((folder, page, name))
    known = {graph: [*meaning(graph), _alike(graph, graphs)] for graph in sorted(graphs) if any(meaning(graph))}
    listed = sorted(pairs.items(), key=lambda item: (-len(item[1]), item[0]))
    rows = json.dumps([[*pair, places] for pair, places in listed], ensure_ascii=False)
    meanings = json.dumps(known, ensure_ascii=False)
    return f"self.jiaokanCharacters = {meanings};\nself.jiaokanPairs = {rows};\n".encode()


_HOMOPHONES = 8
"""Graphs listed for a sound: a line of the card."""


def _alike(graph: str, graphs: Collection[str]) -> str:
    """Return the homophones of a graph that the texts have, in the form that they have; spaces between sounds."""
    homophone_rows = []
    for sound in homophones(graph):
        forms = (graph_alike if graph_alike in graphs else simplified(graph_alike) for graph_alike in sound)
        others = dict.fromkeys(form for form in forms if form in graphs and form != graph)
        homophone_rows.append("".join(islice(others, _HOMOPHONES)))
    return " ".join(dict.fromkeys(filter(None, homophone_rows)))
