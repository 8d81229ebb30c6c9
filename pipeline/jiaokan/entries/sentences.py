"""Entries in words: the 校勘记 of the tradition, and ``lemma ] reading`` as for Latin and Greek classics.

This is the only place that words them: plain exports print `sentence` or `formula`, the stylesheets get their parts
from ``collation_notes.py``. The wording is that of 阮元's 十三经注疏校勘记 and of modern 校勘記 (``docs/jiaokanji.md``
has the formulae, with examples): 「賔」，本义作「宾」。本义无「酬」字。本义「升」下有「自」字。郑本重「拜」字。
「再拜」，本义二字倒。「爵」，注疏误作「受」。 「日」，集编作「曰」，底本误。「篚」，敖继公疑衍。
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jiaokan.characters.scripts import Interface, term
from jiaokan.decisions.readings import Collation
from jiaokan.entries import wording
from jiaokan.entries.values import INFORMING, Abridgement, Entry, EntryReading, Move, Omitted, Quote, slip
from jiaokan.entries.wording import (
    ClassName,
    Part,
    Sigla,
    Siglum,
    amount,
    in_script,
    listed,
    names,
    numeral,
    quoted,
    quoted_whole,
    shorten,
    unpunctuated,
)
from jiaokan.model.variants import VARIANT_CLASSES
from jiaokan.model.vocabulary import AFTER, BEFORE

STOPS = ("。", "！", "？", "」", "』")  # signs after which a remark needs no 。
_DOUBLED = 4
"""Words of at most so many characters are reported as doubled 重; longer ones are more likely copied twice, and are
quoted."""
_LISTED = 4
"""Maximum of omitted passages of a note that are quoted: of 108 abridged notes of the 仪礼 99 have no more."""
_KINDS = {"zhu": "此注", "shu": "此疏"}


def sentence(entry: Entry, sigla: Sigla, interface: Interface = "hans", *, positive: bool = False) -> str:
    """Return the 校勘记 of one entry, ending in 。 and followed by 存疑, 下同 or 同前 where these apply. `sigla` has
    the printed names of witnesses and of those who conjecture; without one, the id is printed. 存疑: the editor leaves
    the place open; 同前, 下同: the entry repeats another, or is repeated. `interface` is the program's script. A
    `positive` one names the witnesses that read as the text too."""
    parts = [*sentence_parts(entry, sigla, positive=positive), *(f"{mark}。" for mark in marks(entry))]
    return "".join(map(str, in_script(parts, interface)))


def marks(entry: Entry) -> tuple[str, ...]:
    """Return what follows the sentence of an entry: 存疑; 同前 or 下同."""
    again = "同前" if entry.same_as else "下同" if entry.repeated else ""
    return tuple(filter(None, ("存疑" if entry.lemma.cert == "low" else "", again)))


def informing_classes(entry: Entry) -> list[str]:
    """Return the classes of the readings of witnesses that a sentence does not say itself."""
    return list(dict.fromkeys(r.variant for r in entry.readings if r.witnesses and r.variant in INFORMING))


def classes_at_end(entry: Entry) -> list[str]:
    """Return the classes that follow a sentence: those of all its readings. If they differ, each follows its reading:
    「绥」，郑本作「堕」（通用），敖继公疑当作「授」。"""
    return [] if _are_classed_apart(entry) else informing_classes(entry)


def _are_classed_apart(entry: Entry) -> bool:
    by_words = {reading.words: reading.variant for reading in reversed(entry.readings)  # a conjecture is the last
                if reading.words and not reading.lost}
    return len(set(by_words.values())) > 1 and not INFORMING.isdisjoint(by_words.values())


def comments(entry: Entry) -> tuple[str, ...]:
    """Return the editor's remarks on an entry as printed, with 按 before the first: 按：古文作「爵」 If the editor
    chose the lemma and a class too, the reason of the lemma is enough: the sentence has the class."""
    classed = entry.lemma.source and any("decision:class" in each.source.split() for each in entry.readings)
    notes = entry.notes[:1] if classed else entry.notes
    return tuple(f"{'' if n else '按：'}{note}" for n, note in enumerate(dict.fromkeys(notes)))


def remarks(entry: Entry) -> str:
    """Return the editor's remarks on an entry as sentences: 按：郑注引古文亦作「爵」。"""
    return "".join(f"{each}{'' if each.endswith(STOPS) else '。'}" for each in comments(entry))


def sentence_parts(entry: Entry, sigla: Sigla, *, positive: bool = False) -> tuple[Part, ...]:
    """Return the sentence of an entry in its parts, with the final 。; `sigla` and `positive` as for `sentence`."""
    inner = [_clauses_of(each, sigla) for each in entry.inner]
    unknown: list[Part] = ["，", *names(entry.silent, "", sigla), "未详"] if entry.silent else []
    agreeing: list[Part] = []
    if positive and entry.lemma.witnesses:
        agreeing = ["，", *names(entry.lemma.witnesses, "", sigla), "同正文"]
    inside: list[Part] = ["，其中", *listed("，", inner)] if inner else []
    return (*_clauses_of(entry, sigla), *agreeing, *inside, *unknown, "。")


def abridgement_sentence(note: Abridgement, sigla: Sigla) -> tuple[Part, ...]:
    """Return the parts of: 此注，本义节引，无「旅序也」三字。此疏，集编节引，无「云席西也者」「皆南面」凡八字。"""
    parts: list[list[Part]] = [[*names(by, "", sigla), "节引，", *_quote_omitted(passages)] for by, passages in note.by]
    rest = "，馀文小异。" if note.reworded else "。"
    return (_KINDS.get(note.subtype, "此条"), "，", *listed("；", parts), rest)


def _quote_omitted(passages: Sequence[Omitted]) -> list[Part]:
    """Quote the passages that a work omits, with how many characters; of many the longest, and those that the edition
    does not print: 无「甲」「乙」等九处凡二百字."""
    quotes = [quoted(passage.words) if passage.printed else quoted_whole(passage.words) for passage in passages]
    if len(passages) == 1:
        return ["无", *quotes, amount(passages[0].words)]
    count = amount("".join(passage.words for passage in passages)).removeprefix("凡")
    by_size = sorted(range(len(passages)), key=lambda n: (passages[n].printed, -len(passages[n].words)))
    named = sorted({*by_size[:_LISTED], *(n for n in by_size if not passages[n].printed)})
    others = f"等{numeral(len(passages))}处" if len(passages) > len(named) else ""
    return ["无", *(quotes[n] for n in named), f"{others}凡{count}"]


def _clauses_of(entry: Entry, sigla: Sigla) -> list[Part]:
    lemma, readings = entry.lemma, _merge_same(entry.readings)
    if not lemma.edited:
        return _additions(entry, readings, sigla)
    changed = [each for each in readings if (each.words or each.note) and not each.lost]
    together = "并" if entry.times > 1 else ""
    apart = _are_classed_apart(entry)
    different = [[*_different(lemma, reading, sigla, together), *_class_of(reading, apart), *_up_to(reading)]
                 for reading in changed]
    different += [["底本误"]] if any(slip(lemma, each) == "lemma" for each in changed if each.witnesses) else []
    parts = [[*wording.quoted_lemma(entry), "，", *listed("，", different)]] if different else []
    for each in readings:
        if each not in changed:
            parts.append([*_lacking(entry, each, sigla, first=not parts), *_up_to(each)])
    here = {name for each in entry.groups() for name in each.witnesses}
    parts += [["今未见"]] if any((name := _namesake(each, sigla)) and name not in here for each in readings) else []
    return listed("，", parts)


def _class_of(reading: EntryReading, apart: bool) -> list[Part]:
    """The class of a reading that others of its entry do not have: （通用）."""
    if not apart or reading.variant not in INFORMING:
        return []
    return ["（", ClassName(VARIANT_CLASSES[reading.variant], reading.variant), "）"]


def _up_to(reading: EntryReading) -> list[Part]:
    """How far a reading goes that goes on in later units: ，至1.5「終焉」止."""
    unit, words = reading.until
    return [f"，至{unit.partition('.')[2]}", Quote(unpunctuated(words)), "止"] if unit else []


def _merge_same(readings: Sequence[EntryReading]) -> list[EntryReading]:
    made: list[EntryReading] = []
    for each in readings:
        last = made[-1] if made else None
        if last and (
            bool(last.witnesses), last.words, last.variant, last.note, last.until, _doubtful(last)
        ) == (
            bool(each.witnesses), each.words, each.variant, each.note, each.until, _doubtful(each)
        ):
            both = f"{last.resp} {each.resp}".strip()
            made[-1] = replace(last, witnesses=(*last.witnesses, *each.witnesses), resp=both)
        else:
            made.append(each)
    return made


def _doubtful(reading: EntryReading) -> bool:
    return reading.conjectured and reading.cert == "low"


def _who(reading: EntryReading, sigla: Sigla) -> list[Part]:
    """Witnesses of a reading, or who conjectures it and how surely: 敖继公疑, 盛世佐以为; 或 if its source is
    unknown. A witness known by report whose name a collated one has too is named with who reports it: 盛世佐云通解."""
    named = names(reading.witnesses, reading.resp, sigla)
    if not named:
        return ["或"]
    if reading.conjectured:
        return [*named, "疑" if _doubtful(reading) else "以为"]
    if _namesake(reading, sigla):
        return [*names((), reading.reporter, sigla), "云", *named]
    return named


def _namesake(reading: EntryReading, sigla: Sigla) -> str:
    if not reading.reporter:
        return ""
    own = {sigla.get(name, name) for name in reading.witnesses}
    return next((name for name, said in sigla.items() if said in own and name not in reading.witnesses), "")


def _different(lemma: EntryReading, each: EntryReading, sigla: Sigla, both: str = "") -> list[Part]:
    """A different reading: 作「宾」, 误作「受」; in another order: 二字倒."""
    if each.witnesses and _swapped(lemma, each):
        turned: list[Part] = ["二字倒"] if len(each.words) == 2 else ["倒作", quoted_whole(each.words)]
        return [*_who(each, sigla), *turned]
    wrong = "误作" if slip(lemma, each) == "reading" and each.words != lemma.edited else f"{both}作"
    return [*_who(each, sigla), "当作" if each.conjectured else wrong, *_quoted_reading(each)]


def _quoted_reading(reading: EntryReading) -> list[Part]:
    """What witnesses have, whole; a note inside it in brackets: 「子曰」（注「孔子也」）."""
    words: list[Part] = [quoted_whole(reading.words)] if reading.words else []
    note: list[Part] = ["注", quoted_whole(reading.note)] if reading.note else []
    return [*words, *(["（", *note, "）"] if words and note else note)]


def _swapped(lemma: EntryReading, each: EntryReading) -> bool:
    return each.variant == "transposition" and sorted(each.words) == sorted(lemma.edited)


def _lacking(entry: Entry, each: EntryReading, sigla: Sigla, *, first: bool) -> list[Part]:
    """Who lacks the lemma: 通解无「弦」字, after another statement 通解无此字; 不重「拜」字; 疑衍."""
    if each.conjectured or each.variant == "transposition":
        size: list[Part] = [amount(entry.lemma.edited)] if each.place else []
        head: list[Part] = [*wording.quoted_lemma(entry), *size, "，"] if first else []
        away: list[Part] = ["在", *each.place] if each.place else ["移置他处"]
        return [*head, *_who(each, sigla), *(["衍"] if each.conjectured else away)]
    text = entry.lemma.edited
    count = amount(text)
    if not first:
        return [*_who(each, sigla), "阙" if each.lost else "无", f"此{count.removeprefix('凡')}"]
    if _twice(text, entry) and not each.lost:
        return [*_who(each, sigla), "不重", quoted(text), count]
    phrase, number = wording.distinguish(entry)
    where: list[Part] = [Quote(phrase), "，"] if phrase else []
    return [*where, *_who(each, sigla), "阙" if each.lost else "无", *filter(None, [number]), quoted(text), count]


def _twice(text: str, entry: Entry) -> bool:
    before, after = entry.within[: entry.offset], entry.within[entry.end :]
    return 0 < len(text) <= _DOUBLED and (before.endswith(text) or after.startswith(text))


def _additions(entry: Entry, readings: Sequence[EntryReading], sigla: Sigla) -> list[Part]:
    """Words beyond the lemma; a conjecture of what a witness has is added to it: 有「再」字，某以为当有."""
    had = {each.words for each in readings if each.witnesses and each.words}
    made: list[Part] = []
    for each in readings:
        if each.words in had and each.conjectured:
            made += ["，", *names((), each.resp, sigla), "疑当有" if _doubtful(each) else "以为当有"]
        else:
            made += [*(["；"] if made else []), *_added(entry, each, sigla)]
    return made


def _added(entry: Entry, each: EntryReading, sigla: Sigla) -> list[Part]:
    """An addition: 「升」下有「自」字, 句首有「自」字, 重「拜」字; or a note."""
    named = _who(each, sigla)
    where = wording.place_of(entry)
    if each.conjectured:
        return [*where, "，", *named, "脱" if _doubtful(each) else "当有", *_quoted_amount(each)]
    if each.note and not each.words:
        return [*named, "有", quoted_whole(each.note), "一条"]
    if entry.lemma.note:
        return [*named, "阙" if each.lost else "无", quoted(entry.lemma.note), "一条"]
    if not each.words:
        return [*named, "此处阙"] if each.lost else [*named, *where, "无字"]
    if final := _deleting_witnesses(entry, each):
        return [*names(final, "", sigla), *where, "原有", *_quoted_amount(each), "，已删"]
    doubled = _twice(each.words, entry)
    return [*named, *([] if doubled else where), "重" if doubled else "有", *_quoted_amount(each)]


def _quoted_amount(reading: EntryReading) -> list[Part]:
    note: list[Part] = ["（注", quoted_whole(reading.note), "）"] if reading.note else []
    if reading.place:  # the edition prints them there
        return [quoted(reading.words), amount(reading.words), "，见", *reading.place]
    return [quoted_whole(reading.words), amount(reading.words), *note]


def _deleting_witnesses(entry: Entry, reading: EntryReading) -> list[str]:
    """Return the witnesses that have words before a correction and none after it; none if others have them too."""
    final = [name.removesuffix(f"-{BEFORE}") for name in reading.witnesses]
    gone = all(name not in reading.witnesses and not {name, f"{name}-{AFTER}"}.isdisjoint(entry.lemma.witnesses)
               for name in final)
    return final if gone else []


def move_formula(move: Move, sigla: Sigla) -> str:
    """Return a moved passage as ``燕朝服于寝 ] tr. ad 6.1.1 本义``, a long one by its first and last clause."""
    names = " ".join(sigla.get(name, name) for name in move.witnesses)
    passage = f"{move.words}…{move.end}" if move.end else move.words
    return f"{passage} ] tr. ad {move.target.partition('.')[2] or 'alium locum'} {names}"


def formula(entry: Entry, sigla: Sigla, *, positive: bool = False) -> str:
    """Return an entry as ``賔 ] 宾 本义; om. 通解``; om., add., lac., tr. as in editions of the classics. The entries
    `Entry.inner` follow in brackets; so do witnesses that it does not name, else a reader infers that they agree. A
    `positive` one names the witnesses of the lemma too: ``賔 注疏 ] 宾 本义``."""
    parts = formula_parts(entry, sigla, positive=positive)
    return "".join(part.words if isinstance(part, Quote) else str(part) for part in parts)


def formula_inside(entry: Entry, sigla: Sigla) -> str:
    """Return the formulae of the entries inside the readings of an entry: ``(賔 ] 宾 本义; 爵 ] om. 通解)``."""
    return f"({'; '.join(formula(each, sigla) for each in entry.inner)})" if entry.inner else ""


def formula_silent(entry: Entry, sigla: Sigla) -> str:
    """Return the witnesses that an entry does not name: ``[silent: C D]``; "" if it names all."""
    return f"[silent: {' '.join(sigla.get(name, name) for name in entry.silent)}]" if entry.silent else ""


def formula_until(reading: EntryReading) -> str:
    """Return how far a reading goes that goes on in later units: ``(– 1.0.5 finis)``; else ""."""
    return "".join(part.words if isinstance(part, Quote) else str(part) for part in _until(reading)).strip()


def formula_parts(entry: Entry, sigla: Sigla, *, positive: bool = False) -> tuple[Part, ...]:
    """Return the `formula` of an entry in its parts: words of the texts, sigla, and what is between them."""
    lemma = entry.lemma.edited or (entry.lemma.note and f"[{entry.lemma.note}]")
    head = Quote(wording.numbered(entry, shorten(lemma) if lemma else entry.last_word) or "⌜")
    inner = listed("; ", [formula_parts(inside, sigla, positive=positive) for inside in entry.inner])
    agreeing: list[Part] = [" ", *_sigla(entry.lemma.witnesses, sigla)] if positive and entry.lemma.witnesses else []
    terms = listed("; ", [_term(entry, each, bool(lemma), sigla) for each in entry.readings])
    silent: list[Part] = [" [silent: ", *_sigla(entry.silent, sigla), "]"] if entry.silent else []
    return (head, *agreeing, " ] ", *terms, *([" (", *inner, ")"] if inner else []), *silent)


def _sigla(witnesses: Sequence[str], sigla: Sigla) -> list[Part]:
    return listed(" ", [[Siglum(sigla.get(name, name), name)] for name in witnesses])


def _term(entry: Entry, each: EntryReading, present: bool, sigla: Sigla) -> list[Part]:
    who = _sigla(each.witnesses, sigla)
    if not each.witnesses and not each.resp:
        who = ["(source not stated)"]
    if each.conjectured:
        who = ["fort. coni. " if each.cert == "low" else "coni. ", Siglum(sigla.get(each.resp, each.resp))]
    note = f"[{unpunctuated(each.note)}]" if each.note else ""
    text = " ".join(filter(None, [unpunctuated(each.words), note]))
    who = [*_until(each), *who]
    if each.lost:
        return ["lac. ", *who]
    if not text:
        return ["tr. " if each.variant == "transposition" else "om. ", *who]
    if not present and (final := each.words and _deleting_witnesses(entry, each)):
        return ["add. ", Quote(text), " sed del. ", *_sigla(final, sigla)]
    if not present:
        return ["add. ", Quote(text), " ", *who]
    return [*(["tr. "] if _swapped(entry.lemma, each) else []), Quote(text), " ", *who]


def _until(reading: EntryReading) -> list[Part]:
    """How far a reading goes that goes on in later units: ``(– 1.0.5 finis)``."""
    unit, words = reading.until
    return [f"(– {unit.partition('.')[2]} ", Quote(unpunctuated(words)), ") "] if unit else []


def plain_head(collation: Collation, sigla: Sigla, interface: Interface) -> str:
    """Return the head of a chapter for a text that is not Chinese: ``Base: A. Collated: B, C (in part).``"""
    partly = {name: term("collation-partly", interface, siglum=sigla.get(name, name)) for name in collation.partly}
    others = term("listing", interface).join(partly.get(name) or sigla.get(name, name) for name in collation.others)
    base = term("collation-base", interface, siglum=sigla.get(collation.base, collation.base)) if collation.base else ""
    return base + term("collation-others", interface, sigla=others)


def head_sentence(collation: Collation, sigla: Sigla) -> tuple[Part, ...]:
    """Return the head of a chapter in parts: 底本：集编。校本：本义、通解（不全）、注疏。"""
    base = names([collation.base], "", sigla) if collation.base else []
    made: list[Part] = ["底本：", *base, "。校本："] if base else ["诸本："]
    others: list[list[Part]] = [
        [Siglum(sigla.get(name, name), name), *(["（不全）"] if name in collation.partly else [])]
        for name in collation.others]
    return (*made, *listed("、", others), "。")
