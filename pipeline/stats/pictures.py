"""Numbers as small exact pictures: SVG by itself or inside a page, whose ink, paper and red it takes if it has them.

Each function gives one ``svg`` element with a text alternative (``title`` and ``desc``) and is pure: the same numbers
give the same bytes. What colour says, place, shape and number say too. Lengths are in user units, text in 12 of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from xml.sax.saxutils import escape, quoteattr

from pipeline.model.variants import TABLE
from pipeline.stats.measures import Along, Section, WitnessAgreement

WIDTH = 720
"""As wide as the column of text of a page, so that a picture is shown at its own size there."""
LEFT, RIGHT = 64, 40
"""Room for labels and for totals beside a strip."""
ROW = 18
"""A row: a mark, 8 units high, and as much air as text of 12 units needs above and below. Lower, labels touch."""
_STYLE = (
    ".jk{font:12px 'Noto Serif SC','Source Han Serif SC',SimSun,serif;fill:var(--ink,#1c1915)}"
    ".jk .s{font-size:9px;fill:var(--ink-3,#6a6257)}.jk .l{stroke:var(--rule,#d8cebb);stroke-width:1}"
    ".jk .m{fill:none;stroke:var(--ink,#1c1915);stroke-width:.8}.jk .r{stroke:var(--red,#a82e1e)}"
    ".jk .e{text-anchor:end}.jk .c{text-anchor:middle}"
)


def matrix(agreement: WitnessAgreement, sigla: Mapping[str, str], *, name: str = "agreement") -> str:
    """Draw the agreement of witnesses: above the diagonal in per cent of the places that vary, below it of how many,
    and in per cent of all characters.

    `name` is the picture's id, once in a page.
    """
    names = agreement.witnesses
    side = 56
    parts: list[str] = []
    for row, a in enumerate(names):
        for column, b in enumerate(names):
            x, y = column * side, row * side * 5 // 8
            parts.append(_cell(agreement, sigla, (a, b), (x, y), column - row))
    told = "；".join(
        f"{sigla.get(a, a)}与{sigla.get(b, b)}：{agree}/{both}{_of_all(agreement, a, b)}"
        for (a, b), (agree, both) in agreement.pairs.items()
    )
    size = len(names) * side
    return _svg(name, "诸本相合之率（上为异文处之率，%；下为其数，及全文相合之率）", told, (size, size * 5 // 8), parts)


def _of_all(agreement: WitnessAgreement, a: str, b: str) -> str:
    share = agreement.share_of_all(a, b)
    return "" if share is None else f"（全文 {100 * share:.1f}%）"


def _cell(
    agreement: WitnessAgreement, sigla: Mapping[str, str], pair: tuple[str, str], at: tuple[int, int], side: int
) -> str:
    """One cell, 56 by 35: on the diagonal the siglum, above it the share, below it counts and share of all."""
    (a, b), (x, y) = pair, at
    if side == 0:
        return f'<text class="c" x="{x + 28}" y="{y + 22}">{escape(sigla.get(a, a))}</text>'
    share = agreement.share(a, b)
    agree, both = agreement.pairs.get((a, b)) or agreement.pairs.get((b, a)) or (0, 0)
    if side < 0:
        whole = agreement.share_of_all(a, b)
        told = f'<text class="s c" x="{x + 28}" y="{y + (21 if whole is None else 16)}">{agree}/{both}</text>'
        if whole is None:
            return told
        return f'{told}<text class="s c" x="{x + 28}" y="{y + 28}">全文 {100 * whole:.1f}</text>'
    shown = "—" if share is None else f"{100 * share:.1f}"
    tint = 0.0 if share is None else 0.3 * share * share
    return (f'<rect x="{x + 1}" y="{y + 1}" width="54" height="33" fill-opacity="{tint:.3f}"/>'
            f'<text class="c" x="{x + 28}" y="{y + 22}">{shown}</text>')


def variants(numbers: Along, *, name: str = "variants") -> str:
    """Draw the entries along the base text: a row for each class, each with a mark of its own."""
    length = _length(numbers.sections)
    rows = [each for each in TABLE if any(place.variant == each for place in numbers.places)]
    parts = _sections(numbers.sections, length, len(rows))
    told: list[str] = []
    for n, variant in enumerate(rows):
        kind = TABLE[variant]
        own = [place for place in numbers.places if place.variant == variant]
        y = ROW * (n + 1)
        path = "".join(f"M{_x(place.at, length):.1f} {y + 3}{kind.mark}" for place in own)
        red = " r" if kind.red else ""
        parts += [_label(kind.chinese, y), f'<path class="m{red}" d="{path}"/>', _total(len(own), y)]
        told.append(f"{kind.chinese} {len(own)}")
    total = f"正文 {length} 字，共 {len(numbers.places)} 条：{'，'.join(told)}"
    return _svg(name, "异文沿正文之分布", total, (WIDTH, ROW * (len(rows) + 1) + 6), parts)


def voices(numbers: Along, labels: Mapping[str, str], *, name: str = "voices", most: int = 24) -> str:
    """Draw who comments where: a row for each speaker, a stroke for each comment, as high as the root of its length.

    Those who say least beyond the `most` are counted together.
    """
    length = _length(numbers.sections)
    spoken = speakers(numbers.sections)
    shown = list(spoken)[:most]
    longest = max((each.characters for each in numbers.comments), default=1) or 1
    parts = _sections(numbers.sections, length, len(shown) + (len(spoken) > most))
    for n, who in enumerate(shown):
        y = ROW * (n + 1)
        strokes = "".join(
            f"M{_x(each.at, length):.1f} {y + ROW - 2}v-{max(1.0, (ROW - 4) * sqrt(each.characters / longest)):.1f}"
            for each in numbers.comments if each.speaker == who
        )
        parts += [_label(labels.get(who, who) or "佚名", y), f'<path class="m" d="{strokes}"/>']
        parts.append(_total(spoken[who][0], y))
    rest = [notes for who, (notes, _) in spoken.items() if who not in shown]
    if rest:
        y = ROW * (len(shown) + 1)
        parts += [f'<text class="s" x="0" y="{y + 13}">其余 {len(rest)} 家</text>', _total(sum(rest), y)]
    told = "，".join(f"{labels.get(who, who) or '佚名'} {notes} 条 {size} 字" for who, (notes, size) in spoken.items())
    return _svg(name, "诸家说沿正文之分布", told, (WIDTH, ROW * (len(shown) + 1 + bool(rest)) + 6), parts)


def speakers(sections: Iterable[Section]) -> dict[str, tuple[int, int]]:
    """Sum notes and characters by speaker over sections; who speaks most first."""
    sums: dict[str, tuple[int, int]] = {}
    for section in sections:
        for who, (notes, size) in section.speakers.items():
            before = sums.get(who, (0, 0))
            sums[who] = before[0] + notes, before[1] + size
    return dict(sorted(sums.items(), key=lambda row: (-row[1][0], -row[1][1], row[0])))


def _sections(sections: Sequence[Section], length: int, rows: int) -> list[str]:
    """Thin lines where sections begin, each with its number if there is room for it."""
    parts: list[str] = []
    last = -100.0
    for section in (each for each in sections if each.characters):
        x = _x(section.start, length)
        parts.append(f'<path class="l" d="M{x:.1f} {ROW - 4}V{ROW * (rows + 1)}"/>')
        if x - last > 18:
            parts.append(f'<text class="s" x="{x:.1f}" y="10">{escape(section.id.rpartition(".")[2])}</text>')
            last = x
    return parts


def _length(sections: Sequence[Section]) -> int:
    return max((section.start + section.characters for section in sections), default=0)


def _x(at: int, length: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * at / max(1, length)


def _label(text: str, y: int) -> str:
    return f'<text class="e" x="{LEFT - 8}" y="{y + 13}">{escape(text)}</text>'


def _total(number: int, y: int) -> str:
    return f'<text class="s e" x="{WIDTH - 2}" y="{y + 12}">{number}</text>'


def _svg(name: str, title: str, told: str, size: tuple[int, int], parts: Iterable[str]) -> str:
    """Put a picture together."""
    wide, high = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="jk" id={quoteattr(name)} role="img" '
        f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'aria-labelledby={quoteattr(f"{name}-title {name}-desc")}>'
        f'<title id={quoteattr(f"{name}-title")}>{escape(title)}</title>'
        f'<desc id={quoteattr(f"{name}-desc")}>{escape(told)}</desc><style>{_STYLE}</style>\n'
        + "\n".join(parts) + "\n</svg>\n"
    )
