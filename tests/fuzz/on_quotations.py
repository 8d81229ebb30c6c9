"""Comments that may quote one another's texts: whatever is found stands where it is said to, however it is sought.

The law: ranges lie in their texts, and the words there are those that are told; a table of them is read as it was
written; with few rows sought at a time, and texts asked one by one, the same is found.
"""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from unittest.mock import patch

from jiaokan.annotate.identifiers import number
from jiaokan.annotate.index import Index
from jiaokan.characters.parallels import is_word
from jiaokan.model import Division, Document, Note, Paragraph, Span, Unit
from jiaokan.model.pointers import Range
from jiaokan.proposals import lay
from jiaokan.proposals.quotations import Quotation, quotations
from tests.fuzz import text, words

NAME = "quotations"
GRAPHS = "主人就东阶宾西面北上设席加几无尊饮酒俟于房司宫具与蒲筵常缁布纯再拜稽首受爵降升"
CUES = words("云 曰 所谓 记云 又云 上云 下文云 经云 此云 注云 疏云 郑云 郑注云 “ 「 ” 」 《 》 。 案 是也 礼 之文 者")
TITLES = words("燕礼 公食大夫礼 士昏礼 卷一 序 公食 射")
SPEAKERS = {"zhengxuan": ("郑玄", "郑康成"), "jia": ("贾",)}


def made(chance: random.Random) -> str:
    """As JSON: texts, each of chapters with title and units, each with words and comments in pieces."""
    pool = ["".join(chance.choices(GRAPHS, k=chance.randint(3, 24))) for _ in range(chance.randint(1, 6))]

    def said(pieces: int) -> str:
        return "".join(_piece(chance, pool) for _ in range(chance.randint(0, pieces)))

    return json.dumps([[[chance.choice((*TITLES, *TITLES, text(chance))),
                         [[said(3), [[said(6), chance.choice(("", "zhengxuan", "jia")), chance.choice((0, 0, 0, 1, 2))]
                                     for _ in range(chance.randint(0, 3))]]
                          for _ in range(chance.randint(1, 4))]]
                        for _ in range(chance.randint(1, 3))] for _ in range(chance.randint(1, 4))],
                      ensure_ascii=False)


def _piece(chance: random.Random, pool: list[str]) -> str:
    kind = chance.random()
    if kind < 0.45:
        words = chance.choice(pool)
        start = chance.randrange(len(words))
        return words[start:] if chance.random() < 0.5 else words
    if kind < 0.75:
        return chance.choice((*CUES, *TITLES))
    return text(chance) if kind < 0.85 else "".join(chance.choices(GRAPHS, k=chance.randint(1, 9)))


def documents(given: str) -> list[Document]:
    """Return the texts of an input."""
    return [number(Document(id=f"t{n}", divisions=tuple(
        Division(kind="pian", n=str(m), title=title, items=tuple(
            Paragraph(content=(Unit(content=(words,)), *map(_note, notes))) for words, notes in units
        )) for m, (title, units) in enumerate(chapters, 1)))) for n, chapters in enumerate(json.loads(given))]


def _note(said: tuple[str, str, int]) -> Note:
    words, resp, marked = said
    if marked and len(words) > 1:
        role = "attribution" if marked == 1 else "title"
        return Note(content=(Span(role=role, content=(words[:2],)), words[2:]), resp=resp)
    return Note(content=(words,), resp=resp)


def hold(given: str) -> None:
    """What is found is there, is read as it was written, and is found otherwise, too."""
    texts = documents(given)
    found = quotations(texts, SPEAKERS)
    said = {key: words for each in texts for key, words in Index.of(each).texts.items()}
    for each in (one for some in found.values() for one in some):
        assert _graphs(said, each.here) == each.words, each
        assert "".join(_graphs(said, place) for place in each.source) == (each.source_words or each.words), each
        assert all(_graphs(said, place) for place in each.also), each
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "quotations.tsv"
        path.write_bytes(lay.quotation_table(found))
        assert lay.read(path) == tuple(_each(found))
    with patch("jiaokan.proposals.quotations.ASKED", 1):
        assert quotations(texts, SPEAKERS) == found
    alone = quotations(texts[:1], SPEAKERS)
    assert set(alone) == {texts[0].id}


def _each(found: dict[str, tuple[Quotation, ...]]) -> list[Quotation]:
    return [one for some in found.values() for one in some]


def _graphs(said: dict[str, str], place: Range) -> str:
    words = said[place.id][place.offset : place.offset + place.length]
    assert len(words) == place.length > 0, place
    return "".join(filter(is_word, words))
