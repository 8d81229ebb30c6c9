"""Write the settings of a new edition folder from what its files show: catalog, conventions, persons, editions."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import takewhile
from typing import Any

import tomli_w

from jiaokan.annotate.speakers import is_surname
from jiaokan.characters.equality import norm
from jiaokan.decisions.filing import to_toml
from jiaokan.decisions.tables import SettingsQuestion
from jiaokan.errors import Message, visible
from jiaokan.messages import languages
from jiaokan.model.vocabulary import PROGRAM
from jiaokan.model.words import ends_in_word
from jiaokan.scaffold import gaiji
from jiaokan.scaffold.conventions import convention_of, labels_of, labels_of_parts, reference_of
from jiaokan.scaffold.doubts import doubts
from jiaokan.scaffold.origins import Origins
from jiaokan.scaffold.report import details, summary
from jiaokan.scaffold.repository import short_siglum
from jiaokan.scaffold.survey import Survey
from jiaokan.scaffold.voices import additions, by_chapter, slug, speaker_of, voice
from jiaokan.scaffold.works import SurveyedWork
from jiaokan.settings.names import RESERVED
from jiaokan.settings.values import sign, without_direction
from jiaokan.structure.notes import SOUNDS
from jiaokan.structure.rows import LABELS
from jiaokan.structure.verses import speaker_lines

_ABBREVIATION = 5
"""Letters of a name that is a siglum itself; those of Kanripo and CBETA have at most five."""
_LONGEST_SIGLUM = 6
"""Graphs of the longest siglum. A choice."""
_CATALOGUED = re.compile(r"[A-Za-z]{1,4}(?:\d[a-z])?\d{3,}[\w.-]*")
"""The number of a text in Kanripo, CBETA or another collection: KR3b0009_001, T0235."""
_ARTICLES = frozenset(("the", "an", "der", "die", "das", "ein", "eine", "le", "la", "les", "un", "une", "il", "lo",
                       "el", "de", "of"))
_TAKEN = RESERVED | {"edition"}
"""Names that the program uses itself."""
_TITLE_LINE = 60
"""Letters that a first line has at most if all of it is taken for the title."""
_SHORT_NAME = 28
"""Letters of a title with what distinguishes a text that are an id together."""
_MISSING = "〓"
"""Printed in a first edition for characters that no font has, so that there is a PDF to look at."""
_IN_CELLS = "㐀-鿿\u3040-\u30ff\U00020000-\U0003ffff"
"""Graphs and kana, between which there are no spaces."""
_SIGLUM = re.compile(r"[^\W\d_]{1,3}(?:\d{1,4}[^\W\d_]?)?")
"""The name of a file that is a siglum itself: Hg, Ad3, V4. Made for the manuscripts of Chaucer; a choice."""
_COMMONS = re.compile(r"https?://creativecommons\.org/licenses/(?P<kind>[a-z-]+)/(?P<version>[0-9.]+)/?(?:deed.*)?")
"""The address of a Creative Commons licence, which contains its name: CC BY-SA 4.0."""


@dataclass(slots=True)
class Folder:
    """A new folder: its files by path, what was detected, and what was decided without being sure."""

    files: dict[str, bytes] = field(default_factory=dict)
    report: list[str] = field(default_factory=list)
    summary: list[str] = field(default_factory=list)
    """The lines of the report that say what each text is taken to be."""
    doubts: list[str] = field(default_factory=list)
    origins: list[Origins] = field(default_factory=list)
    """For each source the lines of its files."""
    outcomes: list[str] = field(default_factory=list)
    """What each of the editor's examples changes, or why it cannot be met."""
    texts: list[ShownText] = field(default_factory=list)
    """The sources line by line, to be shown."""


@dataclass(frozen=True, slots=True)
class ShownText:
    """A source as a page shows it: its lines, each with its place and its words by layer and speaker."""

    id: str
    lines: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]
    answers: Mapping[str, tuple[tuple[str, str, bool], ...]]
    """For doubts that an example settles, by their words: the answers, each with its example, and whether a name
    follows."""


def make_folder(works: Sequence[SurveyedWork], *, today: date) -> Folder:
    """Return the files of an edition folder for some works; `today` is the date of the project."""
    builder = _Builder()
    for work in works:
        builder.add_work(work)
    editors = dict.fromkeys(name for work in works for survey in work.surveys for name in survey.editors)
    project = {
        "title": _project_title(works[0], builder.catalog["work"][0]["title"]), "publisher": "",
        "editors": [*editors], "date": today.isoformat(), "licence": {"name": Message("not-stated")},
    }
    if known := {code: character for work in reversed(works) for code, character in work.known.items()}:
        builder.folder.files["tei/decisions/glyphs.toml"] = settings_file({"glyph": gaiji.rows(known, today)}, "glyphs")
    builder.folder.files |= {
        "tei/catalog.toml": settings_file({"project": project, **builder.catalog}, "catalog"),
        "tei/persons.toml": settings_file({"person": list(builder.persons.values())}, "persons"),
    }
    questions = (to_toml(SettingsQuestion(resp=PROGRAM, why=doubt, cert="low")) for doubt in builder.folder.doubts)
    if builder.folder.doubts:
        builder.folder.files["tei/decisions/questions.toml"] = without_direction("\n".join(questions)).encode()
    return builder.folder


def _project_title(work: SurveyedWork, title: str) -> str:
    """Return the title of the first text; if that is only called after its file, that of its work."""
    first = work.surveys[0]
    return title if first.title == first.file_name and len(work.surveys) > 1 else first.title


class _Builder:
    """The settings of a folder while works are added."""

    def __init__(self) -> None:
        self.folder = Folder()
        self.persons: dict[str, dict[str, object]] = {}
        self.catalog: dict[str, Any] = {"work": [], "source": []}
        self.texts, self.editions, self.sigla = set(_TAKEN), set(_TAKEN), set[str]()
        """Ids and sigla in use."""

    def siglum(self, survey: Survey, title: str) -> str:
        """Return the first free siglum: that of a TEI file's own witness, a short one of the edition, the commentator,
        what its title or its file has beside the title of the work, the title itself."""
        names = (_without_origin(survey.author), survey.edition, _beside(survey.title, title),
                 _beside(survey.file_name, title))
        stated = sign(survey.edition).strip("【】") if survey.format == "tei" else ""  # CBETA writes 【大】
        candidates = [stated if len(stated) <= _LONGEST_SIGLUM else "", short_siglum(survey.edition_title, self.sigla),
                      *(candidate for name in names for candidate in _sigla_of(name)),
                      *(_sigla_of(title) if title.isascii() else [sign(title[:2]), sign(title[:_LONGEST_SIGLUM])])]
        free = (candidate for candidate in candidates if candidate and candidate not in self.sigla)
        siglum = next(free, f"W{len(self.sigla) + 1}")
        self.sigla.add(siglum)
        return siglum

    def add_work(self, work: SurveyedWork) -> None:
        """Add a work, its texts and its edition."""
        titles = [survey.title for survey in work.surveys]
        alike = takewhile(lambda chars: len({*map(norm, chars)}) == 1, zip(*titles, strict=False))
        shared = "".join(chars[0] for chars in alike)  # 器銘 of 器銘集注 and 器銘注
        title = shared if len(shared) > 1 else min(titles, key=len)
        untitled = title is not shared and all(survey.title == survey.file_name for survey in work.surveys)
        if untitled := untitled and len(titles) > 1:  # the files are called after their witnesses
            title = _incipit(work.surveys[0])
        identifier = slug(title, "work", self.editions)
        named = [gaiji.read_as(heads[0].title, work.known) for heads in work.chapters]
        if untitled and work.surveys[0].heads.kind == "none":
            named = [title]
        book = title if all(name.removeprefix(title) for name in named) else ""
        chapters = [name.removeprefix(book) for name in named]
        self.catalog["work"].append({"id": identifier, "title": title, **_chapters(work, chapters)})
        # A witness of a TEI file stands beside its edition.
        edited = any(survey.format == "tei" and survey.edition for survey in work.surveys)
        alone = len(work.surveys) == 1 and not edited
        texts = enumerate(zip(work.surveys, [""] if alone else _distinct(work, title), strict=True))
        ids = [self.add_source(survey, identifier, title, distinct, work.numbers(index))
               for index, (survey, distinct) in texts]
        plan: dict[str, Any] = {"id": identifier, "title": title}
        if alone:
            plan |= {"kind": "reading", "witness": ids[0]}
        else:
            plan |= {"kind": "critical", "work": identifier, "chapters": [
                {"n": n, "title": chapter, "base": ids[0], "witnesses": [ids[index] for index in indexes]}
                for n, (chapter, indexes) in enumerate(zip(chapters, work.has, strict=True), 1)
            ]}
        self.folder.files[f"tei/editions/{identifier}.toml"] = settings_file({**plan, "print": {"missing": _MISSING}})
        self.folder.summary += summary(work, title, ids)
        self.folder.report += [*summary(work, title, ids), *details(work, ids)]
        self.folder.doubts += doubts(work, ids)
        if untitled:
            self.folder.doubts.append(Message("title-from-first-words", title=title, work=identifier))

    def add_source(self, survey: Survey, work: str, title: str, distinct: str, numbers: Mapping[int, int]) -> str:
        """Add a text: its file in UTF-8, its catalog entry, its convention. Return its id: of its work and `distinct`,
        which distinguishes it from the other texts. `numbers` are its chapters, by the row of their heading."""
        words = distinct or title
        if distinct and not distinct.startswith((title, work)) and len(title) + len(distinct) < _SHORT_NAME:
            words = f"{title}-{distinct}"  # a long title would fill the id
        name = slug(words, "text", self.texts)
        if name == work and distinct:  # a long title fills the id: what distinguishes its texts is cut off
            name = slug(words, "text", self.texts)
        suffix = ".xml" if survey.format in ("tei", "pages") else ".txt"
        data = survey.source or survey.text.encode("utf-8")
        self.folder.files[f"tei/sources/{name}{suffix}"] = data
        author = self.person(survey.author, survey.dynasty) if survey.author else ""
        joint = [] if author else [maker for maker in survey.makers if not maker.comments]
        authors = [author] if author else [self.person(maker.name, maker.dynasty) for maker in joint]
        if convention := convention_of(survey) | self.speakers(survey, author, numbers):
            self.folder.files[f"tei/conventions/{name}.toml"] = settings_file(convention, "reader")
        (wrong, right), (terms, address) = survey.notes.mended, survey.licence
        commons = _COMMONS.fullmatch(address)
        licence = {"name": f"CC {commons['kind'].upper()} {commons['version']}" if commons
                   else terms or Message("not-stated")}
        self.catalog["source"].append({
            "id": name, "siglum": self.siglum(survey, title), "file": f"sources/{name}{suffix}",
            "sha256": hashlib.sha256(data).hexdigest(), "work": work,
            "title": (title if survey.title == survey.file_name else survey.title)
            + _in_brackets(survey, title, distinct),
            "authors": list(dict.fromkeys(authors)),
            "dynasty": survey.dynasty or (joint[0].dynasty if joint else ""), "reader": survey.reader,
            "language": survey.language, "origin": visible(survey.path.name),
            **({"note": visible(survey.stated)} if survey.stated else {}),
            "licence": licence | ({"url": address} if re.fullmatch(r"https?://\S+", address) else {}),
            **({"corrections": {"wrong": wrong, "right": right}} if right else {}),
        })
        return name

    def speakers(self, survey: Survey, author: str, numbers: Mapping[int, int]) -> dict[str, Any]:
        """Return the tables of a convention that name the speakers of notes."""
        if survey.signers:
            return {"speaker": [{"prefix": key, "person": self.person(words), "subtype": "zhu"}
                                for key, words in survey.signers]}
        if not (survey.notes.brackets or survey.notes.lines or survey.notes.calls):
            return {}
        adds, dynasties = additions(survey), {maker.name: maker.dynasty for maker in survey.makers}
        rows = []
        for words, _ in survey.notes.speakers:
            name = "" if words in adds else speaker_of(words, survey)
            person = self.person(name, dynasties.get(name, "")) if name else ""
            rows.append(voice(words, author if words in adds else person))
        rows += [voice(words, self.person(name)) | {"place": "end"} for words, name in survey.signed]
        unsigned = {"person": author if survey.unsigned and not adds else "", "subtype": "zhu"}
        others = {self.person(name): chapters for name, chapters in by_chapter(survey, numbers).items()}
        if others:
            unsigned["person"] = max(others, key=lambda person: len(others[person]))
            del others[unsigned["person"]]
        if unsigned["person"]:  # inferred from the title page: no note says who speaks
            unsigned["cert"] = "low" if survey.guessed else "medium"
        sounds = {maker.name for maker in survey.makers if LABELS.get(maker.act) == "yinyi"}
        gloss = {"person": self.person(sounds.pop()) if len(sounds) == 1 else "", "pattern": SOUNDS, "after": ""}
        inside: list[dict[str, Any]] = [{"chapters": chapters, "person": person} for person, chapters in others.items()]
        return {key: value for key, value in (("unsigned", unsigned), ("unsigned_in", inside), ("speaker", rows),
                                            ("gloss", survey.notes.sounds and gloss)) if value}

    def person(self, name: str, dynasty: str = "") -> str:
        """Return the id of the person of this name, who is added if new."""
        name = sign(name) or name
        for row in self.persons.values():
            if norm(row["name"]) == norm(name):
                return str(row["id"])
        identifier = slug(name, "person", self.texts)
        self.persons[identifier] = {"id": identifier, "name": name, "label": name, "dynasty": dynasty}
        return identifier


def _in_brackets(survey: Survey, title: str, distinct: str) -> str:
    """Return what describes a witness beside the title of its work: its edition, or its file if it has the title."""
    words = survey.edition_title or (distinct if distinct == survey.file_name != title else "")
    if not words:
        return ""
    return f"（{words}）" if re.search(f"[{_IN_CELLS}]", title + words) else f" ({words})"


def _sigla_of(name: str) -> list[str]:
    """Return sigla from a name, the first choice first: of one in letters the initial of its first word with a capital,
    with its number or next letter where that is taken (P, P7774, Pa of cod. Parisinus 7774); of an abbreviation (CBETA,
    Ad3) itself; of Chinese its first graph, two or more (郭 of 郭象). None are made of the number of a text in a
    collection (KR3b0009_001), or of an article."""
    if _CATALOGUED.fullmatch(name):
        return []
    words = [word for word in re.findall(r"[^\W\d_]{2,}", name) if word.lower() not in _ARTICLES]
    if re.match(f"[{_IN_CELLS}]", name):
        return [sign(name[:size]) for size in (1, 2, _LONGEST_SIGLUM)]
    if not words or (name[0].isupper() and _SIGLUM.fullmatch(name)) or (name.isupper() and len(name) <= _ABBREVIATION):
        return [sign(name)] if 0 < len(name) <= _ABBREVIATION else []
    word = next((word for word in words if word[0].isupper()), words[0])
    number = re.search(r"\d+", name)
    return [word[0].upper(), *([word[0].upper() + number[0]] if number else []), word[0].upper() + word[1].lower()]


def _incipit(survey: Survey) -> str:
    """Return the first words of a text, by which one without a title is called: a short line without marks that stands
    apart, else four words, or as many graphs as a siglum can have, without the marks between them. They end with … if
    they are a whole verse: readers take a line that is the title for a heading."""
    speakers = speaker_lines(survey.rows)
    rows = [row for row in survey.rows if row.text not in speakers] or [*survey.rows]
    line = rows[0].text.strip()
    words, apart = line.split(), len(rows) > 1 and rows[1].number > rows[0].number + 1
    if re.match(f"[{_IN_CELLS}]", line):
        called = "".join(re.findall(r"\w", words[0]))[:_LONGEST_SIGLUM]
    elif apart and len(line) <= _TITLE_LINE and ends_in_word(line) and (
            line.isupper() or not re.search(r"[,;:·!?]", line)):
        called = line
    else:
        called = " ".join(_bare_word(word) for word in words[:4]).strip() or survey.title
    return called if apart or called != _bare_word(line) else f"{called}…"


def _bare_word(word: str) -> str:
    """Return a word without the signs around it; marks on its last letter are of the word."""
    word = re.sub(r"^\W+", "", word)
    while word and not ends_in_word(word):
        word = word[:-1]
    return word


def _without_origin(name: str) -> str:
    """Return the name of a person without the place before it: 王弼 of 山陽王弼."""
    return next((name[-size:] for size in (2, 3) if len(name) > 3 and is_surname(name[-size:])), name)


def _beside(name: str, title: str) -> str:
    """Return what a name has beside the title of the work: 集注 of 器銘集注; "" if it is the title."""
    rest = name.removeprefix(title).strip(" 　-_.·（）()《》")
    return "" if name == title else rest or name


def _distinct(work: SurveyedWork, title: str) -> list[str]:
    """Return what distinguishes each text of a work: the edition if each has its own, else author, title or file."""
    editions = [survey.edition for survey in work.surveys]
    if all(editions) and len({*editions}) == len(editions):
        return editions
    return [survey.author or survey.edition or (survey.title if survey.title != title else survey.file_name)
            for survey in work.surveys]


def _chapters(work: SurveyedWork, titles: Sequence[str]) -> dict[str, object]:
    labels = labels_of(titles)
    if not any(labels):
        labels = labels_of_parts([heads[0] for heads in work.chapters])
    chapters = [
        {"n": n, "title": title, "names": list(dict.fromkeys(head.name for head in heads if head.name)),
         **({"label": label} if label else {})}
        for n, (title, heads, label) in enumerate(zip(titles, work.chapters, labels, strict=True), 1)
    ]
    reference = "{chapter}{section}" if chapters[0].get("label") else reference_of(
        work.surveys[0].heads, convention_of(work.surveys[0]))
    return ({"reference": reference} if reference else {}) | {"chapters": chapters}


def settings_file(table: Mapping[str, object], topic: str = "edition") -> bytes:
    """Return a file of settings with comments in each language; rows are [[name]], so that others can be added."""
    rows = {name: value for name, value in table.items()
            if isinstance(value, list) and value and type(value[0]) is dict}
    parts = [tomli_w.dumps({name: value for name, value in table.items() if name not in rows})]
    for name, values in rows.items():
        text = tomli_w.dumps({name: values})
        if not text.startswith("[["):  # short rows, which it writes as a list of { }
            text = "\n".join(f"[[{name}]]\n{tomli_w.dumps(row)}" for row in values)
        parts.append(text)
    comment = Message("settings-file", what=Message(f"settings-file-{topic}"), topic=topic)
    first = "".join(f"# {comment.in_language(language)}\n" for language in languages())
    return without_direction("\n".join([first, *filter(None, parts)])).encode()
