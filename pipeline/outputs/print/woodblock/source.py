"""The leaves of a book as a Typst document: calls of ``woodblock.typ`` of the layout, which knows all sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from pipeline.outputs.print.volumes import BookPart
from pipeline.outputs.print.woodblock.book import compose
from pipeline.outputs.print.woodblock.cells import ABOVE, BOXED, EDITOR, Attached, Cell, CellRun, Grid, Half
from pipeline.outputs.print.woodblock.leaves import Folio, half_name, leaf_name, number
from pipeline.outputs.print.woodblock.script import read

_SIZES = {
    "lost": "base", "wrong": "base", "small-lost": "small", "small-wrong": "small", "label": "small", "sign": "entry",
    "code": "title",
}
"""Styles that a line cannot have as a whole, and that of the line in which they stand."""
_SAME_SIZE = frozenset({("lost", "base"), ("small-lost", "small")})
_DEFAULT = {"whole": "base", "right": "small", "left": "small"}
_SIDES = {"whole": "w", "right": "r", "left": "l"}
_SIGNS = {"open": "op", "close": "cl", "before": "be", "after": "af", "mark": "mk"}
_NEAR = {("before", "wrong"): "bw", ("after", "wrong"): "aw"}
_BEFORE = ("open", "before")
_STOPS = frozenset("，。、；：？！…—·,.;:?!")
"""Marks that stand beside a character; brackets stand above and below it."""


def leaves(
    parts: Iterable[BookPart], grid: Grid, *, punctuation: bool, raised: Sequence[str] = (), ringed: Sequence[str] = (),
    whole: bool = False,
) -> Iterator[BookPart]:
    """Yield the leaves of a book whose lists ``xslt/layouts/traditional`` made; `whole`: each is one page."""
    book = compose(read(parts, punctuation=punctuation, raised=raised, ringed=ringed), grid)
    of_book = (book.front, book.text, book.back)
    led = {cell.leads for halves in of_book for half in halves for line in half.lines for cell in line.cells}
    for halves, folios in zip(of_book, book.folios, strict=True):
        before = len(book.text) if halves is book.back else 0
        names = [half_name(before + n) if halves is not book.front else "" for n in range(len(halves))]
        yield from _leaves(halves, folios, [name if name in led else "" for name in names], whole=whole)


def _leaves(
    halves: Sequence[Half], folios: Sequence[Folio], names: Sequence[str], *, whole: bool
) -> Iterator[BookPart]:
    """Yield leaves; `names`: those of the half-leaves to which numbers lead."""
    made = [f"here({literal(name)});" * bool(name) + _half(half) for name, half in zip(names, halves, strict=True)]
    for index, folio in enumerate(folios):
        right, left = made[2 * index:2 * index + 2]
        about = ", ".join(map(literal, (number(folio[1]), halves[2 * index + 1].chapter, folio[0])))
        label = leaf_name(folio)
        yield BookPart(
            kind="page", source=f"#leaf({about}, {{{right}}}, {{{left}}})\n", volume=halves[2 * index].volume,
            labels=(label,) if whole else (label + "上", label + "下"),
            places={name: n * (not whole) for n, name in enumerate(names[2 * index:2 * index + 2]) if name})


def _half(half: Half) -> str:
    """Divisions, then lines in reading order."""
    made = [
        f"division({d.level}, {literal(d.id)}, {literal(d.reference)}, {literal(d.title)});" for d in half.divisions
    ]
    lines = list(half.lines)
    while lines:
        pair = _single_pair(lines)
        made.append(pair or _line(lines[0]))
        del lines[:2 if pair else 1]
    made += [f"ab({slot}, {{{''.join(_pieces(cells, ABOVE))}}});" for slot, cells in half.crown]
    return "".join(made)


def _single_pair(lines: Sequence[CellRun]) -> str:
    """Give the call that sets a pair of two single characters as one text; nothing for any other line.

    Programs that copy text sort what stands at one height from left to right (PDFium does), but not inside one text.
    """
    if len(lines) < 2 or (lines[0].side, lines[1].side) != ("right", "left"):
        return ""
    cells = (*lines[0].cells, *lines[1].cells)
    style = cells[0].style
    if len(cells) > 2 or cells[1].style != style or any(cell.attached or _call(cell, style) for cell in cells):
        return ""
    return f"rl({lines[0].column}, {lines[0].row}, {literal(style)}, {literal(cells[0].text + cells[1].text)});"


def _line(line: CellRun) -> str:
    style = _SIZES.get(line.cells[0].style, line.cells[0].style)
    style = EDITOR.get(style, style) if line.side == "whole" else style
    named = "" if style == _DEFAULT[line.side] else f", style: {literal(style)}"
    return f"{_SIDES[line.side]}({line.column}, {line.row}, {{{''.join(_pieces(line.cells, style))}}}{named});"


def _pieces(cells: Sequence[Cell], plain: str) -> Iterator[str]:
    """The cells of a line, those of a number that leads somewhere together."""
    for n, (leads, run) in enumerate(groupby(cells, key=lambda cell: cell.leads)):
        made = "".join(_strings(list(run), plain))
        yield '"\\n";' * bool(n) + (f"to({literal(leads)}, {{{made}}});" if leads else made)


def _strings(cells: Sequence[Cell], plain: str) -> Iterator[str]:
    """Characters of one style as one string with a line end between them; signs and boxes between such strings."""
    words, style = "", plain

    def said() -> str:
        call = f"{literal(words)};" if style == plain else f"st({literal(style)},{literal(words)});"
        return call if words else ""

    for index, cell in enumerate(cells):
        before = [sign for sign in cell.attached if sign.kind in _BEFORE]
        end = "\n" if index else ""
        call = _call(cell, plain)
        if before or call or cell.style != style:
            words += end
            yield said()
            words, style, end = "", plain if call else cell.style, ""
        yield from _signs(before, cell.style)
        if call:
            yield call
        else:
            words += end + cell.text
        if len(before) < len(cell.attached):
            yield said()
            words = ""
            yield from _signs([sign for sign in cell.attached if sign.kind not in _BEFORE], cell.style)
    yield said()


def _call(cell: Cell, plain: str) -> str:
    """Give the call that sets a cell that is not simply a character of its line; else nothing."""
    if cell.style in BOXED:
        entry = next((literal(key) for index, key in cell.anchors if index == "entry"), "")
        return f"{'lb' if cell.style == 'label' else 'sg'}({literal(cell.text)}{entry and ', id: ' + entry});"
    first = cell.text.strip()[:1]
    if first and (first.isascii() or (first.isalpha() and ord(first) < 0x2E80)):
        return f"ly({literal(cell.style)},{literal(cell.text)});"
    same = cell.style == plain or (cell.style, plain) in _SAME_SIZE
    return "" if same else f"bx({literal(cell.style)},{literal(cell.text)});"


def _signs(signs: Sequence[Attached], style: str) -> Iterator[str]:
    """Brackets that stand together are set together; of several numbers each stands below the one before.

    Round a wrong graph, which is smaller, the editor's brackets stand nearer: the next one opens right after it.
    """
    taken = 0  # places: a number's digits and its two half brackets
    for (kind, _), run in groupby(signs, key=lambda sign: (sign.kind, sign.text in _STOPS)):
        if kind == "ring":
            yield "rg();"
            continue
        if kind != "mark":
            near = _NEAR.get((kind, style), _SIGNS[kind])
            yield f"{near}({literal(''.join(sign.text for sign in run))});"
            continue
        for sign in run:
            entry = f", id: {literal(sign.id)}" if sign.id else ""
            yield f"mk({literal(sign.text)}{entry}{f', after: {taken}' if taken else ''});"
            taken += max(1, len(sign.text) - 1)


def literal(text: str) -> str:
    """Give a Typst string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
