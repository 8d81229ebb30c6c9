"""ISO Schematron, by XSLT: compiled once, then asked for each document."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal

from lxml import etree

from pipeline.errors import Place, Severity, TeiError
from pipeline.tei.tree import Element, parse
from pipeline.validate.rule import Found, Problem

SCHEMATRON = "http://purl.oclc.org/dsdl/schematron"
_STEP = re.compile(r"/Q\{([^}]*)\}([^\[/]+)\[(\d+)\]")
_WARNING, _INFO = frozenset({"warning", "warn", "nonfatal"}), frozenset({"info", "information"})


class Schematron:
    """The rules of one schema."""

    def __init__(self, data: bytes, name: str) -> None:
        """Take a schema; raises TeiError for one that includes others."""
        self.data, self.name = data, name
        root = parse(data, name=name)
        for kind in ("include", "extends[@href]"):
            if root.find(f".//{{{SCHEMATRON}}}{kind}") is not None:
                raise TeiError("a Schematron schema that includes another is not read", place=Place(name),
                               mend="put both into one file")

    @cached_property
    def _stylesheet(self) -> str:
        from pipeline.system.xslt import transform  # Saxon is loaded only where Schematron is asked for

        return transform("xslt/schematron/compile.xsl", self.data)

    def check(self, root: Element, data: bytes) -> list[Found]:
        """Give what the rules find in a document; raises RenderError for an expression that is none."""
        from pipeline.system.xslt import transform_by

        told = etree.fromstring(transform_by(self._stylesheet, data, name=self.name).encode())
        return [_found(each, root) for each in told]


def _found(told: Element, root: Element) -> Found:
    problem = Problem(_at(root, told.get("path", "")), *_words(told))
    return Found(told.get("rule", ""), _severity(told.get("role", "")), problem)


def _words(found: Element) -> tuple[str, str]:
    """The message, and what the diagnostics add to it."""
    more = found.find("diagnostic")
    mend = "" if more is None else " ".join("".join(map(str, more.itertext())).split())
    whole = " ".join("".join(map(str, found.itertext())).split())
    return whole.removesuffix(mend).strip() if mend else whole, mend


def _severity(role: str) -> Severity:
    kinds: dict[bool, Literal["warning", "info"]] = {role.lower() in _WARNING: "warning", role.lower() in _INFO: "info"}
    return kinds.get(True, "error")


def _at(root: Element, path: str) -> Element:
    """The element at a path as XPath's path() writes it."""
    here = root
    for namespace, name, number in _STEP.findall(path)[1:]:
        tag = f"{{{namespace}}}{name}" if namespace else name
        here = here.findall(tag)[int(number) - 1]
    return here
