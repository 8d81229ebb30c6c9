"""TEI → EPUB 3: the pages of the HTML edition as an e-book, without what needs a browser.

If the plan's layout has columns, the book has vertical lines, and its pages turn from left to right; with ``ebook =
"fixed"`` it has the pages of the vertical layout, after a landing page that flows. The archive
follows EPUB 3.3: `mimetype` first and stored, ``META-INF/container.xml``, a package document with manifest and spine, a
navigation document. Its dates are fixed, so that the same text gives the same bytes.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from lxml import etree
from lxml import html as markup

from jiaokan.characters.scripts import interface_of, is_chinese, term
from jiaokan.errors import Message, RenderError
from jiaokan.model.marks import STYLES, PunctuationStyle, line_of, style_marks
from jiaokan.model.numerals import by_places
from jiaokan.model.pointers import address
from jiaokan.outputs import OutputReport, OutputSettings
from jiaokan.outputs import html as site
from jiaokan.outputs.pdf import read_book
from jiaokan.outputs.print.engines.book import compose
from jiaokan.outputs.print.engines.fixed import FixedPage, fixed_pages
from jiaokan.outputs.print.engines.vertical import layout as vertical_layout
from jiaokan.outputs.print.prepared import punctuation_style
from jiaokan.outputs.print.raster import cover_picture
from jiaokan.outputs.text.prepare import interface_of_text, script_facts
from jiaokan.outputs.web.package import archive, creators, package
from jiaokan.settings import layouts
from jiaokan.settings.flat import with_values
from jiaokan.settings.plans import PrintPlan
from jiaokan.settings.values import size_of
from jiaokan.system.atomic import write_file
from jiaokan.system.listing import resource
from jiaokan.tei.tree import LANG, add_text, beginning

NAME = "epub"
_STYLE, _VERTICAL, _FORMS = "xslt/epub/book.css", "xslt/epub/vertical.css", "xslt/epub/forms.css"
_LETTERS = "xslt/epub/letters.css"
_FIXED_STYLE = "xslt/epub/fixed.css"
_PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang={lang} xml:lang={lang}>
<head><title>{title}</title>{viewport}<link rel="stylesheet" href="{style}"/></head>
<body>{body}</body></html>
"""
_DROPPED = (
    "//script|//style|//meta|//link|//form|//button|//input|//dialog|//template|//svg|//details[contains(@class,'controls')]"
    "|//p[@class='legend']"
    "|//p[@class='downloads']|//p[@class='ways']|//a[contains(@class,'m r0') or contains(@class,'m r1')]"
    "|//li[starts-with(@id,'e-') and (starts-with(@class,'r0') or starts-with(@class,'r1'))]"
    "|//section[@class='apparatus'][not(.//li[starts-with(@class,'r2') or starts-with(@class,'r3')])]"
    "|//span[@class='why']"
)
"""Also what the website does not show at first: entries on script pairs and graphic variants, tables of readings."""
_SEVERAL, _LONG = 2, 120_000
"""A chapter with so many sections and more bytes becomes several files: small readers lay out some 100 KB in a second.
A choice."""
_OPS = "http://www.idpf.org/2007/ops"
_TYPE = f"{{{_OPS}}}type"
_LISTS = frozenset({"indexes.html"})
"""Pages that a reader wants besides the chapters, at whose sections the entries stand anyway."""
_KEPT = frozenset({"id", "class", "href", "title", "lang", "dir", "data-n", "colspan", "rowspan", "scope", "alt",
                   _TYPE})


def make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    """Write the e-book of one TEI file to `target`. Raises RenderError as the HTML output."""
    with tempfile.TemporaryDirectory() as folder:  # the prepared form of a build has links to the pages of other texts
        site.make(tei, Path(folder) / "text", replace(settings, witnesses={}, prepared=b""))
        pages = _pages(Path(folder) / "text")
    layout = settings.print.pdf_layouts()[0]
    look = layouts.declaration(layout)
    vertical = look.vertical and is_chinese(interface_of(beginning(tei, name=NAME).get(LANG) or ""))
    for page in pages.values():
        _repunctuate(page, STYLES[punctuation_style(settings.print, look.punctuation)])
        for link in page.xpath("//a[@class='ref']") if vertical else ():  # 6.3.2 → 六·三·二, upright in a column
            words = "".join(map(str, link.itertext()))
            for child in [*link]:
                link.remove(child)
            link.text = re.sub(r"\d|\.", lambda match: "·" if match[0] == "." else by_places(int(match[0])), words)
    style_paths = [resource(_STYLE), resource(_FORMS), *([resource(_VERTICAL)] if vertical else []),
                   *([resource(_LETTERS)] if script_facts(tei) else []), layouts.folder(layout) / "book.css"]
    styles = [path.read_text(encoding="utf-8") for path in style_paths if path.exists()]
    fixed = _fixed_pages(tei, settings) if settings.print.ebook == "fixed" and vertical else []
    if fixed:
        pages = {"index.html": pages["index.html"]}
    files = _files(pages, tei, "\n".join(styles), fixed, settings.print, vertical=vertical)
    landing = pages["index.html"]
    picture = cover_picture(_title("index.html", landing), creators(landing), settings)
    write_file(target, archive({**files, "cover.png": picture}))
    return OutputReport(files=(target,), pages=len(pages) + len(fixed))


def _fixed_pages(tei: bytes, settings: OutputSettings) -> list[FixedPage]:
    """Return the pages of the vertical layout. Raises RenderError."""
    plan = with_values(settings.print, layout="vertical", volumes=1)
    text, book = read_book(tei, replace(settings, print=plan, interface=interface_of_text(tei)))
    layout_columns = vertical_layout(plan)
    work = next(etree.fromstring(text.xml).iter("{*}title"))
    return list(fixed_pages(compose(layout_columns.read(book.lists()), layout_columns), layout_columns,
                            "".join(map(str, work.itertext()))))


def _pages(folder: Path) -> dict[str, markup.HtmlElement]:
    """Return the landing page, the chapters in the order of its links, and the indexes."""
    landing: markup.HtmlElement = markup.document_fromstring((folder / "index.html").read_bytes())
    for element in (*landing.find_class("sample"), *landing.find_class("doors")):  # they lead into the middle
        element.drop_tree()
    links = (address(link.get("href") or "").path for link in landing.iter("a", "link"))
    names = [name for name in dict.fromkeys(links) if name.endswith(".html") and "/" not in name
             and (folder / name).exists()]
    read = {name: markup.document_fromstring((folder / name).read_bytes()) for name in names if name != "index.html"}
    read["index.html"] = landing
    chapters = [name for name in names if read[name].xpath("//body[contains(@class, 'chapter')]")]
    return {name: read[name] for name in ("index.html", *chapters, *(name for name in names if name in _LISTS))}


def _repunctuate(page: markup.HtmlElement, style: PunctuationStyle) -> None:
    """Show the punctuation of a page in one style: an e-book has no switch."""
    for aside in page.xpath("//span[@class='aside']") if style.marks != "none" else ():
        aside.drop_tree()
    beside: dict[markup.HtmlElement, str] = {}
    for mark in page.xpath("//i[starts-with(@class, 'pc')]"):
        signs = "".join(beside.get(before, "") for before in mark.xpath("preceding-sibling::node()[1][self::i]"))
        beside[mark] = signs + mark.text
        mark.text = style_marks(beside[mark], style)[len(style_marks(signs, style)):]
    for mark in beside:
        if not mark.text:
            mark.drop_tree()
    for name in page.xpath("//span[starts-with(@class, 'nm ')]"):
        name.set("class", f"nm {line_of(name.get('class').split()[1], style)}".strip())


def _files(
    pages: Mapping[str, markup.HtmlElement], tei: bytes, style: str, fixed: Sequence[FixedPage], plan: PrintPlan, *,
    vertical: bool,
) -> dict[str, str]:
    mains = {name: _main_part(name, page) for name, page in pages.items()}
    parts = {name: _divide(name, main) for name, main in mains.items()}
    places = {name: {"": next(iter(divided))} | {str(xml_id): file for file, part in divided.items()
                                                 for xml_id in part.xpath(".//@id")}
              for name, divided in parts.items()}
    first = next(iter(pages.values()))
    letters = script_facts(tei)  # a text in letters has its own language, one in Chinese that of the interface
    language = beginning(tei, name=NAME).get(LANG) if letters else ""
    lang = quoteattr(str(language or first.get("lang") or "lzh"))
    files = {"book.css": style}
    titles, texts = dict[str, str](), list[str]()
    for name, divided in parts.items():
        titles[_xhtml_name(name)] = title = _title(name, pages[name])
        for file, part in divided.items():
            _redirect_links(part, name, places)
            body = etree.tostring(part, encoding="unicode", method="xml", with_tail=False)
            files[file] = _page(lang, escape(title), body)
            texts.append(file)
    files |= _fixed_files(fixed, plan, lang)
    sections: dict[str, str] = {}
    pages_of = {file: _xhtml_name(name) for name, divided in parts.items() for file in divided}
    for link in mains["index.html"].xpath(".//details//li/a[@href]"):
        href, words = str(link.get("href")), escape("".join(link.itertext()))
        page = pages_of[href.partition("#")[0]]
        sections[page] = f"{sections.get(page, '')}<li><a href={quoteattr(href)}>{words}</a></li>"
    lists = {name: f"<ol>{links}</ol>" for name, links in sections.items()}
    entries = "".join(f'<li><a href="{name}">{escape(title)}</a>{lists.get(name, "")}</li>'
                      for name, title in titles.items())
    head = term("contents", interface_of(beginning(tei, name=NAME).get(LANG) or ""))
    contents = f'<nav epub:type="toc"><h1>{head}</h1><ol>{entries}{_fixed_contents(fixed)}</ol></nav>'
    if fixed:
        numbers = "".join(f'<li><a href="p{n}.xhtml">{page.name}</a></li>' for n, page in enumerate(fixed, 1))
        contents += f'<nav epub:type="page-list" hidden=""><ol>{numbers}</ol></nav>'
    files["nav.xhtml"] = _page(lang, head, contents)
    files["package.opf"] = package(first, texts, lang, tei, fixed, vertical=vertical,
                                    leftward=vertical or letters.get("direction") == "rtl")
    return files


def _title(name: str, page: markup.HtmlElement) -> str:
    return str(page.findtext(".//title") or name).split(" · ")[0]


def _fixed_files(fixed: Sequence[FixedPage], plan: PrintPlan, lang: str) -> dict[str, str]:
    width, height = (round(side * 72 / 25.4) for side in size_of(plan.page.paper))
    size = f'<meta name="viewport" content="width={width}, height={height}"/>'
    style = {"fixed.css": resource(_FIXED_STYLE).read_text(encoding="utf-8")} if fixed else {}
    return style | {f"p{number}.xhtml": _page(lang, page.name, f"<section>{page.body}</section>", size, "fixed.css")
                    for number, page in enumerate(fixed, 1)}


def _page(lang: str, title: str, body: str, viewport: str = "", style: str = "book.css") -> str:
    return _PAGE.format(lang=lang, title=title, body=body, viewport=viewport, style=style)


def _fixed_contents(fixed: Sequence[FixedPage]) -> str:
    """Return the entries of chapters, each with those of its sections."""
    chapters = list[tuple[str, list[str]]]()
    for number, page in enumerate(fixed, 1):
        for division in page.divisions:
            link = f'<a href="p{number}.xhtml">{escape(division.title or division.reference)}</a>'
            if division.level == 1:
                chapters.append((link, []))
            elif division.level == 2 and chapters:
                chapters[-1][1].append(f"<li>{link}</li>")
    return "".join(f"<li>{link}{'<ol>' * bool(within)}{''.join(within)}{'</ol>' * bool(within)}</li>"
                   for link, within in chapters)


def _main_part(name: str, page: markup.HtmlElement) -> markup.HtmlElement:
    """Return the main part of a page, without controls and what only scripts or a browser's style use."""
    main = page.find(".//main")
    if main is None:
        raise RenderError(Message("main-missing", name=name))
    for element in main.xpath("." + _DROPPED.replace("|", "|.")):
        element.drop_tree()
    for later in main.xpath(".//noscript"):  # sections that the website lays out later
        later.drop_tag()
    for entry in main.xpath(".//li[starts-with(@id,'e-')]"):
        entry.set(_TYPE, "footnote")  # readers show it where its number is touched
    for mark in main.xpath(".//a[@data-reading]"):
        number = mark.get("data-reading")
        mark.text = f"〔{number}〕" if page.get("data-letters") is None else number
        if mark.getparent().tag != "li":
            mark.set(_TYPE, "noteref")
    _add_remarks(main)
    seen: set[str] = set()
    for element in main.iter(etree.Element):
        for attribute in set(element.attrib) - _KEPT:
            del element.attrib[attribute]
        if element.get("id") in seen:
            del element.attrib["id"]
        seen.add(str(element.get("id")))
    main.tag = "section"
    etree.cleanup_namespaces(main, top_nsmap={"epub": _OPS})
    return main


def _divide(name: str, main: markup.HtmlElement) -> dict[str, markup.HtmlElement]:
    """Return the files of a page: one, or of a long chapter what is before its sections, and sections together until
    they are long enough. Readers lay out a file at a time."""
    divided = {_xhtml_name(name): main}
    sections = main.xpath("./section[starts-with(@class, 'div')]")
    if len(sections) < _SEVERAL or len(etree.tostring(main)) <= _LONG:
        return divided
    part, size = main, len(etree.tostring(main)) - sum(map(len, map(etree.tostring, sections)))
    for section in sections:
        if size > _LONG // 2:
            part = markup.Element("section")
            divided[f"{_xhtml_name(name).removesuffix('.xhtml')}-{len(divided)}.xhtml"] = part
            size = 0
        size += len(etree.tostring(section))
        if part is not main:
            part.append(section)
    return divided


def _add_remarks(main: markup.HtmlElement) -> None:
    """Add the editor's notes on what was corrected and supplied, which pages show where it is pointed at."""
    rows: list[markup.HtmlElement] = []
    for number, place in enumerate(main.xpath(".//*[contains(concat(' ', @class, ' '), ' noted ')]"), 1):
        after = next(iter(place.xpath("following-sibling::node()[1][self::del]")), place)
        call = markup.Element("a", {"href": f"#r-{number}", "id": f"c-{number}", "class": "m", _TYPE: "noteref"})
        call.text = f"[{number}]"
        after.addnext(call)  # before the words that follow
        row = markup.Element("li", {"id": f"r-{number}", _TYPE: "footnote"})
        back = markup.Element("a", {"href": f"#c-{number}", "class": "m"})
        back.text = f"[{number}]"
        row.append(back)
        add_text(row, place.get("title"))
        rows.append(row)
        del place.attrib["title"]
    if rows:
        section, listed = markup.Element("section", {"class": "apparatus"}), markup.Element("ol")
        listed.extend(rows)
        section.append(listed)
        main.append(section)


def _redirect_links(main: markup.HtmlElement, name_here: str, places: Mapping[str, Mapping[str, str]]) -> None:
    """Redirect links to files of the book; remove links that lead nowhere in it and are not web addresses."""
    for link in main.xpath(".//a[@href]"):
        page, _, place = str(link.get("href")).partition("#")
        if page.startswith(("https://", "http://")):
            continue
        there = page or name_here
        if place in places.get(there, {}):
            link.set("href", places[there][place] + (f"#{place}" if place else ""))
        else:
            del link.attrib["href"]


def _xhtml_name(page: str) -> str:
    return f"{page.removesuffix('.html')}.xhtml"
