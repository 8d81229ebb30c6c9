"""Known findings that do not fail: a report in JSON, kept beside the texts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from pipeline.errors import Finding, Place, TeiError
from pipeline.validate.report.sarif import fingerprint


class _Row(msgspec.Struct, frozen=True):
    """A finding as the JSON report writes it."""

    rule: str
    severity: Literal["error", "warning", "info"]
    file: str
    line: int
    column: int
    message: str
    mend: str = ""


def load(path: Path) -> tuple[Finding, ...]:
    """Read a baseline, a report made with ``--format json``; raises TeiError for what is none."""
    try:
        rows = msgspec.convert(json.loads(path.read_text(encoding="utf-8")), tuple[_Row, ...])
    except OSError as error:
        raise TeiError(f"the baseline cannot be read: {error.strerror}", place=Place(str(path))) from None
    except (ValueError, msgspec.ValidationError) as error:
        raise TeiError(
            f"this is no baseline: {error}", place=Place(str(path)), mend="make one with `--format json > FILE`",
        ) from None
    return tuple(Finding(r.rule, Place(r.file, r.line, r.column), r.message, r.mend, r.severity) for r in rows)


def compare(
    findings: Sequence[Finding], known: Sequence[Finding], files: Sequence[str]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Give what is new, and what was known of the `files` checked and is there no more.

    A finding is known if the baseline has one of the same rule, file and message; its line may have changed.
    """
    left = Counter(map(fingerprint, known))
    new: list[Finding] = []
    for each in findings:
        mark = fingerprint(each)
        if left[mark]:
            left[mark] -= 1
        else:
            new.append(each)
    fixed: list[Finding] = []
    for each in known:
        mark = fingerprint(each)
        if left[mark] and each.place.file in files:
            left[mark] -= 1
            fixed.append(each)
    return tuple(new), tuple(fixed)
