"""Entries in words: the 校勘記 of the tradition, and the form ``lemma ] reading sigla``.

The only place where they are worded: plain exports print `sentence`, the stylesheets its parts as ``told.py`` hands
them over. Wording as 阮元's 十三经注疏校勘记 and the modern 校勘記 have it: 「賔」，本义作「宾」。本义无「酬」字。
本义「升」下有「自」字。「再拜」，本义二字倒。通解阙「弦」字。「爵」，注疏误作「受」。
「日」，集编作「曰」，底本误。
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.entries import Entry, Move, Said
from pipeline.entries.slips import slip
from pipeline.model.numerals import by_places, written
from pipeline.model.words import alphabetic, words

Sigla = Mapping[str, str]
STOPS = ("。", "！", "？", "」", "』")
"""Signs after which a remark needs no 。."""
_WHOLE, _ENDS = 12, 4
"""A passage of up to 12 characters is quoted whole, a longer one by 4 at each end, so that an entry keeps to a line at
the foot of a page. With more, entries of several lines push the text off its page; with fewer, the ends of different
passages look alike."""


def number(n: int) -> str:
    """Give the number of an entry as print has it: 12 → 〔一二〕."""
    return f"〔{by_places(n)}〕"


def shorten(text: str) -> str:
    """Give a long passage by its beginning and end: 小臣戒与…再拜稽首; of words of an alphabet, if more than four."""
    if alphabetic(text):
        parts = text.split()
        return " ".join(parts if len(parts) <= _ENDS else [*parts[:2], "…", *parts[-2:]])
    return text if len(text) <= _WHOLE else f"{text[:_ENDS]}…{text[-_ENDS:]}"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a text inside a sentence: they keep their script, and print emphasises them."""

    words: str
    """Already shortened."""

    def __str__(self) -> str:
        return f"「{self.words}」"


@dataclass(frozen=True, slots=True)
class Siglum:
    """A witness named inside a sentence."""

    id: str
    name: str

    def __str__(self) -> str:
        return self.name


Part = str | Quote | Siglum
"""A sentence is a row of these; ``"".join(map(str, …))`` is its text."""


def sentence(entry: Entry, sigla: Sigla) -> str:
    """Give the 校勘记 of one entry, ending in 。 and followed by 存疑, 下同 or 同前 where that is so.

    `sigla` gives each witness's printed name, and the name of each who conjectures; one that it lacks is named by
    its id. 存疑: the editor leaves the place open; 同前, 下同: the entry repeats another, or is repeated.
    """
    return "".join(map(str, body(entry, sigla))) + "".join(f"{mark}。" for mark in marks(entry))


def marks(entry: Entry) -> tuple[str, ...]:
    """Give what follows the sentence of an entry: 存疑; 同前 or 下同."""
    again = "同前" if entry.same_as else "下同" if entry.repeated else ""
    return tuple(filter(None, ("存疑" if entry.lemma.cert == "low" else "", again)))


def comments(entry: Entry) -> tuple[str, ...]:
    """Give each remark of the editor on an entry as print introduces it: 按：郑注引古文亦作「爵」"""
    return tuple(f"按：{note}" for note in entry.notes)


def remarks(entry: Entry) -> str:
    """Give what the editor says of an entry as sentences: 按：郑注引古文亦作「爵」。"""
    return "".join(f"{each}{'' if each.endswith(STOPS) else '。'}" for each in comments(entry))


def body(entry: Entry, sigla: Sigla) -> tuple[Part, ...]:
    """Give the sentence of an entry in its parts, with the 。 at its end; `sigla` as for `sentence`."""
    return (*_said(entry, sigla), "。")


def _said(entry: Entry, sigla: Sigla) -> list[Part]:
    lemma, readings = entry.lemma, _alike(entry.readings)
    if not lemma.edited:
        return _listed("；", [_added(entry, each, sigla) for each in readings])
    changed = [each for each in readings if each.words and not each.lost]
    told = [_emended(lemma, sigla)] if shorten(lemma.words) != shorten(lemma.edited) else []
    told += [_other(lemma, each, sigla) for each in changed]
    told += [["底本误"]] if any(slip(lemma, each) == "lemma" for each in changed if each.witnesses) else []
    parts = [[_quoted(lemma.edited), "，", *_listed("，", told)]] if told else []
    for each in readings:
        if each not in changed:
            parts.append(_lacking(lemma, each, sigla, first=not parts))
    return _listed("，", parts)


def _listed(sign: str, members: Iterable[Sequence[Part]]) -> list[Part]:
    """Put members one after the other with a sign between them."""
    made: list[Part] = []
    for each in members:
        made += [sign, *each] if made else each
    return made


def _alike(readings: Sequence[Said]) -> list[Said]:
    """Join readings or conjectures, side by side, that say the same: 本义、今文作「觚」."""
    made: list[Said] = []
    for each in readings:
        last = made[-1] if made else None
        if last and (bool(last.witnesses), last.words, last.variant, last.note) == (
            bool(each.witnesses), each.words, each.variant, each.note
        ):
            both = f"{last.resp} {each.resp}".strip()
            made[-1] = replace(last, witnesses=(*last.witnesses, *each.witnesses), resp=both)
        else:
            made.append(each)
    return made


def _emended(lemma: Said, sigla: Sigla) -> list[Part]:
    """What the witnesses of the lemma print where the editor corrected or supplied it: 原作「鱓」, 原阙."""
    was: list[Part] = ["原作", _quoted(lemma.words)] if lemma.legible else ["原阙"]
    return [*_names(lemma, sigla), *was]


def _other(lemma: Said, each: Said, sigla: Sigla) -> list[Part]:
    """What a witness reads for the lemma's words: 作「宾」, 误作「受」; in another order: 二字倒."""
    if each.witnesses and _swapped(lemma, each):
        turned: list[Part] = ["二字倒"] if len(each.words) == 2 else ["倒作", _quoted(each.words)]
        return [*_names(each, sigla), *turned]
    wrong = "误作" if slip(lemma, each) == "reading" and each.words != lemma.edited else "作"
    return [*_names(each, sigla), wrong if each.witnesses else "以为当作", _quoted(each.words)]


def _swapped(lemma: Said, each: Said) -> bool:
    """Whether a reading is the lemma's own characters in another order."""
    return each.variant == "transposition" and sorted(each.words) == sorted(lemma.edited)


def _lacking(lemma: Said, each: Said, sigla: Sigla, *, first: bool) -> list[Part]:
    """Who lacks the words of the lemma: 通解无「弦」字, after another statement 通解无此字; 以为衍; 移置他处."""
    if not each.witnesses or each.variant == "transposition":
        quoted: list[Part] = [_quoted(lemma.edited), "，"] if first else []
        return [*quoted, *_names(each, sigla), "移置他处" if each.witnesses else "以为衍"]
    size = _unit(lemma.edited)
    what: list[Part] = [_quoted(lemma.edited), size] if first else [f"此{size.removeprefix('凡')}"]
    return [*_names(each, sigla), "阙" if each.lost else "无", *what]


def _added(entry: Entry, each: Said, sigla: Sigla) -> list[Part]:
    """What a witness has where the lemma has nothing: 「升」下有「自」字, 句首有「自」字; or a whole note."""
    names = _names(each, sigla)
    where: list[Part] = [_quoted(entry.last_word), "下"] if entry.last_word else ["句首"]
    if not each.witnesses:
        return [*where, "，", *names, "以为当有", _quoted(each.words)]
    if each.note:
        return [*names, "有", _quoted(each.note), "一条"]
    if entry.lemma.note:
        return [*names, "阙" if each.lost else "无", _quoted(entry.lemma.note), "一条"]
    if not each.words:
        return [*names, "此处阙"] if each.lost else [*names, *where, "无字"]
    return [*names, *where, "有", _quoted(each.words), _unit(each.words)]


def _names(each: Said, sigla: Sigla) -> list[Part]:
    """Sigla of the witnesses of a reading, as one name of a list: 集编、通解; of a conjecture, who made it."""
    names: list[Part] = [Siglum(name, sigla.get(name, name)) for name in each.witnesses]
    return _listed("、", [[name] for name in names or [sigla.get(name, name) for name in each.resp.split()]])


def _quoted(text: str) -> Quote:
    return Quote(shorten(text))


def _unit(text: str) -> str:
    """字 for one character, 二字 for two, 凡二十三字 for a passage that is quoted shortened; of an alphabet 词."""
    if alphabetic(text):
        count = len(words(text))
        return "词" if count == 1 else f"{numeral(count)}词"
    count = sum(not _sign(each) for each in text)
    if count <= 1:
        return "字"
    return f"{'凡' if len(text) > _WHOLE else ''}{numeral(count)}字"


def numeral(n: int) -> str:
    """Give a whole number in Chinese numerals, as ``f:hanzi`` of ``xslt/lib/labels.xsl``; from 10,000 on in digits.

    `n` counts characters: it is not below zero.
    """
    return written(n) if n else "零"


def _sign(char: str) -> bool:
    """Whether a character is a mark of punctuation, not a graph."""
    return not (char.isalnum() or ord(char) > 0xFFFF or "\ue000" <= char <= "\uf8ff" or char in "〓□")


def moved(move: Move, sigla: Sigla) -> str:
    """Give the 校勘記 of a moved passage: 「燕朝服于寝」以下，本义在 6.1.1 之次。"""
    names = "、".join(sigla.get(name, name) for name in move.witnesses)
    reference = move.target.partition(".")[2]
    where = f"在 {reference} 之次" if reference else "在他处"
    return f"「{move.words}」以下，{names}{where}。"


def transposed(move: Move, sigla: Sigla) -> str:
    """Give a moved passage as ``燕朝服于寝… ] tr. ad 6.1.1 本义``."""
    names = " ".join(sigla.get(name, name) for name in move.witnesses)
    return f"{move.words}… ] tr. ad {move.target.partition('.')[2] or 'alium locum'} {names}"


def formula(entry: Entry, sigla: Sigla) -> str:
    """Give an entry as ``賔 ] 宾 本义; om. 通解``; om., add., lac., tr. as editions of the classics have them."""
    return "".join(part.words if isinstance(part, Quote) else str(part) for part in terms(entry, sigla))


def terms(entry: Entry, sigla: Sigla) -> tuple[Part, ...]:
    """Give the `formula` of an entry in its parts: words of the texts, sigla, and what is between them."""
    lemma = entry.lemma.edited or (entry.lemma.note and f"[{entry.lemma.note}]")
    head: list[Part] = [Quote(shorten(lemma) if lemma else entry.last_word or "⌜")]
    if shorten(entry.lemma.words) != shorten(entry.lemma.edited):
        head += [" (", Quote(shorten(entry.lemma.words)), " ", *_sigla(entry.lemma, sigla), ")"]
    return (*head, " ] ", *_listed("; ", [_term(entry, each, bool(lemma), sigla) for each in entry.readings]))


def _term(entry: Entry, each: Said, present: bool, sigla: Sigla) -> list[Part]:
    names = _sigla(each, sigla) or [f"coni. {sigla.get(each.resp, each.resp)}"]
    text = shorten(each.words) if each.words else (each.note and f"[{each.note}]")
    if each.lost:
        return ["lac. ", *names]
    if not text:
        return ["tr. " if each.variant == "transposition" else "om. ", *names]
    if not present:
        return ["add. ", Quote(text), " ", *names]
    return [*(["tr. "] if _swapped(entry.lemma, each) else []), Quote(text), " ", *names]


def _sigla(each: Said, sigla: Sigla) -> list[Part]:
    return _listed(" ", [[Siglum(name, sigla.get(name, name))] for name in each.witnesses])
