"""How the reader of TEI treats each element: by the table of fates (`jiaokan.tei.fates`) and by projects.

What projects write in a way of their own is in ``traditions/NAME.toml``, one file a project, found by scanning.
Elements of a project's namespace are known in every file; its ways with headers and entries apply to files that declare
its namespace, or name it as publisher or in their ``encodingDesc``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import msgspec

from jiaokan.model import Certainty, DivisionRole
from jiaokan.model.vocabulary import TEI
from jiaokan.settings.toml import load_as
from jiaokan.settings.values import Strict
from jiaokan.tei.fates import element_fates, elements_of, forms_of
from jiaokan.tei.tree import Element, loose_words

Role = Literal["division", "block", "juan-head", "category", "head", "left-out", "words", "its-place"]
"""What an element is: a division, a block in it, a line of the page (opening or closing a juan, or the number of the
work), a head; words that are not text; words of the text; only its place."""

CERTAINTIES: dict[str, Certainty] = {"high": "high", "medium": "medium", "low": "low"}
"""The values of ``@cert`` that have a word of ours; another one, or none, claims nothing."""

_UNITS_OF_REFERENCE = frozenset({"chapter", "section", "subsection", "paragraph", "sentence", "verse"})


class HeaderWays(Strict, frozen=True, kw_only=True):
    """A project's ways with headers: a regular expression of words before a title that are not part of it."""

    before_title: str = ""


class EntryWays(Strict, frozen=True, kw_only=True):
    """A project's ways with its apparatus."""

    siglum: str = ""
    """Regular expression of a siglum in ``@wit``, if sigla are written without spaces."""
    notes: tuple[str, ...] = ()
    """Types of notes that belong to the entry of the same number."""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    """Types, or words, of a ``witDetail`` that say that a reading is that before, or after, a correction."""


class Tradition(Strict, frozen=True, kw_only=True):
    """What one project writes in a way of its own."""

    namespace: str = ""
    """Namespace of its elements; a file that declares it is the project's."""
    prefix: str = ""
    """Prefix of its elements in messages: ``cb`` for ``cb:div``."""
    publisher: str = ""
    """Regular expression of words of its headers (`_NAMING`) that only its files have."""
    elements: Mapping[str, Role] = msgspec.field(default_factory=dict)
    """Roles of its elements, by local name."""
    glyphs: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Its characters by the names by which ``g`` points to them, if its files do not declare them."""
    header: HeaderWays = HeaderWays()
    entries: EntryWays = EntryWays()

    def names_of(self, *roles: Role) -> frozenset[str]:
        """Return its elements with one of these roles, with its prefix."""
        return frozenset(f"{self.prefix}:{name}" for name, role in self.elements.items() if role in roles)

    def writes(self, root: Element) -> bool:
        """Whether a file is of this project."""
        if self.namespace and self.namespace in root.nsmap.values():
            return True
        parts = (root.iterfind(f"{{*}}teiHeader//{{*}}{name}") for name in _NAMING) if self.publisher else ()
        return any(re.search(self.publisher, "".join(map(str, node.itertext()))) for part in parts for node in part)


_NAMING = ("publicationStmt", "notesStmt", "encodingDesc")


@cache
def traditions() -> tuple[Tradition, ...]:
    """Return all projects, by file name. Raises CatalogError for an invalid file."""
    return tuple(load_as(path, Tradition) for path in sorted(Path(__file__).with_name("traditions").glob("*.toml")))


def tradition_of(root: Element) -> Tradition:
    """Return the project of a file; an empty one if it is unknown."""
    return next((tradition for tradition in traditions() if tradition.writes(root)), Tradition())


def elements(*roles: Role) -> frozenset[str]:
    """Return the elements of all projects with one of these roles."""
    return frozenset().union(*(tradition.names_of(*roles) for tradition in traditions()))


_PREFIXES = {tradition.namespace: tradition.prefix for tradition in traditions() if tradition.namespace}
LINES = {name: role for role in ("juan-head", "category") for name in elements(role)}
"""Elements that are a line of the page, each with its role."""
DIVISIONS = elements_of("division") | {"group"} | elements("division")
_PARAGRAPHS = elements_of("block", "head", "line", "list", "stage") | elements("block", "head") | LINES.keys()
BLOCKS = DIVISIONS | _PARAGRAPHS | elements_of("part") | {
    "figure", "listApp", "lem-block", "egXML", "{http://www.tei-c.org/ns/Examples}egXML"}
"""Elements that begin a paragraph of their own or hold such."""
FORMS = forms_of("block", "head", "stage")
"""Forms of paragraphs, as pages show them."""
STAGE = elements_of("stage") | {name for name, form in FORMS.items() if form in ("byline", "titlepage")}
"""Elements that are a block between others, and words in a paragraph: stage directions, the author in a byline."""
RECORDS = frozenset(name for name, form in FORMS.items() if form in ("record", "part"))
"""Elements of a description whose parts are statements, each with a label."""
_OF_STATEMENTS = RECORDS | {"listBibl"}
"""Elements whose parts are blocks by where they are, not by their names."""
GROUPS = frozenset(name for name, form in FORMS.items() if form == "part")
"""Those whose first statement has their own label, too."""
HEADS = elements_of("head") | LINES.keys() | elements("head")
PAGES = forms_of("boundary")
"""Elements that begin a page, column or line; ``line`` of a ``sourceDoc`` also holds its words."""
_NO_STATEMENTS = frozenset({"p", "ab", "head", "list", "table", *PAGES})
SPANS = forms_of("span")
"""Elements that are a span, with its role."""
STYLES = forms_of("inline", "stage")
"""Elements of words that a page shows in a form of their own."""
WORDS_ONLY = elements_of("words", "line", "part") | {"p", "ab", "div", "lg"} | elements("words")
"""Elements of segmentation: only their words are kept, and the ledger does not list them."""
WORD_APART = frozenset({"p", "ab", "l", "lg", "div", "addrLine", "label"}) | elements_of("head") | FORMS.keys()
"""Elements that begin and end with a word where they are read as words; scripts without spaces keep none."""
_OF_PARTS = frozenset({
    "entry", "entryFree", "form", "gramGrp", "sense", "hom", "re", "etym", "cit", "biblStruct", "biblFull", "analytic",
    "monogr", "imprint", "series", "address", "msIdentifier", "altIdentifier", "persName", "placeName", "orgName",
    "respStmt", "correspAction", "person", "place", "org", "row", "docImprint"})
"""Elements that can be records: without words of their own, each part of them is words apart."""
LEFT_OUT = elements("left-out") | elements_of("left-out") | {"lem", "rdg", "witDetail"}
"""Elements whose words are not text: page furniture, indexes, remarks on other elements. Their words go into the
ledger. (An ``expan`` or ``reg`` outside a ``choice`` is text: EpiDoc writes every abbreviated word as
``<expan>δρ<ex>αχμαί</ex></expan>``.)"""
BESIDE = elements_of("beside")
"""Elements beside words that say how to read them."""
LISTS = elements_of("list")
"""Lists of what a text names or rests on, as its index or bibliography has them: no running text."""
DELETED = forms_of("deleted")
"""Elements whose words are in the source and not in the text that it gives, with the brackets that show them: athetesis
in square ones, superfluous letters in braces (West, Textual Criticism and Editorial Technique, 1973, 80; EpiDoc)."""
TURNS = elements_of("turn")
"""Where a witness begins or stops to have text: `jiaokan.tei.apparatus.Absence`."""
EMPTY = elements_of("milestone") | {"anchor"} | elements("its-place")
"""Known elements without words, which leave only their place."""
FIRST = ("sic", "orig", "abbr", "unclear", "seg")
"""Forms of a ``choice`` that are the source's, in this order; else the first form."""
COMMENTARY = re.compile("commentary|comm|zhu|注|註|疏|gloss|scholi", re.IGNORECASE)
"""Types of notes that belong to the text (TLS ``seg type="comm"``), not to its editor."""
NOTE_ROLES = {
    "ruby": re.compile("rt|ruby|furigana", re.IGNORECASE), "okurigana": re.compile("okurigana", re.IGNORECASE),
    "kaeriten": re.compile("kaeri-?ten", re.IGNORECASE),
    "fontes": re.compile("fontes|fons|sources|similia|loci([ -](similes|paralleli))?|parallels?|imitationes?",
                         re.IGNORECASE),
    "testimonia": re.compile("testimoni(um|a|umen|es|en)|testimony", re.IGNORECASE),
}
"""Subtypes of notes, by their type or function, or by the name of the element: how words are read (the reading of ruby,
Japanese endings, reading marks), what the author draws on, who quotes him."""
NOTE_KINDS = frozenset({"commentary", "gloss", "variant", "source", "editorial"})


def name_of(node: Element) -> str:
    """Return an element's name: TEI's as it is, a known project's with its prefix, others in Clark's notation."""
    return _prefixed_name(node.tag)


@cache
def _prefixed_name(tag: object) -> str:
    namespace, brace, name = str(tag).removeprefix(f"{{{TEI}}}").removeprefix("{").rpartition("}")
    if not brace:
        return name
    return f"{_PREFIXES[namespace]}:{name}" if namespace in _PREFIXES else str(tag)


def is_unknown(name: str) -> bool:
    """Whether neither TEI nor a known project has an element of this name, as `name_of` writes it."""
    return name not in element_fates() and name.partition(":")[0] not in _PREFIXES.values()


def is_word_apart(node: Element) -> bool:
    """Whether an element begins and ends with a word: a paragraph read as words, a part of a record."""
    if name_of(node) in WORD_APART:
        return True
    around = node.getparent()
    return around is not None and name_of(around) in _OF_PARTS and not any(loose_words(around))


def is_note(node: Element) -> bool:
    """Whether an element is a note, or a segment whose type says commentary."""
    name = name_of(node)
    return name in ("note", "noteGrp") or (name == "seg" and _is_commentary(node.get("type", "")))


@cache
def note_role(node: Element) -> str:
    """Return the subtype of a note, or of the notes of an entry; empty if it only comments."""
    stated = (node.get("type", ""), node.get("function", ""), name_of(node))
    return next((role for role, pattern in NOTE_ROLES.items() if any(map(pattern.fullmatch, stated))), "")


def _is_commentary(type_: str) -> bool:
    return bool(COMMENTARY.fullmatch(type_))


def form_of(node: Element) -> str:
    """Return the form of the paragraph that an element is; empty for running text. That of a statement names it, for
    its label (``description-support``)."""
    name = name_of(node)
    if FORMS.get(name) in ("description", "record", "part") or is_statement(node):
        return f"description-{name}"
    if _is_listed(node):
        return "item"
    if name == "item" and sum(name_of(above) == "list" for above in node.iterancestors()) > 1:
        return "item-deep"
    return FORMS.get(name, "") or ("quote" if SPANS.get(name) == "quote" else "")


CITED = "{urn:jiaokan:reader}cited"
"""Attribute of an element with its value in references, where the file declares these; empty if it has none."""
_LONGEST_NUMBER = 16
"""Characters of the longest number; more is a title. A choice."""


def is_statement(node: Element) -> bool:
    """Whether an element is a statement of a description (``incipit`` in ``msItem``): all in it but words."""
    around = node.getparent()
    if around is None or name_of(around) not in RECORDS or name_of(node) in _NO_STATEMENTS:
        return False
    return not any(loose_words(around)) and bool(whole_text(node).strip())


def is_bibliography(node: Element) -> bool:
    """Whether an element is the bibliography that a chapter is: it is read there, not named beside the text."""
    return name_of(node) == "listBibl" and any(name_of(around) == "body" for around in node.iterancestors())


def _is_listed(node: Element) -> bool:
    around = node.getparent()
    return name_of(node) in ("bibl", "biblStruct") and around is not None and is_bibliography(around)


def stated_number(node: Element) -> str:
    """Return the number or label that a file gives an element: by its declaration of references, else ``@n``; empty if
    it is none: a URN, a title."""
    if (cited := node.get(CITED)) is not None:
        return cited
    n = " ".join(node.get("n", "").split())
    return n if len(n) <= _LONGEST_NUMBER and ":" not in n else ""


_ROLES = frozenset(get_args(DivisionRole)) - {""}


def role_of(node: Element) -> str:
    """Return what a division is beside others: its ``@type`` if that is one of EpiDoc's, and another beside it is
    another of these; a division that is alone, or beside others of its type, is known by its head or number."""
    above, role = node.getparent(), node.get("type", "")
    roles = {child.get("type") for child in (() if above is None else above) if name_of(child) == "div"} & _ROLES
    return role if role in roles and len(roles) > 1 else ""


def part_name(node: Element) -> str:
    """Return what the owner of a file calls a division without a head: its ``@subtype`` and ``@n`` (``column 2``), as
    EpiDoc has them; empty without ``@subtype``, or if one of them is a URN."""
    kind, n = " ".join(node.get("subtype", "").split()), " ".join(node.get("n", "").split())
    if not kind or ":" in kind + n:
        return ""
    return n if n.casefold().startswith(kind.casefold()) else f"{kind} {n}".strip()


def is_unit_of_reference(node: Element) -> bool:
    """Whether a division is called as what references count (``section``), so that its name says no more than they."""
    return node.get("subtype", "") in _UNITS_OF_REFERENCE


def holds_all_divisions(node: Element) -> bool:
    """Whether an element is a division that only holds all others: there is nothing in it but divisions, and nothing
    beside it, except places without words (``div type="edition"`` of the Canonical Text Services after a ``pb``)."""
    around = node.getparent()
    if name_of(node) not in DIVISIONS or around is None:
        return False
    if any(words for part in (node, around) for words in loose_words(part)):
        return False
    inner = [child for child in node if not _is_place(child)]
    beside = [child for child in around if child is not node and not _is_place(child)]
    return bool(inner) and not beside and all(name_of(child) in DIVISIONS for child in inner)


def _is_place(node: Element) -> bool:
    return name_of(node) in PAGES.keys() | EMPTY and not whole_text(node).strip()


def form_of_source(choice: Element) -> Element | None:
    """Return the form of a ``choice`` that is in the text; None if it has none."""
    forms = {name_of(child): child for child in reversed(choice)}
    return next((forms[name] for name in FIRST if name in forms), choice[0] if len(choice) else None)


def is_text(node: Element) -> bool:
    """Whether the words directly in an element are read as words in which an entry can begin or end."""
    if name_of(node) in LEFT_OUT:
        return name_of(node) in ("lem", "rdg")
    around = node.getparent()
    return around is None or name_of(around) != "choice" or form_of_source(around) is node


def holds_blocks(node: Element) -> bool:
    """Whether an element contains blocks, except in notes."""
    apart = name_of(node) in _OF_STATEMENTS
    if not apart and _TAGS.isdisjoint([descendant.tag for descendant in node.iterdescendants()]):
        return False
    return any(is_block(child) for child in node if isinstance(child.tag, str))


_TAGS = frozenset(f"{space}{name}" for name in BLOCKS for space in ("", f"{{{TEI}}}")) | frozenset(
    f"{{{namespace}}}{name.removeprefix(prefix)[1:]}" for namespace, prefix in _PREFIXES.items() for name in BLOCKS
    if name.startswith(f"{prefix}:"))


_MIXED = (elements_of("inline", "span", "line", "head", "words") | {"p", "ab"} | FORMS.keys()) - {"titlePage"}
"""Elements that contain words beside elements."""


def is_block(node: Element) -> bool:
    """Whether an element stands between paragraphs, not in one."""
    name, around = name_of(node), node.getparent()
    if around is not None and name_of(around) in _MIXED and (
            name in STAGE or (name in RECORDS and name_of(around) not in RECORDS | {"extent"})):
        return False
    return name in BLOCKS or is_statement(node) or _is_listed(node) or (not is_note(node) and holds_blocks(node))


def has_running_text(node: Element) -> bool:
    """Whether an element has words outside heads and lists of persons, places or books."""
    if name_of(node) in LISTS or name_of(node) in HEADS:
        return False
    return any(loose_words(node)) or any(has_running_text(child) for child in node if isinstance(child.tag, str))


def whole_text(node: Element) -> str:
    """Return all words in an element."""
    return "".join(map(str, node.itertext())) if len(node) else node.text or ""
