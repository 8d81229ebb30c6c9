"""XInclude 1.1 as far as TEI uses it: files, or elements of files by ``xml:id``, in place of ``xi:include``.

A text is read and validated as it is then. Only files in a folder that the caller names are read, and nothing from
the network.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from lxml import etree

from jiaokan.errors import Finding, JiaokanError, Message, Place
from jiaokan.model.pointers import address
from jiaokan.system.listing import LIMIT, read
from jiaokan.tei.tree import FORBIDDEN, ID, Element, alone, parse, place, put_instead

XI = "http://www.w3.org/2001/XInclude"
DEPTH = 20
"""Greatest depth of inclusion. A choice."""
MANY = 1000
"""Most inclusions of a file; more is a cycle in which each turn doubles the text. A choice."""
_MEND = Message("expected-file-folder-below-part")


class FailedInclusion(NamedTuple):
    """An ``xi:include`` that includes nothing, and why."""

    element: Element
    """Its element in the including file, or the one there through which it is included."""
    message: Message
    mend: Message
    place: Place
    """Where it is written; without a file in the including file itself."""


class Including:
    """A document with its included files."""

    def __init__(self, root: Element, path: Path, reach: Path) -> None:
        self.root = deepcopy(root)
        self.failed: list[FailedInclusion] = []
        self.lacks_parts = False  # whether a file is missing, also where another text stands in for it
        self.incomplete: set[Element] = set()
        """Elements that lack what a missing file has."""
        self._origin = dict(zip(self.root.iter(), root.iter(), strict=True))
        self._files: dict[Element, Path] = {}
        """The outermost included elements, with their files."""
        self._reach = reach.resolve()
        self._number, self._left = 0, LIMIT
        """Inclusions so far, and the bytes that further ones may have: together as many as a file."""
        if self.root.tag != f"{{{XI}}}include":
            self._resolve(self.root, path, None, (f"{path.resolve()}",))

    def origin(self, element: Element) -> Element:
        """Return the element of the file from which one comes: the ``xi:include`` for included ones."""
        while element not in self._origin:
            above = element.getparent()
            if above is None:
                break
            element = above
        return self._origin[element]

    def place(self, element: Element, name: str) -> Place:
        """Return the line of an element in the file in which it is written; `name` is that of the including file."""
        file = self.file_of(element)
        return place(element, self.name_of(file) if file else name)

    def file_of(self, element: Element) -> Path | None:
        """Return the included file in which an element is written; None for one of the including file."""
        around: Element | None = element
        while around is not None:
            if around in self._files:
                return self._files[around]
            around = around.getparent()
        return None

    def name_of(self, path: Path) -> str:
        """Return the name of an included file in messages: below the folder from which files may be included."""
        return path.relative_to(self._reach).as_posix()

    def _resolve(self, holder: Element, path: Path, asks: Element | None, above: tuple[str, ...]) -> None:
        for include in [include for include in holder.iter(f"{{{XI}}}include") if include is not holder]:
            written = asks if asks is not None else self._origin[include]
            try:
                where, elements, words = self._target(include, path, above)
            except JiaokanError as error:
                self.lacks_parts = True
                fallback = include.find(f"{{{XI}}}fallback")
                if fallback is None:
                    name = f"{include.prefix}:include" if include.prefix else "include"
                    message = Message("includes-nothing", name=name, message=error.message)
                    self.failed.append(FailedInclusion(written, message, _MEND, self.place(include, "")))
                    self.incomplete |= {around for around in [include.getparent()] if around is not None}
                where, elements = path, list(fallback) if fallback is not None else []
                words = "" if fallback is None else fallback.text or ""
            for element in elements:
                self._origin[element] = written
                if where is not path:
                    self._files[element] = where
                if element.tag != f"{{{XI}}}include":
                    self._resolve(element, where, written, (*above, _key(where, include)))
            put_instead(include, elements, words)

    def _target(self, include: Element, path: Path, above: tuple[str, ...]) -> tuple[Path, list[Element], str]:
        self._number += 1
        href, part = address(include.get("href", "")), include.get("xpointer", "")
        if href.scheme or href.netloc or href.fragment:
            raise JiaokanError(Message("not-file-folder", include=include.get("href")))
        where = (path.parent / unquote(href.path)).resolve() if href.path else path.resolve()
        if not where.is_relative_to(self._reach):
            raise JiaokanError(Message("file-outside-folder", path=href.path, folder=self._reach.name or self._reach))
        if _key(where, include) in above or len(above) > DEPTH or self._number > MANY:
            raise JiaokanError(Message("file-includes-itself", file=self.name_of(where)))
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


def _key(path: Path, include: Element) -> str:
    part = include.get("xpointer", "")
    return f"{path}#{part}" if part else f"{path}"


@dataclass(frozen=True, slots=True)
class Included:
    """The bytes of a file with those that it includes, and where each line of them is written."""

    data: bytes
    findings: tuple[Finding, ...] = ()
    starts: tuple[int, ...] = ()
    """Lines of the bytes in which an element begins, in order."""
    places: tuple[Place, ...] = ()
    """The place at which the element of each is written."""

    def place(self, place: Place) -> Place:
        """Return the place at which a line of the bytes is written."""
        at = bisect_right(self.starts, place.line) - 1
        if not place.line or at < 0:
            return place
        written = self.places[at]
        return Place(written.file, written.line + place.line - self.starts[at])

    @contextmanager
    def relocate_error(self) -> Iterator[None]:
        """Let an error on the bytes name the place at which their line is written."""
        try:
            yield
        except JiaokanError as error:
            if error.place is None or not self.starts:
                raise
            raise type(error)(error.message, place=self.place(error.place), mend=error.mend) from None

    def relocate(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """Return findings on the bytes at the places at which their lines are written, after those on inclusions."""
        return (*self.findings, *(replace(finding, place=self.place(finding.place)) for finding in findings))


def expand_includes(data: bytes, path: Path | None, name: str) -> Included:
    """Return a file with what it includes, if it includes anything: files below the current folder, if it is there
    itself, else below its own. An inclusion that is not possible is a finding. Raises TeiError as `parse`."""
    if b"XInclude" not in data or path is None:
        return Included(data)
    root = parse(data, name=name)
    if not includes(root):
        return Included(data)
    whole = Including(root, path, reach_of(path))
    expanded: bytes = etree.tostring(whole.root, encoding="UTF-8", xml_declaration=True)
    there = parse(expanded, name=name)
    lines: dict[int, Place] = {}
    for here, written in zip_longest(there.iter("*"), whole.root.iter("*")):
        lines.setdefault(place(here, name).line, whole.place(written, name))
    findings = tuple(Finding("structure", failed.place if failed.place.file else place(failed.element, name),
                             failed.message, failed.mend, "warning") for failed in whole.failed)
    return Included(expanded, findings, tuple(lines), tuple(lines.values()))


def reach_of(path: Path) -> Path:
    """Return the folder below which a file may include others."""
    here = Path.cwd()
    return here if path.resolve().is_relative_to(here) else path.resolve().parent


def includes(root: Element) -> bool:
    """Whether a document includes anything."""
    return next(root.iter(f"{{{XI}}}include"), None) is not None
