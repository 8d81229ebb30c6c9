"""TEI that is not of our encoding as an edition of ours: so that every command takes any TEI P5 text.

Its base text, divisions, notes and breaks are read by the reader ``tei``; its entries, however they are linked, become
ours, its witnesses witnesses of the edition; classes of variants are judged as those of any collation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from urllib.parse import quote

import regex
from msgspec.structs import replace

from jiaokan import model
from jiaokan.annotate.identifiers import number
from jiaokan.characters.writing import most_frequent, script_of_language, scripts
from jiaokan.collate.apparatus.classify import judge_entry
from jiaokan.editions import TextResult
from jiaokan.editions.rendered import back_with_translations
from jiaokan.editions.translations import with_back
from jiaokan.entries import entries
from jiaokan.errors import Finding, Message, Place, TeiError, visible
from jiaokan.model.text import edited
from jiaokan.model.walk import walk
from jiaokan.readers.tei.alone import text_of_entries
from jiaokan.readers.tei.arrange import wide
from jiaokan.readers.tei.described import text_of_description
from jiaokan.readers.tei.edition import with_entries
from jiaokan.readers.tei.facts import UNNAMED
from jiaokan.readers.tei.polarity import assumption_findings
from jiaokan.readers.tei.text import OtherText, other_text
from jiaokan.readers.tei.units import in_units
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.process import without_collection
from jiaokan.tei.apparatus import inner_items, refill
from jiaokan.tei.header.carried import carried_header, source_header, text_addresses
from jiaokan.tei.header.uses import uses
from jiaokan.tei.lossless import check_conserved
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import ID, Element, local, parse
from jiaokan.tei.views import plain_text
from jiaokan.tei.write import to_tei

_OURS = re.compile(rb"<application\b[^>]*\bident=[\"']jiaokan[\"']")
_LONGEST = 40
"""So much of a file's name becomes the id of its text."""
_PRINTED = "base"
"""The witness of a text without witnesses: what is printed."""


def as_ours(data: bytes, *, name: str) -> TextResult | None:
    """Return any TEI as an edition of ours; None if it is ours already.

    `name` is the file's name in messages. Raises TeiError with file and line for what is not XML, not TEI, or has no
    words.
    """
    if says_ours(data):
        return None
    root = parse(data, name=name)
    if local(root) == "TEI":
        try:
            from_tei(data, name=name)
            return None
        except TeiError:
            pass
    return other_edition(root, name=name)


def says_ours(data: bytes) -> bool:
    """Whether a TEI file names our program as its application."""
    return bool(_OURS.search(data))


def stranger(data: bytes, *, name: str) -> TextResult:
    """Return any TEI as an edition of ours, also what could be taken for ours; raises as `as_ours`."""
    return other_edition(parse(data, name=name), name=name)


@without_collection()
def other_edition(root: Element, *, name: str) -> TextResult:
    """Return a parsed TEI document of any encoding as an edition of ours; raises as `as_ours`."""
    slug = re.sub(r"[^a-z0-9]+", "-", PurePath(name).stem.lower()).strip("-")[:_LONGEST].strip("-")
    identifier = slug if re.match("[a-z]", slug) else f"text-{slug}".rstrip("-")
    header = source_header(root)
    addresses = text_addresses(root, PurePath(name).name)
    root, alone = text_of_entries(root, name)
    root, described = text_of_description(root, name)
    text = other_text(root, name, identifier)
    if not text.facts.witnesses.whole():
        text.facts.witnesses.declare(_PRINTED, "text")  # only conjectures: what is printed is the one witness
    document, findings = with_entries(text, name)
    ids = {node.get(ID) for node in header.iter("{*}*")}
    while document.id in ids or document.id in text.facts.witnesses.sigla or document.id in text.facts.persons:
        document = replace(document, id=f"{document.id}-text")
    check_conserved(root, document, name)
    document = _as_edition(document, text)
    plan = _plan(document, text, name)
    shown = [words for rule, words in document.dropped if rule == "tei-shown"]
    gone = Counter(rule.removeprefix("tei-") for rule, _ in document.dropped if rule != "tei-shown")
    elements = ", ".join(f"{element} ×{count}" for element, count in sorted(gone.items()))
    remarks = [Message("kinds-elements-shown-nearest-kin", count=len(shown), shown="; ".join(shown))] if shown else []
    remarks += [Message("words-elements-not-text-stand", count=gone.total(), elements=elements)] if gone else []
    dropped = [Finding("tei-other", Place(name), Message("not-encoding", text="; ".join(remarks)), severity="info")]
    return TextResult(document=document, tei=_tei(header, plan, document, text, addresses, PurePath(name).name),
                findings=(*alone, *described, *(dropped if remarks else ()), *text.findings, *findings,
                          *_unlisted_entries(document, text, name),
                          *assumption_findings(document, text.polarity, name)))


def _tei(
    header: Element, plan: EditionPlan, document: model.Document, text: OtherText, addresses: Mapping[str, str],
    file: str,
) -> bytes:
    """Return the text in our encoding under its own header."""
    known = text.facts
    used = uses(document, set(known.witnesses.sigla) - set(known.witnesses.whole()))
    persons = known.persons | ({UNNAMED: known.editors[0]} if known.editors else {})
    linked = {"method": "parallel-segmentation", "location": "internal",
              "source": quote(file, errors="surrogateescape")} if plan.kind == "critical" else {}
    named = plan.kind == "critical" or [*known.witnesses.ids] != [_PRINTED]
    tei_header = carried_header(header, document, used, title=plan.title, editor=UNNAMED, witnesses=known.witnesses.ids,
                                sigla=known.witnesses.sigla if named else {}, persons=persons, linked=linked,
                                addresses=addresses)
    ids = {node.get(ID, "") for node in tei_header.iter("{*}*")}
    return with_back(to_tei(document, tei_header, language=_language_of(document, known.language)),
                     back_with_translations(document, text, ids))


def _language_of(document: model.Document, stated: str) -> str:
    """Return the language of a text: as stated, unless it has no letter of that language's script, nor Latin ones, in
    which any language is transcribed: then what is stated is the language of the header."""
    words = plain_text(document)
    letters, written = most_frequent(words), script_of_language(stated)
    if not written or letters in ("", "Latn") or regex.search(f"[{scripts()[written].letters}]", words):
        return stated or "und"
    return scripts()[letters].language


def _unlisted_entries(document: model.Document, text: OtherText, name: str) -> Iterator[Finding]:
    """Yield how many entries the edition has, if that is more than ``app``, or than exports list."""
    every = [app for app in walk(document) if isinstance(app, model.App) and app.readings and app.kind != "continued"]
    listed, signs = len(entries(document)), sum(app.kind == "accidental" for app in every)
    if len(every) > min(text.apps, listed):
        message = Message("entries-edition", count=len(every))
        message = Message("not-exports-punctuation-differs", told=message, signs=signs) if signs else message
        same = len(every) - listed - signs
        message = Message("not-exports-corrected-words", told=message, same=same) if same else message
        mend = Message("app-several-paragraphs-passage-witness")
        yield Finding("tei-apps", Place(name), message, mend if len(every) > text.apps else "", "info")


def _as_edition(document: model.Document, text: OtherText) -> model.Document:
    chapters = [division for division in document.divisions if division.kind == "pian"]
    numbers = [chapter.n for chapter in chapters]
    keep = all(numbers) and len(set(numbers)) == len(numbers)
    count = iter(numbers if keep else map(str, range(1, len(chapters) + 1)))
    divisions = tuple(replace(d, n=next(count)) if d.kind == "pian" else d for d in in_units(document.divisions))
    numbered = number(replace(document, divisions=divisions))
    witnesses = text.facts.witnesses.whole() if _has_entries(numbered) else ()
    return _Carriers(numbered.id, witnesses).document(numbered)


def _has_entries(document: model.Document) -> bool:
    return any(isinstance(item, model.App) for item in walk(document))


class _Carriers:
    """One pass that adds the witnesses of units, and the ids and classes of entries.

    Where a witness's own units begin is not added: the file does not say it, and a milestone of each witness in each
    unit is twenty times the text of an edition with many witnesses."""

    def __init__(self, name: str, witnesses: tuple[str, ...]) -> None:
        self.witnesses = witnesses
        self.apps: Counter[str] = Counter()
        self.ids: dict[str, str] = {}
        self.holder = name
        self.repeating = False
        """Whether any entry says that it repeats another."""

    def document(self, document: model.Document) -> model.Document:
        result = replace(document, divisions=tuple(map(self.item, document.divisions)))
        return replace(result, divisions=tuple(map(self.repeats, result.divisions))) if self.repeating else result

    def item(self, item: model.Item) -> model.Item:
        outer = self.holder
        if isinstance(item, (model.Unit, model.Note, model.Head, model.Trailer, model.Division)) and item.id:
            self.holder = item.id
        try:
            return self.with_witnesses(item)
        finally:
            self.holder = outer

    def with_witnesses(self, item: model.Item) -> model.Item:
        if isinstance(item, model.App):
            return self.app(item)
        inside = inner_items(item)
        if inside is None:
            return item
        plain = (str, model.Break)
        content = tuple([part if isinstance(part, plain) else self.item(part) for part in inside])
        match item:
            case model.Unit():
                return replace(item, content=content, sources=self.witnesses)
            case model.Note(kind="commentary") if item.id:
                return replace(item, content=content, sources=self.witnesses)
        return refill(item, content)

    def app(self, app: model.App) -> model.App:
        self.apps[self.holder] += 1
        identifier = f"{self.holder}.a{self.apps[self.holder]}"
        self.repeating = self.repeating or bool(app.same_as)
        if app.id:
            self.ids[app.id] = identifier
        lemma, *readings = (replace(r, content=tuple(map(self.item, r.content))) for r in (app.lemma, *app.readings))
        return classify_entry(replace(app, id=identifier, lemma=lemma, readings=tuple(readings)))

    def repeats(self, item: model.Item) -> model.Item:
        """Name the entries that others repeat by our ids; of a name that is no entry nothing is left."""
        if isinstance(item, model.App):
            readings = tuple(replace(r, content=tuple(map(self.repeats, r.content))) for r in item.readings)
            lemma = replace(item.lemma, content=tuple(map(self.repeats, item.lemma.content)))
            return replace(item, lemma=lemma, readings=readings, same_as=self.ids.get(item.same_as, ""))
        inside = inner_items(item)
        return item if inside is None else refill(item, tuple(map(self.repeats, inside)))


def classify_entry(app: model.App) -> model.App:
    """Return an entry with its classes.

    A difference in no word is one of punctuation or spacing, of a note, or of spelling.
    """
    app = judge_entry(app)
    if app.kind != "continued" and app.readings and not any(reading.variant for reading in app.readings):
        plain = not any(isinstance(i, model.Note) for reading in (app.lemma, *app.readings) for i in reading.content)
        app = replace(app, kind="accidental") if plain else app
    readings = tuple(replace(reading, **_own_class(app.lemma, reading)) for reading in app.readings)
    return app if app.kind == "accidental" else replace(app, readings=readings)


def _own_class(lemma: model.Reading, reading: model.Reading) -> dict[str, object]:
    """Return the class of a reading if comparing graphs gives none, or a wrong one: letters in another order (ālī, līā)
    are another word, graphs in another order are not."""
    if reading.source == "rule:order" and not all(map(wide, edited(reading.content))):
        return {"variant": "substantive", "source": ""}
    if reading.source == "rule:printed":  # words that the edition brackets are not a slip of a witness
        return {"variant": "substantive", "source": ""}
    if reading.variant == "addition" and lemma.content:  # the lemma is punctuation
        return {"variant": "lacuna" if any(isinstance(part, model.Gap) for part in reading.content) else "substantive"}
    if reading.variant == "omission" and reading.content:  # a sign (§), or a note
        return {"variant": "substantive"}
    if reading.variant:
        return {}
    if bool(reading.content) == bool(lemma.content):
        return {"variant": "graphic", "source": ""}
    return {"variant": "addition" if reading.content else "omission", "source": ""}


def _plan(document: model.Document, text: OtherText, name: str) -> EditionPlan:
    title = text.facts.title or visible(PurePath(name).stem)
    return EditionPlan(id=document.id, kind="critical" if _has_entries(document) else "reading", title=title,
                       work=document.id)
