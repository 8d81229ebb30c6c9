"""Detect how a text marks notes (brackets, lines, numbers), speakers in them, and printed corrections."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from jiaokan.annotate.speakers import is_surname, names_nobody
from jiaokan.characters.equality import norm
from jiaokan.model.numerals import NUMERAL
from jiaokan.readers.common.source import Bracket, nest, unpaired_offsets
from jiaokan.readers.mandoku import BRACKETS
from jiaokan.structure.bylines import Maker, is_named_by, name_in, plain_name, speaks_for
from jiaokan.structure.rows import BEFORE, COMMENTS, Row, is_commentator, is_short_name

PAIRS = ("【】", "〈〉", "（）", "()", "［］", "[]", "〔〕", "{}", "｛｝", "<>", "〖〗")
"""Brackets in which transcriptions put small type; those of quotations and titles (「」《》) are punctuation."""
_SEPARATORS = "○〇　 ▲●"
"""What separates two speakers in one bracket: the circle of printed 十三經注疏, white space."""
SOUNDS = "[^○〇]{1,8}?(?:音.|..[反切]|[平上去入][聲声]|如字|本[亦又]?作)[^○〇]*"
"""What 釋文 adds to a comment after a circle: ○養羊尙反, ○惡去聲 (《經典釋文》條例)."""
_SHORTEST = 3
"""Mean characters of a note: shorter brackets contain corrections (（乎）〔于〕), numbers of footnotes, readings."""
_REFERENCE = re.compile(r"[^㐀-鿿\d]{0,40}\d+(?:[.,:]\d+)*[a-z]*")
"""The content of brackets that only count a place: caes. civ. 1.1 (Tesserae), 14.1.1, 3."""
_HAN, _CHINESE = re.compile("[㐀-鿿\U00020000-\U0003ffff]"), 0.1
"""Share of Chinese characters in a Chinese text, at least; some have as many letters in apparatus and codes."""
_FEW = 3
"""Fewer brackets than this are not a commentary, but a dynasty or a remark of the typist."""
_SPEAKS = re.compile(
    "[註注疏]?(?P<name>[㐀-鿿]{1,2}(?:氏|子)|[㐀-鿿]{2,4}?|某)(?:曰|云|等?謹[按案]|等?谨[按案])[：:]?(?=.)")
"""Words before what someone says, also with what he wrote (註苞氏曰) or how a subject begins (臣淳風等謹按); a note
that is only 聖兪云 names who told the text before it (涑水記聞)."""
_NAME = re.compile("(?P<name>[㐀-鿿]{1,4}?)[解註注]?曰")
_ANY = re.compile("[註注疏]?[㐀-鿿]{1,4}?(?:曰|云|等?[謹谨]?[按案])[：:]?(?=.)")
"""Words before what somebody says, whoever it is."""
_TAG = re.compile("【[㐀-鿿]{1,4}】|〔[㐀-鿿]{1,4}〕|［[㐀-鿿]{1,4}］|\\[[㐀-鿿]{1,4}\\]")
"""A name in brackets of its own: 【集解】, 〔某氏曰〕."""
_LABEL = re.compile("(?:[補补箋笺疏正]|正義|正义|索隱|索隐|集解)[曰云]")
"""What separates a later commentary from the one that it continues, in one note: 補曰 (洪興祖《楚辭補注》), 箋云
(《毛詩》), 正曰 (吳師道《戰國策校注》)."""
_ABOVE = re.compile("[㐀-鿿]{0,4}眉[批評评][曰云：:]+")
"""What begins a note that the book has above the text: 眉批：, 金聖歎眉批：."""
_SHARE = 0.2
"""Share of the notes that must have such words: in 楚辭補注 0.57, in 戰國策校注 0.25, half of it 正曰; a note that only
cites 正義 is rare."""
_WITHIN = re.compile("(?<=[也矣焉耳哉乎已者。」』”])(?P<name>[㐀-鿿]氏|[㐀-鿿]{2,3})曰")
"""A name after the end of a sentence, in a note where another spoke before."""
_SHORT = re.compile("(?<=[也矣焉耳哉乎已者。」』”])[㐀-鿿]曰")
_OPENS = re.compile("(?P<name>[㐀-鿿\U00020000-\U0003ffff]{1,5}?)(?:曰[：:]|曰(?![：:])|云[：:])(?=.)")
"""A name that opens a note, with the verb; 云 only with a colon, since names contain it (陆云士)."""
_NEARLY = 0.7
"""Share of the notes that open with a name, if all do; share of the places of a longer word among those of its end."""
_CITED = frozenset("經经傳传書书詩诗記记注註文雅志疏論论語语易禮礼本又或說说者人亦")
"""Last characters before 云 of books, and of words that name nobody."""
_ENOUGH = 3
"""So often must a commentator speak; less often it is a quotation. 氏 and 子 are enough once. So many commentators make
a collection 集解, in which others speak seldom: in 論語集解 陳群 does twice."""
_LABELLED = 0.5
"""If more than this share of the notes opens with a speaker, a full name that opens one note is a speaker too: a
collection names some only once. A choice."""
_SIGNED = re.compile("(?:[(（【〔\\[]|[—―─－]{1,2})(?P<name>[㐀-鿿\U00020000-\U0003ffff]{2,4})[)）】〕\\]]?[。.]?$")
"""Words at the end of a note that name who wrote it."""
_SELDOM = 0.02
"""Least share of the notes that are signed at their ends; the same as of labels (`layers`). A choice."""
_QUOTED = 0.2
"""If persons whom the page does not name open less than this share of the notes, one commentator quotes them. They open
0.1 of the notes of 胡三省 on 資治通鑑, and half of those on 漢書, which 顏師古 collects; the value lies between."""
_BOOK = re.compile("[㐀-鿿]*(?:正義|正义|索隱|索隐|集解|集注|釋文|释文)")
_OFTEN = 0.05
"""Share of the notes that speakers must begin. 論語集解: 0.7; 史記索隱, all by one man who quotes: 0.03."""
_LINE = re.compile(
    "[【〔［\\[(（]?(?:[注註疏箋笺](?:[曰云](?=[：:]))?|集[解釋释注註]|正[義义]|[索][隱隐]|[今愚]?[按案])(?:[】〕］\\])）][：:]?|[：:])"
)
"""The beginning of a line that is a note: 注：, 【疏】."""
_NAMED_LINE = re.compile("[㐀-鿿]{1,2}氏[曰云][：:](?=[‘“「『【〔])")
"""The beginning of a line in which a commentator speaks, after the line that he explains: 王氏曰：‘…’."""
_CORRECTION = re.compile("([(（])[^()（）]{1,6}([)）])([〔［\\[])[^〕］\\]]{1,6}([〕］\\]])")
"""How editors of 中華書局 mark corrections: (乎)〔于〕, the wrong character, then the right one."""
_CALLS = (
    f"〔(?:{NUMERAL}|\\d+)〕", f"［(?:{NUMERAL}|\\d+)］", r"\[\^[^\[\]\s]{1,12}\]", f"\\[(?:{NUMERAL}|\\d+)\\]",
    f"[(（](?:{NUMERAL}|\\d+)[)）]", "[①-⑳㉑-㉟]",
)
"""How editions number notes after a paragraph or a chapter: 〔三〕 of 中華書局, [^3] of Markdown, [3], ③."""
_ANSWERED = 0.7
"""Share of such lines whose number must also be in the text before: lists (（一）…) have no number in the text."""
_SURE = 2
"""So often must a pair of such brackets occur to mark corrections; one may be anything."""


@dataclass(frozen=True, slots=True)
class NoteMarks:
    """How a text marks its notes."""

    brackets: str = ""
    count: int = 0
    separators: str = ""
    speakers: tuple[tuple[str, int], ...] = ()
    """Words that introduce a speaker (程子曰), and how often they begin a note or a part of one."""
    others: tuple[tuple[str, int], ...] = ()
    """Other brackets, and how often they occur in the text."""
    lines: str = ""
    """Pattern of the beginning of lines that are notes."""
    across: bool = False
    """Whether notes in brackets continue over line ends."""
    corrections: int = 0
    """How often (乎)〔于〕 occurs, in the brackets `mended`."""
    calls: str = ""
    """Pattern of the numbers of notes (〔三〕), in the text and at the beginning of notes."""
    labels: str = ""
    """Pattern of words before brackets that name the speaker: 音義(…), 疏(…)."""
    sounds: bool = False
    """Whether what follows a circle in a note gives sounds, as 釋文 does."""
    mended: tuple[str, str] = ("", "")
    """Brackets round the wrong and round the right characters; empty if there are too few corrections to be sure."""


def notes_of(rows: Sequence[Row], pair: str = "") -> NoteMarks:
    """Return how a text marks its notes; with `pair`, in these brackets whatever else there is."""
    if calls := "" if pair else _calls(rows):
        called = [row for row in rows if re.match(calls, row.text)]
        marks = notes_of([Row(row.number, re.sub(calls, "", row.text)) for row in rows])
        opening = _speakers([re.sub(calls, "", row.text).strip() for row in called], "", "")
        return replace(marks, calls=calls, count=marks.count + len(called), speakers=marks.speakers or tuple(opening))
    signs = Counter("".join(match) for row in rows for match in _CORRECTION.findall(row.text))
    if not signs:
        return _notes_of(rows, pair)
    marks = _notes_of([Row(row.number, _CORRECTION.sub("", row.text)) for row in rows], pair)
    most, often = signs.most_common(1)[0]
    mended = (most[:2], most[2:]) if often >= _SURE else ("", "")
    others = tuple((brackets, n) for brackets, n in marks.others if brackets not in mended)
    return replace(marks, corrections=signs.total(), mended=mended, others=others)


def _notes_of(rows: Sequence[Row], pair: str) -> NoteMarks:
    """Return how a text without printed corrections marks its notes. In texts in letters brackets are punctuation and
    the editor's signs for additions and deletions (Leiden conventions), not small type."""
    words = "".join(row.text for row in rows)
    if not pair and len(_HAN.findall(words)) < _CHINESE * len(words):
        return NoteMarks()
    counted = {brackets: [words for row in rows for piece in nest(row.text, brackets) if isinstance(piece, Bracket)
                      and piece.is_closed and not _REFERENCE.fullmatch(words := piece.text()[1:-1])]
               for brackets in ([pair] if pair else PAIRS)}
    best = max(counted, key=lambda brackets: sum(map(len, counted[brackets])))
    inside, size = counted[best], sum(map(len, counted[best]))
    opened, joined = _open(rows, best)
    if not pair and (size < _SHORTEST * len(inside) or len(inside) + joined < _FEW):
        best, inside = "", []
    across = bool(best) and 2 * joined > opened  # most open brackets are closed by a later row
    others = tuple((brackets, len(contents)) for brackets, contents in counted.items() if contents and brackets != best)
    begun = Counter(match[0] for row in rows if (match := _LINE.match(row.text) or _NAMED_LINE.match(row.text)))
    tags = tuple((words, n) for words, n in begun.most_common() if n >= _FEW - 1)
    if tags and not pair:
        lines = [row.text for row in rows if _LINE.match(row.text)]
        who = tuple(_speakers(["", *(_LINE.sub("", line) for line in lines)], "", ""))
        pattern = "|".join(re.escape(words) for words, _ in tags)
        return NoteMarks(best, len(inside) + len(lines), "", (*tags, *who), others, pattern, across)
    if not inside:
        return NoteMarks(others=others)
    before = Counter(words for row in rows for words in re.findall(f"({BEFORE}){re.escape(best[0])}", row.text))
    least = {1: _SHARE / 2 * len(inside)}  # 疏 is also a word of the text
    named = tuple((words, n) for words, n in before.most_common() if n >= max(_FEW, least.get(len(words), 0)))
    separators = "".join(sign for sign in _SEPARATORS if sum(sign in note.strip() for note in inside) > 1)
    speakers = (*named, *_speakers(inside, separators, best if pair else ""))
    added = [words for note in inside for words in re.split("[○〇]", note)[1:] if words]
    sounds = sum(bool(re.fullmatch(SOUNDS, words)) for words in added) > max(_FEW, _ANSWERED * len(added))
    return NoteMarks(best, len(inside), separators, speakers, others, across=across, sounds=sounds,
                     labels="|".join(words for words, _ in named) if pair == BRACKETS else "")


def with_speeches(notes: NoteMarks, rows: Sequence[Row], makers: str) -> NoteMarks:
    """Return the marks of a text with the lines in which its `makers` (their names) speak by surname: 韓曰 and 李曰 in
    論語筆解, by 韓愈 and 李翺, are notes. A single one may be another: the 王曰 of 尚書 is the king."""
    begun = Counter(row.text[:2] for row in rows if row.text[1:2] in ("曰", "云") and row.text[0] in makers)
    spoken = tuple((words, n) for words, n in begun.most_common() if n >= _FEW and is_surname(words[0]))
    if len(spoken) < 2:
        return notes
    return replace(notes, lines="|".join(words for words, _ in spoken), count=notes.count + sum(n for _, n in spoken),
                   speakers=(*spoken, *notes.speakers))


def note_texts(notes: NoteMarks, rows: Sequence[Row]) -> list[str]:
    """Return the texts of notes in lines apart and in brackets; a note with separators is several."""
    texts = [row.text for row in rows if notes.lines and (row.quoted or row.indent or re.match(notes.lines, row.text))]
    texts += [piece.text()[1:] for row in rows for piece in nest(row.text, notes.brackets)
              if isinstance(piece, Bracket)] if notes.brackets else []
    between = re.compile(f"[{re.escape(notes.separators)}]+") if notes.separators else re.compile("(?!)")
    return [part for text in texts for part in between.split(text)]


def signatures(notes: NoteMarks, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the names and works that stand at the ends of notes, in brackets or after a dash: （補疏）, ——朱熹. A
    bracket at the end of a line apart is such an end, not a note of its own."""
    marks = replace(notes, brackets="") if notes.lines else notes
    texts = [text if notes.lines else text[:-1] for text in note_texts(marks, rows)]
    counts = Counter(match["name"] for text in texts if (match := _SIGNED.search(text)))
    known = {name: count for name, count in counts.items() if count >= _ENOUGH and (
        is_commentator(name) or re.fullmatch(COMMENTS, name))}
    return tuple(known) if sum(known.values()) >= _SELDOM * len(texts) else ()


def opening_names(rows: Sequence[Row]) -> tuple[tuple[str, int], ...]:
    """Return the names before 曰 with which paragraphs begin, if three or more often do: comments that nothing sets
    apart from the base text, or a dialogue."""
    opening = Counter(match[0] for row in rows if (match := _NAME.match(row.text)) and is_commentator(match["name"]))
    often = tuple((words, count) for words, count in opening.most_common() if count >= _ENOUGH)
    return often if len(often) >= _ENOUGH and sum(count for _, count in often) >= _OFTEN * len(rows) else ()


def with_makers(notes: NoteMarks, rows: Sequence[Row], makers: Sequence[Maker]) -> NoteMarks:
    """Return the marks of a text with the words by which its makers open notes, however seldom: 臣淳風等謹按."""
    known = dict(notes.speakers)
    opening = Counter(match[0] for text in note_texts(notes, rows) if (match := _ANY.match(text)))
    more = tuple((words, count) for words, count in opening.items()
                 if not any(words.startswith(other) or other.endswith(words) for other in known)
                 and any(is_named_by(words, maker) or name_in(words) == maker.act for maker in makers)
                 and (len(name := name_in(words)) > 1 or is_short_name(name)))
    return replace(notes, speakers=(*notes.speakers, *more))


def without_quoted(notes: NoteMarks, makers: Sequence[Maker]) -> NoteMarks:
    """Return the marks of a text whose commentator is known without the persons and books that he quotes: those whom
    its page does not name, if they open few of the notes."""
    strangers = {words: count for words, count in notes.speakers if words.endswith(("曰", "云", "：", ":"))
                 and (is_commentator(plain_name(name_in(words))) or _BOOK.fullmatch(name_in(words)))
                 and not any(speaks_for(words, maker) for maker in makers)}
    if notes.labels or sum(strangers.values()) >= _QUOTED * notes.count:
        return notes
    return replace(notes, speakers=tuple(row for row in notes.speakers if row[0] not in strangers))


def _calls(rows: Sequence[Row]) -> str:
    """Return the pattern of the numbers of notes, if lines begin with them and other lines have most of them."""
    for pattern in _CALLS:
        opening = [match[0] for row in rows if (match := re.match(pattern, row.text))]
        within = Counter(match[0] for row in rows if not re.match(pattern, row.text)
                         for match in re.finditer(pattern, row.text))
        if len(opening) >= _FEW and (Counter(opening) & within).total() >= _ANSWERED * len(opening):
            return pattern
    return ""


def _open(rows: Sequence[Row], pair: str) -> tuple[int, int]:
    """Count the rows that leave a bracket open, and those of them whose bracket a later row closes."""
    opened, joined, waiting = 0, 0, False
    for row in rows:
        alone = [row.text[at] for at in unpaired_offsets(row.text, pair)]
        joined += waiting and alone == [pair[1]]
        waiting = alone == [pair[0]] or (waiting and pair[0] not in row.text and not alone)
        opened += alone == [pair[0]]
    return opened, joined


def all_named(notes: Sequence[str]) -> list[tuple[str, int]]:
    """Return the words that open notes if most name who speaks (曹秋岳曰), however seldom each does."""
    opening = Counter(match[0] for note in notes if (match := _OPENS.match(note)) and not names_nobody(match["name"]))
    if len(notes) < _FEW or len(opening) < 2 or opening.total() < _NEARLY * len(notes):
        return []
    known = sum(count for words, count in opening.items() if is_commentator(words.rstrip("曰云：:")))
    return opening.most_common() if max(2 * known, opening.total() - len(opening)) >= opening.total() / 2 else []


def _revisers(notes: Sequence[str]) -> list[tuple[str, int]]:
    """Return words before 云 that occur in many notes and name a later work on them, no book or person: 新校正云."""
    ends = Counter(note[max(0, at.start() - size) : at.end()] for note in notes for at in re.finditer("云", note)
                   for size in (2, 3, 4) if at.start() >= size)
    often = {words: count for words, count in ends.items() if count >= max(_FEW, _OFTEN * len(notes))
             and re.fullmatch("[㐀-鿿]*[校補补正增][㐀-鿿]*", words)
             and not names_nobody(words[:-1]) and words[-2] not in _CITED}
    return [(words, count) for words, count in often.items()
            if not any(other.endswith(words) and other != words and _NEARLY * count < more
                       for other, more in often.items())
            and not any(words.endswith(other) and other != words and count <= _NEARLY * more
                        for other, more in often.items())]


def _speakers(notes: Sequence[str], separators: str, brackets: str) -> Iterator[tuple[str, int]]:
    """Yield words that introduce a speaker, with their number: at the beginning of notes, after separators, inside."""
    parts = re.compile(f"[{re.escape(separators)}]+") if separators else re.compile("(?!)")
    if openings := all_named([part for note in notes for part in parts.split(note)]):
        yield from openings
        return
    yield from _revisers(notes)
    # In Mandoku [雨單] is one graph, composed of two.
    tags = Counter(tag for note in notes for tag in _TAG.findall(note) if brackets != BRACKETS or tag[0] != "[")
    if common := sorted((tag for tag in tags if tags[tag] >= _ENOUGH), key=lambda tag: (-tags[tag], tag)):
        yield from ((tag, tags[tag]) for tag in common)
        return
    above = Counter(match[0] for note in notes if (match := _ABOVE.match(note)))
    yield from above.most_common()
    labels = Counter(label for note in notes for label in _LABEL.findall(note))
    if labels.total() >= _SHARE * len(notes):
        yield from ((words, n) for words, n in labels.most_common() if n >= max(_ENOUGH, _SHARE / 4 * len(notes)))
    opening = Counter(match[0] for note in notes for part in parts.split(note)
                      if (match := _SPEAKS.match(part)) and is_commentator(match["name"]))
    full = {words: count for words, count in opening.items() if _is_full_name(words)}
    short = Counter(part[:2] for note in notes for part in parts.split(note)
                    if part[1:2] == "曰" and is_short_name(part[0]))
    if short.total() > max(opening.total(), _SHARE * len(notes)):  # 善曰, 翰曰 speak, others are quoted
        short.update(words for note in notes for words in _SHORT.findall(note) if is_short_name(words[0]))
        most = max(short.values(), default=0)
        yield from ((words, count) for words, count in short.most_common() if count >= max(_ENOUGH, _OFTEN * most))
        if short.total() >= _LABELLED * len(notes):
            yield from full.items()
        return
    opening.update({words: count for words, count in short.items() if count >= max(_ENOUGH, _OFTEN * len(notes))})
    named = {words for words, count in opening.items() if words.rstrip("曰云：:")[-1] in "氏子" or count >= _ENOUGH}
    if sum(opening[words] for words in named) < max(2, _OFTEN * len(notes)):
        return
    within = Counter(f"{match['name']}曰" for note in notes for match in _WITHIN.finditer(note)
                     if is_commentator(match["name"]))
    named |= {words for words, count in within.items() if count >= _ENOUGH}
    named |= {words for words, count in opening.items() if _like(words, count, named)}
    if len(named) >= _ENOUGH and opening.total() >= _LABELLED * len(notes):
        named |= full.keys()
    counted = ((words, opening[words] + within[words]) for words in named)
    yield from sorted(counted, key=lambda row: (-row[1], row[0]))


def _is_full_name(words: str) -> bool:
    """Whether words that introduce have a surname and a given name of one or two graphs."""
    name = words.rstrip("曰云：:")
    return 2 <= len(name) <= 3 and is_surname(name) and name[-1] not in "氏子"


def _like(words: str, count: int, named: Collection[str]) -> bool:
    """Whether words that seldom open a note of several commentators name one too: in another form of the character
    (鄭𤣥曰), or twice with a surname."""
    return len(named) >= _ENOUGH and (
        norm(words) in map(norm, named) or (count > 1 and _is_full_name(words)))
