"""Reads the header of any TEI file: title, language, witnesses, persons, characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from jiaokan.model.vocabulary import AFTER, BEFORE
from jiaokan.readers.tei.elements import Tradition, name_of, tradition_of
from jiaokan.readers.tei.looks import looks
from jiaokan.settings.names import TEI_NAMES, TEI_PREFIXES
from jiaokan.tei.persons import people, siglum_of, words_of
from jiaokan.tei.tree import ID, LANG, Element, local

_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_HAN = re.compile("[\u3400-\u9fff]")
_CODE = re.compile(r"U\+([0-9A-Fa-f]{4,6})")
_PRIVATE = 0x100000
"""First code for characters without one in the file: the last plane of private use, which no font uses."""
_MAKES = re.compile(r"edit|author|édit|校|编|編", re.I)
"""Words of a ``resp`` for those who made an edition (TEI Guidelines, 2.2.1)."""
UNNAMED = "editor-1"
"""Id of the first editor, if the file gives none."""


_STATES = r"\*+|[′'’]+|[-._ ]?\(?(?:[ap]\.?c\.?|corr\.?|mg|marg|txt|vid|sup|sl|c[1-9a-d]?)\)?|[-._ ](?:m|h|hand)?[1-9]"
_AFTER_DIGIT = re.compile(rf"{_STATES}|[svt²³⁴-⁹]", re.I)
"""What follows a siglum for a hand or state of its witness: first hand, correctors, margin, supplement, apparently. A
siglum that ends in a digit is not followed by one: P4 and P46 are two."""
_AFTER_LETTER = re.compile(rf"{_STATES}|a|(?:m|h|hand)?[1-9][*c]?|[¹²³⁴-⁹]", re.I)
_BEFORE, _AFTER = frozenset({"*", "ac"}), frozenset({"c", "pc", "corr"})


@dataclass(slots=True)
class Witnesses:
    """The witnesses of a file: declared ones, and those that only its entries name."""

    sigla: dict[str, str] = field(default_factory=dict)
    """Printed names by id, in order."""
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Ids of the members, by group."""
    undeclared: dict[str, None] = field(default_factory=dict)
    hands: dict[str, str] = field(default_factory=dict)
    """The witness of each hand or state."""
    siglum: str = ""
    """Regular expression of sigla that are written without spaces."""
    ids: dict[str, str] = field(default_factory=dict)
    """Our ids by those of the file."""
    _directness: dict[str, dict[str, bool]] = field(default_factory=dict, repr=False)
    """Earlier results: a file names the same few again and again."""

    def declare(self, name: str, siglum: str) -> str:
        """Return the id of a witness that the file calls `name`."""
        if name not in self.ids:
            plain = _NAME.sub("-", name).strip("-")
            plain = plain if re.match("[A-Za-z]", plain) else f"wit{len(self.sigla) + 1}"
            clashes = plain in self.sigla or plain in TEI_NAMES or plain.startswith(TEI_PREFIXES)
            self.ids[name] = f"{plain}-{len(self.sigla) + 1}" if clashes else plain
            self.sigla[self.ids[name]] = _visible(siglum) or _visible(name) or self.ids[name]
        return self.ids[name]

    def hand(self, witness: str, hand: str, written: str = "") -> str:
        """Return the id of a hand or state (`BEFORE`, `AFTER`) of a witness, printed as `written`; it is evidence only
        where it is named."""
        siglum = self.sigla[witness]
        label = hand if hand.startswith(siglum) else f"{siglum}({hand})"
        label = f"{siglum} {hand}" if hand in (BEFORE, AFTER) else label
        name = self.declare(f"{witness}-{hand}", written or label)
        self.hands[name] = witness
        return name

    def hand_of_suffix(self, name: str) -> str:
        """Return the id of a hand or state that a name with a suffix means (``01*``, ``A2``, ``Bac``); empty if its
        beginning is no declared witness."""
        known = {siglum: key for key, siglum in self.sigla.items()} | self.ids
        for length in range(len(name) - 1, 0, -1):
            start, suffix = name[:length], name[length:]
            if start in known and start not in self.undeclared and known[start] not in self.hands:
                form = _AFTER_DIGIT if start[-1].isdigit() else _AFTER_LETTER
                if form.fullmatch(suffix):
                    plain = re.sub(r"[-._ ()]", "", suffix).lower()
                    return self.hand(known[start], _state(plain) or suffix.strip("-._ ()"), name)
        return ""

    def whole(self) -> tuple[str, ...]:
        """Return the ids of the witnesses that have the whole text unless the file says otherwise: the declared ones,
        if there are any; where others are silent is unknown."""
        rest = {self.ids[name] for name in self.undeclared} if len(self.undeclared) < len(self.sigla) else set()
        return tuple(name for name in self.sigla if name not in self.hands and name not in rest)

    def ids_of(self, written: str) -> tuple[str, ...]:
        """Return the ids of the witnesses that ``@wit`` or ``wit`` names, of groups each member."""
        return tuple(self.naming(written))

    def naming(self, written: str) -> dict[str, bool]:
        """Return the ids of the witnesses that ``@wit`` or ``wit`` names, each with whether itself or a group is."""
        if written not in self._directness:
            self._directness[written] = self._read(written)
        return self._directness[written]

    def _read(self, written: str) -> dict[str, bool]:
        witnesses: dict[str, bool] = {}
        for name in (self.siglum and re.findall(self.siglum, written)) or written.split():
            name = name.rpartition("#")[2].partition("?")[0]
            if name in self.groups:
                witnesses = dict.fromkeys(self.groups[name], False) | witnesses
                continue
            bare = next((i for i, siglum in self.sigla.items() if siglum == name), "")
            bare = bare or ("" if name in self.ids else self.hand_of_suffix(name))
            if name not in self.ids and not bare:
                self.undeclared[name] = None
            witnesses[bare or self.declare(name, name)] = True
        return witnesses


def _state(suffix: str) -> str:
    """Return the state of a reading before or after correction that a suffix means; empty if it means neither."""
    if suffix in _BEFORE:
        return BEFORE
    return AFTER if suffix in _AFTER else ""


@dataclass(slots=True)
class Facts:
    """What a header says."""

    title: str
    language: str
    """BCP 47, from ``@xml:lang`` of the text or from ``langUsage``; else empty."""
    authors: tuple[str, ...]
    editors: tuple[str, ...]
    date: str
    """Day of publication or of the last change (``2026-11-20``); else empty."""
    licence: str
    licence_url: str
    witnesses: Witnesses
    persons: dict[str, str]
    """Names of persons by id."""
    glyphs: dict[str, tuple[str, str, str]]
    """For each declared character its private-use code, its standard character or empty, and its description (a
    composition ``[金*本]``, a name)."""
    books: dict[str, str]
    """Short names of the editions and studies listed, by id."""
    tradition: Tradition
    """The project whose ways the file follows."""
    looks: dict[str, str] = field(default_factory=dict)
    """The CSS of each form of words that the header declares, by id."""

    def proposer(self, pointer: str) -> str:
        """Return the id of who proposes a reading without witnesses: a declared person or book, else the name in the
        pointer (``bib:Sircar1942``); empty for no pointer."""
        names = [reference.rpartition("#")[2].rpartition(":")[2] for reference in pointer.split()]
        known = next((name for name in names if name in self.persons), "")
        if known or not any(names):
            return known
        name = next((name for name in names if name in self.books), names[0])
        plain = _NAME.sub("-", name).strip("-")
        clashes = plain in self.witnesses.sigla or plain in TEI_NAMES or not plain[:1].isalpha()
        key = f"by-{plain}" if clashes else plain
        self.persons.setdefault(key, self.books.get(name, name))
        return key


def _language(root: Element, text: Element | None, used: str) -> str:
    """Return the language of a text: that which the text or its body states, or most words of its divisions; else that
    of the file."""
    if text is None:
        return root.get(LANG, "") or used
    bodies = [*text.iter("{*}text", "{*}body")]
    if stated := next(filter(None, (node.get(LANG, "") for node in bodies)), ""):
        return stated
    divisions = [node for node in text.iter("{*}div") if node.get(LANG)]
    if divisions:
        return max(divisions, key=lambda node: len("".join(map(str, node.itertext())))).get(LANG, "")
    return root.get(LANG, "") or used


def facts(root: Element) -> Facts:
    """Return what the header of a TEI file says; fields are empty where it says nothing."""
    header = root.find("{*}teiHeader")
    header = root if header is None else header
    titled, authors, editors = (
        list(header.iterfind(f"{{*}}fileDesc/{{*}}titleStmt/{{*}}{name}")) for name in ("title", "author", "editor"))
    main = [title for title in titled if title.get("type") == "main"]
    rest = [title for title in titled if title.get("type") != "sub"]
    part = [title for title in rest if title.get("level") == "a"]  # not that of its series or book
    titles = _each_words(main or part or rest or titled)
    title = max(titles, key=lambda words: len(_HAN.findall(words)), default="")
    text = next(root.iter("{*}text"), None)
    used = header.find("{*}profileDesc/{*}langUsage/{*}language")
    licence = next(header.iter("{*}licence"), None)
    tradition = tradition_of(root)
    dated = (*header.iterfind("{*}fileDesc/{*}publicationStmt//{*}date"),
             *header.iterfind("{*}revisionDesc//{*}change"))
    days = ((node.get("when") or node.get("when-iso") or "")[:_DAY] for node in dated)
    return Facts(
        tradition=tradition,
        title=re.sub(tradition.header.before_title, "", title),
        language=_language(root, text, "" if used is None else used.get("ident", "")),
        authors=_each_words(authors), editors=_each_words(editors) or _responsible(header),
        date=next((day for day in days if len(day) == _DAY), ""),
        licence="" if licence is None else words_of(licence)[:200],
        licence_url="" if licence is None else licence.get("target", ""),
        witnesses=_witnesses(root, tradition.entries.siglum), persons=dict(people(root.find("{*}teiHeader"))),
        glyphs=dict(_glyphs(header)), books=dict(_books(root)), looks=looks(header),
    )


_DAY = len("2026-11-20")


def _each_words(nodes: Iterable[Element]) -> tuple[str, ...]:
    """Return the words of each element once, without empty ones."""
    return tuple(dict.fromkeys(filter(None, map(words_of, nodes))))


def _responsible(header: Element) -> tuple[str, ...]:
    statements = header.iterfind("{*}fileDesc/{*}titleStmt/{*}respStmt")
    makers = [statement for statement in statements
              if any(_MAKES.search(words_of(resp)) for resp in statement.iterfind("{*}resp"))]
    return _each_words(name for maker in makers for name in maker if local(name) in ("persName", "name", "orgName"))


def _witnesses(root: Element, siglum: str) -> Witnesses:
    """Collect each ``witness`` of the header or the front matter (Digital Latin Library); a ``listWit`` or ``witness``
    with an id that holds others is a group of them, a ``witness`` N that holds N1 and N2 has these hands."""
    witnesses = Witnesses(siglum=siglum)
    for node in root.iter("{*}witness", "{*}listWit"):
        identifier, inner = node.get(ID, ""), list(node.iterdescendants("{*}witness"))
        if local(node) == "witness" and all(
                identifier and witness.get(ID, "").startswith(identifier) for witness in inner):
            above = next((ancestor.get(ID, "") for ancestor in node.iterancestors("{*}witness")), "")
            name = witnesses.declare(_key(node), _siglum(node, siglum))
            if above and above not in witnesses.groups and identifier.startswith(above):
                witnesses.hands[name] = witnesses.declare(above, above)
        elif identifier and inner:
            witnesses.groups[identifier] = ()
    for node in root.iter("{*}witness", "{*}listWit"):
        if node.get(ID) in witnesses.groups:
            members = (witnesses.declare(_key(member), "") for member in node.iterdescendants("{*}witness")
                       if member.get(ID) not in witnesses.groups)
            witnesses.groups[node.get(ID, "")] = tuple(name for name in members if name not in witnesses.hands)
    return witnesses


def _key(node: Element) -> str:
    return node.get(ID) or node.get("n") or siglum_of(node)


_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Mn", "Mc", "Me"})


def _visible(words: str) -> str:
    return " ".join("".join(char for char in words if unicodedata.category(char) not in _UNSEEN).split())


def _siglum(node: Element, form: str) -> str:
    """Return the siglum of a witness: as it states it, else its words, if they have the form of a project's sigla."""
    stated, words = siglum_of(node), words_of(node)
    return words if stated == node.get(ID, "") and form and re.fullmatch(form, words) else stated


def _books(root: Element) -> Iterator[tuple[str, str]]:
    for node in root.iter("{*}bibl", "{*}biblStruct"):
        called = next(iter(node.iter("{*}abbr")), None)
        maker = next(iter(node.iter("{*}author", "{*}editor")), None)
        if name := node.get(ID):
            words = [words_of(part) for part in (called, maker) if part is not None]
            yield name, next(filter(None, words), name)


def _glyphs(header: Element) -> Iterator[tuple[str, tuple[str, str, str]]]:
    for number, node in enumerate(header.iter("{*}char", "{*}glyph")):
        if not (name := node.get(ID)):
            continue
        mappings: dict[str, str] = {}
        for mapping in node.iter("{*}mapping"):
            code = _CODE.fullmatch(words := words_of(mapping))
            mappings[mapping.get("type", "")] = chr(int(code[1], 16)) if code and int(code[1], 16) < 0x110000 else words
        private = mappings.get("PUA", "")
        known = map(mappings.get, ("unicode", "standard", "normal_unicode", "normalized"))
        others = (words for kind, words in mappings.items() if kind != "PUA" and len(words) == 1)
        standard = next((words for words in (*known, *others) if words and not _is_private(words)), "")
        about = [words_of(part) for part in node.iter("{*}charName", "{*}glyphName", "{*}desc")]
        about += [part.get("value", "") or words_of(part) for part in node.iter("{*}charProp", "{*}localProp")]
        if not _is_private(private):
            private = chr(_PRIVATE + number)
        yield name, (private, standard, " ".join(filter(None, about)))


def _is_private(words: str) -> bool:
    return len(words) == 1 and ("\ue000" <= words <= "\uf8ff" or words >= "\U000f0000")


def editor_of(known: Facts) -> str:
    """Return the id of the first editor, who is responsible for readings without witnesses; empty if the header names
    none."""
    if not known.editors:
        return ""
    return next((key for key, words in known.persons.items() if words == known.editors[0]), UNNAMED)


def pictures(root: Element) -> dict[str, str]:
    """Return the addresses of pictures by the ids of ``graphic`` and of the parts of a ``facsimile`` that hold one."""
    addresses: dict[str, str] = {}
    for graphic in root.iter("{*}graphic"):
        for part in (graphic, *graphic.iterancestors()):
            if name_of(part) == "facsimile":
                break
            if identifier := part.get(ID, ""):
                addresses.setdefault(identifier, graphic.get("url", ""))
    return addresses


def picture_of(facs: str, known: dict[str, str]) -> str:
    """Return the address of the picture of a page by its ``facs``; empty if that names none."""
    first = facs.partition(" ")[0]
    return known.get(first[1:], "") if first.startswith("#") else first
