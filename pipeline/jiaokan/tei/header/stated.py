"""What the header of an edition states of it: title, makers, edition, publication, licence, sources, in its own words.

Exports that are not TEI carry these. What the program added to somebody else's header is no statement of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jiaokan.messages import TERM, has
from jiaokan.tei.header.carried import is_added
from jiaokan.tei.persons import is_ours, siglum_of, words_of
from jiaokan.tei.tree import Element, after, bare, beginning, loose_words

_WHOLE = frozenset({"title", "author", "editor", "respStmt", "witness", "licence", "p", "ab", "bibl", "idno", "date"})
"""Elements that are one statement, whatever is in them."""
_APART = _WHOLE | {"abbr", "biblStruct", "biblFull", "msDesc", "msIdentifier", "note", "ref", "ptr", "list", "head"}
"""Elements whose words are apart from those around them."""
_PRINCIPLES = ("encodingDesc/{*}projectDesc", "encodingDesc/{*}samplingDecl", "encodingDesc/{*}editorialDecl",
               "revisionDesc")
_MAKERS = ("author", "editor", "principal")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a header."""

    name: str  # the element that states it
    words: str
    target: str = ""  # its address: of a licence, or of an identifier


def statements(tei: bytes, *, name: str) -> tuple[Statement, ...]:
    """Return the statements of the header's ``fileDesc`` in their order; `name` is the file's name in messages. Raises
    TeiError as `jiaokan.tei.tree.parse`."""
    return statements_of(beginning(tei, name=name)) if tei.strip() else ()


def statements_of(root: Element, *, principles: bool = False) -> tuple[Statement, ...]:
    """Return the statements of the ``fileDesc`` of a parsed file; with its `principles`, also what it says of how it
    was made and changed."""
    ours, places = is_ours(root), ("fileDesc/{*}*", *(_PRINCIPLES if principles else ()))
    return tuple(statement for path in places for part in root.iterfind(f"{{*}}teiHeader/{{*}}{path}")
                 for statement in _statements(part, ours=ours))


def label(name: str) -> str:
    """Return the key of the term for a statement by the element that states it; empty for words that need no label."""
    return key if has(TERM + (key := f"header-{name}")) else ""


def makers(header: tuple[Statement, ...]) -> tuple[str, ...]:
    """Return the authors and editors whom a header names, each once."""
    return tuple(dict.fromkeys(statement.words for statement in header if statement.name in _MAKERS))


def _statements(node: Element, *, ours: bool) -> Iterator[Statement]:
    """Yield what a part of a header states. Sources that an edition of ours only reports or cites are lists of its
    apparatus."""
    if not isinstance(node.tag, str) or is_added(node) or (ours and (_is_reported(node) or bare(node) == "bibl")):
        return
    parts = list(node.iterchildren("{*}*"))
    if parts and bare(node) not in _WHOLE and not any(loose_words(node)):
        for part in parts:
            yield from _statements(part, ours=ours)
        return
    words = _responsible(parts) if bare(node) == "respStmt" else _words(node) or node.get("when", "")
    if bare(node) == "witness" and (siglum := siglum_of(node)) and words.split()[:1] != [siglum]:
        words = f"{siglum}: {words}" if words else siglum
    pointing = (part.get("target", "") for part in node.iter("{*}*"))
    target = next((address for address in pointing if ":" in address and address not in words), "")
    if words or target:
        yield Statement(bare(node), words, target)


def _is_reported(node: Element) -> bool:
    around = node.getparent()
    return bare(node) == "listWit" and around is not None and bare(around) == "listWit"


def _responsible(parts: list[Element]) -> str:
    tasks = " ".join(_words(part) for part in parts if bare(part) == "resp")
    people = ", ".join(_words(part) for part in parts if bare(part) != "resp")
    return ": ".join(filter(None, (tasks, people)))


def _words(node: Element) -> str:
    """Return the words of a statement; what is a statement for itself inside it has blanks around it."""
    if not any(bare(part) in _APART for part in node.iterchildren("{*}*")):
        return words_of(node)
    pieces = [node.text or ""]
    for part in node.iterchildren():
        blank = " " if isinstance(part.tag, str) and bare(part) in _APART else ""
        pieces += [blank, _words(part) if isinstance(part.tag, str) else "", blank, after(part)]
    return " ".join("".join(pieces).split())
