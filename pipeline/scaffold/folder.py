"""Write the settings of a new edition folder from what its files show: catalog, conventions, persons, editions."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import takewhile
from typing import Any

import tomli_w
from pypinyin import lazy_pinyin

from pipeline.errors import visible
from pipeline.scaffold import gaiji
from pipeline.scaffold.conventions import convention_of, labels_of, labels_of_parts, reference_of
from pipeline.scaffold.editions import short_siglum
from pipeline.scaffold.rows import is_commentary
from pipeline.scaffold.survey import Survey
from pipeline.scaffold.works import SurveyedWork
from pipeline.settings.names import RESERVED, windows
from pipeline.settings.values import sign, undirected

_TAKEN = RESERVED | {"edition"}
"""Names that the program uses itself."""
_INTRODUCES = {
    **dict.fromkeys(("疏", "正義", "正义", "索隱", "索隐", "義疏", "义疏"), "shu"),
    **dict.fromkeys(("音義", "音义", "释文", "釋文"), "yinyi"), **dict.fromkeys(("按", "案", "今按", "愚按"), "an"),
    **dict.fromkeys(("注", "註", "集解", "傳", "传", "箋", "笺"), "zhu"),
}
"""The kind of note that some words introduce; all others introduce comments of later commentators (shuo)."""
_ABOVE = re.compile("眉[批評评注註]")
"""Marks a note above the text; the words before it name the speaker (金聖歎眉批)."""
_MISSING = "〓"
"""Printed in a first edition for characters that no font has, so that there is a PDF to look at."""
_SHOWN = 8
"""Examples in a line of the report."""
_COMMONS = re.compile(r"https?://creativecommons\.org/licenses/(?P<kind>[a-z-]+)/(?P<version>[0-9.]+)/?(?:deed.*)?")
"""The address of a Creative Commons licence, which contains its name: CC BY-SA 4.0."""
_COMMENTS = {
    "catalog": "The works and sources of this folder.", "persons": "Authors of the texts and speakers of their notes.",
    "edition": "An edition: its chapters, their witnesses and base texts.",
    "glyphs": "The characters that codes of the sources stand for, as detected.",
    "reader": "How the source marks chapters, notes and speakers, as detected.",
}
"""First lines of the files, by the topic that explains their keys."""


@dataclass(slots=True)
class Folder:
    """A new folder."""

    files: dict[str, bytes] = field(default_factory=dict)
    """Its files, by their path in it."""
    report: list[str] = field(default_factory=list)
    """What was detected, line by line."""


def make_folder(works: Sequence[SurveyedWork], *, today: date) -> Folder:
    """Return the files of an edition folder for some works; `today` is the date of the project."""
    builder = _Builder()
    for work in works:
        builder.add_work(work)
    editors = dict.fromkeys(name for work in works for survey in work.surveys for name in survey.editors)
    project = {
        "title": works[0].surveys[0].title, "publisher": "", "editors": [*editors], "date": today.isoformat(),
        "licence": {"name": "not stated"},
    }
    if known := {code: each for work in reversed(works) for code, each in work.known.items()}:
        builder.folder.files["tei/decisions/glyphs.toml"] = _toml({"glyph": gaiji.rows(known, today)}, "glyphs")
    builder.folder.files |= {
        "tei/catalog.toml": _toml({"project": project, **builder.catalog}, "catalog"),
        "tei/persons.toml": _toml({"person": list(builder.persons.values())}, "persons"),
    }
    return builder.folder


class _Builder:
    """The settings of a folder while works are added."""

    def __init__(self) -> None:
        self.folder = Folder()
        self.persons: dict[str, dict[str, Any]] = {}
        self.catalog: dict[str, Any] = {"work": [], "source": []}
        self.texts, self.editions, self.sigla = set(_TAKEN), set(_TAKEN), set[str]()
        """Ids and sigla in use."""

    def slug(self, words: str, otherwise: str, taken: set[str]) -> str:
        """Return an id of letters and digits, with a number if it is taken, and add it to the taken ones."""
        latin = unicodedata.normalize("NFKD", "-".join("".join(lazy_pinyin(part)) for part in words.split("-")))
        plain = re.sub(r"[^a-z0-9]+", "-", latin.encode("ascii", "ignore").decode().lower()).strip("-")[:30].strip("-")
        plain = plain if re.match("[a-z]", plain) and not windows(plain) else otherwise
        name = next(n for n in (plain, *(f"{plain}-{k}" for k in range(2, 10_000))) if n not in taken)
        taken.add(name)
        return name

    def siglum(self, survey: Survey, title: str) -> str:
        """Return the first free siglum: a short one of the edition, the commentator, a title of its own, the file."""
        other = survey.title if survey.title != title else ""
        candidates = [short_siglum(survey.edition_title, self.sigla), *(sign(each) for each in (
            survey.author[-6:], survey.edition, other[:6], survey.called[:12], title[:6]))]
        found = next((each for each in candidates if each and each not in self.sigla), f"W{len(self.sigla) + 1}")
        self.sigla.add(found)
        return found


    def add_work(self, work: SurveyedWork) -> None:
        """Add a work, its texts and its edition."""
        titles = [each.title for each in work.surveys]
        alike = takewhile(lambda chars: len(set(chars)) == 1, zip(*titles, strict=False))
        shared = "".join(chars[0] for chars in alike)  # 器銘 of 器銘集注 and 器銘注
        title = shared if len(shared) > 1 else min(titles, key=len)
        own = self.slug(title, "work", self.editions)
        book = title if all(heads[0].title.removeprefix(title) for heads in work.chapters) else ""
        chapters = [heads[0].title.removeprefix(book) for heads in work.chapters]
        self.catalog["work"].append({"id": own, "title": title, **_chapters(work, chapters)})
        edited = any(each.format == "tei" and each.edition for each in work.surveys)  # a witness beside its edition
        alone = len(work.surveys) == 1 and not edited
        ids = [self.add_source(survey, own, title, distinct)
               for survey, distinct in zip(work.surveys, [""] if alone else _distinct(work, title), strict=True)]
        plan: dict[str, Any] = {"id": own, "title": title}
        if alone:
            plan |= {"kind": "reading", "witness": ids[0]}
        else:
            plan |= {"kind": "critical", "work": own, "chapters": [
                {"n": n, "title": each, "base": ids[0], "witnesses": [ids[index] for index in has]}
                for n, (each, has) in enumerate(zip(chapters, work.has, strict=True), 1)
            ]}
        self.folder.files[f"tei/editions/{own}.toml"] = plan_file({**plan, "print": {"missing": _MISSING}})
        self.folder.report += _report(work, title, ids)

    def add_source(self, survey: Survey, work: str, title: str, own: str) -> str:
        """Add a text: its file in UTF-8, its catalog entry, its convention. Return its id: of its work and `own`, what
        distinguishes it from the other texts."""
        words = title if not own else own if own.startswith((title, work)) else f"{title}-{own}"
        name = self.slug(words, "text", self.texts)
        if name == work and own:  # a long title fills the id: what distinguishes its texts is cut off
            name = self.slug(words, "text", self.texts)
        suffix = ".xml" if survey.format == "tei" else ".txt"
        data = survey.text.encode("utf-8")
        self.folder.files[f"tei/sources/{name}{suffix}"] = data
        author = self.person(survey.author, survey.dynasty) if survey.author else ""
        if convention := convention_of(survey) | self.speakers(survey, author):
            self.folder.files[f"tei/conventions/{name}.toml"] = _toml(convention, "reader")
        (wrong, right), (terms, address) = survey.notes.mended, survey.licence
        commons = _COMMONS.fullmatch(address)
        licence = {"name": f"CC {commons['kind'].upper()} {commons['version']}" if commons else terms or "not stated"}
        self.catalog["source"].append({
            "id": name, "siglum": self.siglum(survey, title), "file": f"sources/{name}{suffix}",
            "sha256": hashlib.sha256(data).hexdigest(), "work": work,
            "title": _titled(title if survey.title == survey.called else survey.title, survey.edition_title),
            "authors": [author] if author else [], "dynasty": survey.dynasty, "reader": survey.reader,
            "language": survey.language, "origin": visible(survey.path.name),
            "licence": licence | ({"url": address} if re.fullmatch(r"https?://\S+", address) else {}),
            **({"corrections": {"wrong": wrong, "right": right}} if right else {}),
        })
        return name

    def speakers(self, survey: Survey, author: str) -> dict[str, Any]:
        """Return the tables of a convention that name the speakers of notes."""
        made: dict[str, Any] = {}
        if survey.notes.brackets or survey.notes.lines or survey.notes.calls:
            adds = _additions(survey)
            made["unsigned"] = {"person": author if survey.unsigned and not adds else "", "subtype": "zhu"}
            rows = []
            for words, _ in survey.notes.speakers:
                name = _name(_ABOVE.sub("", _name(words)))
                person = author if words in adds else self.person(name) if name else ""
                rows.append({"prefix": words, "person": person, "subtype": _INTRODUCES.get(name, "shuo"),
                             **({"place": "top"} if _ABOVE.search(words) else {})})
            made |= {"speaker": rows} if rows else {}
        if survey.signers:
            made["speaker"] = [{"prefix": key, "person": self.person(words), "subtype": "zhu"}
                               for key, words in survey.signers]
        return made

    def person(self, name: str, dynasty: str = "") -> str:
        """Return the id of the person of this name, who is added if new."""
        name = sign(name) or name
        for each in self.persons.values():
            if each["name"] == name:
                return str(each["id"])
        made = self.slug(name, "person", self.texts)
        self.persons[made] = {"id": made, "name": name, "label": name, "dynasty": dynasty}
        return made


def _distinct(work: SurveyedWork, title: str) -> list[str]:
    """Return what distinguishes each text of a work: the edition if each has its own, else author, title or file."""
    editions = [survey.edition for survey in work.surveys]
    if all(editions) and len({*editions}) == len(editions):
        return editions
    return [survey.author or survey.edition or (survey.title if survey.title != title else survey.called)
            for survey in work.surveys]


def _titled(title: str, edition: str) -> str:
    return f"{title}（{edition}）" if edition else title


def _chapters(work: SurveyedWork, titles: Sequence[str]) -> dict[str, Any]:
    labels = labels_of(titles)
    if not any(labels):
        labels = labels_of_parts([heads[0] for heads in work.chapters])
    chapters = [
        {"n": n, "title": each, "names": list(dict.fromkeys(head.name for head in heads if head.name)),
         **({"label": label} if label else {})}
        for n, (each, heads, label) in enumerate(zip(titles, work.chapters, labels, strict=True), 1)
    ]
    reference = "{chapter}{section}" if chapters[0].get("label") else reference_of(
        work.surveys[0].heads, convention_of(work.surveys[0]))
    return ({"reference": reference} if reference else {}) | {"chapters": chapters}


def _additions(survey: Survey) -> list[str]:
    """Return the words by which the author of a 補注 begins what he adds to the notes of another (補曰)."""
    return [words for words, _ in survey.notes.speakers if _name(words) in "補补" and _name(words) in survey.title]


def _name(words: str) -> str:
    return re.sub("[曰云：:【】〔〕［］\\[\\]()（）]+$", "", words).strip("【】〔〕［］[]()（）")


def plan_file(plan: Mapping[str, Any]) -> bytes:
    """Return the file of an edition's plan."""
    return _toml(plan, "edition")


def _toml(table: Mapping[str, Any], topic: str) -> bytes:
    """Return a file of settings with a comment on its first line; rows are [[name]], so that others can be added."""
    rows = {name: each for name, each in table.items() if isinstance(each, list) and each and type(each[0]) is dict}
    parts = [tomli_w.dumps({name: value for name, value in table.items() if name not in rows})]
    for name, each in rows.items():
        text = tomli_w.dumps({name: each})
        if not text.startswith("[["):  # short rows, which it writes as a list of { }
            text = "\n".join(f"[[{name}]]\n{tomli_w.dumps(row)}" for row in each)
        parts.append(text)
    first = f"# {_COMMENTS[topic]} All keys: jiaokan explain {topic}.\n"
    return undirected("\n".join([first, *filter(None, parts)])).encode()


_HEADS = {
    "marked": "headings in the markup", "signed": "headings with a sign", "numbered": "numbered headings",
    "closed": "chapters closed by 右第…章", "alone": "short lines as headings", "titled": "titles below the juan line",
    "juan": "juan as chapters", "title": "one chapter, headed by its title", "none": "no headings: one chapter",
}


def _report(work: SurveyedWork, title: str, ids: Sequence[str]) -> Iterator[str]:
    several = f", {len(ids)} witnesses, base {ids[0]}" if len(ids) > 1 else ", one text"
    yield f"{title}: {_count(len(work.chapters), 'chapter')}{several}"
    if work.reason:
        yield f"  base {ids[0]}: {work.reason}"
    yield from _report_codes(work)
    for index, (survey, name) in enumerate(zip(work.surveys, ids, strict=True)):
        heads = survey.heads
        first = f" ({heads.heads[0].name} …)" if heads.heads and heads.heads[0].name else ""
        makers = ", ".join(f"{maker.dynasty}{maker.name}" for maker in survey.makers)
        yield (
            f"  {name}: {survey.path.name}, {survey.format}, {survey.encoding}, {survey.language}"
            + (f", by {makers}" if makers else "") + f"; {_HEADS[heads.kind]}{first}"
        )
        yield f"    {'; '.join(_report_notes(survey, name))}"
        if len(ids) > 1 and (lacking := [n for n, has in enumerate(work.has, 1) if index not in has]):
            numbers = ", ".join(map(str, lacking[:8])) + (" …" if len(lacking) > 8 else "")
            yield f"    no heading found for {len(lacking)} of {len(work.has)} chapters: {numbers}"


def _report_codes(work: SurveyedWork) -> Iterator[str]:
    """Report the characters without code point: explained, doubtful, unknown."""
    if work.known:
        doubtful = [f"{code} {each.standard}" for code, each in work.known.items() if each.cert == "low"]
        yield (f"  {_count(len(work.known), 'code')} of characters explained in tei/decisions/glyphs.toml"
               + (f", {len(doubtful)} doubtful: {_first(doubtful)}" if doubtful else ""))
    if work.unknown:
        yield f"  {_count(len(work.unknown), 'unknown code')}, printed 〓: {_first(work.unknown)}"


def _first(words: Sequence[str]) -> str:
    return ", ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' if number > 1 else ''}"


def _report_notes(survey: Survey, name: str) -> Iterator[str]:
    notes, convention = survey.notes, convention_of(survey)
    if notes.brackets or notes.lines or notes.calls:
        yield f"{notes.count} notes in " + " and ".join(filter(None, (
            notes.brackets, notes.lines and "lines of their own", notes.calls and "lines called by number")))
        yield f"unsigned notes by {survey.author}" if survey.unsigned and not _additions(survey) else (
            f"default commentator unknown: set `person` under [unsigned] in tei/conventions/{name}.toml")
        if notes.speakers:
            yield "speakers: " + "、".join(f"{words} {count}" for words, count in notes.speakers[:6]) + (
                " …" if len(notes.speakers) > 6 else "")
    elif survey.format == "tei":
        yield "notes as in its markup"
    else:
        comments = any(maker.comments for maker in survey.makers) or is_commentary(survey.title)
        yield "no marked notes" + (": base text and commentary cannot be distinguished" if comments else "")
    if notes.corrections:
        wrong, right = notes.mended
        yield _count(notes.corrections, "correction") + " printed by the source" + (
            f", {wrong[:1]}x{wrong[1:]}{right[:1]}y{right[1:]}" if wrong else ": too few to be sure, left in the text")
    if others := [f"{pair} {count}" for pair, count in notes.others if count > 1]:
        yield f"other brackets left in the text: {', '.join(others)}"
    if "section" in convention:
        yield "sections have headings"
    if "number" in convention:
        yield "sections are numbered"
    if "front" in convention:
        yield f"front matter: {_count(len(convention['front']), 'heading')}"
    if "chrome" in convention:
        yield f"notices of a website dropped: {_count(len(convention['chrome']), 'line')}"
