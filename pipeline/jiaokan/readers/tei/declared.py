"""References by the declaration of a file: ``refsDecl`` with ``citeStructure``, ``cRefPattern`` or ``refState``
(TEI P5, 3.11.4 and 16.2.5).

Each element that can be cited gets the value of its level in `CITED`; all other elements that have a number lose it for
references. A passage that is no division, paragraph or line (``seg``, ``milestone``) begins at a mark of `START`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import elementpath
from elementpath import XPath2Parser, XPathContext
from elementpath.exceptions import ElementPathError

from jiaokan.model.references import STATED
from jiaokan.model.vocabulary import TEI
from jiaokan.readers.tei.arrange import PASSAGE
from jiaokan.readers.tei.elements import CITED, DIVISIONS, holds_blocks, name_of
from jiaokan.tei.linking.read import START
from jiaokan.tei.tree import Element, Words


class Level(NamedTuple):
    """A level of citation; `before` separates it from the level above."""

    before: str
    unit: str
    match: str
    """XPath of its elements, from the element of the level above."""
    use: str
    """XPath of their numbers, from themselves."""
    form: str = "(.*)"
    """Pattern of `use` whose groups are the number."""
    parts: tuple[str, ...] = ("",)
    """What the groups of `form` follow in the number."""
    inner: tuple[Level, ...] = ()


class Followed(NamedTuple):
    """What a file declares of its references."""

    form: str = ""
    """As `jiaokan.model.references` has it; empty if nothing is declared that can be followed."""
    unread: str = ""
    """The expression that could not be read."""
    by_chunks: bool = False
    """Whether the levels are those of ``refState``, down to divisions: passages in these can be finer levels."""


class _Cited(NamedTuple):
    value: str
    path: tuple[Level, ...]
    around: Element | None
    """The element of the level above."""


_FUNCTIONS = frozenset({
    "position", "last", "count", "string", "concat", "substring", "substring-before", "substring-after",
    "string-length", "normalize-space", "translate", "lower-case", "upper-case", "replace", "tokenize", "matches",
    "contains", "starts-with", "ends-with", "not", "number", "name", "local-name", "id", "exists", "empty", "true",
    "false", "boolean", "string-join", "node", "text", "element", "and", "or", "div", "mod", "if", "self",
})
_CALL = re.compile(r"([\w:.-]+)\s*\(")
_LONGEST = 500
"""Characters of the longest XPath expression that is evaluated: a stranger wrote it. A choice."""


class UnreadableReference(ValueError):
    """An expression that this module does not evaluate."""


@dataclass(slots=True)
class _Evaluation:
    """XPath over one document. It calls no function that opens files."""

    root: Element
    names: Mapping[str, str]
    tree: Any = None
    tokens: dict[str, Any] = field(default_factory=dict)

    def select(self, path: str, node: Element | None, position: int = 1) -> list[Any]:
        """Return elements, or strings."""
        if self.tree is None:
            self.tree = elementpath.get_node_tree(self.root)
        try:
            if path not in self.tokens:
                self.tokens[path] = self._parse(path)
            return [*self.tokens[path].select_results(XPathContext(self.tree, item=node, position=position))]
        except (ElementPathError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
            raise UnreadableReference(path) from error

    def _parse(self, path: str) -> Any:
        if len(path) > _LONGEST or any(name not in _FUNCTIONS for name in _CALL.findall(path)):
            raise UnreadableReference(path)
        return XPath2Parser(namespaces={**self.names, "tei": TEI}, default_namespace=TEI).parse(path)


def follow_declaration(root: Element) -> Followed:
    """Mark what can be cited as the file declares it, and return how."""
    unread, by_states, best = "", False, dict[Element, _Cited]()
    for declaration in _declarations(root):
        names = {str(prefix): str(name) for prefix, name in declaration.nsmap.items() if prefix}
        try:
            levels = [*_levels(declaration)]
            cited = _collect_cited(levels, _Evaluation(root, names))
        except UnreadableReference as error:
            unread = unread or str(error)
            continue
        if _count_deepest(cited) > _count_deepest(best):
            best, by_states = cited, declaration.find("{*}refState") is not None
    if not best:
        return Followed(unread=unread)
    _mark(root, best)
    return Followed(_form(best), by_chunks=by_states and all(name_of(node) in DIVISIONS for node in best))


def _count_deepest(cited: Mapping[Element, _Cited]) -> int:
    """Return how many passages a declaration reaches at its deepest level: of several the finest counts."""
    depths = [len(here.path) for here in cited.values()]
    return depths.count(max(depths)) if depths else 0


def _declarations(root: Element) -> list[Element]:
    """Return the declarations: the default one, or all, those by XPath first."""
    declarations = root.findall("./{*}teiHeader/{*}encodingDesc//{*}refsDecl")
    chosen = [declaration for declaration in declarations if declaration.get("default") == "true"]
    return sorted(chosen or declarations, key=lambda declaration: declaration.find("{*}refState") is not None)


def _levels(declaration: Element) -> Iterator[Level]:
    if (structures := declaration.findall("{*}citeStructure")):
        yield from map(_structure, structures)
    elif (patterns := declaration.findall("{*}cRefPattern")):
        for pattern in patterns:
            yield from _pattern(pattern.get("matchPattern", ""), pattern.get("replacementPattern", ""),
                                pattern.get("n", ""))
    elif (states := declaration.findall("{*}refState")):
        yield from _states(states)


def _structure(node: Element) -> Level:
    match = node.get("match", "")
    return Level(node.get("delim", ""), node.get("unit", ""), match, node.get("use", "@n"),
                 inner=tuple(map(_structure, node.findall("{*}citeStructure"))))


def _unit(name: str) -> str:
    return re.sub(r"[^\w-]+", "-", name).strip("-") or "passage"


_PREDICATE = re.compile(r"\[[^\[\]]*\$\d[^\[\]]*\]")
_COMPARISON = re.compile(r"""([@\w:.()/-]+)\s*=\s*(["'])([^"']*\$\d[^"']*)\2""")


def _pattern(match_pattern: str, replacement: str, unit: str) -> Iterator[Level]:
    """Yield the levels of a ``cRefPattern`` that leads into its own file: by a path, or by ids (``#$1-$2``)."""
    between = _literals(match_pattern)
    path = re.fullmatch(r"#xpath\((.*)\)", " ".join(replacement.split()))
    steps: list[tuple[str, str, str]] = []
    rest = path[1] if path else ""
    while (predicate := _PREDICATE.search(rest)):
        compared = _COMPARISON.search(predicate[0])
        if compared is None:
            return
        test = predicate[0].replace(compared[0], compared[1])
        steps.append((rest[: predicate.start()] + test, compared[1], compared[3]))
        rest = rest[predicate.end() :]
    if not path and replacement.startswith("#$"):
        steps = [("//*[@xml:id]", "@xml:id", replacement[1:])]
    if not steps or rest or not between:
        return
    level: Level | None = None
    for number, (match, use, literal) in reversed([*enumerate(steps)]):
        groups = [int(group) for group in re.findall(r"\$(\d)", literal)]
        if not all(0 < group < len(between) + 1 for group in groups):
            return
        form = "".join("(.+)" if piece.startswith("$") else re.escape(piece)
                       for piece in re.split(r"(\$\d)", literal) if piece)
        parts = ("", *(between[group - 1] for group in groups[1:]))
        name = unit if number + 1 == len(steps) else ""
        level = Level(between[groups[0] - 1], name, match if number == 0 else f".{match}", use, form, parts,
                      (level,) if level else ())
    if level:
        yield level


def _literals(pattern: str) -> tuple[str, ...]:
    """Return what a regular expression has before each of its groups; a single dot is one."""
    pieces = re.split(r"\((?!\?)(?:[^()\\]|\\.)*\)", pattern.removeprefix("^"))[:-1]
    plain = (re.sub(r"\\s[+*?]?", " ", piece) for piece in pieces)
    return tuple(re.sub(r"\\(.)", r"\1", re.sub(r"\[[^\]]*\][*?]?", "", piece)) for piece in plain)


def _states(states: Iterable[Element]) -> Iterator[Level]:
    """Yield the levels of ``refState``: milestones, and divisions of the same kind. `delim` follows its level."""
    pairs = [(node.get("unit", ""), node.get("delim", ".")) for node in states]
    level: Level | None = None
    for number, (unit, _) in reversed([*enumerate(pairs)]):
        if unit in ("text", "work"):
            continue
        same = f"(@unit='{unit}' or @type='{unit}' or @subtype='{unit}')"
        match = f"//*[@n and {same} and (self::milestone or self::div or self::div1 or self::div2 or self::div3)]"
        outer = any(name not in ("text", "work") for name, _ in pairs[:number])
        level = Level(pairs[number - 1][1] if outer else "", unit, f".{match}" if outer else match, "@n",
                      inner=(level,) if level else ())
    if level:
        yield level


def _collect_cited(levels: Iterable[Level], evaluation: _Evaluation) -> dict[Element, _Cited]:
    """Return what can be cited; where two ways of citation are nested in each other, that of the smaller passages."""
    cited: dict[Element, _Cited] = {}

    def visit(level: Level, around: Element | None, path: tuple[Level, ...]) -> None:
        for position, node in enumerate(evaluation.select(level.match, around), 1):
            if not isinstance(getattr(node, "tag", None), str) or not _is_text(node):
                continue
            words = " ".join("".join(map(_text_of, evaluation.select(level.use, node, position))).split())
            numbers = re.fullmatch(level.form, words)
            if not numbers or not words:
                continue
            value = "".join(f"{before}{group}" for before, group in zip(level.parts, numbers.groups(), strict=False))
            if node not in cited or len(cited[node].path) <= len(path):
                cited[node] = _Cited(value, (*path, level), around)
            for inner in level.inner:
                visit(inner, node, (*path, level))

    for level in levels:
        visit(level, None, ())
    return _drop_overlapping(cited)


def _text_of(result: object) -> str:
    return "".join(result.itertext()) if hasattr(result, "itertext") else str(result)


def _is_text(node: Element) -> bool:
    return any(name_of(around) in ("text", "sourceDoc") for around in node.iterancestors())


def _drop_overlapping(cited: dict[Element, _Cited]) -> dict[Element, _Cited]:
    others: set[Element] = set()
    for node, here in cited.items():
        chain: set[Element] = set()
        above = here.around
        while above is not None:
            chain.add(above)
            above = cited[above].around if above in cited else None
        others |= {around for around in node.iterancestors() if around in cited and around not in chain}
    return {node: here for node, here in cited.items() if node not in others}


def _form(cited: Mapping[Element, _Cited]) -> str:
    """Return the form with the most levels; of two as deep that which more passages have."""
    ways = Counter(here.path for here in cited.values())
    path = max(ways, key=lambda way: (len(way), ways[way]))
    units = [Counter(level.unit or _kind(node) for node, here in cited.items() if len(here.path) == depth
                     for level in here.path[-1:]).most_common(1)[0][0] for depth in range(1, len(path) + 1)]
    return "".join(f"{re.sub(r'[{}]', '', level.before)}{{{STATED}{_unit(unit)}}}"
                   for level, unit in zip(path, units, strict=True))


def _kind(node: Element) -> str:
    return node.get("subtype") or node.get("unit") or node.get("type") or name_of(node)


_BLOCKS = DIVISIONS | {"p", "ab", "l", "line"}
"""Elements whose number the reader keeps with what it makes of them."""


def _mark(root: Element, cited: Mapping[Element, _Cited]) -> None:
    deepest = max(len(here.path) for here in cited.values())
    holders = {around for node in cited for around in node.iterancestors()}
    for text in root.iter("{*}text", "{*}sourceDoc"):
        for node in text.iter("*"):
            if node not in cited and node.get("n") and name_of(node) in _BLOCKS and (
                    name_of(node) in DIVISIONS or node in holders or not _is_inside(node, cited, deepest)):
                node.set(CITED, "")
    numbers = count()
    for node, here in cited.items():
        if name_of(node) in _BLOCKS and (name_of(node) in DIVISIONS or not holds_blocks(node)):
            node.set(CITED, here.value)
        else:
            begin_passage(node, here.value, next(numbers))


def _is_inside(node: Element, cited: Mapping[Element, _Cited], depth: int) -> bool:
    around = next((cited[above] for above in node.iterancestors() if above in cited), None)
    return around is not None and len(around.path) == depth


def begin_passage(node: Element, value: str, number: int) -> None:
    """Mark where a passage begins that is no block: in an element with words, or after a milestone."""
    mark = node.makeelement(START, {"n": f"{PASSAGE}{number}:{value}"})
    if name_of(node) in ("milestone", "anchor", "pb", "lb", "cb"):
        Words(node, follows=True).insert(0, mark)
        return
    Words(node, follows=False).insert(0, mark)
    Words(node, follows=True).insert(0, node.makeelement(START, {"n": f"{PASSAGE}{number}-end:"}))
