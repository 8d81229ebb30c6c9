"""A short notation for witnesses and for what their collation gives; generated witness sets.

A witness is a line ``A: 小臣戒与者|膳宰具官(zhengxuan:注曰:具官…)``: units between ``|``, after a unit the notes
on it, each with speaker, introduction and text. ``【…】`` is a note inside a text, ``‹久→人›`` a correction,
``‹\ue14b=弦›`` a glyph, ``‹+弦›`` supplied text, ``□`` a lost place, ``&KR0014;``
and ``⿰木薄`` characters without a code, ``//`` the end of a section, ``##`` of a chapter
(the first is 6).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from jiaokan.annotate.identifiers import number
from jiaokan.collate import collate
from jiaokan.errors import Finding
from jiaokan.model import (
    App,
    Content,
    Correction,
    Division,
    Document,
    Gap,
    Glyph,
    Head,
    Mark,
    Note,
    Paragraph,
    Reading,
    Space,
    Span,
    Supplied,
    Unit,
)
from jiaokan.model.walk import walk
from jiaokan.model.words import beside_letters
from jiaokan.settings.catalog import Catalog, Licence, Project
from jiaokan.settings.lists import load as load_lists
from jiaokan.settings.plans import ChapterPlan, EditionPlan

LISTS = load_lists(Path(__file__).parents[1])
"""This repository's own lists: the cases report 监本, 敖本 and others that they name."""

INLINE = re.compile(
    r"【(?P<note>(?:[^【】]|【[^】]*】)*)】|‹(?P<special>[^›]*)›|(?P<gap>□)|"
    r"(?P<space>[ \u3000])|(?P<named>&\w+;|⿰..)")


def witness(name: str, line: str) -> Document:
    """Read a witness in the short notation."""
    chapters = tuple(
        Division(kind="pian", n=str(n), items=tuple(
            Division(kind="section", items=tuple(_blocks(part))) for part in chapter.split("//")
        ))
        for n, chapter in enumerate(line.split("##"), 6)
    )
    return number(Document(id=name, divisions=chapters))


def _blocks(part: str) -> Iterator[Any]:
    for piece in part.split("|"):
        words, *notes = re.split(r"[()]", piece)
        if words:
            yield Paragraph(content=(Unit(content=content(words)),))
        for note in filter(None, notes):
            resp, introduction, text = note.split(":")
            label = (Span(role="attribution", content=(introduction,)),) if introduction else ()
            yield Note(content=(*label, *content(text)), resp=resp, subtype="zhu", place="block")


def content(text: str) -> Content:
    """Read mixed content in the short notation."""
    out: list[Any] = []
    at = 0
    for found in INLINE.finditer(text):
        blank = found["space"] == " " and beside_letters(text[:found.start()][-1:], text[found.end():][:1])
        out += [text[at:found.start()], " " if blank else _special(found)]
        at = found.end()
    joined: list[Any] = []
    for item in (*out, text[at:]):
        if isinstance(item, str) and joined and isinstance(joined[-1], str):
            joined[-1] += item
        elif item != "":
            joined.append(item)
    return tuple(joined)


def _special(found: re.Match[str]) -> Any:
    if found["note"] is not None:
        return Note(content=content(found["note"]), kind="gloss", rend="【】")
    if found["gap"]:
        return Gap(reason="blank", rend="□")
    if found["space"]:
        return Space(text=found["space"])
    if found["named"]:
        return Glyph(code=found["named"])
    first, sign, second = re.split(r"([→=+])", found["special"], maxsplit=1)
    if sign == "→":
        return Correction(sic=first, corr=second)
    return Glyph(code=first, standard=second) if sign == "=" else Supplied(text=second)


def edition(
    witnesses: Sequence[Document], root: Path = Path("nowhere"), base: str = ""
) -> tuple[Document, tuple[Finding, ...]]:
    """Collate witnesses, the first of them (or `base`) as base."""
    names = tuple(each.id for each in witnesses)
    lead = base or names[0]
    has = [chapter.n for each in witnesses if each.id == lead for chapter in each.chapters()] or ["6"]
    chapters = tuple(ChapterPlan(n=int(n), title="燕礼", base=lead, witnesses=names) for n in has)
    plan = EditionPlan(id="e", kind="critical", title="e", work="w", chapters=chapters)
    licence = Licence(name="none")
    project = Project(title="t", publisher="p", editors=(), date="2026-11-20", licence=licence)
    catalog = Catalog(root=root, project=project, sources={}, works={}, persons={}, editions={"e": plan}, lists=LISTS)
    return collate(plan, {each.id: each for each in witnesses}, catalog)


def shown(document: Document) -> str:
    """Write units and notes of an edition, each with its entries."""
    return "\n".join(line for division in document.divisions for line in _lines(division))


def _lines(division: Division) -> Iterator[str]:
    for item in walk(Document(id="", divisions=(division,))):
        if isinstance(item, (Unit, Note)):
            name = item.id.removeprefix("e.")
            speaker = f" {item.resp}" if isinstance(item, Note) and item.resp else ""
            yield f"{name}{speaker} [{' '.join(item.sources)}] {words(item.content)}"
            yield from _entries(item.content, "  ")


def words(content: Content) -> str:
    """Write content with lemmata only; notes inside it as 【】."""
    out = ""
    for item in content:
        match item:
            case str():
                out += item
            case App():
                out += words(item.lemma.content)
            case Note():
                out += f"【{words(item.content)}】"
            case Gap():
                out += "□"
            case Glyph():
                out += item.standard or "〓"
            case Correction():
                out += f"‹{item.sic}→{item.corr}›"
            case Supplied():
                out += f"‹+{item.text}›"
            case Space():
                out += "␠"
            case Span():
                out += words(item.content)
    return out


def _entries(content: Content, indent: str) -> Iterator[str]:
    for item in content:
        if isinstance(item, Span):
            yield from _entries(item.content, indent)
        if not isinstance(item, App):
            continue
        sign = {"move": "↔ ", "attribution": "« ", "accidental": "· ", "continued": "… ", "variant": ""}[item.kind]
        again = f" = {item.same_as.removeprefix('e.')}" if item.same_as else ""
        lemma, *rest = (_reading(each) for each in (item.lemma, *item.readings))
        yield f"{indent}{sign}{lemma} ] {'; '.join(rest)}{again}"
        for note in item.notes:
            yield f"{indent}  按 {words(note.content)}"
        for reading in (item.lemma, *item.readings):
            yield from _entries(reading.content, indent + "  ")


def _reading(reading: Reading) -> str:
    parts = [words(reading.content) or "–", *reading.witnesses]
    parts += [f"({reading.variant}{' ' + reading.source if reading.source else ''})"] if reading.variant else []
    parts += [f"@{reading.target.removeprefix('e.')}"] if reading.target else []
    return " ".join(parts)


GRAPHS = "小臣戒与者宾賔升自西阶再拜稽首公答辩遍县悬说脱于於坐取觯觚兴弦"
SPECIAL = ("【某本作某】", "‹久→人›", "‹久→›", "‹\ue14b=弦›", "‹+弦›", "□", "\u3000", "【】")


def witness_sets() -> st.SearchStrategy[list[Document]]:
    """Make two to five witnesses of one text: substitutions, omissions, additions, moves, fragments, half changed."""
    return st.randoms(use_true_random=False).map(witness_set)


def witness_set(chance: random.Random) -> list[Document]:
    """Make one such set."""
    text = "".join(_graphs(chance) for _ in range(chance.randint(1, chance.choice((2, 6)))))
    notes = [_graphs(chance) for _ in range(chance.randint(0, chance.choice((1, 4))))]
    return [_copy(chance, name, text, notes) for name in "abcde"[: chance.randint(2, 5)]]


def _graphs(chance: random.Random) -> str:
    return "".join(chance.choices(GRAPHS, k=chance.choice((chance.randint(1, 6), chance.randint(1, 30)))))


def _copy(chance: random.Random, name: str, text: str, notes: list[str]) -> Document:
    """One copy of a text, with its own units and notes."""
    words = _changed(chance, text) or "无"
    if chance.random() < 0.5:
        at = chance.randint(0, len(words))
        words = words[:at] + chance.choice(SPECIAL) + words[at:]
    cuts = sorted({chance.randint(1, max(1, len(words) - 1)) for _ in range(chance.randint(0, 5))})
    cuts = [at for at in cuts if not re.search("[【‹][^】›]*$", words[:at])]
    units = [words[i:j] for i, j in zip([0, *cuts], [*cuts, len(words)], strict=True) if words[i:j]]
    blocks: list[Any] = []
    for n, unit in enumerate(units):
        blocks.append(Paragraph(content=(Unit(content=content(unit)),)))
        if n < len(notes) and chance.random() < 0.5:
            blocks.append(_note(chance, notes[n]))
        if notes and chance.random() < 0.1:
            blocks.append(_note(chance, chance.choice(notes)))
    at = chance.randint(0, len(blocks)) if chance.random() < 0.3 else 0
    sections = [Division(kind="section", items=(*_head(chance), *each)) for each in (blocks[:at], blocks[at:]) if each]
    return number(Document(id=name, divisions=(Division(kind="pian", n="6", items=tuple(sections)),)))


def _head(chance: random.Random) -> tuple[Any, ...]:
    return (Head(content=content("燕礼" + chance.choice(("", "", "第六", *SPECIAL)))),) if chance.random() < 0.1 else ()


def _note(chance: random.Random, text: str) -> Note:
    """A note: of words, of words with something in it, or of nothing but that."""
    said = _changed(chance, text) or "也"
    if chance.random() < 0.3:
        at = chance.randint(0, len(said))
        said = chance.choice((said[:at] + chance.choice(SPECIAL) + said[at:], chance.choice((*SPECIAL, "。", ""))))
    label = (Span(role="attribution", content=(chance.choice(["注曰", "郑曰"]),)),) if chance.random() < 0.5 else ()
    resp = chance.choice(("zhengxuan", "zhengxuan", "zhengxuan", "jiagongyan", ""))
    return Note(content=(*label, *content(said)), resp=resp, subtype="zhu")


def _changed(chance: random.Random, text: str) -> str:
    """Change a text as scribes do."""
    for kind in chance.choices(["swap", "drop", "add", "move", "point", "half"], k=chance.randint(0, 5)):
        at = chance.randint(0, len(text))
        end = min(len(text), at + chance.randint(1, 12))
        if kind == "swap":
            text = text[:at] + _graphs(chance)[:2] + text[at + 2:]
        elif kind == "drop":
            text = text[:at] + text[end:]
        elif kind == "add":
            text = text[:at] + _graphs(chance) + text[at:]
        elif kind == "move":
            rest = text[:at] + text[end:]
            to = chance.randint(0, len(rest))
            text = rest[:to] + text[at:end] + rest[to:]
        elif kind == "half":
            text = "".join(graph if n % 2 else chance.choice(GRAPHS) for n, graph in enumerate(text))
        elif kind == "point":
            text = text[:at] + chance.choice(["，", "。", "“", "”"]) + text[at:]
    return text


def marks(document: Document) -> list[Mark]:
    """Return all marks of an edition."""
    return [item for item in walk(document) if isinstance(item, Mark)]
