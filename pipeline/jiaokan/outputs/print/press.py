"""Make a PDF for a printing house: boxes, crop marks, inks, and PDF/X-4 by the profile of the press.

Typst has no plates and no CMYK profiles; pikepdf adds both. With a profile the file is PDF/X-4 (ISO 15930-7): output
intent, XMP, boxes, no links, no claim of PDF/A. Typst writes colours as ICC-based grey and RGB. Their operators
(ISO 32000-1, 8.6.8) are rewritten: grey becomes black ink (DeviceCMYK with K alone), colours a Separation (8.6.6.4), or
black if there is no second ink. The same file gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Name, Page, Pdf

from jiaokan.errors import Message, Place, RenderError, refusal
from jiaokan.settings.plans import Press

_POINTS = 72 / 25.4
_SLUG = 10.0
"""Millimetres of paper for crop marks outside bleed or trim: room for marks of 5 mm at a distance of 3 mm."""
_MARK, _OFF = 5.0, 3.0
"""Length of a crop mark and its least distance from the trim, in millimetres, as binders want them."""
_GREYISH = 0.12
"""Largest difference of channels (0 to 1) of a grey: the ink of the screen (#1a1613) has 0.03, the editor's red 0.58. A
higher limit would print dull colours black, a lower one ink in the second colour."""
_SPACE = frozenset({"cs", "CS"})
_SET = frozenset({"g", "G", "rg", "RG", "sc", "SC", "scn", "SCN"})
_PLATE = "/Plate"
_HAIRLINE = 0.25  # points: the thinnest line that offset printing holds
_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"><dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator><xmp:CreatorTool>{tool}</xmp:CreatorTool>
<xmp:CreateDate>{date}</xmp:CreateDate><xmp:ModifyDate>{date}</xmp:ModifyDate><xmp:MetadataDate>{date}</xmp:MetadataDate>
<xmpMM:DocumentID>{id}</xmpMM:DocumentID><xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass><pdf:Trapped>False</pdf:Trapped>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""
_VERSION = "<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>"


def for_press(document: bytes, press: Press, profile: Path | None = None) -> bytes:
    """Return a PDF that Typst made as the press wants it; `profile`: the plan's ICC file.

    Raises RenderError if the profile is not one of a press.
    """
    output = BytesIO()
    with pikepdf.open(BytesIO(document)) as pdf:
        if press.ink != "screen":
            _convert_colours(pdf, press)
        if press.ink != "screen" or profile:
            _remove_pdfa(pdf)
        for page in pdf.pages:
            _set_boxes(pdf, page, press)
        if profile:
            _add_output_intent(pdf, press, profile)
        pdf.save(output, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate,
                 force_version="1.6" if profile else "1.7")
    return output.getvalue()


def _remove_pdfa(pdf: Pdf) -> None:
    """Remove what a press does not print and PDF/X does not allow: links, tags, claims of PDF/A."""
    for key in ("/OutputIntents", "/StructTreeRoot", "/MarkInfo"):
        if key in pdf.Root:
            del pdf.Root[key]
    for page in pdf.pages:
        for key in ("/Annots", "/StructParents", "/Tabs"):
            if key in page:
                del page[key]
    info = {key: str(pdf.docinfo.get(f"/{key}", "")) for key in ("Title", "Author", "Creator", "CreationDate")}
    day = info["CreationDate"].removeprefix("D:")[:8]
    metadata = {"title": info["Title"], "author": info["Author"], "tool": info["Creator"],
                "date": f"{day[:4]}-{day[4:6]}-{day[6:]}T00:00:00Z",
                "id": f"urn:jiaokan:{bytes(pdf.trailer.ID[0]).hex()}"}
    pdf.docinfo["/Trapped"] = Name("/False")
    text = _XMP.format(**{key: escape(words) for key, words in metadata.items()})
    pdf.Root.Metadata = pdf.make_stream(text.encode(), {"/Type": Name("/Metadata"), "/Subtype": Name("/XML")})


def _set_boxes(pdf: Pdf, page: Page, press: Press) -> None:
    """Set the boxes of a page: Typst's page is the trim; bleed and marks lie outside it."""
    left, low, right, high = (float(side) for side in page.MediaBox)
    bleed = press.bleed * _POINTS
    room = bleed + (_SLUG * _POINTS if press.marks else 0)
    page.TrimBox = _box(left, low, right, high)
    page.BleedBox = _box(left - bleed, low - bleed, right + bleed, high + bleed)
    page.MediaBox = _box(left - room, low - room, right + room, high + room)
    if press.marks:
        page.contents_add(pdf.make_stream(_crop_marks(pdf, page, (left, low, right, high), press)))


def _box(*sides: float) -> pikepdf.Object:
    return pikepdf.Array([round(side, 3) for side in sides])


def _crop_marks(pdf: Pdf, page: Page, trim: tuple[float, float, float, float], press: Press) -> bytes:
    colour = "0 G"
    if press.ink != "screen":
        page.add_resource(_separation(pdf, "/All", [1, 1, 1, 1]), Name("/ColorSpace"), Name("/Register"))
        colour = "/Register CS 1 SCN"
    left, low, right, high = trim
    off = max(press.bleed, _OFF) * _POINTS
    lines = []
    for x, out in ((left, -1), (right, 1)):
        for y, up in ((low, -1), (high, 1)):
            end = off + _MARK * _POINTS
            lines += [f"{x + out * off:.3f} {y:.3f} m {x + out * end:.3f} {y:.3f} l S",
                      f"{x:.3f} {y + up * off:.3f} m {x:.3f} {y + up * end:.3f} l S"]
    drawn = f"{colour} {_HAIRLINE} w {' '.join(lines)}"
    return f"/Artifact BMC q {drawn} Q EMC".encode()


def _add_output_intent(pdf: Pdf, press: Press, path: Path) -> None:
    data = _read_profile(path)
    stream = pdf.make_stream(data, N=4, Alternate=Name.DeviceCMYK)
    pdf.Root.OutputIntents = pikepdf.Array([pikepdf.Dictionary(
        Type=Name.OutputIntent, S=Name.GTS_PDFX, DestOutputProfile=pdf.make_indirect(stream),
        OutputConditionIdentifier=press.condition or path.stem, RegistryName="http://www.color.org",
        Info=press.condition or path.stem)])
    pdf.docinfo["/GTS_PDFXVersion"] = "PDF/X-4"
    text = bytes(pdf.Root.Metadata.read_bytes()).decode()
    end = "<pdf:Trapped>False</pdf:Trapped>"
    pdf.Root.Metadata.write(text.replace(end, f"{end}{_VERSION}").encode())


def _read_profile(path: Path) -> bytes:
    """Read the ICC profile of a press: class ``prtr``, for cyan, magenta, yellow and black (ICC.1, 7.2)."""
    place = Place(str(path))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RenderError(Message("cannot-read", strerror=refusal(error)), place=place) from None
    if data[36:40] != b"acsp":
        raise RenderError(Message("not-icc-profile"), place=place, mend=Message("ask-press-icc-file"))
    if (data[12:16], data[16:20]) != (b"prtr", b"CMYK"):
        kind = f"{data[12:16].decode('latin-1')} of {data[16:20].decode('latin-1').strip()}"
        raise RenderError(Message("profile-kind-not-press-prtr", kind=kind), place=place,
                          mend=Message("ask-press-profile-paper-inks"))
    return data


def _convert_colours(pdf: Pdf, press: Press) -> None:
    """Convert the colours of all content (pages, forms, patterns) to the inks of the press."""
    plate = _separation(pdf, press.spot, [share / 100 for share in press.spot_cmyk])
    for page in pdf.pages:
        page.obj.Contents = pdf.make_stream(_convert_content(page.obj, page, press))
        _declare_ink(page.obj, plate, press)
    for stream in pdf.objects:
        if isinstance(stream, pikepdf.Stream) and (stream.get("/Subtype") == "/Form" or "/PatternType" in stream):
            stream.write(_convert_content(stream, stream, press))
            _declare_ink(stream, plate, press)


def _separation(pdf: Pdf, name: str, mixed: list[float]) -> pikepdf.Object:
    """Return the colour space of one ink; `mixed`: its substitute in CMYK, 0 to 1."""
    tint = pikepdf.Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=mixed, N=1)
    return pdf.make_indirect(pikepdf.Array([
        Name.Separation, Name(f"/{name}"), Name.DeviceCMYK, pdf.make_indirect(tint)]))


def _declare_ink(holder: pikepdf.Object, plate: object, press: Press) -> None:
    if "/Resources" in holder:
        patterns = {key: space for key, space in _spaces(holder).items() if _is_pattern(space)}
        plate_space = {_PLATE: plate} if press.ink == "spot" else {}
        holder.Resources.ColorSpace = pikepdf.Dictionary({**patterns, **plate_space})


def _spaces(holder: pikepdf.Object) -> pikepdf.Object:
    return holder.get("/Resources", pikepdf.Dictionary()).get("/ColorSpace", pikepdf.Dictionary())


def _is_pattern(space: pikepdf.Object) -> bool:
    return "/Pattern" in (map(str, space) if isinstance(space, pikepdf.Array) else [str(space)])


def _convert_content(holder: Any, content: Any, press: Press) -> bytes:
    spaces = _spaces(holder)
    instructions: list[Any] = []
    for instruction in pikepdf.parse_content_stream(content):
        operator, operands = str(instruction.operator), instruction.operands
        if operator in _SPACE and not _is_pattern(spaces.get(str(operands[0]), operands[0])):
            continue
        if operator in _SET and operands and not isinstance(operands[-1], Name):
            instructions += _ink([float(channel) for channel in operands], press, stroke=operator.isupper())
        else:
            instructions.append(instruction)
    return pikepdf.unparse_content_stream(instructions)


def _ink(channels: list[float], press: Press, *, stroke: bool) -> Iterator[Any]:
    """Yield what sets a colour: grey as a tint of black, what is coloured in the second ink, or solid black."""
    def instruction(operands: list[Any], name: str) -> Any:
        return pikepdf.ContentStreamInstruction(operands, pikepdf.Operator(name.upper() if stroke else name))

    coloured = max(channels) - min(channels) > _GREYISH
    if coloured and press.ink == "spot":
        yield instruction([Name(_PLATE)], "cs")
        yield instruction([1], "scn")
    else:
        yield instruction([0, 0, 0, 1 if coloured else round(1 - sum(channels) / len(channels), 3)], "k")
