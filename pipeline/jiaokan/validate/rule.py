"""Rules and their findings; `Subject`, a document indexed once for all rules."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from lxml import etree

from jiaokan.errors import Message, Severity, join_messages, suggestion
from jiaokan.model.pointers import WORDS, range_of
from jiaokan.model.variants import ORTHOGRAPHIC, TABLE
from jiaokan.tei.included import Including
from jiaokan.tei.pointers import pointed_id
from jiaokan.tei.tree import ID, Element, local, mixed_content, select_elements
from jiaokan.validate.homes import Home

LIMIT = 200  # problems of structure that are listed for one file
SUGGESTIONS = 100  # wrong pointers for which the nearest id is suggested; each search goes through all ids of the file
POINTING = ("wit", "resp", "target", "targetEnd", "corresp", "ana", "ref", "source", "who")
"""Attributes of our encoding that point."""
_LOCAL = frozenset({
    *POINTING, "from", "to", "active", "adj", "adjFrom", "adjTo", "calendar", "change", "children", "code", "copyOf",
    "datingMethod", "datingPoint", "decls", "domains", "edRef", "end", "exclude", "fVal", "facs", "feats", "follow",
    "fromUnit", "given", "hand", "inst", "lemmaRef", "mergedIn", "mutual", "new", "next", "nymRef", "origin", "parent",
    "parts", "passive", "perf", "period", "prev", "property", "rendition", "replyTo", "sameAs", "scheme", "scribeRef",
    "scriptRef", "select", "since", "spanTo", "start", "synch", "toUnit", "toWhom", "unitRef", "url", "where",
})
"""Attributes of TEI that point into the file by #, or to an address: those of type teidata.pointer, without the few
whose name also has other values."""
_WITH_ID = etree.XPath("descendant-or-self::*[@xml:id]")
EXAMPLES = "{http://www.tei-c.org/ns/Examples}"
SPANNING = frozenset({"app", "span", "arc"})
"""Elements whose @from and @to point; elsewhere they are pages, folios and dates."""
NOTHING = Message.of("")


def is_value(element: Element, name: str) -> bool:
    """Whether an attribute that elsewhere points is a page, a folio or a date here."""
    return name in ("from", "to") and local(element) not in SPANNING


@dataclass(frozen=True, slots=True)
class Spot:
    """A character of an element's own text: `offset` characters behind the child `after`, or behind the start tag."""

    after: Element | None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule found, at an element; line and column are computed after all rules have run."""

    element: Element
    message: Message
    mend: Message = NOTHING
    other: Element | None = None  # a related element, such as the first with a duplicate id
    attribute: str = ""  # the attribute at fault, as written (``xml:id``)
    spot: Spot | None = None
    before: str = ""  # what is at fault before the outermost element, as written


@dataclass(frozen=True, slots=True)
class Found:
    """A problem with its rule."""

    rule: str
    severity: Severity
    problem: Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule that a grammar cannot express; its texts are in ``rules.toml``."""

    id: str
    check: Check
    severity: Severity
    wrong: str
    right: str  # an example of a fault; the example corrected
    tei: bool = False
    elsewhere: Severity | None = None  # its severity in TEI of another encoding, if lower
    folder: bool = False  # whether it needs the edition folder of the file
    context: str = ""  # XPath of the nodes to test, if XPath can express the rule
    test: str = ""  # XPath that is true of a correct node

    @property
    def explanation(self) -> Message:
        """Why it matters and what is right, in a few sentences."""
        return explanation(self.id)

    def explain(self) -> Message:
        """Return its explanation with an example."""
        return Message("explained-rule", explanation=self.explanation, wrong=self.wrong, right=self.right)


_NAMED = {
    "{orthographic-ids}": ", ".join(f"'#var-{name}'" for name in TABLE if name in ORTHOGRAPHIC),
}
"""Placeholders of ``rules.toml``, filled from the table of the classes of variants."""


def explanation(identifier: str) -> Message:
    """Return the explanation of a rule, as the message ``rule-ID``."""
    classes = [Message(f"class-{name}") for name in TABLE if name in ORTHOGRAPHIC]
    return Message(f"rule-{identifier}", orthographic=join_messages("list-comma", classes))


Check = Callable[["Subject"], Iterator[Problem]]
_CHECKS: dict[str, Check] = {}


def rule(identifier: str) -> Callable[[Check], Check]:
    """Register a function as the check of the rule with this id in ``rules.toml``; raises KeyError if it has one."""

    def register(check: Check) -> Check:
        if identifier in _CHECKS:
            raise KeyError(f"two checks for the rule {identifier}")
        _CHECKS[identifier] = check
        return check

    return register


_WRITTEN = (Path(__file__).parent / "rules.toml").read_text(encoding="utf-8")
_TEXTS: dict[str, dict[str, Any]] = tomllib.loads(re.sub("|".join(_NAMED), lambda token: _NAMED[token[0]], _WRITTEN))
GRAMMAR = frozenset(name for name, entry in _TEXTS.items() if "severity" not in entry)
"""Findings of the grammar, which no rule makes."""


def all_rules() -> tuple[Rule, ...]:
    """Return the rules in the order of ``rules.toml``, once the modules with their checks are imported.

    Raises:
        KeyError: if a rule has no check, or a check no row with a severity.
    """
    rows = {name for name in _TEXTS if name not in GRAMMAR}
    if unmatched := rows ^ _CHECKS.keys():
        raise KeyError(f"rules.toml and @rule differ: {', '.join(sorted(unmatched))}")
    return tuple(
        Rule(id=name, check=_CHECKS[name], **entry)
        for name, entry in _TEXTS.items() if name not in GRAMMAR
    )


class Subject:
    """A TEI document under examination."""

    def __init__(
        self, root: Element, home: Home | None = None, folder: Path | None = None, *, is_ours: bool = True,
        whole: Including | None = None,
    ) -> None:
        self.root = root
        self.is_ours = is_ours  # whether it is of our encoding
        self.home = home
        self.folder = folder  # of the file, if it has one: pointers into other files start there
        self._whole = whole
        self.elements: list[Element] = [element for element in root.iter("*") if not element.tag.startswith(EXAMPLES)]
        """Every element in the order of the document, without those of examples, which point nowhere."""
        self.names: list[str] = list(map(local, self.elements))
        self._suggested: dict[str, Message] = {}
        self.ids: dict[str, list[Element]] = {}
        self.tags: dict[str, list[Element]] = {}
        for element, name in zip(self.elements, self.names, strict=True):
            self.tags.setdefault(name, []).append(element)
        for element in select_elements(_WITH_ID, root):
            if element.get(ID) and not element.tag.startswith(EXAMPLES):
                self.ids.setdefault(element.get(ID, ""), []).append(element)

    def folder_of(self, element: Element) -> Path | None:
        """Return the folder at which pointers of an element start: that of the file in which it is written."""
        written_in = self._whole and self._whole.file_of(element)
        return written_in.parent if written_in else self.folder

    @cached_property
    def _outside(self) -> dict[str, list[Element]]:
        """The elements by name, without those of the header and the translations."""
        aside = {node for part in (self.header, self.root.find("{*}text/{*}back")) if part is not None
                 for node in part.iter()}
        outside: dict[str, list[Element]] = {}
        for element, name in zip(self.elements, self.names, strict=True):
            if element not in aside:
                outside.setdefault(name, []).append(element)
        return outside

    @cached_property
    def order(self) -> dict[Element, int]:
        """The position of each element in the document."""
        return {element: n for n, element in enumerate(self.elements)}

    @cached_property
    def declares_witnesses(self) -> bool:
        """Whether the file has witnesses, or includes another that may have them and is not there."""
        return "witness" in self.tags or "include" in self.tags or (self._whole is not None and self._whole.lacks_parts)

    @cached_property
    def pointing(self) -> list[tuple[Element, str]]:
        """Every pointing attribute with its element, in document order."""
        return [(element, name) for element in self.elements  # with the values lxml takes quadratic time
                for name in map(str, element.keys()) if name in _LOCAL]

    @cached_property
    def readings(self) -> list[tuple[Element, Element]]:
        """Every lemma and reading, with its entry."""
        return [(app, reading) for app in self.all("app") for reading in app if local(reading) in ("lem", "rdg")]

    @cached_property
    def all_readings(self) -> list[tuple[Element, Element]]:
        """Every lemma and reading with its entry, those in groups too."""
        return [(next(reading.iterancestors("{*}app"), self.root), reading) for reading in self.all("lem", "rdg")]

    @cached_property
    def header(self) -> Element | None:
        """``teiHeader``, where there is one."""
        return self.root.find("{*}teiHeader")

    @cached_property
    def has_foreign_apparatus(self) -> bool:
        """Whether the apparatus is that of another's edition, in which a witness can be silent."""
        path = "{*}encodingDesc/{*}variantEncoding"  # a carried header has its own, too
        return any(node.get("source") for node in (() if self.header is None else self.header.iterfind(path)))

    @cached_property
    def text(self) -> Element | None:
        """``text``, where there is one."""
        return self.root.find("{*}text")

    @cached_property
    def stretches(self) -> list[tuple[Element, Element | None, str]]:
        """Each run of text: its element, the child that it follows, the characters."""
        runs: list[tuple[Element, Element | None, str]] = []
        for element in () if self.text is None else self.text.iter():
            if not len(element):
                runs += [(element, None, element.text)] if element.text else []
            else:
                before: Element | None = None
                for node in mixed_content(element, ""):
                    if isinstance(node, str):
                        runs.append((element, before, node))
                    else:
                        before = node
        return runs

    @cached_property
    def words(self) -> str:
        """All words of the text."""
        return "" if self.text is None else "".join(map(str, self.text.itertext()))

    @cached_property
    def characters(self) -> frozenset[str]:
        """Every character of the text."""
        return frozenset(self.words)

    def outside(self, sign: str, *names: str) -> bool:
        """Whether a sign is in the text outside the elements of these names, which have no others inside."""
        return self.words.count(sign) > sum((element.text or "").count(sign) for element in self.in_text(*names))

    @cached_property
    def witnesses(self) -> frozenset[str]:
        """Ids of the witnesses that were collated."""
        return frozenset(element.get(ID, "") for element in self.all("witness")) - self.reported_witnesses

    @cached_property
    def reported_witnesses(self) -> frozenset[str]:
        """Ids of the witnesses known only by report, which are in a nested list."""
        return frozenset(element.get(ID, "") for element in self.root.iterfind(".//{*}listWit/{*}listWit/{*}witness"))

    def all(self, *names: str) -> Iterator[Element]:
        """Yield the elements of these names, in document order for each name."""
        for name in names:
            yield from self.tags.get(name, ())

    def in_text(self, *names: str) -> Iterator[Element]:
        """Yield the elements of these names outside the header and the translations."""
        for name in names:
            yield from self._outside.get(name, ())

    def nearest_id(self, name: str) -> Message:
        """Suggest the id nearest to a wrong pointer, for the first `SUGGESTIONS` different pointers."""
        if name not in self._suggested and len(self._suggested) < SUGGESTIONS:
            self._suggested[name] = suggestion(name, self.ids, "", prefix="#")
        return self._suggested.get(name, NOTHING)

    def target(self, identifier: str) -> Element | None:
        """Return the first element with this id."""
        return next(iter(self.ids.get(identifier, ())), None)


def pointers(element: Element, name: str) -> tuple[str, ...]:
    """Return the ids of this file that an attribute points to; of ``words:ID/2/1`` it is ID."""
    return _ids(element.get(name, ""))


@lru_cache(maxsize=4096)
def _ids(written: str) -> tuple[str, ...]:
    """Cached: several rules ask for each attribute, and most values repeat."""
    if "#" not in written and WORDS not in written:
        return ()
    return tuple(pointed_id(word) for word in written.split() if word[0] == "#" or range_of(word))


def printable(words: str) -> str:
    """Return words with unprintable characters as [U+XXXX]."""
    return "".join(c if c.isprintable() or c.isspace() else f"[U+{ord(c):04X}]" for c in words)


def is_empty(element: Element) -> bool:
    """Whether an element contains no text, gap or glyph; milestones do not count."""
    if not len(element):
        return not element.text or element.text.isspace()
    if "".join(map(str, element.itertext())).strip():
        return False
    return all(local(node) in ("milestone", local(element)) for node in element.iter() if isinstance(node.tag, str))
