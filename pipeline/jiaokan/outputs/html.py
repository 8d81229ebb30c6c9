"""The website: a folder for each text, and what the texts of a site share."""

from __future__ import annotations

import hashlib
import json
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from jiaokan import __version__
from jiaokan.characters import pinyin
from jiaokan.characters.equality import families
from jiaokan.characters.scripts import Interface, is_chinese, own_forms, term
from jiaokan.characters.traditional import load_forms
from jiaokan.decisions.characters import load_substitutes
from jiaokan.errors import Finding, Message, Place, RenderError, TeiError, join_messages
from jiaokan.messages import ENGLISH, TERM, has, ids
from jiaokan.model import Document
from jiaokan.model.text import UNDECIDED
from jiaokan.model.variants import TABLE
from jiaokan.outputs import DOCUMENT, OutputReport, OutputSettings, facts
from jiaokan.outputs.print.fonts import font_files, missing
from jiaokan.outputs.text.prepare import interface_of_text, prepare, script_facts
from jiaokan.outputs.web.dictionaries import dictionaries
from jiaokan.outputs.web.earlier import EarlierSite, identity
from jiaokan.outputs.web.excerpt import excerpts
from jiaokan.outputs.web.fonts import COMMON, first_fonts, web_fonts
from jiaokan.outputs.web.forms import mark_forms
from jiaokan.outputs.web.letters import letters_of, report_lacking
from jiaokan.outputs.web.links import leaves_xml, origins, witness_views
from jiaokan.outputs.web.published import collection, in_order, names, publish, spoken_of_all
from jiaokan.outputs.web.search import FOLDER as GRAMS
from jiaokan.outputs.web.search import TextCharacters, characters_of, glossary, texts_of, write_grams
from jiaokan.outputs.web.snippets import write_snippets
from jiaokan.stats.pictures import album, as_xml
from jiaokan.system.atomic import staged_folder, write_file
from jiaokan.system.listing import below, matching, resource
from jiaokan.system.store import Store
from jiaokan.system.xslt import transform
from jiaokan.tei.header.declarations import side_by_side
from jiaokan.tei.inert import make_inert, not_run
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import read_declared
from jiaokan.tei.tree import ID, LANG, beginning, parse
from jiaokan.tei.views import marks_in_attributes, references_xml
from jiaokan.validate.rule import explanation

NAME = "html"
FILES = "files"
"""Folder with the TEI of a text and its witnesses, if the site offers none."""

_DESCRIBED = frozenset({"element", "attribute", "encoding"})
"""What messages tei-… of the page of the encoding describe; others are of findings."""
_TYPED = ("characters.js", "fold.js", "index.js", "pinyin.js")
"""Scripts whose characters may be typed or looked up but are not shown; the font does not need them."""


def make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    """Write the website of one text into the folder `target`.

    Files: ``index.html``; ``N.html`` for each chapter with its TEI (``N.xml``) and search data (``find-N.js``);
    ``encoding.html``; ``card.xml``, which describes the text for `make_site`.

    The folder is replaced as a whole when everything is written. `make_site` writes what its pages share into the
    parent folder. Raises RenderError; the old folder then stays unchanged.
    """
    copy = make_inert(tei, name=DOCUMENT)
    tei = copy.data
    interface = interface_of_text(tei)
    read = cache(partial(from_tei, settings.plain or tei, name=DOCUMENT))
    prepared = settings.prepared or prepare(tei, settings)
    pictures, findings = _pictures(tei, read, interface)
    findings = (*not_run(copy, DOCUMENT), *findings)
    rendering = {"substitutes": _substitutes(tei, settings), "layer": "yes", **_speaks(interface)}
    sigla = read_declared(tei, name=DOCUMENT).sigla if settings.witnesses else ()
    beside = {name: data for name, data in settings.witnesses.items() if name in sigla}
    whole = settings.tei or f"{FILES}/{beginning(tei, name=DOCUMENT).get(ID, '') or 'text'}.xml"
    sources = (references_xml(tei, name=DOCUMENT), _leaves(tei, read), settings.front, settings.quoted, pictures,
               *_pdfs(settings.pdf, interface))
    with staged_folder(target) as folder:
        views = places = ""
        if settings.witnesses:
            views, stale = witness_views(read(), settings.witnesses, folder, rendering, settings.apparatus)
            findings = (*findings, *stale)
            places, unreadable = write_snippets(read(), settings, dict(sigla), interface, folder)
            findings = (*findings, *unreadable)
        del read  # and with it the text, for which Saxon now takes the memory
        known = facts(
            *sources, tei=whole, views=views, url=settings.url, description=settings.description, version=__version__,
            image_hosts=origins(settings.image_hosts), places=places, state=hashlib.sha256(tei).hexdigest()[:8],
        )
        landing = transform("xslt/html/main.xsl", prepared, base=folder, parameters={**rendering, "facts": known})
        (folder / "index.html").write_text(landing, encoding="utf-8")
        indexed = {"indexed": "yes"} if (folder / "indexes.html").exists() else {}
        described = {"descriptions": _descriptions(interface), "facts": facts(**script_facts(tei), **indexed)}
        encoding = transform("xslt/encoding/main.xsl", tei, parameters={**rendering, **described})
        (folder / "encoding.html").write_text(encoding, encoding="utf-8")
        titles = {chapter.get("page", ""): chapter.get("title", "")
                  for chapter in parse((folder / "card.xml").read_bytes(), name="card.xml").iter("{*}chapter")}
        chapters = [folder / f"{page}.html" for page in titles]
        marked = _mark_forms([path.read_text(encoding="utf-8") for path in chapters], tei, settings)
        for path, page in zip(chapters, marked, strict=True):
            path.write_text(page, encoding="utf-8")
        first_fonts(folder, (*titles, "index"))
        for page, chapter in excerpts(tei, titles, whole=whole, beside=beside, name=DOCUMENT):
            (folder / f"{page}.xml").write_bytes(chapter)
        if not settings.tei:  # the chapters' files point to that of the whole text
            (folder / FILES).mkdir()
            for name, data in {Path(whole).stem: tei, **beside}.items():
                (folder / FILES / f"{name}.xml").write_bytes(side_by_side(make_inert(data, name=name).data))
    written = below(target)
    return OutputReport(files=written, pages=sum(file.suffix == ".html" for file in written), findings=findings)


def _mark_forms(pages: Sequence[str], tei: bytes, settings: OutputSettings) -> list[str]:
    """Mark in pages of a text in simplified script the graphs whose traditional form depends on the context."""
    if "Hans" not in beginning(tei, name=DOCUMENT).get(LANG, "").split("-"):
        return list(pages)
    decided = load_forms(settings.decisions / "forms.toml") if settings.decisions else {}
    return [mark_forms(page, decided) for page in pages]


def parts(
    tei: bytes, wanted: Iterable[str], settings: OutputSettings, *, usual: str, entry_words: str, references: str
) -> list[str]:
    """Return parts of a chapter's page, each in an ``article``: the chapter or sections of it, by their ids in order.

    Of the other parts the TEI needs only the targets of pointers. `usual` is the witness that has most notes of the
    chapter, `told` are the entries of the parts in words (`entries.collation_notes`), `references` those of
    `jiaokan.tei.views.references_xml`. Raises RenderError.
    """
    speaks = _speaks(interface_of_text(tei))
    articles: list[str] = json.loads(transform("xslt/html/part.xsl", marks_in_attributes(tei), parameters={
        "parts": " ".join(wanted), "usual": usual, "layer": "yes", "substitutes": _substitutes(tei, settings), **speaks,
        "facts": facts(entry_words, references, settings.quoted, _leaves(tei, partial(from_tei, tei, name=DOCUMENT)),
                       **script_facts(tei)),
    }))
    return _mark_forms(articles, tei, settings)


def _leaves(tei: bytes, read: Callable[[], Document]) -> str:
    try:
        return leaves_xml(read()) if b" facs=" in tei else ""
    except TeiError:
        return ""


def _speaks(interface: Interface) -> dict[str, str]:
    return {"interface": interface, "forms": own_forms() if interface == "hant" else ""}


def _pictures(
    tei: bytes, read: Callable[[], Document], interface: Interface
) -> tuple[str, tuple[Finding, ...]]:
    """Return a critical edition's pictures as XML; empty for any other text.

    A text with elements that the model does not know gets no pictures, and a finding.
    """
    if b"<variantEncoding" not in tei:
        return "", ()
    try:
        known, document = read_declared(tei, name=DOCUMENT), read()
    except TeiError as error:
        place = error.place or Place(NAME)
        return "", (Finding("html-no-statistics", place, Message("statistics-missing", message=error.message),
                            error.mend, "warning"),)
    labels = {person.id: person.label or person.name for person in known.persons.values()}
    drawn = album(document, known.sigla, labels, part="all", interface=interface)
    return as_xml(drawn) if drawn else "", ()


def _descriptions(interface: Interface) -> str:
    """Return what the elements, attributes and rules of the encoding are for, as JSON; the ODD says it in Chinese and
    English."""
    if is_chinese(interface) or interface == ENGLISH:
        return "{}"
    classes = join_messages("list-comma", [Message(f"class-{name}") for name in TABLE])
    described = {key: Message(key, classes=classes) for key in ids("tei-") if key.split("-")[1] in _DESCRIBED}
    described |= {key: explanation(key.removeprefix("rule-")) for key in ids("rule-")}
    return json.dumps({key: words.in_language(interface) for key, words in described.items()})


def _substitutes(tei: bytes, settings: OutputSettings) -> str:
    """Return what pages show for each Chinese character that our font lacks: its decided form, else 〓, over which a
    reader who has a font sees the character.

    A list as ``𤣥=玄 𠉀=〓``.
    """
    decided = load_substitutes(settings.decisions / "print.toml") if settings.decisions else {}
    lacking = missing(tei.decode("utf-8", errors="replace"), font_files())
    return " ".join(
        f"{char}={decided[char].standard if char in decided else UNDECIDED}"
        for char in lacking if char in decided or _is_chinese(char)
    )


def make_site(site: Path, *, title: str, order: Sequence[str] = (), fonts: Path | None = None,
              latin: Mapping[str, str] | None = None, url: str = "", sections: Mapping[str, str] | None = None,
              earlier: EarlierSite | None = None) -> OutputReport:
    """Write what the texts in the folder `site` share: the list of texts, search, styles, scripts, fonts.

    Everything is read from the folder, so that the site can be made again after any text.

    * `order`: folder names of the texts to list, in order; empty lists all by name. Critical editions come first.
    * `latin`: names and titles in pinyin, where the usual reading is wrong.
    * `fonts`: a folder that may hold the needed fonts from an earlier build.
    * `url`: where the site is published, for files that programs read; empty if unknown.
    * `sections`: the section of a library under which a text is listed, by folder.
    * `earlier`: the previous site, from which unchanged parts are reused.

    Raises RenderError if there is no text.
    """
    if earlier is None:
        with tempfile.TemporaryDirectory() as aside:
            return make_site(site, title=title, order=order, fonts=fonts, latin=latin, url=url, sections=sections,
                             earlier=EarlierSite(Store(Path(aside))))
    cards = {path.parent.name: path for path in matching(site, "*/card.xml") if not path.parent.name.startswith(".")}
    if not cards:
        raise RenderError(Message("text-missing", site=site.name), mend=Message("make-html-text-first"))
    listed = in_order((cards[name] for name in order or sorted(cards) if name in cards), sections or {})
    assets, texts = site / "assets", collection(listed, title, sections or {})
    for folder in (assets, site / "schema"):
        folder.mkdir(exist_ok=True)
    shared = _shared_files(site, texts, spoken_of_all(listed))
    shared[assets / "names.js"] = names(cards.values(), latin or {})
    for path, data in shared.items():
        write_file(path, data, lasting=False)
    made_of = {name: earlier.key(identity(path.parent)) for name, path in cards.items()}
    left = {name: earlier.known(f"texts/{name}", made_of[name], TextCharacters, partial(characters_of, path.parent))
            for name, path in cards.items()}
    pages = (page for pattern in ("*.html", "assets/*.css", "assets/*.js") for page in matching(site, pattern))
    common = (page.read_text(encoding="utf-8") for page in pages if page.name not in _TYPED)
    shown = frozenset(chain(*common, *(text.shown for text in left.values())))
    written: list[Path] = []
    for path, data in chain(
        _tables(site, shown, texts, left, earlier).items(),
        publish(site, {path: made_of[path.parent.name] for path in listed}, earlier, title=title, url=url),
    ):
        write_file(path, data, lasting=False)
        written.append(path)
    letters = letters_of(chain(*(text.shown for text in left.values())))
    if letters.isascii() and b' script="' not in texts:  # those of a Chinese text are in its own font
        letters = ""
    font = web_fonts(assets, _by_use(site, shown, left.values()), letters=letters, earlier=fonts)
    return OutputReport(files=(*shared, *written, *sorted((assets / GRAMS).iterdir()), *font),
                        pages=sum(path.suffix == ".html" for path in shared), findings=report_lacking(letters))


def _by_use(site: Path, shown: frozenset[str], texts: Iterable[TextCharacters]) -> list[str]:
    """Return the characters of all pages: those of lists, then the most frequent, then each text's and chapter's.

    Texts count alike, however long they are.
    """
    uses, order = Counter[str](), dict[str, None]()
    # Style sheets draw signs, scripts add a button to the bar of each page and change marks of punctuation.
    scripts = (site / "assets" / name for name in ("language.js", "points.js"))
    bars = (*matching(site, "*.html"), *matching(site, "assets/*.css"), *scripts)
    front = set().union(*(page.read_text(encoding="utf-8") for page in bars))
    for text in texts:
        whole = sum(text.uses.values())
        for char, count in text.uses.items():
            uses[char] += round(count * 1_000_000 / whole)
        order.update(dict.fromkeys(text.shown))
    frequent = sorted(shown, key=lambda char: (char not in front, -uses[char], char))[:COMMON]
    return list(dict.fromkeys((*frequent, *order, *sorted(shown))))


def _shared_files(site: Path, texts: bytes, interface: Interface) -> dict[Path, bytes]:
    """Return the pages, scripts, styles and schemas that all texts share; delete list pages of an earlier site."""
    speaks, shared = _speaks(interface), dict[Path, bytes]()
    shared[site / "assets" / "words.js"] = dictionaries()
    with tempfile.TemporaryDirectory() as aside:  # Saxon writes as it goes: a page could be torn in its place
        page = transform("xslt/html/collection.xsl", texts, base=Path(aside), parameters=speaks)
        shared[site / "index.html"] = page.encode()
        shared |= {site / path.name: path.read_bytes() for path in sorted(Path(aside).iterdir())}
    for name in ("search", "character"):
        shared[site / f"{name}.html"] = transform(f"xslt/html/{name}.xsl", texts, parameters=speaks).encode()
    for folder, what in (("assets", "xslt/html/assets"), ("schema", "schema")):
        shared |= {site / folder / source.name: source.read_bytes() for source in sorted(resource(what).iterdir())}
    for path in matching(site, "texts-*.html"):
        if path not in shared:
            path.unlink()
    return shared


def _tables(
    site: Path, shown: Iterable[str], texts: bytes, left: Mapping[str, TextCharacters], earlier: EarlierSite,
) -> dict[Path, bytes]:
    """Write the search index; return the tables of texts, chapters and characters that search uses."""
    assets, rows, tied = site / "assets", texts_of(texts, site), families(filter(_is_chinese, shown))
    chapters = [site / row.folder / f"find-{page}.js" for row in rows for page in row.pages]
    shards = write_grams(site, chapters, tied, earlier, {name: text.searchable for name, text in left.items()})
    syllables = " ".join(f"{key}:{graphs}" for key, graphs in pinyin.readings(filter(_is_chinese, shown)).items())
    known = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    return {
        assets / "pinyin.js": f'self.jiaokanPinyin = "{syllables}";\n'.encode(),
        assets / "fold.js": f'self.jiaokanFold = "{" ".join(tied)}";\n'.encode(),
        assets / "index.js": f"self.jiaokanShards = {shards};\nself.jiaokanTexts = [\n{known}];\n".encode(),
        assets / "characters.js": glossary(left),
    }


def _pdfs(pdfs: Mapping[str, str], interface: Interface) -> Iterator[str]:
    """Yield ``pdf[@href, @volume]`` with the layout's name for each address; PDFs of one layout are its volumes."""
    count, volumes_so_far = Counter(pdfs.values()), Counter[str]()
    for address, layout in pdfs.items():
        volumes_so_far[layout] += 1
        volume = f' volume="{volumes_so_far[layout]}/{count[layout]}"' if count[layout] > 1 else ""
        label = term(key, interface) if has(TERM + (key := f"layout-{layout}")) else layout
        yield f"<pdf href={quoteattr(address)}{volume}>{escape(label)}</pdf>"


def _is_chinese(char: str) -> bool:
    return unicodedata.name(char, "").startswith("CJK ")
