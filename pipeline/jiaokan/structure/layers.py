"""Weigh whether lines apart (lowered by the page, or quoted) are a commentary on the lines before them.

Nothing is assumed of one text: a commentary alternates with its base text, repeats words of the passage before it more
than those of other passages, has the particles of explanation, and often begins with the words that name its author.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp

from jiaokan.structure.heads import LONGEST
from jiaokan.structure.notes import all_named
from jiaokan.structure.rows import COMMENTS, Row, bare, is_commentator, is_short_name, without_style
from jiaokan.structure.weights import load_weights

_EXPLAINS = frozenset("也者謂谓言矣蓋盖猶犹")
"""Words of explanation (王力《古代漢語》: 判斷句, 注疏用語)."""
_WORKS = "|".join(word for word in COMMENTS.split("|") if len(word) > 1)
_LABEL = re.compile(
    f"(?:[○〇●][　 ]*)?(?P<label>(?P<act>御?(?:[註注疏論论義义解釋释鈔钞纂補补箋笺贊赞評评按案]|{COMMENTS}))[曰云：:]"
    "|(?P<subject>臣[㐀-鿿]{1,4}?等?[謹谨][按案])|(?P<name>[㐀-鿿\U00020000-\U0003ffff]{1,10}?)"
    f"(?:曰|云(?!.{{1,2}}曰)|(?P<work>{_WORKS}|[註注疏解])(?:[曰云：:]|(?![卷巻]).))[：:]?)")
"""Words at the beginning of a paragraph that say what it is or who speaks: 註曰, 何氏曰, 郭象註."""
_FEW, _SELDOM = 3, 0.02
"""A label occurs so often, and in such a share of the paragraphs; a single one is a speech of the text."""
_STEADY = 0.3
"""If more than this share of the paragraphs has frequent labels, rare ones count too: a comment can go on in paragraphs
without label. A choice."""
_NOBODY = frozenset("諸诸眾衆众舊旧古各此本今其原群羣按案")
"""First graphs of what names no author of a work: 諸解, 舊註."""
_INLINE = {"註曰": "[註注][曰云]", "注": "(?<=[也矣焉乎哉之者]|[。」])[注註](?=[㐀-鿿]{2})", "疏曰": "疏[曰云]"}
"""Labels inside lines, each with its pattern."""
_SPARSE = 1500
"""Characters for each label: fewer labels are words of the text."""
_PAIRS = 400
"""Passages with commentary that are measured; more change nothing."""


@dataclass(frozen=True, slots=True)
class LayerExplanation:
    """Lines apart as a commentary: how they are known, how many there are, and how probable it is."""

    pattern: str
    """Beginning of the lines: white space, or the sign of a quotation."""
    count: int
    labels: tuple[tuple[str, int], ...]
    probability: float


def explain_layers(rows: Sequence[Row], heads: Iterable[int], commented: bool) -> LayerExplanation | None:
    """Return the lines apart among the rows of a text's chapters, or None if there are hardly any. `heads` are the rows
    of its headings; `commented`: its title or title page names a commentary."""
    titles = {*heads}
    body = [row for n, row in enumerate(rows) if n not in titles and not row.level]
    signs = Counter(row.quoted for row in body if row.quoted)
    if sign := max(signs, key=lambda sign: signs[sign], default=""):
        apart = [bool(row.quoted) for row in body]
    else:
        sign = "　" * min((row.indent for row in body if row.indent and len(row.text) > LONGEST), default=0)
        apart = [bool(sign) and row.indent >= len(sign) for row in body]
    count = sum(apart)
    if not sign or count < _FEW or count == len(body):
        return None
    labels = labels_of_lines([row.text for row, is_apart in zip(body, apart, strict=True) if is_apart])
    features = _measure(body, apart, sum(n for _, n in labels) / count, commented)
    weights = load_weights()
    score = sum(weights[f"lines apart: {name}"] * value for name, value in features.items())
    return LayerExplanation(sign, count, labels, 1 / (1 + exp(-score)))


def labels_of_lines(lines: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Return the words with which lines begin that name their layer or speaker, with their number."""
    if named := all_named(lines):
        return tuple(named)
    found = [match for line in lines if (match := _LABEL.match(line)) and (
        not match["name"] or (match["work"] and match["name"][0] not in _NOBODY)
        or (not match["work"] and is_commentator(without_style(match["name"]))))]
    counts = Counter(_words_of(match) for match in found)
    steady = sum(n for n in counts.values() if n >= _FEW) > _STEADY * len(lines)
    return tuple((words, n) for words, n in counts.most_common() if n >= max(_FEW, _SELDOM * len(lines)) or steady)


def _words_of(match: re.Match[str]) -> str:
    """Return the words of a label, without the word of the comment by which the name of a work was known."""
    label = match["label"]
    return label if not match["work"] or label[-1] in "曰云：:" else label[: match.end("work") - match.start("label")]


def inline_labels(rows: Sequence[Row]) -> tuple[str, int]:
    """Return the word that opens comments inside the lines of base text, with their number; nothing marks where such a
    comment ends. ("", 0) if there are hardly any."""
    text = "".join(bare(row.text) for row in rows)
    counts = {label: len(re.findall(pattern, text)) for label, pattern in _INLINE.items()}
    label = max(counts, key=lambda label: counts[label])
    return (label, counts[label]) if counts[label] > max(_FEW, len(text) / _SPARSE) else ("", 0)


def _measure(body: Sequence[Row], apart: Sequence[bool], labelled: float, commented: bool) -> dict[str, float]:
    blocks = list(_blocks(body, apart))
    pairs = [(before[1], after[1]) for before, after in pairwise(blocks)
             if not before[0] and after[0]][:_PAIRS]
    texts = ["".join(words for is_apart, words in blocks if is_apart == kind) for kind in (False, True)]
    sizes = [len(text) for text in texts]
    own = sum(_repeated_share(base, note) for base, note in pairs) / len(pairs) if pairs else 0.0
    others = zip(pairs, [*pairs[2:], *pairs[:2]], strict=True)
    other = sum(_repeated_share(base, note) for (base, _), (_, note) in others) / len(pairs) if pairs else 0.0
    rates = [sum(char in _EXPLAINS for char in text) / max(1, len(text)) for text in texts]
    return {
        "constant": 1.0, "alternate": min(1.0, 4 * len(pairs) / max(1, len(body))), "labelled": labelled,
        "of both much": min(1.0, 4 * min(sizes) / max(1, sum(sizes))),
        "words of the passage before": min(1.0, 5 * max(0.0, own - other)),
        "words of explanation": max(-1.0, min(1.0, 20 * (rates[1] - rates[0]))),
        "a commentator is named": float(commented), "few": 1 / max(1, len(pairs)),
        "labelled by nobody": _labelled_by_nobody([row.text for row, is_apart in zip(body, apart, strict=True)
                                                   if is_apart]),
        "short as titles": sum(is_apart and len(bare(row.text)) <= LONGEST // 2 for row, is_apart in zip(
            body, apart, strict=True)) / sum(apart),
    }


def _labelled_by_nobody(lines: Sequence[str]) -> float:
    """Return the share of lines that begin with words of the text before 曰 that name no speaker: 術曰, 荅曰."""
    opening = Counter(match[1] for line in lines if (match := re.match("([㐀-鿿]{1,2})曰", line)))
    return sum(n for word, n in opening.items() if n >= _FEW and not is_commentator(word)
               and not is_short_name(word) and not re.fullmatch(f"{COMMENTS}|[按案評评贊赞]", word)) / len(lines)


def _blocks(body: Sequence[Row], apart: Sequence[bool]) -> Iterator[tuple[bool, str]]:
    """Yield the text of consecutive rows of one kind."""
    kind, words = False, list[str]()
    for row, is_apart in zip(body, apart, strict=True):
        if words and is_apart != kind:
            yield kind, "".join(words)
            words = []
        kind = is_apart
        words.append(re.sub(r"\W", "", bare(row.text)))
    yield kind, "".join(words)


def _repeated_share(base: str, note: str) -> float:
    """Return the share of a passage's pairs of characters that a note repeats."""
    pairs = {base[at : at + 2] for at in range(len(base) - 1)}
    return sum(pair in note for pair in pairs) / len(pairs) if pairs else 0.0
