"""Marks the ends of entries in a parsed TEI tree.

After `mark_ends` a reader of the tree needs to know no linking method: an ``app`` with the attribute `ENTRY` is about
the words between the two empty elements of that number, `START` and `END`; any other ``app`` stands round its words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from lxml import etree

from pipeline.errors import Finding
from pipeline.tei.linking.placing import BLOCKS, POINTS, Placer
from pipeline.tei.linking.read import ASIDE, LinkingReader
from pipeline.tei.linking.stream import LINKS, Edge, LinkedEntry, RawNode, Site, Tag, bare, is_loose
from pipeline.tei.tree import ID, Element, Words, local

_SPACE = "{urn:jiaokan:linking}"
ENTRY = f"{_SPACE}entry"
START = f"{_SPACE}start"
END = f"{_SPACE}end"
_LINKING = (*ASIDE, *BLOCKS, "text", "back", "standOff", "listApp", "app", "lem", "rdg", "rdgGrp", "variantEncoding")
"""Elements that linking by two points needs besides the elements pointed to; linking by locations needs all."""
_WITH_ID = etree.XPath("//*[@xml:id]")


def mark_ends(
    root: Element, file: str, holder: str, *, is_text: Callable[[Element], bool]
) -> tuple[dict[str, str], list[Finding]]:
    """Insert `START` and `END` round the words of each entry that names them by pointers or a location.

    `holder` is the name of the element that holds the text. Words in elements that are not text (`is_text`) are not
    searched. Return the problems of entries whose words were not found, by the number in `ENTRY`, and findings.
    """
    apps = [app for app in root.iter("{*}app") if any(map(app.get, LINKS))]
    declared = next(root.iter("{*}variantEncoding"), None)
    if declared is None or declared.get("method") == "parallel-segmentation":
        apps = _without_dead_links(root, apps)
    if not apps and (declared is None or declared.get("method") != "location-referenced"):
        return {}, []
    nested = any(next(app.iterancestors("{*}app"), None) is not None for app in apps)
    located, tags = any(app.get("loc") for app in apps), ["*"]
    if not located:  # the entries and the elements that they point to are enough
        wanted = {app.get(name, "").rpartition("#")[2] for app in apps for name in POINTS}
        known: Any = _WITH_ID(root)  # elements: the stubs know all that XPath can give
        tags = [*(f"{{*}}{name}" for name in _LINKING), *{str(node.tag) for node in known if node.get(ID) in wanted}]
    reader = LinkingReader(file, _copy(root, tags, is_text, nested=nested, words=located), holder, nested=nested)
    placer = reader.find_places()
    numbers = {entry: str(n) for n, entry in enumerate(reader.entries, 1) if entry not in reader.ends}
    for app in apps:
        app.set(ENTRY, "?")
    for entry, number in numbers.items():
        if isinstance(entry.node, _TreeNode) and (is_loose(entry.node) or not entry.problem):
            entry.node.element.set(ENTRY, number)
    _insert_ends(root, placer, numbers)
    return {number: entry.problem for entry, number in numbers.items() if entry.problem}, placer.findings


def _without_dead_links(root: Element, apps: list[Element]) -> list[Element]:
    """Return the entries that are linked. If no pointer of the file points to anything, those in the text stand round
    their words, and lose their pointers."""
    known: Any = _WITH_ID(root)  # elements: the stubs know all that XPath can give
    ids = {str(node.get(ID)) for node in known}
    if any(app.get("loc") or {app.get(name, "").rpartition("#")[2] for name in POINTS} & ids for app in apps):
        return apps
    for app in apps:
        if not any(local(above) in ("standOff", "listApp", "back") for above in app.iterancestors()):
            for name in {*map(str, app.keys())} & {*POINTS}:
                del app.attrib[name]
    return [app for app in apps if any(map(app.get, LINKS))]


@dataclass(slots=True, eq=False, kw_only=True)
class _TreeNode(RawNode):
    element: Element

    def tags(self) -> tuple[str, str]:
        name = local(self.element)
        tag = "".join([f"<{name}", *(f' {key}="{value}"' for key, value in self.attributes.items() if key != ID)])
        return (bare(f"{tag}>"), bare(f"</{name}>")) if self.end else (bare(f"{tag}/>"), "")


class _Run(str):
    """A run of text as XML, with its place in the tree."""

    words: Words


def _copy(
    root: Element, tags: Sequence[str], is_text: Callable[[Element], bool], *, nested: bool, words: bool
) -> RawNode:
    """Return a copy of the elements with these tags, with or without words; `nested`: also of readings."""
    stack: list[RawNode] = [RawNode("", "")]
    hidden: list[bool] = [not words]
    walk: Any = etree.iterwalk(root, events=("start", "end"), tag=tags)  # the stubs lack skip_subtree
    for event, node in walk:
        if event == "start":
            end = "/" if len(node) or node.text else ""
            copy = _TreeNode(local(node), "", dict(node.attrib), node.sourceline or 0, end=end, element=node)
            stack[-1].children.append(copy)
            stack.append(copy)
            hidden.append(hidden[-1] or not is_text(node))
            if not nested and not words and copy.name == "app" and is_loose(copy):
                walk.skip_subtree()
        else:
            stack.pop()
            hidden.pop()
        if not hidden[-1]:
            place = Words(node, follows=event == "end")
            if text := place.get():
                run = _Run(escape(text, quote=False))
                run.words = place
                stack[-1].children.append(run)
    return stack[0]


def _insert_ends(root: Element, placer: Placer, numbers: Mapping[LinkedEntry, str]) -> None:
    """Insert all ends; those within words first, since an end beside a tag takes over the words after the tag."""
    def marker(edge: Edge) -> Element:
        return etree.Element(START if edge.opens else END, {"n": numbers[edge.entry]})

    for number, inside in placer.within.items():
        run = placer.items[number]
        assert isinstance(run, _Run), "edges stand within runs of text only"
        for offset, edge in sorted(inside, key=lambda each: each[0], reverse=True):
            run.words.insert(offset, marker(edge))
    for before, places in ((True, placer.before), (False, placer.after)):
        for number, edges in places.items():
            item = placer.items[number]
            assert isinstance(item, (Tag, Site)), "edges stand beside tags and entries only"
            node = item.node if isinstance(item, Tag) else item.entry.node
            assert isinstance(node, _TreeNode), "the tree is a copy"
            for made in map(marker, edges):
                if isinstance(item, Tag) and item.opens and not before:
                    Words(node.element, follows=False).insert(0, made)
                elif isinstance(item, Tag) and not item.opens and before:
                    node.element.append(made)
                elif node.element is root:
                    continue  # nothing stands beside the root
                elif before:
                    node.element.addprevious(made)
                else:
                    Words(node.element, follows=True).insert(0, made)
