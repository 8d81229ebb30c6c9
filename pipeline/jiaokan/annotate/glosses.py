"""Words that notes explain: lemmata (云“…”者, 云…者, X犹…, X谓…) and phonetic glosses (AB反, AB切, X音Y, X读若Y).

A lemma points to its words in the unit, or in the 注, that the note is on. Without quotation marks, words are a lemma
only if the text commented on has them.

反 also means to return, 切 to cut, 音 music. A gloss is recognised by its form (《经典释文》条例; 王力《汉语音韵学》):
it names its word, or follows it or another gloss; it is a clause of its own, or another gloss or a remark on its scope
(下同) follows; and A spells initials (``spellers.tsv``). Where the clause continues, the note must be about its word,
and A and B cannot be a phrase before a verb 反 (自卫反鲁). Inside a sentence the note must gloss other words too or
come back to this one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from jiaokan.annotate.index import FoundSpan, Index, find_words, mark_notes, own_rows, search_form, to_simplified
from jiaokan.model import Document, Note, Role, Span
from jiaokan.model.pointers import Range

_QUOTED = re.compile("(?P<lead>[云言知引]|^|经云|[。,;]而云)[“「](?P<lemma>[^“”「」]+)[”」](?P<after>者|以下|也)?")
"""Words in quotation marks that a comment may take up: after a word of speech, 引, 知, or at the beginning."""
_SIGN = re.compile("[“「云雲犹猶谓謂]")
"""Any comment with a lemma has one of these, in either script; tested first for speed."""
_PLAIN = re.compile("云(?P<lemma>[^云“”「」\\s　]{1,40}?)者(?!,?(?:\\w{2,3}以为)?字之?误)")
"""云…者 without quotation marks, but not 云东者字误也, which is a remark on the text."""
_GLOSS = re.compile("[,，]?(?P<verb>犹|谓(?!之|..为))")
"""Verbs that explain a word: 犹, and 谓 but not 谓之, 谓某为 (洪诚《训诂学》on 犹, 谓, 谓之)."""
_LIKENED = re.compile("犹(?:[言云].|(?![在用必为有无以使欲若可当])[^不未]{1,6}也)")
"""犹 that compares words; otherwise it means "still"."""
_SHORT = re.compile("犹.{1,2}也")
"""犹 that compares a word with one or two others: X犹Y也."""
_NO_WORD = frozenset("所者之也而皆亦其曰此是")
"""Particles and pronouns: nobody explains them with 犹 or 谓 without saying that they are words (之字)."""
_PHRASE = re.compile("[^\\s　。，,;；:：“”「」○]{1,12}$")
"""The words before 犹 or 谓 up to a stop, at most twelve: the longest end of them that the text has is the lemma."""
_BREAK = re.compile("(?:^|[也者矣焉耳。,;○　\\s])$")
"""Before the beginning of a sentence: a final particle, a stop, or nothing."""


@dataclass(slots=True)
class Texts:
    """The texts that a note comments on, by id, and the end of its last lemma in each."""

    base: tuple[tuple[str, str], ...]
    zhu: tuple[tuple[str, str], ...]
    reached: dict[str, int] = field(default_factory=dict)
    """By id, the end of the last lemma: a comment follows its text in order."""

    def find(self, lemma: str) -> Range | None:
        """Return the place of a lemma in the first text that has it: the next there, else the first."""
        for name, text in (*self.base, *self.zhu):
            if places := find_words(text, lemma):
                done = self.reached.get(name, 0)
                return Range(name, *next((place for place in places if place[0] >= done), places[0]))
        return None

    def take(self, lemma: str) -> str:
        """Return the pointer to a lemma and move on behind it; empty if no text has it."""
        if place := self.find(lemma):
            self.reached[place.id] = place.offset + place.length
            return str(place)
        return ""

    def nearly(self, lemma: str) -> str:
        """Return the id of a text that has most of a lemma in a row (a slip in quoting); empty if none has."""
        sought = search_form(lemma)
        if len(sought) <= 3:
            return ""
        most = max(3, len(sought) * 3 // 5)
        parts = {sought[at : at + most] for at in range(len(sought) - most + 1)} | {sought[:3]}
        texts = ((name, search_form(text)) for name, text in (*self.zhu, *self.base))
        return next((name for name, text in texts if any(part in text for part in parts)), "")


def mark_lemmata(document: Document, index: Index | None = None) -> Document:
    """Return a numbered document with its lemmata marked, each pointing to its words; `index` is the document's."""
    known = index or Index.of(document)
    cached: dict[str, Texts] = {}

    def find(note: Note, text: str) -> list[FoundSpan]:
        if note.kind != "commentary" or not _SIGN.search(text):
            return []
        if note.id not in cached:
            zhu = [known.notes[note.target]] if note.target in known.notes else []
            zhu += [other for other in known.comments(note) if other not in zhu] if note.subtype == "shu" else []
            base = tuple((anchor, known.texts[anchor]) for anchor in known.anchors(note))
            others = tuple((other.id, known.texts[other.id]) for other in zhu if other.id != note.id)
            cached[note.id] = Texts(base, others)
        texts, quoted = cached[note.id], "“" in text or "「" in text
        lemmata: list[tuple[int, int, str]] = []
        for match in (_QUOTED if quoted else _PLAIN).finditer(to_simplified(text)):
            lemma = text[match.start("lemma") : match.end("lemma")]
            formal = quoted and (match["after"] == "者" or not match["lead"])
            if target := texts.take(lemma) or (texts.nearly(lemma) if formal else ""):
                lemmata.append((match.start("lemma") - quoted, match.end("lemma") + quoted, target))
        if not (quoted and note.subtype == "shu"):
            glosses = _find_glosses(text, texts)
            lemmata += [gloss for gloss in glosses
                        if all(gloss[1] <= start or gloss[0] >= end for start, end, _ in lemmata)]
        return [FoundSpan(start, end, Span(role="lemma", content=(), target=to)) for start, end, to in sorted(lemmata)]

    return mark_notes(document, find, "lemma")


def _find_glosses(text: str, texts: Texts) -> list[tuple[int, int, str]]:
    """Find X犹Y也 and X谓Y; X is the longest end of the words since the last 犹 or 谓 that the text has. A single
    character counts only at the beginning of a sentence, or where 犹 compares it with one or two."""
    glosses: list[tuple[int, int, str]] = []
    done = 0
    plain = to_simplified(text)
    for match in _GLOSS.finditer(plain):
        phrase = _PHRASE.search(text[done : match.start()])
        if phrase is None or (match["verb"] == "犹" and not _LIKENED.match(plain, match.start("verb"))):
            continue
        starts = range(done + phrase.start(), match.start())
        start = next((n for n in starts if texts.find(text[n : match.start()])), None)
        if start is None or text[start : match.start()] in _NO_WORD:
            continue
        alone = match.start() - start == 1 and not _SHORT.match(plain, match.start("verb"))
        if not alone or _BREAK.search(text[:start]):
            glosses.append((start, match.start(), texts.take(text[start : match.start()])))
            done = match.end()
    return glosses


_WORD = r"[^\s　。,、;:?!“”‘’《》()<>○]"
"""A character of a word: no white space, punctuation, quotation mark, bracket or ○."""
_STOP = r"[\s　○。,、;:?!】〉）)”’」]"
"""White space, ○, punctuation, a closing bracket or quotation mark: a clause has ended."""
_REACH = (
    "(?:[下后注]?(?:皆|并|及[下注后])?[下后注]?同|余同|(?:[下后注]|篇内)(?:文|篇|章)?[皆并放]"
    "|本[又亦或]?作|又作|俗作|亦作|或作|[又或]如字|如字)"
)
"""Additions of 释文 to a gloss: where else it is valid, how else the word is written (《经典释文》条例)."""
_STOPPED = re.compile(rf"(?:^|{_STOP}|[〈（(【“「])$")
"""Before the glossed word: the note begins, or a clause has ended."""
_BEGINS = re.compile("[也矣焉耳]$|(?:[又一或旧并]|又作|释文|[刘徐沈郭])$")
"""The same, less surely: a sentence has ended, another gloss goes on (又, 一), or a source of sounds is named."""
_VERBAL = frozenset("乃遂复既将欲皆亦不必未则而即俱各还往来之其相以")
"""B before 反 as a verb: adverbs, negations and pronouns (王力《古代汉语》; 马建忠《马氏文通》卷六 状字)."""
_FINALS = frozenset("既来之俱")
"""Those of them with which 广韵 also spells finals; the note must mention the word before and after the gloss."""
_FROM = frozenset("自由从在以与及为之其此是而乃遂则所")
"""A in a phrase before a verb 反: prepositions, pronouns and conjunctions (《马氏文通》卷七 介字, 卷八 连字)."""
_WHENCE = frozenset("自由")
"""A that before a place and 反 is always the preposition: 自卫反. As a speller 自 is rare even in 广韵."""
_OBJECT = frozenset("之于其而乎此者也以位命国哭")
"""Objects or complements of a verb 反 or 切: 反之, 反于鲁, 反命, 反者 (《马氏文通》卷四 止词, 卷七 于)."""
_PARTICLES = frozenset("之而以其于於为有在即则自所是与如无将上也此曰者谓注不")
"""Words that no note is about."""
_SOUND_SIGN = re.compile("[反切音读讀声聲字]")
"""Any gloss has one of these, in either script; tested first for speed."""
_AGAIN = "又旧古并叶"
"""Before 音 where it gives a further reading: 又音, 旧音, 古音, 并音, 叶音."""
_NO_SOUND = "(?![之乐声律调节义而可所者])"
"""After 音 where it means music (音乐, 音声, 音律, 音节; 《周礼·大师》注) or begins a phrase (音之, 音义)."""
_MUSIC = "(?<![声八五六乐宫商角徵征羽同之其])"
"""Before 音 where it means music or sound itself: 声音, 八音, 乐音, 同音, 某之音, and the notes 宫商角徵羽."""
_OUTSIDE = frozenset("也矣者谓曰注疏郑陆")
"""Before 读 or 音: not the glossed word but the end of a sentence, or the person who reads it so."""


@cache
def _spellers() -> str:
    return f"[{''.join(sorted(set(to_simplified(''.join(row[1] for row in own_rows('spellers', 2))))))}]"


@cache
def _ends() -> re.Pattern[str]:
    """Return the pattern of what ends the clause of a gloss: a stop, or another gloss (释文 adds sounds of 刘昌宗,
    徐邈, 沈重, 郭璞: 序录)."""
    gloss = rf"(?:[又一或旧]?音{_WORD}|{_WORD}音{_WORD}|{_WORD}{{2}}音{_WORD}{{2}}|{_WORD}?{_spellers()}{_WORD}[反切])"
    return re.compile(rf"{_STOP}|$|{gloss}|{_REACH}|[非亦]|[又一或]{_WORD}{{2}}[反切]|[又一或]音|[刘徐沈郭]{_WORD}")


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern of all glosses; group ``x`` is the glossed word."""
    fanqie = rf"(?P<fanqie>{_spellers()}(?!氏){_WORD}[反切])"
    same = rf"(?:(?P<by>依注|[一又旧古并]|陆氏|叶韵?|协韵)音|{_MUSIC}音){_NO_SOUND}(?P<y>{_WORD})"
    known = rf"{_WORD}{{0,8}}?(?P<q>{_WORD}){_WORD}{{0,8}}?之(?P=q)|{_WORD}{{1,9}}?之(?P=x)"
    phrase = rf"[如为](?:{known})|(?P<v>[若如])今之(?P=v)"
    read = rf"读(?:{phrase}|[若如曰为]{_WORD}(?=[\s　○。,也非同]|$|{_WORD}{_WORD})|与{_WORD}同)|音义[如同]{_WORD}"
    tone = rf"(?:读|^{_WORD})[平上去入]声$|读[平上去入]声|读如字|^如字$"
    return re.compile(rf"(?P<x>{_WORD})?(?:{fanqie}|(?P<duruo>(?P<same>{same})|{read}|{tone}))")


def mark_phonetics(document: Document, index: Index | None = None) -> Document:
    """Return a numbered document with its phonetic glosses marked, each with its word if that is certain."""
    index = index or Index.of(document)

    def find(note: Note, text: str) -> list[FoundSpan]:
        if not _SOUND_SIGN.search(text):
            return []
        plain = to_simplified(text)
        base = to_simplified("".join(index.base[anchor] for anchor in index.anchors(note)))
        glosses: list[FoundSpan] = []
        done = 0
        for match in _pattern().finditer(plain):
            role: Role = "fanqie" if match["fanqie"] else "duruo"
            begins, known = match.start() == done, bool(match["x"]) and search_form(match["x"]) in base
            if match["same"] and not _sounds(plain, match, begins, known):
                continue
            if role == "fanqie" and not _spells(plain, match, begins, len(glosses) > 0, base):
                continue
            worded = match["x"] and match["x"] not in _OUTSIDE and (known or begins or role == "duruo")
            start = match.start("x") if worded else match.start(role)
            glosses.append(FoundSpan(start, match.end(), Span(role=role, content=())))
            done = match.end()
        return glosses

    return mark_notes(document, find, "fanqie", "duruo")


def _spells(text: str, match: re.Match[str], begins: bool, glossed: bool, base: str) -> bool:
    """Whether AB反 is a gloss; `begins`: it opens the text or follows a gloss; `glossed`: the text has one already."""
    a, b = match["fanqie"][0], match["fanqie"][1]
    word, before, after = match["x"] or "", text[: match.start()], text[match.end() :]
    if match["fanqie"] in base or after[:1] in _OBJECT or a in _WHENCE:
        return False
    stopped = begins or any(_STOPPED.search(words) for words in (before, before + word))
    opens = stopped or any(_BEGINS.search(words) for words in (before, before + word))
    closes = bool(_ends().match(after))
    known = bool(word) and (word in base or text.count(word) > 1)
    if opens and closes:
        return b not in _VERBAL or (known and a not in _FROM)
    spoken_of = bool(word) and word in after and (word in before or word in base)
    if (b in _VERBAL and not (b in _FINALS and spoken_of)) or a in _FROM:
        return False
    if closes or stopped:
        return known and word not in _PARTICLES
    return (glossed and opens) or (known and word not in _PARTICLES and (word in after or glossed))


def _sounds(text: str, match: re.Match[str], begins: bool, known: bool) -> bool:
    """Whether X音Y is a gloss: it is a clause of its own, or the note is about X."""
    word, before, after = match["x"] or "", text[: match.start()], text[match.end() :]
    closes = bool(_ends().match(after)) or after[:1] == "也"
    opens = begins or any(pattern.search(before) for pattern in (_STOPPED, _BEGINS))
    if match["by"] or word in _AGAIN:
        return opens or closes
    if word in _PARTICLES and not known:
        return opens and closes
    return opens or closes or known or text.count(word) > 1
