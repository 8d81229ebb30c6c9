"""XInclude 1.1 as far as TEI uses it: files, or elements of files by ``xml:id``, in place of ``xi:include``.

Schemas are asked about the text as it is then, which is how jing reads it. Only files in a folder that the caller
names are read, and nothing from the network.
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from urllib.parse import unquote

from jiaokan.errors import JiaokanError, Message
from jiaokan.model.pointers import address
from jiaokan.system.listing import LIMIT, read
from jiaokan.tei.tree import FORBIDDEN, ID, Element, alone, parse, put_instead
from jiaokan.validate.rule import Problem

XI = "http://www.w3.org/2001/XInclude"
DEPTH = 20  # depth of inclusion; deeper is a cycle
MANY = 1000  # number of inclusions; more is a cycle in which each turn doubles the text
_MEND = Message("expected-file-folder-below-part")


class Including:
    """A document with its included files."""

    def __init__(self, root: Element, path: Path, reach: Path) -> None:
        self.root = deepcopy(root)
        self.problems: list[Problem] = []
        self._origin = dict(zip(self.root.iter(), root.iter(), strict=True))
        self._reach = reach.resolve()
        self._number, self._left = 0, LIMIT
        """Inclusions so far, and the bytes that further ones may have: together as many as a file."""
        if self.root.tag != f"{{{XI}}}include":
            self._resolve(self.root, path, None, 0)

    def origin(self, element: Element) -> Element:
        """Return the element of the file from which one comes: the ``xi:include`` for included ones."""
        while element not in self._origin:
            above = element.getparent()
            if above is None:
                break
            element = above
        return self._origin[element]

    def _resolve(self, holder: Element, path: Path, asks: Element | None, depth: int) -> None:
        for include in [include for include in holder.iter(f"{{{XI}}}include") if include is not holder]:
            above = asks if asks is not None else self._origin[include]
            try:
                where, elements, words = self._target(include, path, depth)
            except JiaokanError as error:
                fallback = include.find(f"{{{XI}}}fallback")
                if fallback is None:
                    name = f"{include.prefix}:include" if include.prefix else "include"
                    message = Message("includes-nothing", name=name, message=error.message)
                    self.problems.append(Problem(above, message, _MEND))
                where, elements = path, list(fallback) if fallback is not None else []
                words = "" if fallback is None else fallback.text or ""
            for element in elements:
                self._origin[element] = above
                if element.tag != f"{{{XI}}}include":
                    self._resolve(element, where, above, depth + 1)
            put_instead(include, elements, words)

    def _target(self, include: Element, path: Path, depth: int) -> tuple[Path, list[Element], str]:
        self._number += 1
        if depth >= DEPTH or self._number > MANY:
            raise JiaokanError(Message("files-include-other"))
        href, part = address(include.get("href", "")), include.get("xpointer", "")
        if href.scheme or href.netloc or href.fragment:
            raise JiaokanError(Message("not-file-folder", include=include.get("href")))
        where = (path.parent / unquote(href.path)).resolve() if href.path else path.resolve()
        if not where.is_relative_to(self._reach):
            raise JiaokanError(Message("file-outside-folder", path=href.path, folder=self._reach.name or self._reach))
        data = read(where)
        self._left -= len(data)
        if self._left < 0:
            raise JiaokanError(Message("larger-mb", limit=LIMIT // 2**20))
        if include.get("parse", "xml") == "text":
            return where, [], FORBIDDEN.sub("\ufffd", data.decode("utf-8", "replace"))
        root = parse(data, name=str(where))
        if not part:
            return where, [root], ""
        name = part.removeprefix("element(").removesuffix(")") if part.startswith("element(") else part
        target = next((element for element in root.iter("*") if element.get(ID) == name), None)
        if target is None:
            raise JiaokanError(Message("no-element-id", name=name))
        return where, [alone(target)], ""


def includes(root: Element) -> bool:
    """Whether a document includes anything."""
    return next(root.iter(f"{{{XI}}}include"), None) is not None
