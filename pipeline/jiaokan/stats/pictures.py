"""Pictures of an edition's statistics, as SVG with a text alternative (``title`` and ``desc``).

A picture takes ink, paper and red of the page that it is in. What colour shows, position, shape and number show too.
Lengths are in user units; text is 12 of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from xml.sax.saxutils import escape, quoteattr, unescape

from msgspec.structs import replace

from jiaokan.characters.scripts import Interface, term
from jiaokan.entries import carriers
from jiaokan.model import Document
from jiaokan.model.variants import TABLE
from jiaokan.stats.measures import Along, Section, WitnessAgreement, along, measure_agreement, share
from jiaokan.stats.tree import Branch, neighbours

WIDTH = 720
"""Width of a page's column of text, so that a picture is shown at its own size."""
LEFT, RIGHT = 64, 40
"""Room for labels and totals beside a strip."""
ROW = 18
"""Height of a row: a mark of 8 units and room for text of 12; with less, labels touch."""
_LEAST_WIDE = 420
"""Width of a file, so that the title of a small picture has few lines."""
_LEGENDS = {"variants": "picture-legend-variants", "voices": "picture-legend-voices"}
"""Legends of pictures whose title is no legend, by their names."""
MOST = 120
"""Most witnesses in the pictures of agreement and of the tree: a matrix of 120 is 6,720 units wide already, and both
need time and memory by the square or cube of their number."""
_STYLE = (
    ".jk{font:12px 'Noto Serif SC','Source Han Serif SC',SimSun,serif;fill:var(--ink,#1c1915)}"
    ".jk .s{font-size:9px;fill:var(--ink-3,#6a6257)}.jk .l{stroke:var(--rule,#d8cebb);stroke-width:1}"
    ".jk .m{fill:none;stroke:var(--ink,#1c1915);stroke-width:.8}.jk .r{stroke:var(--red,#a82e1e)}"
    ".jk .e{text-anchor:end}.jk .c{text-anchor:middle}"
)
def matrix(
    agreement: WitnessAgreement, sigla: Mapping[str, str], *, name: str = "agreement", interface: Interface = "hans"
) -> str:
    """Return a picture of how often witnesses agree.

    Above the diagonal: per cent of the places that vary. Below it: the number of these places, and per cent of all
    characters. `name` is the picture's id, unique in a page.
    """
    names = agreement.witnesses
    side = 56
    parts = [_cell(agreement, sigla, (a, b), (column * side, row * side * 5 // 8), column - row, interface)
             for row, a in enumerate(names) for column, b in enumerate(names)]
    described: list[str] = []
    for (a, b), (agree, both) in agreement.pairs.items():
        of_all = share(agreement.characters, a, b)
        whole = "" if of_all is None else term("picture-of-all", interface, share=f"{100 * of_all:.1f}")
        described.append(term("picture-pair", interface, one=sigla.get(a, a), other=sigla.get(b, b), agree=agree,
                              both=both) + whole)
    size = len(names) * side
    whole = term("picture-semicolon", interface).join(described)
    return _svg(name, term("picture-agreement", interface), whole, (size, size * 5 // 8), parts)


def _cell(
    agreement: WitnessAgreement, sigla: Mapping[str, str], pair: tuple[str, str], at: tuple[int, int], side: int,
    interface: Interface,
) -> str:
    (a, b), (x, y) = pair, at
    if side == 0:
        return f'<text class="c" x="{x + 28}" y="{y + 22}">{escape(sigla.get(a, a))}</text>'
    if side < 0:
        agree, both = agreement.pairs[b, a]
        whole = share(agreement.characters, a, b)
        counts = f'<text class="s c" x="{x + 28}" y="{y + (21 if whole is None else 16)}">{agree}/{both}</text>'
        if whole is None:
            return counts
        shown = term("picture-all", interface, share=f"{100 * whole:.1f}")
        return f'{counts}<text class="s c" x="{x + 28}" y="{y + 28}">{shown}</text>'
    agreeing_share = share(agreement.pairs, a, b)
    shown = "—" if agreeing_share is None else f"{100 * agreeing_share:.1f}"
    tint = 0.3 * (agreeing_share or 0.0) ** 2
    return (f'<rect x="{x + 1}" y="{y + 1}" width="54" height="33" fill-opacity="{tint:.3f}"/>'
            f'<text class="c" x="{x + 28}" y="{y + 22}">{shown}</text>')


def tree(agreement: WitnessAgreement, sigla: Mapping[str, str], *, interface: Interface = "hans") -> str:
    """Return a picture of the witnesses, three or more, as a tree by neighbour joining: lengths are per cent of the
    weight of the entries in which both ends are evidence."""
    names = agreement.witnesses
    shares = {pair: share(agreement.weighted, *pair) for pair in agreement.weighted}
    whole = neighbours(names,
                       {pair: 1.0 - (1.0 if pair_share is None else pair_share) for pair, pair_share in shares.items()})
    wide, parts, described = 420 / (whole.depth() or 1.0), list[str](), list[str]()

    def draw(branch: Branch, x: float, y: float) -> tuple[float, float]:
        """Draw a branch that begins at x, its first witness in the row at y; return its middle and the next row."""
        end, rows = x + branch.length * wide, list[float]()
        for part in branch.parts:
            middle, y = draw(part, end, y)
            rows.append(middle)
        if rows:
            parts.append(f'<path class="m" d="M{end:.1f} {rows[0]:.1f}V{rows[-1]:.1f}"/>')
        middle = (rows[0] + rows[-1]) / 2 if rows else y
        parts.append(f'<path class="m" d="M{x:.1f} {middle:.1f}H{end:.1f}"/>')
        shown = f"{100 * branch.length:.1f}"
        if branch.length * wide > 30:
            parts.append(f'<text class="s c" x="{(x + end) / 2:.1f}" y="{middle - 4:.1f}">{shown}</text>')
        if not rows:
            name = sigla.get(branch.name, branch.name)
            parts.append(f'<text x="{end + 8:.1f}" y="{y + 4:.1f}">{escape(name)}</text>')
            described.append(f"{name} {shown}%")
        return middle, y if rows else y + 28

    _, high = draw(whole, 8, 16)
    description = term("picture-semicolon", interface).join(described)
    return _svg("tree", term("picture-tree", interface), description, (520, int(high)), parts)


def variants(numbers: Along, *, name: str = "variants", interface: Interface = "hans") -> str:
    """Return a picture of the entries along the base text: a row and a mark for each class."""
    length = numbers.length
    rows = [variant for variant in TABLE if any(place.variant == variant for place in numbers.places)]
    parts = _sections(numbers.sections, length, len(rows))
    described: list[str] = []
    for n, variant in enumerate(rows):
        kind, called = TABLE[variant], term(f"variant-{variant}", interface)
        class_places = [place for place in numbers.places if place.variant == variant]
        y = ROW * (n + 1)
        path = "".join(f"M{_x(place.at, length):.1f} {y + 3}{kind.mark}" for place in class_places)
        red = " r" if kind.red else ""
        parts += [_label(called, y), f'<path class="m{red}" d="{path}"/>', _total(len(class_places), y)]
        described.append(f"{called} {len(class_places)}")
    total = term("picture-counts", interface, length=length, count=len(numbers.places),
                 classes=term("picture-comma", interface).join(described))
    return _svg(name, term("picture-variants", interface), total, (WIDTH, ROW * (len(rows) + 1) + 6), parts)


def voices(
    numbers: Along, labels: Mapping[str, str], *, name: str = "voices", most: int = 24, interface: Interface = "hans"
) -> str:
    """Return a picture of who comments where: a row for each speaker, a stroke for each comment.

    A stroke's height is the square root of the comment's length. Speakers after the first `most` are counted together.
    """
    length = numbers.length
    counted = speakers(numbers.sections)
    shown = list(counted)[:most]
    longest = max((comment.characters for comment in numbers.comments), default=1) or 1
    anonymous = term("picture-anonymous", interface)
    parts = _sections(numbers.sections, length, len(shown) + (len(counted) > most))
    for n, who in enumerate(shown):
        y = ROW * (n + 1)
        strokes = "".join(
            f"M{_x(comment.at, length):.1f} {y + ROW - 2}v-"
            f"{max(1.0, (ROW - 4) * sqrt(comment.characters / longest)):.1f}"
            for comment in numbers.comments if comment.speaker == who
        )
        parts += [_label(labels.get(who, who) or anonymous, y), f'<path class="m" d="{strokes}"/>']
        parts.append(_total(counted[who][0], y))
    rest = [notes for who, (notes, _) in counted.items() if who not in shown]
    if rest:
        y = ROW * (len(shown) + 1)
        others = term("picture-others", interface, count=len(rest))
        parts += [f'<text class="s" x="0" y="{y + 13}">{others}</text>', _total(sum(rest), y)]
    described = term("picture-comma", interface).join(
        term("picture-comments", interface, speaker=labels.get(who, who) or anonymous, count=notes, length=size)
        for who, (notes, size) in counted.items())
    size = WIDTH, ROW * (len(shown) + 1 + bool(rest)) + 6
    return _svg(name, term("picture-voices", interface), described, size, parts)


def speakers(sections: Iterable[Section]) -> dict[str, tuple[int, int]]:
    """Return the number of notes and characters of each speaker, summed over sections, the most first."""
    sums: dict[str, tuple[int, int]] = {}
    for section in sections:
        for who, (notes, size) in section.speakers.items():
            before = sums.get(who, (0, 0))
            sums[who] = before[0] + notes, before[1] + size
    return dict(sorted(sums.items(), key=lambda row: (-row[1][0], -row[1][1], row[0])))


def _sections(sections: Sequence[Section], length: int, rows: int) -> list[str]:
    parts: list[str] = []
    last = -100.0
    for section in (candidate for candidate in sections if candidate.characters):
        x = _x(section.start, length)
        parts.append(f'<path class="l" d="M{x:.1f} {ROW - 4}V{ROW * (rows + 1)}"/>')
        if x - last > 18:
            parts.append(f'<text class="s" x="{x:.1f}" y="10">{escape(section.id.rpartition(".")[2])}</text>')
            last = x
    return parts


def _x(at: int, length: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * at / max(1, length)


def _label(text: str, y: int) -> str:
    return f'<text class="e" x="{LEFT - 8}" y="{y + 13}">{escape(text)}</text>'


def _total(number: int, y: int) -> str:
    return f'<text class="s e" x="{WIDTH - 2}" y="{y + 12}">{number}</text>'


def _svg(name: str, title: str, described: str, size: tuple[int, int], parts: Iterable[str]) -> str:
    wide, high = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="jk" id={quoteattr(name)} role="img" '
        f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'aria-labelledby={quoteattr(f"{name}-title {name}-desc")}>'
        f'<title id={quoteattr(f"{name}-title")}>{escape(title)}</title>'
        f'<desc id={quoteattr(f"{name}-desc")}>{escape(described)}</desc><style>{_STYLE}</style>\n'
        + "\n".join(parts) + "\n</svg>\n"
    )


def album(
    document: Document, sigla: Mapping[str, str], labels: Mapping[str, str], *,
    without: Iterable[str] = (), part: str = "text", interface: Interface = "hans",
) -> dict[str, str]:
    """Return an edition's pictures as SVG, by name: ``agreement``, ``tree``, by chapter ``variants-6``, ``voices-6``.

    `sigla` (of witnesses) and `labels` (of speakers) are printed names by id. `without` are classes of variants that
    do not count; `part` is ``text``, ``notes`` or ``all``. Empty pictures are left out, and the first two if there are
    more than `MOST` witnesses. A picture's id is its name.
    """
    light, drawn = frozenset(without), dict[str, str]()
    if 1 < len(carriers(document, sigla)) <= MOST:
        whole = measure_agreement(document, without=light, part=part, order=sigla)
        drawn["agreement"] = matrix(whole, sigla, interface=interface)
        if len(whole.witnesses) > 2:
            drawn["tree"] = tree(whole, sigla, interface=interface)
    for chapter in document.chapters():
        alone = document if len(document.divisions) == 1 else replace(document, divisions=(chapter,))
        numbers = along(alone, without=light, part=part)
        if numbers.places:
            drawn[f"variants-{chapter.n}"] = variants(numbers, name=f"variants-{chapter.n}", interface=interface)
        if numbers.comments:
            drawn[f"voices-{chapter.n}"] = voices(numbers, labels, name=f"voices-{chapter.n}", interface=interface)
    return drawn


def as_file(name: str, picture: str, interface: Interface = "hans") -> str:
    """Return a picture of `album` as a file of its own, above it what it shows, in which unit, and its legend."""
    title = unescape(picture.partition("<title")[2].partition(">")[2].partition("</title>")[0])
    wide, high = (int(number) for number in re.findall(r'viewBox="0 0 (\d+) (\d+)"', picture)[0])
    across = max(wide, _LEAST_WIDE)
    lines = _wrap(title, across)
    if legend := _LEGENDS.get(name.partition("-")[0]):
        lines += _wrap(term(legend, interface), across)
    above = ROW * len(lines) + 6
    words = "".join(f'<text x="0" y="{ROW * n - above - 4}">{escape(line)}</text>' for n, line in enumerate(lines, 1))
    size = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
    grown = f'viewBox="0 {-above} {across} {high + above}" width="{across}" height="{high + above}"'
    return picture.replace(size, grown, 1).replace("</style>", f"</style>{words}", 1)


def _wrap(text: str, width: int) -> list[str]:
    """Return the lines of a text of 12 units: a graph is as wide as high, a letter about six tenths of it."""
    lines, room = [""], float(width)
    for word in re.findall(r"[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*|\s+", text):
        needed = sum(12.0 if char > "\u2e7f" else 7.2 for char in word.rstrip())
        if needed > room and lines[-1]:
            lines, room = [*lines, ""], float(width)
        lines[-1] += word
        room -= needed + 7.2 * (len(word) - len(word.rstrip()))
    return lines


def as_xml(drawn: Mapping[str, str]) -> str:
    """Return pictures as one XML document for the stylesheets: ``pictures/picture[@n]/svg``."""
    parts = "".join(f'<picture n="{name}">{picture}</picture>\n' for name, picture in drawn.items())
    return f'<pictures xmlns="urn:jiaokan:prepared">\n{parts}</pictures>\n'
