"""The traditional page 版式: half-leaves in the style of woodblock prints, commentary in double lines.

Typst places the lines of cells, by ``woodblock.typ`` of the layout, which has all sizes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from math import inf

from jiaokan.columns import (
    ABOVE,
    BOXED,
    EDITOR,
    WIDE,
    Block,
    Grid,
    Heading,
    ListedText,
    SetLine,
    SetPage,
    SideSign,
    Sort,
    lay_out,
    plain,
)
from jiaokan.model.numerals import by_places
from jiaokan.outputs.print.engines.book import Begun, ColumnLayout, Folio, folio_name
from jiaokan.outputs.print.engines.cells import read
from jiaokan.outputs.print.typst import literal
from jiaokan.outputs.print.volumes import BookPart
from jiaokan.settings.plans import PrintPlan
from jiaokan.settings.values import size_of

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
_STOPS = frozenset("，。、；：？！…—·,.;:?!")  # marks that stand beside a character; brackets stand above and below it
_BESIDE = frozenset("，。、；：？！")  # those that take the same place beside every graph
_TURNED = 4
"""Number of plain lines in a row from which on they are turned together: less than what their container takes."""
_FOOT = 0.1  # share of the page's height below the frame (``woodblock.typ``)
_ROOM = 2
"""Number of columns that an index entry may fill with leaves; a longer list is folded. With one, 80 of the 366
entries of 仪礼 (778 leaves) only say where the first and the last place of each chapter or of all is, with two 45, with
four 20, and the indexes have four leaves more."""


def layout(plan: PrintPlan) -> ColumnLayout:
    """Return the layout of the traditional page. Lengths are cells."""
    grid = Grid(columns=plan.page.columns, rows=plan.page.rows)
    return _Woodblock(plan=plan, grid=grid, halves=2, by_scroll=True, front="", body=1, room=_ROOM * grid.rows,
                      extent=grid.columns * grid.rows, opening=2, width=grid.columns, height=inf,
                      foot=_FOOT * size_of(plan.page.paper)[1] * 72 / 25.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Woodblock(ColumnLayout):
    grid: Grid

    def read(self, parts: Iterable[BookPart]) -> ListedText:
        return read(parts, punctuation=self.plan.type.punctuation != "hidden", raised=self.plan.page.woodcut.raised,
                    ringed=self.plan.page.woodcut.ringed)

    def size(self, block: Block) -> float:
        return sum(1 if cell.style in WIDE else 0.5 for cell in block.sorts)

    def set_text(self, blocks: Sequence[Block]) -> list[SetPage]:
        return lay_out(blocks, self.grid)

    def contents(self, begun: Sequence[Begun]) -> Iterator[Block]:
        first, last, dropped = True, ("", 0), _unlisted_sections([division for division, *_ in begun if division.level])
        for division, leaf, half in begun:
            if division.level == 0:
                yield Block(kind="rule", first=1, sorts=plain(division.title, "words"))
            elif division.level == 1:
                first = True
                title, leaf_number = plain(division.title, "title"), plain(folio_name(leaf), "number", half)
                room = self.grid.rows - 2 - len(title) - len(leaf_number)
                yield Block(kind="rule", first=1, sorts=[*title, *plain("　" * max(1, room), "title"), *leaf_number])
            elif division.title or (last != leaf and division.id not in dropped):
                # of sections without a name, the first of a leaf says where all are
                name = division.title or "·".join(  # a reference as a column has it: 1.12 → 一·一二
                    "".join(map(by_places, map(int, part))) if part.isdecimal() else part
                    for part in division.reference.split("."))
                cells = [*plain(name, "words"), *plain(folio_name(leaf), "number", half), *plain("　", "number")]
                yield Block(kind="section", breaks="column" if first else "", first=2, rest=2, sorts=cells)
                first, last = False, leaf

    def words(self, text: str, style: str, leads: str = "") -> list[Sort]:
        return plain(text, style, leads)

    def page_id(self, page: int) -> str:
        return f"half-{page}"

    def write(self, pages: Sequence[SetPage], folios: Sequence[Folio], ids: Sequence[str]) -> Iterator[BookPart]:
        whole = self.plan.page.leaf == "whole"
        halves = [f"here({literal(id_)});" * bool(id_) + _half(page) for id_, page in zip(ids, pages, strict=True)]
        for index, folio in enumerate(folios):
            right, left = halves[2 * index:2 * index + 2]
            about = ", ".join(map(literal, (by_places(folio[1]), pages[2 * index + 1].chapter, folio[0])))
            label = folio_name(folio)
            yield BookPart(
                kind="page", source=f"#leaf({about}, {{{right}}}, {{{left}}})\n", volume=pages[2 * index].volume,
                labels=(label,) if whole else (label + "上", label + "下"),
                places={id_: n * (not whole) for n, id_ in enumerate(ids[2 * index:2 * index + 2]) if id_})


def _unlisted_sections(divisions: Iterable[Heading]) -> set[str]:
    """Return the ids of sections without a name beside named ones, or alone: the chapter's own line gives the leaf."""
    chapters: list[list[Heading]] = [[]]
    for heading in divisions:
        if heading.level == 1:
            chapters.append([])
        else:
            chapters[-1].append(heading)
    return {heading.id for sections in chapters for heading in sections
            if not heading.title and (len(sections) == 1 or any(other.title for other in sections))}


def _half(half: SetPage) -> str:
    calls = [
        f"division({d.level}, {literal(d.id)}, {literal(d.reference)}, {literal(d.title)});" for d in half.divisions
    ]
    for alone, run in groupby(half.lines, key=_is_plain):
        lines = list(run)
        if alone and len(lines) >= _TURNED:
            calls.append(f"t({','.join(map(_turned_line, lines))});")
            continue
        calls += map(_line, lines)
    calls += [f"ab({int(line.right)}, {{{''.join(_pieces(line.sorts, ABOVE))}}});" for line in half.crown]
    return "".join(calls)


def _is_plain(line: SetLine) -> bool:
    """Whether a line has nothing but graphs, blanks and stops of one style, so that a column can be one text."""
    style = line.sorts[0].style
    return len(line.sorts) > 1 and _SIZES.get(style, style) == style and all(
        cell.style == style and not cell.id and _is_graph(cell.text) and _are_stops(cell.signs) for cell in line.sorts)


def _are_stops(signs: Sequence[SideSign]) -> bool:
    """Whether a graph has no signs, or one stop."""
    return not signs or (len(signs) == 1 and signs[0].kind == "close" and signs[0].text in _BESIDE)


@cache
def _is_graph(text: str) -> bool:
    return text == "\u3000" or (len(text) == 1 and unicodedata.east_asian_width(text) == "W"
                                and unicodedata.category(text) in ("Lo", "Lm", "Nl"))


def _turned_line(line: SetLine) -> str:
    """Return a line for ``t`` of woodblock.typ: its words and stops by turns."""
    parts = [""]
    for cell in line.sorts:
        parts[-1] += cell.text
        parts += [piece for sign in cell.signs for piece in (sign.text, "")]
    words = ",".join(map(literal, parts if parts[-1] else parts[:-1]))
    return f'("{_SIDES[line.side]}",{line.right},{line.indent},{literal(_style_of(line))},{words})'


def _line(line: SetLine) -> str:
    style = _style_of(line)
    named = "" if style == _DEFAULT[line.side] else f", style: {literal(style)}"
    return f"{_SIDES[line.side]}({line.right}, {line.indent}, {{{''.join(_pieces(line.sorts, style))}}}{named});"


def _style_of(line: SetLine) -> str:
    style = _SIZES.get(line.sorts[0].style, line.sorts[0].style)
    return EDITOR.get(style, style) if line.side == "whole" else style


def _pieces(cells: Sequence[Sort], plain: str) -> Iterator[str]:
    for n, (leads, run) in enumerate(groupby(cells, key=lambda cell: cell.id)):
        strings = "".join(_strings(list(run), plain))
        yield '"\\n";' * bool(n) + (f"to({literal(leads)}, {{{strings}}});" if leads else strings)


def _strings(cells: Sequence[Sort], plain: str) -> Iterator[str]:
    """Yield characters of one style as one string with line ends, and signs and boxes between such strings."""
    words, style = "", plain

    def string() -> str:
        if not words:
            return ""
        return f"{literal(words)};" if style == plain else f"st({literal(style)},{literal(words)});"

    for index, cell in enumerate(cells):
        before = [sign for sign in cell.signs if sign.kind in _BEFORE] if cell.signs else []
        end = "\n" if index else ""
        call = _call(cell, plain)
        if before or call or cell.style != style:
            words += end
            yield string()
            words, style, end = "", plain if call else cell.style, ""
        if before:
            yield from _signs(before, cell.style)
        if call:
            yield call
        else:
            words += end + cell.text
        if len(before) < len(cell.signs):
            yield string()
            words = ""
            yield from _signs([sign for sign in cell.signs if sign.kind not in _BEFORE], cell.style)
    yield string()


def _call(cell: Sort, plain: str) -> str:
    """Return the call that sets a cell that is not simply a character of its line; else an empty string."""
    if cell.style in BOXED:
        entry = next((literal(key) for index, key in cell.anchors if index == "entry"), "")
        return f"{'lb' if cell.style == 'label' else 'sg'}({literal(cell.text)}{entry and ', id: ' + entry});"
    first = cell.text.strip()[:1]
    if first and (first.isascii() or (first.isalpha() and ord(first) < 0x2E80)):
        return f"ly({literal(cell.style)},{literal(cell.text)});"
    same = cell.style == plain or (cell.style, plain) in _SAME_SIZE
    return "" if same else f"bx({literal(cell.style)},{literal(cell.text)});"


def _signs(signs: Sequence[SideSign], style: str) -> Iterator[str]:
    """Brackets that stand together are set together; of several numbers each stands below the one before.

    Round a wrong graph, which is smaller, the editor's brackets stand nearer: the next one opens right after it.
    """
    places = 0  # places: a number's digits and its two half brackets
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
            yield f"mk({literal(sign.text)}{entry}{f', after: {places}' if places else ''});"
            places += max(1, len(sign.text) - 1)
