"""Colours of a PDF put into the inks of a press: black alone, and a second ink if there is one.

Typst writes colours as ICC-based grey and RGB. Their operators (ISO 32000-1, 8.6.8) are rewritten: grey becomes black
ink (DeviceCMYK with K alone), what is coloured a Separation (8.6.6.4), or black where there is no second ink.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pipeline.settings.plans import Press

if TYPE_CHECKING:
    from pikepdf import Pdf

_GREYISH = 0.12
"""A colour whose channels (0 to 1) differ by no more is grey: the ink of the screen (#1a1613) by 0.03, the red of
the editor by 0.58. A higher limit would print dull colours black, a lower one ink in the second colour."""
_SPACE = frozenset({"cs", "CS"})
_SET = frozenset({"g", "G", "rg", "RG", "sc", "SC", "scn", "SCN"})
_PLATE = "/Plate"


def inked(pdf: Pdf, press: Press) -> None:
    """Put the colours of all content, of pages, forms and patterns, into the inks of the press."""
    import pikepdf

    plate = separation(pdf, press.spot, [share / 100 for share in press.spot_cmyk])
    for page in pdf.pages:
        page.obj.Contents = pdf.make_stream(_rewritten(page.obj, page, press))
        _declare(page.obj, plate, press)
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and (each.get("/Subtype") == "/Form" or "/PatternType" in each):
            each.write(_rewritten(each, each, press))
            _declare(each, plate, press)


def separation(pdf: Pdf, name: str, mixed: list[float]) -> Any:
    """Give a colour space of one ink, with what it is mixed from (CMYK, 0 to 1) where there is none."""
    import pikepdf

    tint = pikepdf.Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=mixed, N=1)
    return pdf.make_indirect(pikepdf.Array([
        pikepdf.Name.Separation, pikepdf.Name(f"/{name}"), pikepdf.Name.DeviceCMYK, pdf.make_indirect(tint)]))


def _declare(holder: Any, plate: Any, press: Press) -> None:
    """Declare the second ink in the resources of a page, form or pattern, instead of what is used no more."""
    import pikepdf

    if "/Resources" in holder:
        kept = {key: each for key, each in _spaces(holder).items() if _patterned(each)}
        own = {_PLATE: plate} if press.ink == "spot" else {}
        holder.Resources.ColorSpace = pikepdf.Dictionary({**kept, **own})


def _spaces(holder: Any) -> Any:
    import pikepdf

    return holder.get("/Resources", pikepdf.Dictionary()).get("/ColorSpace", pikepdf.Dictionary())


def _patterned(space: Any) -> bool:
    """Tell whether a colour space is one of patterns, by itself or as an array."""
    import pikepdf

    return "/Pattern" in (map(str, space) if isinstance(space, pikepdf.Array) else [str(space)])


def _rewritten(holder: Any, content: Any, press: Press) -> bytes:
    """Give content with its colours in the inks of the press."""
    import pikepdf

    spaces = _spaces(holder)
    made: list[Any] = []
    for each in pikepdf.parse_content_stream(content):
        operator, operands = str(each.operator), each.operands
        if operator in _SPACE and not _patterned(spaces.get(str(operands[0]), operands[0])):
            continue
        if operator in _SET and operands and not isinstance(operands[-1], pikepdf.Name):
            made += _ink([float(channel) for channel in operands], press, stroke=operator.isupper())
        else:
            made.append(each)
    return pikepdf.unparse_content_stream(made)


def _ink(channels: list[float], press: Press, *, stroke: bool) -> Iterator[Any]:
    """Give what sets a colour: grey in a tint of black, what is coloured in the second ink, or solid black."""
    import pikepdf

    def instruction(operands: list[Any], name: str) -> Any:
        return pikepdf.ContentStreamInstruction(operands, pikepdf.Operator(name.upper() if stroke else name))

    coloured = max(channels) - min(channels) > _GREYISH
    if coloured and press.ink == "spot":
        yield instruction([pikepdf.Name(_PLATE)], "cs")
        yield instruction([1], "scn")
    else:
        yield instruction([0, 0, 0, 1 if coloured else round(1 - sum(channels) / len(channels), 3)], "k")
