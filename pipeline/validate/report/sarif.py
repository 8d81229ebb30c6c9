"""Findings as SARIF 2.1.0 (OASIS), which code scanning of GitHub and others reads."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from pipeline import __version__
from pipeline.errors import Finding
from pipeline.validate.rule import GRAMMAR
from pipeline.validate.rules import RULES

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_SENTENCE = re.compile(r"(?<=[.。])(?=\s|$|[^\x00-\x7f])")
_SECOND = re.compile(r" \(see line \d+, column \d+\)")


def sarif(findings: Sequence[Finding], lang: str, wording: Callable[[Finding], str]) -> str:
    """Return one run with the rules of the findings and a result for each finding; `wording` returns its text."""
    named = list(dict.fromkeys(each.rule for each in findings))
    rules = [_rule(name, lang) for name in named]
    driver = {"name": "jiaokan", "version": __version__, "semanticVersion": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "language": "zh-CN" if lang == "zh" else "en",
        "results": [_result(each, named.index(each.rule), wording(each)) for each in findings],
    }
    whole = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _rule(name: str, lang: str) -> dict[str, Any]:
    chinese = lang == "zh"
    rule = next((each for each in RULES if each.id == name), None)
    words = GRAMMAR.get(name, (f"The rule {name} of the schema given.", f"所给模式的规则 {name}。"))[chinese]
    help_, level = words, "error"
    if rule is not None:
        words, level = rule.chinese if chinese else rule.explanation, _LEVELS[rule.severity]
        help_ = f"{words}\n{'误' if chinese else 'wrong'}: {rule.wrong}\n{'正' if chinese else 'right'}: {rule.right}"
    return {
        "id": name, "shortDescription": {"text": _SENTENCE.split(words, maxsplit=1)[0]},
        "fullDescription": {"text": words}, "help": {"text": help_}, "defaultConfiguration": {"level": level},
    }


def _result(finding: Finding, index: int, words: str) -> dict[str, Any]:
    path = PurePath(finding.place.file)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
    place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    region = {"startLine": finding.place.line, "startColumn": finding.place.column}
    if finding.place.line:
        place["region"] = {key: value for key, value in region.items() if value}
    return {
        "ruleId": finding.rule, "ruleIndex": index, "level": _LEVELS[finding.severity], "message": {"text": words},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"jiaokan/v1": fingerprint(finding)},
    }


def fingerprint(finding: Finding) -> str:
    """Return a hash that identifies a finding, whatever its line and the language of the report."""
    words = "\0".join((finding.rule, PurePath(finding.place.file).as_posix(), _SECOND.sub("", finding.message)))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:24]
