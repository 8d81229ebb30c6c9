"""Findings as JUnit XML, by the schema of the xUnit plugin of Jenkins (junit-10.xsd): a suite for each file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import etree

from pipeline.errors import Finding

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(findings: Sequence[Finding], files: Sequence[str]) -> str:
    """Give a test suite for each file and in it a failed case for each error and warning; without any, one passed."""
    failing = [each for each in findings if each.severity != "info"]
    every = dict.fromkeys([*files, *(each.place.file for each in failing)])
    root = etree.Element("testsuites", name="jiaokan", errors="0")
    for file in every:
        _suite(root, file, [each for each in failing if each.place.file == file])
    root.set("tests", str(len(list(root.iter("testcase")))))
    root.set("failures", str(len(failing)))
    data: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)
    return data.decode()


def _suite(root: etree._Element, file: str, failing: Sequence[Finding]) -> None:
    counts = {"tests": str(len(failing) or 1), "failures": str(len(failing)), "errors": "0", "skipped": "0"}
    suite = etree.SubElement(root, "testsuite", {"name": _fit(file), **counts, "file": _fit(file)})
    for each in failing:
        name = f"{each.rule} {each.place.line}:{each.place.column}"
        case = etree.SubElement(suite, "testcase", name=name, classname=_fit(file))
        message = _fit(each.message)
        failure = etree.SubElement(case, "failure", type=f"{each.severity}.{each.rule}", message=message)
        failure.text = _fit(f"{each.place}: {each.message}" + (f"\n→ {each.mend}" if each.mend else ""))
    if not failing:
        etree.SubElement(suite, "testcase", name="valid", classname=_fit(file))


def _fit(words: str) -> str:
    """Words without what XML cannot hold."""
    return _UNFIT.sub("\ufffd", words)
