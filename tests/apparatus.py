"""What an apparatus says, read from TEI by lxml alone: nothing of the program is used, so that it can be held to it.

Each method is read in its own way. Parallel segmentation: a walk over the tree that takes one branch of each ``app``.
Double end-point: the words between two points are exchanged in a list of all words. Location: the words of a lemma are
looked for in the element that ``@loc`` names.
"""

from __future__ import annotations

from typing import Any

from lxml import etree

ID = "{http://www.w3.org/XML/1998/namespace}id"
TEI = "{http://www.tei-c.org/ns/1.0}"


def texts(data: bytes) -> dict[str, str]:
    """Return the text of each declared witness, without white space; with the empty name that which is printed."""
    root = etree.fromstring(data)
    method = next((each.get("method") for each in root.iter(f"{TEI}variantEncoding")), "parallel-segmentation")
    names = [each.get(ID) for each in root.iter(f"{TEI}witness") if each.get(ID)]
    read = {"parallel-segmentation": _parallel, "double-end-point": _points, "location-referenced": _located}[method]
    return {name: "".join(read(root, name).split()) for name in ["", *names]}


def _wit(node: Any) -> list[str]:
    return [each.lstrip("#") for each in node.get("wit", "").split()]


def _branches(app: Any) -> list[Any]:
    return [each for each in app.iterdescendants(f"{TEI}lem", f"{TEI}rdg")
            if next(each.iterancestors(f"{TEI}app")) is app]


def _own(app: Any, name: str) -> Any:
    return next((each for each in _branches(app) if name and name in _wit(each) and each.tag == f"{TEI}rdg"), None)


def _parallel(root: Any, name: str) -> str:
    return "".join(_walk(text, name) for text in root.iter(f"{TEI}text"))


def _walk(node: Any, name: str) -> str:
    if not isinstance(node.tag, str):
        return ""
    if node.tag == f"{TEI}app":
        lemma = next((each for each in _branches(node) if each.tag == f"{TEI}lem"), None)
        first = lemma if lemma is not None else next(iter(_branches(node)), None)
        own = _own(node, name)
        taken = first if own is None else own
        return "" if taken is None else _inside(taken, name)
    return _inside(node, name)


def _inside(node: Any, name: str) -> str:
    return (node.text or "") + "".join(_walk(each, name) + (each.tail or "") for each in node)


def _flat(root: Any) -> tuple[list[str], dict[str, tuple[int, int]], dict[Any, int]]:
    """Return the characters of the texts without entries, where elements with an id, and entries, stand among them."""
    chars: list[str] = []
    spans: dict[str, tuple[int, int]] = {}
    sites: dict[Any, int] = {}

    def walk(node: Any) -> None:
        start = len(chars)
        if node.tag == f"{TEI}app":
            sites[node] = start
        elif isinstance(node.tag, str):
            chars.extend("".join((node.text or "").split()))
            for each in node:
                walk(each)
                chars.extend("".join((each.tail or "").split()))
            spans[node.get(ID, "")] = spans[node] = start, len(chars)

    for text in root.iter(f"{TEI}text"):
        walk(text)
    return chars, spans, sites


def _exchanged(chars: list[str], cuts: list[tuple[int, int, Any]], name: str) -> str:
    """Return the characters with those between two places exchanged where a witness has others."""
    out, at = "", 0
    for start, end, app in cuts:
        own = _own(app, name)
        if own is not None and start >= at:
            out += "".join(chars[at:start]) + _inside(own, name)
            at = end
    return out + "".join(chars[at:])


def _points(root: Any, name: str) -> str:
    chars, spans, sites = _flat(root)
    cuts = []
    for app in root.iter(f"{TEI}app"):
        if app.get("from"):
            last = app.get("to")
            end = spans[last.lstrip("#")][1] if last else sites[app]
            cuts.append((spans[app.get("from").lstrip("#")][0], end, app))
    order = {each.get(ID): n for n, each in enumerate(root.iter())}
    return _exchanged(chars, sorted(cuts, key=lambda cut: order[cut[2].get("from").lstrip("#")]), name)


def _located(root: Any, name: str) -> str:
    chars, spans, _ = _flat(root)
    numbered = {}
    for node in root.iter(f"{{{TEI[1:-1]}}}*"):
        above = {up.tag for up in node.iterancestors()}
        if node.get("n") and f"{TEI}text" in above and f"{TEI}app" not in above:
            path = [up.get("n") for up in (*reversed(list(node.iterancestors())), node) if up.get("n")]
            numbered.setdefault(".".join(path), node)
    cuts = []
    for app in root.iter(f"{TEI}app"):
        if not app.get("loc"):
            continue
        loc = app.get("loc")
        start, _ = spans[loc[1:]] if loc.startswith("#") else spans[numbered[loc]]
        lemma = next(each for each in _branches(app) if each.tag == f"{TEI}lem")
        words = "".join("".join(lemma.itertext()).split())
        n = next(int(said) for said in (lemma.get("n", "1"), app.get("n", "1")) if said.isdecimal())
        at = start + n - 1
        if words:
            at = start - 1
            for _ in range(n):
                at = "".join(chars).index(words, at + 1)
        cuts.append((at, at + len(words), app))
    return _exchanged(chars, sorted(cuts, key=lambda cut: (cut[0], cut[0] != cut[1], -cut[1])), name)
