"""Translations of an edition, ``tei/translations/ID/LANG/NN.txt``: read, matched with the text, written as TEI.

A file has the head of a file of punctuation and a line for each unit of base text: its reference, a tab, its text (with
or without marks), a tab, the translation. The text says what was translated: a line whose unit has changed since is
reported and carried over as marks are (`jiaokan.decisions.punctuation.matching`). In TEI a translation is a ``div`` of
the ``back`` with a ``p/@corresp`` for each unit (Guidelines 17.4, correspondence).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from jiaokan.decisions.punctuation.files import Basis, PunctuatedLine, duplicate_faults, parse
from jiaokan.decisions.punctuation.matching import LineMatches, graphs_by_ref, match_lines
from jiaokan.errors import DecisionError, Finding, Message, raise_all
from jiaokan.model import Document
from jiaokan.model.marks import graphs
from jiaokan.model.pointers import order_key
from jiaokan.model.words import alphabetic
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import translation_paths
from jiaokan.tei.tree import LANG, add_block, element, within

_NAMES = {"zh": "今译", "en": "English", "de": "Deutsch", "fr": "Français", "ja": "日本語", "ko": "한국어",
          "it": "Italiano", "es": "Español", "pt": "Português", "ca": "Català", "nl": "Nederlands", "pl": "Polski",
          "cs": "Čeština", "hu": "Magyar", "ru": "Русский", "el": "Ελληνικά", "la": "Latine",
          "he": "עברית", "ar": "العربية"}
"""Heads of translations, which readers choose by them; of another language, its tag."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
Words = Mapping[tuple[Path, int], str]
"""The translation of each line, by file and row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationLayer:
    """The translations of an edition."""

    back: bytes = b""
    """The element ``back``, empty without translations."""
    bases: tuple[tuple[str, Basis], ...] = ()
    findings: tuple[Finding, ...] = ()


def translations_of(document: Document, edition: str, catalog: Catalog, *, after: int = 0) -> TranslationLayer:
    """Return the translations of a text as TEI, with their bases, numbered after those of the punctuation. Raises
    DecisionError with all faults of the files; what does not fit the text is a finding."""
    back, bases, findings = element("back"), dict[Basis, str](), list[Finding]()
    for language, matches, words in match_translations(document, edition, catalog):
        findings += findings_on(matches)
        first = {(unit.line.path, unit.line.number): unit for unit in reversed(matches.lines.values())}
        units = sorted(first.values(), key=lambda unit: order_key(unit.ref))
        for basis in dict.fromkeys(unit.line.basis for unit in units):
            name = bases.setdefault(basis, f"basis-{after + len(bases) + 1}")
            part = element("div", {"type": "translation", LANG: language, "resp": f"#{basis.resp}",
                                   "cert": basis.cert, "ana": f"#{name}"})
            add_block(part, element("head", {}, name_of_language(language)), *(
                element("p", {"corresp": f"#{document.id}.{unit.ref}"}, words[unit.line.path, unit.line.number])
                for unit in units if unit.line.basis == basis))
            add_block(back, part)
    data = within(back) if len(back) else b""
    named_bases = tuple((name, basis) for basis, name in bases.items())
    return TranslationLayer(back=data, bases=named_bases, findings=tuple(findings))


def name_of_language(language: str) -> str:
    """Return the head of a translation into a language, by which readers choose it."""
    return _NAMES.get(language.partition("-")[0], language)


def with_back(tei: bytes, back: bytes) -> bytes:
    """Return a TEI file with the element ``back``, which may be empty."""
    head, end, tail = tei.rpartition(b"</text>")
    return b"".join((head, back, b"\n" * bool(back), end, tail))


def match_translations(document: Document, edition: str, catalog: Catalog) -> Iterator[tuple[str, LineMatches, Words]]:
    """Yield each language of an edition's translations, its lines matched with the units of the text, and their words.
    Raises DecisionError with all faults of the files."""
    units = {ref: text for ref, text in graphs_by_ref(document).items() if ".n" not in ref}
    for language, lines, words in _load(catalog.root, edition, catalog.persons):
        yield language, match_lines(lines, units), words


def carried_rows(rows: Sequence[str], words: str) -> list[str]:
    """Return the rows that a line becomes (`jiaokan.editions.punctuation.carry_files`) with its translation. A unit
    that was split off has none yet: its row is a remark."""
    first = next((n for n, row in enumerate(rows) if not row.startswith("#")), len(rows) - 1)
    remarks = [row if row.startswith("#") else f"# {row}" for row in rows]
    return [*remarks[:first], f"{rows[first]}\t{words}", *remarks[first + 1 :]] if rows else []


def _load(
    root: Path, edition: str, persons: Iterable[str]
) -> list[tuple[str, list[PunctuatedLine], Words]]:
    persons, errors = list(persons), list[DecisionError]()
    translations: list[tuple[str, list[PunctuatedLine], Words]] = []
    for language, paths in groupby(translation_paths(root, edition), lambda path: path.parent.name):
        lines, words = list[PunctuatedLine](), dict[tuple[Path, int], str]()
        for path in paths:
            rows = [row.rstrip("\r").split("\t", 2) for row in path.read_text(encoding="utf-8-sig").split("\n")]
            file_lines, wrong = parse(path, ["\t".join([row[0], *map(_bare, row[1:2])]) for row in rows], persons)
            words |= {(path, n): row[2].strip() for n, row in enumerate(rows, 1) if len(row) > 2}
            lines += file_lines
            errors += [*wrong, *_faults(language, file_lines, words)]
        errors += duplicate_faults(lines)
        translations.append((language, lines, words))
    raise_all(errors, "translation-faults")
    return translations


def _bare(text: str) -> str:
    """Return the text of a line in letters without spaces and marks, as units are compared; any other as it is."""
    return graphs(text) if alphabetic(text) else text


def _faults(language: str, lines: Sequence[PunctuatedLine], words: Words) -> Iterator[DecisionError]:
    """Yield the faults of the lines of a file."""
    if lines and not _LANGUAGE.fullmatch(language):
        yield DecisionError(Message("not-language", language=repr(language)), place=lines[0].place(),
                            mend=Message("call-folder-language-tag-en"))
    for line in lines:
        if ".n" in line.ref:
            yield DecisionError(Message("note-units-base-text-translated", ref=line.ref),
                                place=line.place(), mend=Message("give-reference-unit-e-g"))
        if not words.get((line.path, line.number)):
            yield DecisionError(Message("translation-missing", ref=line.ref), place=line.place(),
                                mend=Message("write-reference-tab-text-tab"))


def findings_on(matches: LineMatches) -> list[Finding]:
    """Return the findings of a matching, as those on translations."""
    return [
        Finding(finding.rule.replace("punctuation", "translation"), finding.place, finding.message, finding.mend,
                finding.severity)
        for finding in matches.findings
    ]
