"""The settings of a new edition folder, from what its files show: catalog, conventions, persons, editions."""

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

from pipeline.scaffold.conventions import convention_of, labels_of, labels_of_parts, reference_of
from pipeline.scaffold.names import is_commentary
from pipeline.scaffold.survey import Survey
from pipeline.scaffold.works import Joined
from pipeline.settings.names import RESERVED, windows
from pipeline.settings.values import sign
from pipeline.system.shown import visible

_TAKEN = RESERVED | {"edition"}
"""Names that the program keeps for itself."""
_INTRODUCES = {
    "疏": "shu", "正義": "shu", "正义": "shu", "索隱": "shu", "索隐": "shu", "義疏": "shu", "义疏": "shu",
    "音義": "yinyi", "音义": "yinyi", "释文": "yinyi", "釋文": "yinyi", "按": "an", "案": "an",
    "今按": "an", "愚按": "an",
    "注": "zhu", "註": "zhu", "集解": "zhu", "傳": "zhu", "传": "zhu", "箋": "zhu", "笺": "zhu",
}
"""What kind of note some words introduce; all others introduce what later commentators say."""
_ADDED = "補补"
"""How the author of a 補注 begins what he adds (補曰): the note before it is another's."""
_MISSING = "〓"
"""What a first edition prints for characters that no font has, so that there is a PDF to look at."""


@dataclass(slots=True)
class Folder:
    """The files of a new folder, by their path in it, and what was taken for what."""

    files: dict[str, bytes] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)


def folder_of(works: Sequence[Joined], *, today: date) -> Folder:
    """Give the files of an edition folder for some works; `today` is the date of the project."""
    made, names = Folder(), _Names()
    persons: dict[str, dict[str, Any]] = {}
    catalog: dict[str, Any] = {"work": [], "source": []}
    for work in works:
        _work(work, made, names, persons, catalog)
    title = works[0].surveys[0].title
    editors = dict.fromkeys(name for work in works for survey in work.surveys for name in survey.editors)
    project = {
        "title": title, "publisher": "", "editors": [*editors], "date": today.isoformat(),
        "licence": {"name": "not stated"},
    }
    made.files["tei/catalog.toml"] = _toml({"project": project, **catalog}, _CATALOG)
    made.files["tei/persons.toml"] = _toml({"person": list(persons.values())}, _PERSONS)
    return made


class _Names:
    """Ids from titles and names, each given once."""

    def __init__(self) -> None:
        self.taken: set[str] = set(_TAKEN)
        self.editions: set[str] = set(_TAKEN)
        self.sigla: set[str] = set()

    def slug(self, words: str, otherwise: str, taken: set[str] | None = None) -> str:
        """Give an id of letters and digits; a number is added to one that is taken (by a text or a person)."""
        taken = self.taken if taken is None else taken
        latin = unicodedata.normalize("NFKD", "-".join("".join(lazy_pinyin(part)) for part in words.split("-")))
        plain = re.sub(r"[^a-z0-9]+", "-", latin.encode("ascii", "ignore").decode().lower()).strip("-")[:30].strip("-")
        plain = plain if re.match("[a-z]", plain) and not windows(plain) else otherwise
        name = next(n for n in (plain, *(f"{plain}-{k}" for k in range(2, 10_000))) if n not in taken)
        taken.add(name)
        return name

    def siglum(self, survey: Survey, title: str) -> str:
        """Give a siglum: the commentator, the edition, the title where it is another, the file; the first not taken."""
        other = survey.title if survey.title != title else ""
        named = (survey.known_as[-6:], other[:6], survey.called[:12], title[:6])
        short = [sign(each) for each in named]
        given = next((each for each in short if each and each not in self.sigla), f"W{len(self.sigla) + 1}")
        self.sigla.add(given)
        return given


def _work(
    work: Joined, made: Folder, names: _Names, persons: dict[str, dict[str, Any]], catalog: dict[str, Any]
) -> None:
    """Add a work, its texts and its edition."""
    titles = [each.title for each in work.surveys]
    alike = takewhile(lambda chars: len(set(chars)) == 1, zip(*titles, strict=False))
    shared = "".join(chars[0] for chars in alike)  # 器銘 of 器銘集注 and 器銘注
    title = shared if len(shared) > 1 else min(titles, key=len)
    own = names.slug(title, "work", names.editions)
    book = title if all(heads[0].title.removeprefix(title) for heads in work.chapters) else ""
    titles = [heads[0].title.removeprefix(book) for heads in work.chapters]
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
    cited = {"reference": reference} if reference else {}
    catalog["work"].append({"id": own, "title": title, **cited, "chapters": chapters})
    edited = any(each.format == "tei" and each.edition for each in work.surveys)  # a witness beside its editor's text
    alone = len(work.surveys) == 1 and not edited
    ids = [_source(survey, own, title, made, names, persons, catalog, alone=alone)
            for survey in work.surveys]
    plan: dict[str, Any] = {"id": own, "title": title}
    if alone:
        plan |= {"kind": "reading", "witness": ids[0]}
    else:
        plan |= {"kind": "critical", "work": own}
        plan["chapters"] = [
            {"n": n, "title": each, "base": ids[0], "witnesses": [ids[index] for index in has]}
            for n, (each, has) in enumerate(zip(titles, work.has, strict=True), 1)
        ]
    plan["print"] = {"missing": _MISSING}
    made.files[f"tei/editions/{plan['id']}.toml"] = plan_file(plan)
    made.told += _told(work, title, ids)


def _source(
    survey: Survey, work: str, title: str, made: Folder, names: _Names, persons: dict[str, dict[str, Any]],
    catalog: dict[str, Any], *, alone: bool,
) -> str:
    """Add a text: its file in UTF-8, its catalog entry, its convention. Its id: the work's, or who made it, or file."""
    own = survey.known_as or (survey.title if survey.title != title else survey.called)
    said = title if alone else own if own.startswith((title, work)) else f"{title}-{own}"
    name = names.slug(said, "text")
    if name == work and not alone:  # a long title fills the id: what tells its texts apart is cut off
        name = names.slug(said, "text")
    suffix = ".xml" if survey.format == "tei" else ".txt"
    data = survey.text.encode("utf-8")
    made.files[f"tei/sources/{name}{suffix}"] = data
    author = _person(survey.author, survey.dynasty, persons, names) if survey.author else ""
    convention = convention_of(survey)
    if survey.notes.brackets or survey.notes.lines or survey.notes.calls:
        adds = _adds(survey)
        convention["unsigned"] = {"person": author if survey.unsigned and not adds else "", "subtype": "zhu"}
        rows = [
            {"prefix": words, "person": author if words in adds else _person(said, "", persons, names) if said else "",
             "subtype": _INTRODUCES.get(said, "shuo"), **({"place": "top"} if _ABOVE.search(words) else {})}
            for words, _ in survey.notes.speakers for said in [_name(_ABOVE.sub("", _name(words)))]
        ]
        convention |= {"speaker": rows} if rows else {}
    if survey.signers:
        convention["speaker"] = [{"prefix": key, "person": _person(words, "", persons, names), "subtype": "zhu"}
                                 for key, words in survey.signers]
    if convention:
        made.files[f"tei/conventions/{name}.toml"] = _toml(convention, _CONVENTION)
    wrong, right = survey.notes.mended
    terms, address = survey.licence
    known = _COMMONS.fullmatch(address)
    licence = {"name": f"CC {known['kind'].upper()} {known['version']}" if known else terms or "not stated"}
    catalog["source"].append({
        "id": name, "siglum": names.siglum(survey, title), "file": f"sources/{name}{suffix}",
        "sha256": hashlib.sha256(data).hexdigest(), "work": work,
        "title": title if survey.title == survey.called else survey.title,
        "authors": [author] if author else [], "dynasty": survey.dynasty, "reader": survey.reader,
        "language": survey.language, "origin": visible(survey.path.name),
        "licence": licence | ({"url": address} if re.fullmatch(r"https?://\S+", address) else {}),
        **({"corrections": {"wrong": wrong, "right": right}} if right else {}),
    })
    return name


_COMMONS = re.compile(r"https?://creativecommons\.org/licenses/(?P<kind>[a-z-]+)/(?P<version>[0-9.]+)/?(?:deed.*)?")
"""The address of a licence of Creative Commons, which says its name: CC BY-SA 4.0."""

_ABOVE = re.compile("眉[批評评注註]")
"""What says that a note stands above the text; what stands before it is who speaks (金聖歎眉批)."""


def _adds(survey: Survey) -> list[str]:
    """Give the words by which the author of a 補注 begins what he adds to the notes of another."""
    said = [words for words, _ in survey.notes.speakers]
    return [words for words in said if _name(words) in _ADDED and _name(words) in survey.title]


def _name(words: str) -> str:
    """Give the name in words that introduce a speaker: 程子曰, 【集解】."""
    return re.sub("[曰云：:【】〔〕［］\\[\\]()（）]+$", "", words).strip("【】〔〕［］[]()（）")


def _person(name: str, dynasty: str, persons: dict[str, dict[str, Any]], names: _Names) -> str:
    """Give the id of a person of this name, declared now if he is not yet."""
    name = sign(name) or name
    for each in persons.values():
        if each["name"] == name:
            return str(each["id"])
    made = names.slug(name, "person")
    persons[made] = {"id": made, "name": name, "label": name, "dynasty": dynasty}
    return made


_HOW = {
    "marked": "heads by markup", "signed": "heads by a sign", "numbered": "numbered heads",
    "closed": "chapters closed by 右第…章", "alone": "short lines as heads", "titled": "titles under the juan's",
    "juan": "juan as chapters",
    "title": "headed by its title", "none": "no heads: all is one chapter",
}


def _told(work: Joined, title: str, ids: Sequence[str]) -> Iterator[str]:
    """Say of a work what was taken for what."""
    several = f", {len(ids)} witnesses, base {ids[0]}" if len(ids) > 1 else ", one text"
    yield f"{title}: {_some_of(work.chapters, 'chapter')}{several}"
    for index, (survey, name) in enumerate(zip(work.surveys, ids, strict=True)):
        heads = survey.heads
        first = f" ({heads.heads[0].name} …)" if heads.heads and heads.heads[0].name else ""
        made = ", ".join(f"{maker.dynasty}{maker.name}" for maker in survey.makers)
        yield (
            f"  {name}: {survey.path.name}, {survey.format}, {survey.encoding}, {survey.language}"
            + (f", by {made}" if made else "") + f"; {_HOW[heads.kind]}{first}"
        )
        yield f"    {'; '.join(_notes(survey))}"
        if len(ids) > 1 and (lacking := [n for n, has in enumerate(work.has, 1) if index not in has]):
            yield f"    it has no head for {len(lacking)} of the {len(work.has)} chapters: {_some(lacking)}"


def _some_of(items: Sequence[object], name: str) -> str:
    return f"{len(items)} {name}{'s' if len(items) > 1 else ''}"


def _some(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:8])) + (" …" if len(numbers) > 8 else "")


def _notes(survey: Survey) -> Iterator[str]:
    """Say what was taken for notes, and who speaks in them; what else there is in brackets."""
    notes, convention = survey.notes, convention_of(survey)
    if notes.brackets or notes.lines or notes.calls:
        yield f"{notes.count} notes in " + " and ".join(filter(None, (
            notes.brackets, notes.lines and "lines of their own", notes.calls and "lines called by number")))
        own = survey.unsigned and not _adds(survey)
        yield f"unsigned ones by {survey.author}" if own else "who speaks where nobody is named is not said"
        if notes.speakers:
            yield "speak: " + "、".join(f"{words} {count}" for words, count in notes.speakers[:6]) + (
                " …" if len(notes.speakers) > 6 else "")
    elif survey.format == "tei":
        yield "notes as its markup says"
    else:
        comments = any(maker.comments for maker in survey.makers) or is_commentary(survey.title)
        yield "no notes are marked" + (
            ": base text and commentary, if it has one, are not told apart" if comments else "")
    if notes.corrections:
        wrong, right = notes.mended
        yield f"{notes.corrections} corrections that the source prints" + (
            f", {wrong[:1]}x{wrong[1:]}{right[:1]}y{right[1:]}" if wrong else ": too few, left in the text as they are")
    if others := [f"{pair} {count}" for pair, count in notes.others if count > 1]:
        yield f"other brackets are left in the text: {', '.join(others)}"
    if "section" in convention:
        yield "sections have heads"
    if "number" in convention:
        yield "sections are numbered"
    if "front" in convention:
        yield f"front matter: {_some_of(convention['front'], 'heading')}"
    if "chrome" in convention:
        yield f"dropped, as notices of who offers the file: {_some_of(convention['chrome'], 'line')}"


_CATALOG = "The texts of this folder. All keys: jiaokan explain catalog."
_PERSONS = "Who made the texts and who speaks in their notes. All keys: jiaokan explain persons."
_EDITION = "An edition: which chapters, from which witnesses, on which base. All keys: jiaokan explain edition."
_CONVENTION = "How the source marks its chapters and layers, as far as it shows. All keys: jiaokan explain reader."


def plan_file(plan: Mapping[str, Any]) -> bytes:
    """Give the file of an edition's plan."""
    return _toml(plan, _EDITION)


def _toml(table: Mapping[str, Any], comment: str) -> bytes:
    """Write a file of settings with one line on what it is."""
    return f"# {comment}\n\n{tomli_w.dumps(table)}".encode()
