"""What the reason of a decision claims of its own entry: which reading is right, whose it is, its class, how many
witnesses agree; in the words of Chinese collation notes, in both scripts.

What a reason only weighs (或, 疑, 似) or reports (敖继公以为) is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from jiaokan.model.numerals import numeral
from jiaokan.settings.patterns import alternatives

_END = r"(?=[，。；：、）)]|$)"
_FOLLOWED = re.compile(rf"(?:^|[，。；])(?:此[字句]|\w{{1,3}}次[第序])?[姑皆故今仍]*[从從](\w{{1,8}}){_END}")
_RIGHT = re.compile(rf"「(?P<words>[^「」]+)」字?[为為]?是{_END}")
_WRONG = re.compile(r"作「(?P<words>[^「」]+)」，?(?P<between>(?:[^「」，。；]|「[^「」]{1,4}」){0,8})[误誤]")
"""Between a reading and its 误 are at most eight characters, with short quotations: 涉上「以」字而误. A choice, as are
the eight characters of a name."""
_WEIGHED = re.compile(r"[或疑似恐未不非]|以[为為]|[谓謂云曰言]")
_CLASSES = (
    ("taboo", re.compile("避[讳諱]")), ("graphic", re.compile("[异異][体體]")),
    ("loan", re.compile("古今字|通用|通假|(?<!古)今字|借字")),
)
_COUNTED = re.compile(
    r"(?:^|(?<=[，。；、])|(?<=[，。；、][然而今惟但故葢盖]))([二两兩三四五六七八九])本(?=[，皆並并俱均同固此])")
_NUMBERS = {sign: n for n, signs in enumerate(("二两兩", *"三四五六七八九"), 2) for sign in signs}
_WORDS = re.compile("(?P<quotes>(?:「[^「」]*」[、及与與]?)+)[凡共]?(?P<number>[一二两兩三四五六七八九十百]+)字")
_PLACE = re.compile(r"\d+\.\d+")
_TWO = str.maketrans("两兩", "二二")
_SAID_LAST = re.compile(r"(存疑|[下后後]同|同前)。?$")


def find_authorities(reason: str) -> Iterator[str]:
    """Yield whom a reason follows: 从集编, 姑从底本."""
    yield from (match[1] for match in _FOLLOWED.finditer(reason) if not _is_in_quotation(reason, match.start(1)))


def find_judgements(reason: str) -> Iterator[tuple[str, bool]]:
    """Yield words that a reason calls right (作「甲」是) or wrong (作「乙」，形近而误), with which of the two."""
    for match in _RIGHT.finditer(reason):
        if not _is_weighed(reason, match.start()):
            yield match["words"], True
    for match in _WRONG.finditer(reason):
        if not _is_weighed(reason, match.start()) and not _WEIGHED.search(match["between"]):
            yield match["words"], False


def find_classes(reason: str) -> Iterator[tuple[str, str]]:
    """Yield the classes of variants that a reason names, each with its words there."""
    for name, pattern in _CLASSES:
        for match in pattern.finditer(reason):
            weighed = _is_weighed(reason, match.start()) or _WEIGHED.match(reason, match.end(), match.end() + 1)
            if not weighed and not _is_in_quotation(reason, match.start()):
                yield name, match[0]


def numbers_of_witnesses(reason: str, names: Collection[str]) -> Iterator[int]:
    """Yield how many witnesses a reason says to agree (二本皆无), apart from those that it names in the same sentence
    and those of another place."""
    for sentence in re.split("(?<=。)", reason):
        for match in _COUNTED.finditer(sentence):
            before = sentence[: match.start()]
            named = {name for name in names if name in before}
            if not _PLACE.search(before) and len(named) < 2 and not _is_in_quotation(sentence, match.start()):
                yield _NUMBERS[match[1]]


def find_miscounts(reason: str, names: Collection[str]) -> Iterator[tuple[str, int, int]]:
    """Yield quoted words with a number of graphs (「燕礼」三字), and listed witnesses with a number of copies
    (甲本、乙本三本), that are not so many: the words, the number, and how many there are."""
    for match in _WORDS.finditer(reason):
        quotes = re.findall("「([^「」]*)」", match["quotes"])
        words = ["".join(filter(str.isalnum, quote)) for quote in quotes]
        number = numeral(match["number"].translate(_TWO))
        if not re.search("[…⋯]", match["quotes"]) and number not in (len("".join(words)), len(words)):
            yield match["quotes"], number, len("".join(words))
    any_name = f"(?:{alternatives(names)})"
    several = re.compile(rf"({any_name}(?:[、及与與和]{any_name})+)([二两兩三四五六七八九])本")
    for match in several.finditer(reason) if names else ():
        listed = len(re.findall(any_name, match[1]))
        if _NUMBERS[match[2]] != listed:
            yield match[1], _NUMBERS[match[2]], listed


def mark_at_end(reason: str) -> str:
    """Return the mark of an entry with which a reason ends: 存疑, 下同, 同前; "" if with none."""
    match = _SAID_LAST.search(reason)
    return match[1] if match else ""


def _is_in_quotation(text: str, at: int) -> bool:
    return text.count("「", 0, at) > text.count("」", 0, at)


def _is_weighed(text: str, at: int) -> bool:
    clause = text[max(text.rfind(stop, 0, at) for stop in "，。；") + 1 : at]
    return bool(_WEIGHED.search(re.sub("「[^「」]*」", "", clause)))
