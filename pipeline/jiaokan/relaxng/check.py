"""What is wrong in a document by a RELAX NG grammar, every fault once, with what the grammar allows there.

A fault does not hide others: what is not allowed is passed over, and its inside is checked by its own declaration.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import cast

from lxml import etree

from jiaokan.errors import Message, suggestion
from jiaokan.relaxng.grammar import Grammar
from jiaokan.relaxng.patterns import ContentPattern, allowed_names, leaves, names_of
from jiaokan.relaxng.trees import Element, text_after
from jiaokan.relaxng.values import NOTHING, explain_value
from jiaokan.relaxng.vocabularies import OTHER_NAMES

LIMIT = 200  # faults that are listed for one document
_XML = "http://www.w3.org/XML/1998/namespace"

_SHOWN = 12  # names that are listed; tei_all allows some two hundred in a paragraph
_NEAREST = 6  # of them, for a name that the grammar does not know


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """What is wrong at an element, or at one of its attributes."""

    element: Element
    message: Message
    mend: Message = NOTHING
    attribute: str = ""  # the attribute at fault, as written (``xml:id``)
    misplaced: bool = False  # whether the element may not be where it is
    words: tuple[Element | None, int] | None = None
    """Of words that are not allowed: the child that they follow (none: the start tag), and the characters between."""


class GrammarCheck:
    """The faults of documents by one grammar."""

    def __init__(self, grammar: Grammar, limit: int = LIMIT) -> None:
        self._grammar, self._limit = grammar, limit
        self._found: list[SchemaFault] = []
        self._children: dict[Element, frozenset[str]] = {}
        self._holding: dict[str, frozenset[str]] = {}
        self._suggested: dict[tuple[str, ContentPattern, str, str], Message] = {}
        self._home = {name.rpartition("}")[0].removeprefix("{") for name in names_of(grammar.start, "element")}
        """The namespace of the outermost elements: its names are shown without a prefix."""

    def _name_of(self, element: Element) -> str:
        name = etree.QName(element)
        if not element.prefix or (name.namespace or "") in self._home:
            return name.localname
        return f"{element.prefix}:{name.localname}"

    def faults(self, root: Element) -> list[SchemaFault]:
        """Return the faults of a document, up to the limit; none if it is valid."""
        self._found, self._children = [], {}
        grammar = self._grammar
        fitting = grammar.take(grammar.start, "element", str(root.tag))
        if not fitting:
            first = ", ".join(f"<{name}>" for name in allowed_names(grammar.start, "element"))
            message = Message("cannot-outermost-element", element=self._name_of(root))
            mend = Message("expected-value", expected=first or Message("another-element"))
            return [SchemaFault(root, message, self._other_namespace(etree.QName(root), grammar.start) or mend)]
        self._check_alternatives(root, [element for element, _ in fitting])
        return self._found[:self._limit]

    def _check_alternatives(self, element: Element, patterns: list[ContentPattern]) -> list[ContentPattern]:
        """Check an element by each pattern that it may have; return those by which it is valid, or the best."""
        if len(patterns) == 1:
            self._check_content(element, self._grammar.contents[patterns[0]])
            return patterns
        before, results = self._found, []
        for candidate in patterns:
            self._found = []
            self._check_content(element, self._grammar.contents[candidate])
            results.append((len(self._found), self._found, candidate))
        fewest, faults, _ = min(results, key=lambda result: result[0])
        self._found = before + faults
        return [pattern for size, _, pattern in results if size == fewest]

    def _check_content(self, element: Element, content: ContentPattern) -> None:
        if len(self._found) >= self._limit:
            return
        grammar, whole = self._grammar, True
        state = self._check_attributes(element, content)
        words = element.text or ""
        children = False
        for child in element:
            tag = child.tag
            if isinstance(tag, str):
                if words and not words.isspace():
                    state = self._check_text(element, content, state, words)
                words, children = "", True
                fitting = state.taken.get(("element", tag)) or grammar.take(state, "element", tag)
                if not fitting:
                    state, fitting = self._skip_lacking(element, state, tag)
                if len(fitting) == 1:
                    state = fitting[0][1]
                    self._check_content(child, grammar.contents[fitting[0][0]])
                elif fitting:
                    rests = dict(fitting)
                    valid = self._check_alternatives(child, [item for item, _ in fitting])
                    state = grammar.choice(rests[item] for item in valid)
                else:
                    whole = False
                    self._report_misplaced(child, element, content)
            words += text_after(child)
        if children and words.strip():
            state = self._check_text(element, content, state, words)
        elif not children and not grammar.matches(state, words):
            if words.strip():
                state = self._check_text(element, content, state, words)
            whole = whole and not words.strip()
        if whole and not state.nullable and (children or not grammar.matches(state, words)):
            self._report_incomplete(element, state)

    def _check_attributes(self, element: Element, content: ContentPattern) -> ContentPattern:
        grammar, state = self._grammar, content
        for name, value in cast("list[tuple[str, str]]", element.items()):
            fitting = state.taken.get(("attribute", name)) or grammar.take(state, "attribute", name)
            if len(fitting) == 1 and grammar.matches(fitting[0][0].parts[1], value):
                state = fitting[0][1]
                continue
            if not fitting:
                shown = _readable_name(element, name)
                mend = self._suggest(element, content, shown, "attribute")
                message = Message("attribute-not-allowed", element=self._name_of(element), attribute=shown)
                self._found.append(SchemaFault(element, message, mend, attribute=shown))
                continue
            rests = [rest for attribute, rest in fitting if grammar.matches(attribute.parts[1], value)]
            if not rests:
                shown = _readable_name(element, name)
                message = Message("attribute-value-invalid", element=self._name_of(element), key=shown, value=value)
                mend = explain_value(fitting[0][0].parts[1], value)
                self._found.append(SchemaFault(element, message, mend, attribute=shown))
            rests = rests or [rest for _, rest in fitting]
            state = rests[0] if len(rests) == 1 else grammar.choice(rests)
        closed = grammar.close(state)
        if closed.kind != "notAllowed":
            return closed
        for name in _required_attributes(grammar, state):
            shown = _readable_name(element, name)
            message = Message("lacks-attribute", element=self._name_of(element), readable=shown)
            self._found.append(SchemaFault(element, message, Message("write-attribute-value", attribute=shown)))
        return grammar.close(state, forgiving=True)

    def _check_text(
        self, element: Element, content: ContentPattern, state: ContentPattern, words: str
    ) -> ContentPattern:
        rest = self._grammar.read(state, words)
        if rest.kind != "notAllowed":
            return rest
        shown = " ".join(words.split())[:20]
        if state.plain:
            message = Message("text-directly-in", element=self._name_of(element))
            mend = self._put_inside(element, content)
        else:
            message = Message("invalid-value-of", element=self._name_of(element), shown=shown)
            mend = explain_value(state, shown)
        if not any(fault.element is element and fault.message == message for fault in self._found[-5:]):
            self._found.append(SchemaFault(element, message, mend, words=_first_words(element)))
        return state if state.plain else self._grammar.empty

    def _skip_lacking(
        self, element: Element, state: ContentPattern, name: str
    ) -> tuple[ContentPattern, tuple[tuple[ContentPattern, ContentPattern], ...]]:
        """Pass over one required element, if the next is allowed behind it."""
        for lacking in () if state.nullable else self._next_names(state):
            for _, rest in self._grammar.take(state, "element", lacking):
                if fitting := self._grammar.take(rest, "element", name):
                    missing = lacking.rpartition("}")[2]
                    message = Message("element-lacks-child", element=self._name_of(element), missing=missing)
                    self._found.append(SchemaFault(element, message, Message("add-element", element=missing)))
                    return rest, fitting
        return state, ()

    def _report_misplaced(self, child: Element, within: Element, content: ContentPattern) -> None:
        tag = etree.QName(child)
        known = allowed_names(content, "element")
        mend = NOTHING
        if tag.localname in known and not child.prefix:
            elsewhere = Message("allowed-at-another-place", element=tag.localname, within=self._name_of(within))
            mend = self._other_namespace(tag, content) or elsewhere
        elif str(child.tag) in self._grammar.elements:
            mend = self._place_elsewhere(child, known)
        mend = mend or self._suggest(within, content, tag.localname, "element")
        message = Message("is-not-allowed-here-in", element=self._name_of(child), element2=self._name_of(within))
        self._found.append(SchemaFault(child, message, mend, misplaced=True))
        for pattern in self._grammar.elements.get(str(child.tag), ())[:1]:
            self._check_content(child, self._grammar.contents[pattern])

    def _other_namespace(self, tag: etree.QName, content: ContentPattern) -> Message | None:
        """Return the remedy for an element that is allowed here in another namespace than its own."""
        parts = (qualified.rpartition("}") for qualified in names_of(content, "element"))
        namespaces = {namespace.removeprefix("{") for namespace, _, name in parts if name == tag.localname}
        if not namespaces or (tag.namespace or "") in namespaces:
            return None
        return Message("wrong-namespace-xmlns", namespace=min(namespaces))

    def _report_incomplete(self, element: Element, state: ContentPattern) -> None:
        lacking = self._next_names(state)
        if len(lacking) == 1:
            missing = lacking[0].rpartition("}")[2]
            message = Message("element-lacks-child", element=self._name_of(element), missing=missing)
            self._found.append(SchemaFault(element, message, Message("add-element", element=missing)))
        else:
            message = Message("something-required-missing-out-order", element=self._name_of(element))
            self._found.append(SchemaFault(element, message, self._list_completing(element, state, lacking)))

    def _list_completing(self, element: Element, state: ContentPattern, names: list[str]) -> Message:
        """Return the remedy for an incomplete element: of the elements that may follow those that complete it, and of
        them first those that the document uses."""
        completing = [name for name in names
                      if any(rest.nullable for _, rest in self._grammar.take(state, "element", name))] or names
        used = {child.tag for child in element.getroottree().iter("{*}*")}
        known = [name.rpartition("}")[2] for name in sorted(completing, key=lambda name: (name not in used, name))]
        return self._list_allowed(etree.QName(element).localname, tuple(dict.fromkeys(known)), "", "element")

    def _next_names(self, state: ContentPattern) -> list[str]:
        names = dict.fromkeys(name for leaf in leaves(state, "element") for name in leaf.parts[0][0])
        return [name for name in names if self._grammar.take(state, "element", name)]

    def _suggest(self, element: Element, content: ContentPattern, wrong: str, kind: str) -> Message:
        key = (str(element.tag), content, wrong, kind)
        if key not in self._suggested:
            self._suggested[key] = self._find_nearest(element, content, wrong, kind)
        return self._suggested[key]

    def _find_nearest(self, element: Element, content: ContentPattern, wrong: str, kind: str) -> Message:
        known, name = allowed_names(content, kind), etree.QName(element).localname
        if kind == "attribute" and f"xml:{wrong}" in known:
            return Message("did-you-mean", name=f"xml:{wrong}")
        meant = next((form for form in OTHER_NAMES[kind].get(wrong.lower(), ()) if form.split()[0] in known), "")
        if meant:
            return Message("did-you-mean", name=f"<{meant}>" if kind == "element" else meant)
        if near := suggestion(wrong, sorted({*known} - {wrong}), ""):
            return near
        return self._list_allowed(name, known, wrong, kind)

    def _list_allowed(self, name: str, known: tuple[str, ...], wrong: str, kind: str) -> Message:
        shown = [*get_close_matches(wrong, known, _NEAREST, cutoff=0)] if wrong else list(known[:_SHOWN])
        shown = list(known) if len(known) <= _SHOWN else shown
        names: str = ", ".join(shown) or Message("nothing")
        if len(known) > len(shown):
            names = Message("names-and-more", names=names, count=len(known) - len(shown))
        if kind == "element":
            return Message("allowed-in", element=name, names=names)
        return Message("attributes-allowed", name=name, names=names)

    def _holders(self, tag: str) -> frozenset[str]:
        """Return the local names of the elements in which an element is allowed."""
        if tag not in self._holding:
            self._holding[tag] = frozenset(
                name.rpartition("}")[2] for name, patterns in self._grammar.elements.items()
                if any(tag in names_of(self._grammar.contents[pattern], "element") for pattern in patterns))
        return self._holding[tag]

    def _children_of(self, parent: Element | None) -> frozenset[str]:
        """Return the local names of the children of an element, looked up once for all of them."""
        if parent is None:
            return frozenset()
        if parent not in self._children:
            self._children[parent] = frozenset(etree.QName(child).localname for child in parent.iterchildren("*"))
        return self._children[parent]

    def _put_inside(self, element: Element, content: ContentPattern) -> Message:
        """Return the remedy for words directly in an element: the children that it has, if they hold words."""
        tags = dict.fromkeys(child.tag for child in element if isinstance(child.tag, str))
        holders = [tag for tag in tags for pattern in self._grammar.elements.get(tag, ())
                   if leaves(self._grammar.contents[pattern], "text")]
        if not holders:
            return self._suggest(element, content, "", "element")
        names = ", ".join(f"<{etree.QName(tag).localname}>" for tag in dict.fromkeys(holders))
        return Message("put-inside", names=names)

    def _place_elsewhere(self, child: Element, known: tuple[str, ...]) -> Message:
        """Return where an element is allowed that the grammar knows, but not here; first in what is allowed here."""
        holders = self._holders(str(child.tag))
        around = [etree.QName(above).localname for above in child.iterancestors()]
        beside = self._children_of(child.getparent())
        here = sorted(holders & {*known}, key=lambda name: (name not in beside, name))
        if etree.QName(child).localname == around[0] or not here:  # in itself: the inner one belongs behind the outer
            here = [name for name in around if name in holders][:1] or here
        names = ", ".join(f"<{name}>" for name in (here or sorted(holders))[:_NEAREST])
        return Message("element-allowed-inside", element=self._name_of(child), names=names) if names else NOTHING


def _first_words(element: Element) -> tuple[Element | None, int] | None:
    """Return where the first words of an element are, by the child before them and the characters between."""
    runs: list[tuple[Element | None, str]] = [(None, element.text or "")]
    runs += ((child, text_after(child)) for child in element)
    return next(((before, len(run) - len(run.lstrip())) for before, run in runs if run.strip()), None)


def _required_attributes(grammar: Grammar, state: ContentPattern) -> list[str]:
    match state.kind:
        case "attribute":
            return sorted(state.parts[0][0])[:1]
        case "choice" if grammar.close(state).kind == "notAllowed":
            return _required_attributes(grammar, state.parts[0])
        case "group" | "interleave" | "more":
            return [name for part in state.parts for name in _required_attributes(grammar, part)]
    return []


def _readable_name(element: Element, name: str) -> str:
    uri, _, local = name.rpartition("}")
    if not uri or uri == f"{{{_XML}":
        return f"xml:{local}" if uri else local
    prefix = next((prefix for prefix, namespace in element.nsmap.items() if f"{{{namespace}" == uri and prefix), "")
    return f"{prefix}:{local}" if prefix else local
