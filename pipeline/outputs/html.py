"""The HTML edition: a folder for each text, and what the texts of a site share."""

from __future__ import annotations

import tempfile
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

from lxml import etree

from pipeline import __version__
from pipeline.characters.families import families
from pipeline.decisions.printing import load_printed
from pipeline.errors import Finding, Place, RenderError, TeiError
from pipeline.outputs import OutputReport, OutputSettings
from pipeline.outputs.print.fonts import font_files, missing
from pipeline.outputs.web.fonts import web_fonts
from pipeline.stats.album import album, as_xml
from pipeline.system.atomic import staged_folder, write_file
from pipeline.system.resources import resource
from pipeline.system.xslt import transform
from pipeline.tei.header.read import declared
from pipeline.tei.parse import from_tei

NAME = "html"

_PREPARED = "urn:jiaokan:prepared"


def make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    """Make the pages of one text in the folder `target`: ``index.html``, ``N.html`` for each chapter, how it is encoded
    (``encoding.html``), and beside them the TEI of each chapter alone (``N.xml``), what can be searched (``find-N.js``)
    and what the site says of the text (``card.xml``).

    The folder is replaced as a whole once everything is made. Its parent is the site: `make_site` writes there
    what the pages need of style, script and font. Raises RenderError; the old folder then stays as it was.
    """
    pictures, findings = _pictures(tei)
    parameters = {
        "pictures": pictures,
        "description": settings.description, "pdf": settings.pdf, "tei": settings.tei, "version": __version__,
        "substitutes": " ".join(f"{char}={form}" for char, form in _substitutes(tei, settings).items()),
    }
    with staged_folder(target) as made:
        landing = transform("xslt/html/main.xsl", tei, parameters=parameters, base=made)
        (made / "index.html").write_text(landing, encoding="utf-8")
        encoding = transform("xslt/encoding/main.xsl", tei, parameters={"substitutes": parameters["substitutes"]})
        (made / "encoding.html").write_text(encoding, encoding="utf-8")
    files = tuple(sorted(target.iterdir()))
    return OutputReport(files=files, pages=sum(file.suffix == ".html" for file in files), findings=findings)


def _pictures(tei: bytes) -> tuple[str, tuple[Finding, ...]]:
    """Give the pictures of the statistics of a critical edition; of any other text none.

    What can be shown but not counted (elements that the model does not know) goes without, and says so.
    """
    if b"<variantEncoding" not in tei:
        return "", ()
    try:
        known, document = declared(tei, name=NAME), from_tei(tei, name=NAME)
    except TeiError as error:
        place = error.place or Place(NAME)
        return "", (Finding("html-no-statistics", place, f"no statistics: {error.message}", error.mend, "warning"),)
    labels = {person.id: person.label or person.name for person in known.persons.values()}
    drawn = album(document, known.sigla, labels, part="all")
    return as_xml(drawn) if drawn else "", ()


def _substitutes(tei: bytes, settings: OutputSettings) -> dict[str, str]:
    """Give what pages show for each Chinese character that our font lacks: its decided form, else its code."""
    decided = load_printed(settings.decisions / "print.toml") if settings.decisions else {}
    lacking = missing(tei.decode("utf-8", errors="replace"), font_files())
    return {
        char: decided[char].standard if char in decided else f"U+{ord(char):04X}"
        for char in lacking if char in decided or _is_chinese(char)
    }


def make_site(site: Path, *, title: str, order: Sequence[str] = (), fonts: Path | None = None) -> OutputReport:
    """Make what the texts in the folder `site` share: the page that lists them, search, style, script, font.

    `order` gives the texts that are listed, in order, by the names of their folders; empty: all, by name. Critical
    editions come before texts to read. Everything is read from the folder, so that it can be made again after any
    text. `fonts` is a folder that may hold the font that is needed, from an earlier build. Raises RenderError if
    there is no text.
    """
    cards = {path.parent.name: path for path in site.glob("*/card.xml") if not path.parent.name.startswith(".")}
    if not cards:
        raise RenderError(f"no text in {site.name}", mend="make the HTML of a text first")
    listed = [cards[name] for name in order or sorted(cards) if name in cards]
    collection = _collection(listed, title)
    assets = site / "assets"
    for folder in (assets, site / "schema"):
        folder.mkdir(exist_ok=True)
    made = {assets / source.name: source.read_bytes() for source in sorted(resource("xslt/html/assets").iterdir())}
    with tempfile.TemporaryDirectory() as aside:  # Saxon writes as it goes: words.js could be torn in its place
        made[site / "index.html"] = transform("xslt/html/collection.xsl", collection, base=Path(aside)).encode()
        made |= {assets / path.name: path.read_bytes() for path in sorted(Path(aside).iterdir())}
    made[site / "search.html"] = transform("xslt/html/search.xsl", collection).encode()
    made |= {site / "schema" / source.name: source.read_bytes() for source in sorted(resource("schema").iterdir())}
    for path, data in made.items():
        write_file(path, data)
    shown = _characters(site)
    fold = assets / "fold.js"
    write_file(fold, f'self.jiaokanFold = "{" ".join(families(filter(_is_chinese, shown)))}";\n'.encode())
    font = web_fonts(assets, shown, earlier=fonts)
    return OutputReport(files=(*made, fold, *font), pages=2)


def _collection(cards: Sequence[Path], title: str) -> bytes:
    """Put the cards of the texts into one document: critical editions first, then texts to read."""
    parts = {"critical": b"", "reading": b""}
    for path in cards:
        card = etree.parse(path).getroot()
        card.set("folder", path.parent.name)
        parts[card.get("kind", "reading")] += etree.tostring(card)
    head = f'<collection xmlns="{_PREPARED}" title={quoteattr(title)}>'.encode()
    return head + b"".join(parts.values()) + b"</collection>"


def _characters(site: Path) -> frozenset[str]:
    """Give every character that a page of the site can show."""
    found: set[str] = set()
    for pattern in ("*.html", "[!.]*/*.html", "assets/*.css", "assets/*.js"):
        for page in site.glob(pattern):
            if page.name != "fold.js":  # graphs that may be typed; no page shows them
                found.update(page.read_text(encoding="utf-8"))
    return frozenset(found)


def _is_chinese(char: str) -> bool:
    return unicodedata.name(char, "").startswith("CJK ")
