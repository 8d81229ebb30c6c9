"""A text in a convention that is known is a catalog entry and no code.

A chapter of one source is printed as another's editor would have printed it, put into a catalog as a sixth text, and
read: base text, notes, speakers and what each note is on must be those of the source.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from jiaokan import readers
from jiaokan.errors import CatalogError
from jiaokan.model import Division, Document, Note, NoteGroup, Paragraph, Span, Trailer, Unit
from jiaokan.settings import catalog
from jiaokan.tei.witness_text import printed_text
from tests import readings

ROOT = Path(__file__).parents[1]
CASES = ROOT / "tests/cases/conventions"


@dataclass(frozen=True)
class Piece:
    """Base text, a trailer, or what one person says on the text before it."""

    kind: str
    words: str
    person: str = ""


def pieces(document: Document, chapter: str = "6") -> list[Piece]:
    """Return what a chapter says; what is only of its printing (page, labels, broken paragraphs) left out."""
    found: list[Piece] = []
    for division in document.divisions:
        for named, piece in _pieces(division) if division.n == chapter else ():
            last = found[-1] if found else None
            if last and not named and last.kind == piece.kind == "note" and last.person == piece.person:
                found[-1] = replace(last, words=last.words + piece.words)
            else:
                found.append(piece)
    return found


def _pieces(item: Any) -> Iterator[tuple[bool, Piece]]:
    """Return the pieces of a thing, and whether words name who speaks."""
    match item:
        case Unit() | Trailer():
            yield True, Piece(type(item).__name__.lower(), words(p for p in item.content if not _on(p)))
            yield from (each for part in item.content if _on(part) for each in _pieces(part))
        case Note(kind="commentary"):
            first = item.content[0]
            named = isinstance(first, Span) and first.role == "attribution"
            if said := words(item.content[named:]):
                yield named, Piece("note", said, item.resp)
        case Division():
            yield from (each for part in item.items for each in _pieces(part))
        case NoteGroup():
            yield from (each for part in item.notes for each in _pieces(part))
        case Paragraph():
            yield from (each for part in item.content for each in _pieces(part))


def _on(item: Any) -> bool:
    """Whether something in a trailer is a note on it, not a part of it."""
    return isinstance(item, NoteGroup) or (isinstance(item, Note) and item.rend != "【】")


def words(content: Iterable[Any]) -> str:
    """Return what a source prints of some content, white space left out."""
    wrapped = Document(id="x", divisions=(Division(kind="pian", items=(Paragraph(content=tuple(content)),)),))
    return printed_text(wrapped).text


def as_paragraphs(text: list[Piece], names: Mapping[str, str]) -> str:
    """Print as 仪礼集编: one paragraph a line, comments told by their first words."""
    lines = [(names[p.person] if p.kind == "note" else "") + p.words for p in text]
    return "".join(f"  {line}\n\n" for line in ["燕礼第六之一", *lines])


def in_brackets(text: list[Piece], names: Mapping[str, str], pair: str, parted: str, head: str) -> str:
    """Print as 礼经本义 or 通解: all comments on a text in one pair of brackets after it."""
    out, notes = head, list[str]()
    for piece in [*text, Piece("unit", "")]:
        if piece.kind == "note":
            notes.append(names[piece.person] + piece.words)
        else:
            out += f"{pair[0]}{parted.join(notes)}{pair[1]}" * bool(notes) + "\n" * bool(out) + piece.words
            notes = []
    return out


BENYI = {
    "zhengxuan": "郑康成曰", "jiagongyan": "贾公彦曰", "aojigong": "敖君善曰", "haojing": "郝仲舆曰",
    "zhangerqi": "张稷若曰", "jiangzhaoxi": "姜上均曰", "shengshizuo": "盛庸三曰", "zhuxi": "朱文公曰",
    "yangfu": "杨信斋曰", "lixinchuan": "李微之曰", "ouyangxiu": "欧阳永叔曰", "chenyang": "陈晋之曰",
}
JIBIAN = {"zhengxuan": "注曰", "jiagongyan": "疏曰", "zhuxi": "朱子曰"}
TONGJIE = {"zhengxuan": "", "jiagongyan": "疏曰"}
Print = Callable[[list[Piece]], str]
CASE: dict[tuple[str, str], Print] = {
    ("jibian", "benyi"): lambda t: in_brackets(t, BENYI, "〈〉", " ", "燕礼"),
    ("tongjie", "benyi"): lambda t: in_brackets(t, BENYI, "〈〉", "○", "燕礼"),
    ("zhushu", "benyi"): lambda t: in_brackets(t, BENYI, "〈〉", "", "燕礼"),
    ("zhushu", "tongjie"): lambda t: in_brackets(t, TONGJIE, "【】", "　", ""),
    ("zhushu", "jibian"): lambda t: as_paragraphs(t, JIBIAN),
    ("tongjie", "jibian"): lambda t: as_paragraphs(t, JIBIAN),
}


@pytest.mark.parametrize(("source", "convention"), CASE)
def test_a_sixth_text_in_a_known_convention(source: str, convention: str, tmp_path: Path) -> None:
    settings = catalog.load(ROOT)
    whole = [p for p in pieces(readings.read(source)[0]) if p.person != "ludeming"]
    first = next(n for n, p in enumerate(whole) if p.kind == "unit")  # each puts comments on the title elsewhere
    text = [replace(p, words=p.words.replace("○", "")) for p in whole[first:]]  # a mark of 注疏; in 本义 a separator
    names = {p.person for p in text}
    data = CASE[source, convention](text).encode()
    entry, made = sixth(tmp_path, settings, data, convention)
    document, findings = readers.read(entry, made)
    assert names - {""} == {p.person for p in pieces(document)} - {""}
    assert pieces(document) == text
    assert [f for f in findings if f.rule not in ("scope-unresolved", "boundary-doubtful")] == []


def sixth(
    folder: Path, settings: catalog.Catalog, data: bytes, convention: str
) -> tuple[catalog.SourceEntry, catalog.Catalog]:
    """Put a text into a copy of the catalog: its file, an entry, and what it says of itself."""
    home = folder / "tei"
    shutil.copytree(ROOT / "tei", home, ignore=shutil.ignore_patterns("witnesses", "editions", "decisions", "sources"))
    shutil.copyfile(CASES / f"sixth-in-{convention}.toml", home / "conventions" / "sixth.toml")
    (home / "sources").mkdir()
    (home / "sources" / "sixth.txt").write_bytes(data)
    known = (home / "catalog.toml").read_text("utf-8")
    (home / "catalog.toml").write_text(re.sub(r"(?m)^of = .*\n", "", known), "utf-8")  # no edition is copied
    with (home / "catalog.toml").open("a", encoding="utf-8") as file:
        file.write(f"""
[[source]]
id = "sixth"
siglum = "六"
file = "sources/sixth.txt"
sha256 = "{hashlib.sha256(data).hexdigest()}"
work = "yili"
title = "仪礼第六本"
authors = []
dynasty = ""
reader = "{settings.sources[convention].reader}"
convention = "{convention}"
language = "lzh-Hans"
licence = {{ name = "public domain" }}
""")
    made = catalog.load(folder)
    return made.sources["sixth"], made


def test_a_convention_that_is_not_there_is_refused(tmp_path: Path) -> None:
    settings = catalog.load(ROOT)
    (tmp_path / "x").mkdir()
    _, made = sixth(tmp_path / "x", settings, b"x", "tongjie")
    (tmp_path / "x/tei/conventions/tongjie.toml").unlink()
    with pytest.raises(CatalogError, match=r"tongjie\.toml: file not found"):
        made.convention("sixth")
