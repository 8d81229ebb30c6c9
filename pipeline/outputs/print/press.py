"""The PDF as a printing house takes it: boxes, crop marks, inks, and PDF/X-4 by the profile of the press.

Typst knows no plates and no CMYK profile: both are put in here, by pikepdf. With a profile the file is PDF/X-4
(ISO 15930-7): output intent, XMP, boxes, no links, and nothing of PDF/A is claimed.
The same file gives the same bytes.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from pipeline.errors import Place, RenderError
from pipeline.outputs.print.inks import inked, separation
from pipeline.settings.plans import Press

if TYPE_CHECKING:
    from pikepdf import Page, Pdf

_POINTS = 72 / 25.4
_SLUG = 10.0
"""Millimetres of paper outside bleed or trim where crop marks stand: room for marks of 5 mm that keep off by 3 mm."""
_MARK, _OFF = 5.0, 3.0
"""Length of a crop mark, and how far it keeps off the trim at least, in millimetres: what binders ask for."""
_HAIRLINE = 0.25
"""Points: the thinnest line that offset printing holds."""
_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"><dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator><xmp:CreatorTool>{tool}</xmp:CreatorTool>
<xmp:CreateDate>{date}</xmp:CreateDate><xmp:ModifyDate>{date}</xmp:ModifyDate><xmp:MetadataDate>{date}</xmp:MetadataDate>
<xmpMM:DocumentID>{id}</xmpMM:DocumentID><xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass><pdf:Trapped>False</pdf:Trapped>{version}
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""
_VERSION = "<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>"


def for_press(document: bytes, press: Press, profile: Path | None = None) -> bytes:
    """Give a PDF that Typst made as the press wants it; `profile`: the file that the plan names.

    Raises RenderError if pikepdf is not installed or the profile is none of a press.
    """
    try:
        import pikepdf
    except ImportError:
        raise RenderError("bleed, marks and inks need pikepdf, which is not installed", place=Place("[print.press]"),
                          mend="install it: pip install 'jiaokan[press]'") from None
    made = BytesIO()
    with pikepdf.open(BytesIO(document)) as pdf:
        if press.ink != "screen":
            inked(pdf, press)
        if press.ink != "screen" or profile:
            _bare(pdf)
        for page in pdf.pages:
            _boxed(pdf, page, press)
        if profile:
            _intent(pdf, press, profile)
        pdf.save(made, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate,
                 force_version="1.6" if profile else "1.7")
    return made.getvalue()


def _bare(pdf: Pdf) -> None:
    """Take out what a press does not print and PDF/X does not have: links, tags, the claims of PDF/A."""
    for key in ("/OutputIntents", "/StructTreeRoot", "/MarkInfo"):
        if key in pdf.Root:
            del pdf.Root[key]
    for page in pdf.pages:
        for key in ("/Annots", "/StructParents", "/Tabs"):
            if key in page:
                del page[key]
    info = {key: str(pdf.docinfo.get(f"/{key}", "")) for key in ("Title", "Author", "Creator", "CreationDate")}
    day = info["CreationDate"].removeprefix("D:")[:8]
    said = {"title": info["Title"], "author": info["Author"], "tool": info["Creator"],
            "date": f"{day[:4]}-{day[4:6]}-{day[6:]}T00:00:00Z", "id": f"urn:jiaokan:{bytes(pdf.trailer.ID[0]).hex()}"}
    pdf.docinfo["/Trapped"] = _name("/False")
    _describe(pdf, said, "")


def _describe(pdf: Pdf, said: dict[str, str], version: str) -> None:
    text = _XMP.format(version=version, **{key: escape(words) for key, words in said.items()})
    pdf.Root.Metadata = pdf.make_stream(text.encode(), {"/Type": _name("/Metadata"), "/Subtype": _name("/XML")})


def _name(name: str) -> Any:
    import pikepdf

    return pikepdf.Name(name)


def _boxed(pdf: Pdf, page: Page, press: Press) -> None:
    """Give a page its boxes: what Typst made is the trim; bleed and marks stand outside it."""
    left, low, right, high = (float(side) for side in page.MediaBox)
    bleed = press.bleed * _POINTS
    room = bleed + (_SLUG * _POINTS if press.marks else 0)
    page.TrimBox = _box(left, low, right, high)
    page.BleedBox = _box(left - bleed, low - bleed, right + bleed, high + bleed)
    page.MediaBox = _box(left - room, low - room, right + room, high + room)
    if press.marks:
        page.contents_add(pdf.make_stream(_marks(pdf, page, (left, low, right, high), press)))


def _box(*sides: float) -> Any:
    import pikepdf

    return pikepdf.Array([round(side, 3) for side in sides])


def _marks(pdf: Pdf, page: Page, trim: tuple[float, float, float, float], press: Press) -> bytes:
    """Give the crop marks at the four corners, printed on all plates."""
    colour = "0 G"
    if press.ink != "screen":
        page.add_resource(separation(pdf, "/All", [1, 1, 1, 1]), _name("/ColorSpace"), _name("/Register"))
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


def _intent(pdf: Pdf, press: Press, path: Path) -> None:
    """Say for which press the file is made: its profile, and PDF/X-4. Raises RenderError for any other profile."""
    import pikepdf

    data = _profile(path)
    stream = pdf.make_stream(data, N=4, Alternate=pikepdf.Name.DeviceCMYK)
    pdf.Root.OutputIntents = pikepdf.Array([pikepdf.Dictionary(
        Type=pikepdf.Name.OutputIntent, S=pikepdf.Name.GTS_PDFX, DestOutputProfile=pdf.make_indirect(stream),
        OutputConditionIdentifier=press.condition or path.stem, RegistryName="http://www.color.org",
        Info=press.condition or path.stem)])
    pdf.docinfo["/GTS_PDFXVersion"] = "PDF/X-4"
    text = bytes(pdf.Root.Metadata.read_bytes()).decode()
    end = "<pdf:Trapped>False</pdf:Trapped>"
    pdf.Root.Metadata.write(text.replace(end, f"{end}{_VERSION}").encode())


def _profile(path: Path) -> bytes:
    """Read an ICC profile of a press: of the class ``prtr``, for cyan, magenta, yellow and black (ICC.1, 7.2)."""
    place = Place(str(path))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RenderError(f"cannot be read: {error.strerror}", place=place) from None
    if data[36:40] != b"acsp":
        raise RenderError("not an ICC profile", place=place, mend="ask the press for its .icc file")
    if (data[12:16], data[16:20]) != (b"prtr", b"CMYK"):
        kind = f"{data[12:16].decode('latin-1')} of {data[16:20].decode('latin-1').strip()}"
        raise RenderError(f"a profile of the kind {kind}, none of a press (prtr of CMYK)", place=place,
                          mend="ask the press for the profile of its paper and inks")
    return data
