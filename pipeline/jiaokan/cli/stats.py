"""`jiaokan stats`: agreement of witnesses, variants and comments."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from msgspec.structs import replace
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jiaokan.api import Finding, TeiText, read_tei
from jiaokan.api.inputs import nearest_file
from jiaokan.build import last_counts
from jiaokan.characters.scripts import Interface, interface_of
from jiaokan.cli._folder import (
    FOLDER,
    classes_option,
    emit,
    folder_option,
    load,
    out_option,
    part_option,
    run_limited,
    show,
)
from jiaokan.cli._paths import TEXT_PATH
from jiaokan.cli._terminal import class_name, console, say, word_message
from jiaokan.entries.census import census
from jiaokan.errors import CatalogError, Message, Place
from jiaokan.model import Document
from jiaokan.model.variants import TABLE
from jiaokan.settings.folder import edition_path
from jiaokan.stats import counts, measures
from jiaokan.stats.pictures import album, as_file
from jiaokan.system.atomic import write_file
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import read_declared

_PARTS = {"text": Message("in-the-base-text"), "notes": Message("part-notes"), "all": Message("text-notes")}
_SPEAKERS = 5
"""Speakers of a section who are named in the table; more do not fit into a line of a terminal."""


@dataclass(frozen=True, slots=True)
class _Edition:
    """An edition with the names that its header declares."""

    document: Document
    sigla: dict[str, str]
    labels: dict[str, str]
    interface: Interface


@dataclass(frozen=True, slots=True)
class _Report:
    """The statistics of a file, and its pictures by file name."""

    findings: tuple[Finding, ...]
    words: str
    pictures: dict[str, bytes]


@click.command("stats")
@click.argument("texts", nargs=-1, metavar="[ROOT | FILES]", type=TEXT_PATH)
@click.option("-f", "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True,
              help="option-stats-format")
@click.option("--all", "every", is_flag=True,
              help="option-stats-all")
@click.option("--chapter", default="", help="option-stats-chapter")
@click.option("--svg", type=FOLDER, help="option-stats-svg")
@classes_option
@part_option("text")
@out_option
@folder_option
def command(
    texts: tuple[Path, ...], form: str, every: bool, chapter: str, svg: Path | None, without: frozenset[str], part: str,
    out: Path | None, folder: Path,
) -> None:
    """Report agreement of witnesses, variants and comments.

    \b
    Example:  jiaokan stats --without graphic,script
              jiaokan stats tei/editions/lunyu.xml --chapter 1 -f csv --out 1.csv
              jiaokan stats . --svg pictures/
              jiaokan stats --all
    """
    if every:
        emit(_all(texts[0] if texts else folder, form).encode(), out, sheet=form == "csv")
        return

    sections: list[str] = []
    pictures: dict[Path, bytes] = {}
    for path in _files(texts or (folder,)):
        report = run_limited([path], _measure, path, chapter, form, svg is not None, without, part)
        show(report.findings)
        sections.append(report.words)
        if svg is not None:
            _add(report.pictures, svg, pictures)
    for target, picture in pictures.items():  # once all could be read
        write_file(target, picture)
        say(target, err=True)
    words = "[" + ",\n".join(sections) + "]\n" if form == "json" else "".join(sections)
    emit(words.encode(), out, sheet=form == "csv")


def _files(texts: tuple[Path, ...]) -> Iterator[Path]:
    for text in texts:
        if text.is_file():
            yield text
            continue
        if not text.exists():
            fault = Message("file-not-found") if text.suffix else Message("folder-not-found")
            raise CatalogError(fault, place=Place(str(text)), mend=nearest_file(text))
        catalog = load(text)
        plans = [plan for plan in catalog.editions.values() if plan.kind == "critical"]
        if not plans:
            raise CatalogError(Message("no-critical-edition-here"), place=Place(str(text)))
        yield from (edition_path(catalog, plan) for plan in plans)


def _all(folder: Path, form: str) -> str:
    catalog = load(folder)
    counts_by_text = last_counts(catalog, catalog.root / "build")
    if not counts_by_text:
        raise CatalogError(Message("no-texts-built"), place=Place(str(folder)), mend=Message("run-jiaokan-build"))
    works = {source.id: catalog.works[source.work] for source in catalog.sources.values()}
    works |= {plan.id: catalog.works[plan.work] for plan in catalog.editions.values() if plan.work}
    sections = any(work.section for work in works.values())
    rows = counts.sum_by_heading((works[name].section or "—" if sections else name, text_counts)
                         for name, text_counts in counts_by_text.items())
    if form == "json":
        return json.dumps([dict(zip(counts.HEAD, row, strict=True)) for row in rows], ensure_ascii=False) + "\n"
    if form != "table":
        return counts.as_csv(rows)
    table = Table(*map(_label, (counts.HEAD[0] if sections else "text", *counts.HEAD[1:])), box=None)
    for heading, *numbers in rows:
        table.add_row(heading, *(f"{number:,}" for number in numbers))
    return _render(iter([table]))


def _measure(
    path: Path, chapter: str, form: str, drawn: bool, without: frozenset[str], part: str
) -> _Report:
    """Return the statistics of a file; raises CatalogError for a chapter that is missing, and as `read_tei`."""
    text = read_tei(path)
    edition = _read(path, text, chapter)
    numbers = measures.along(edition.document, without=without, part=part)
    agreement = measures.measure_agreement(edition.document, without=without, part=part, order=edition.sigla)
    named = numbers, agreement, edition.sigla, edition.labels
    words = (_render(_tables(edition, numbers, agreement, part)) if form == "table"
             else measures.as_json(edition.document.id, *named) if form == "json" else measures.as_csv(*named))
    pictures = album(edition.document, edition.sigla, edition.labels, without=without, part=part,
                     interface=edition.interface) if drawn else {}
    files = {f"{edition.document.id}-{name}.svg": as_file(name, picture, edition.interface).encode()
             for name, picture in pictures.items()}
    return _Report(text.findings, words, files)


def _read(path: Path, text: TeiText, chapter: str) -> _Edition:
    tei = text.tei
    document, known = from_tei(tei, name=str(path)), read_declared(tei, name=str(path))
    if chapter:
        divisions = tuple(division for division in document.chapters() if division.n == chapter)
        if not divisions:
            there = ", ".join(division.n for division in document.chapters())
            raise CatalogError(Message("chapter-missing", chapter=chapter), place=Place(str(path)),
                               mend=Message("there-is", critical=there))
        document = replace(document, divisions=divisions)
    labels = {person.id: person.label or person.name for person in known.persons.values()}
    return _Edition(document, known.sigla, labels, interface_of(known.language))


def _add(drawn: Mapping[str, bytes], folder: Path, pictures: dict[Path, bytes]) -> None:
    for name, picture in drawn.items():
        target = folder / name
        if pictures.setdefault(target, picture) != picture:
            raise CatalogError(Message("two-texts-written-picture"), place=Place(str(target)),
                               mend=Message("write-own-folder"))


def _render(tables: Iterator[RenderableType]) -> str:
    out = io.StringIO()
    page = console(file=out, width=160, color_system=None)
    for table in tables:
        page.print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _tables(
    edition: _Edition, numbers: measures.Along, agreement: measures.WitnessAgreement, part: str
) -> Iterator[RenderableType]:
    names = [edition.sigla.get(name, name) for name in agreement.witnesses]
    numbers_of_kinds = census(edition.document)
    yield Text(word_message(Message("census", **asdict(numbers_of_kinds))))
    yield Text(word_message(Message("entries-counted-collated-witnesses-differ", id=edition.document.id,
                       total=numbers_of_kinds.entries,
                       count=len(numbers.places), part=_PARTS[part])))
    for title, pairs in (
        (Message("agreement-text-varies-entries"), agreement.pairs),
        (Message("agreement-both-characters"), agreement.characters),
    ):
        matrix = Table("", *names, box=None)
        for a, siglum in zip(agreement.witnesses, names, strict=True):
            matrix.add_row(siglum, *(_share(pairs, a, b) for b in agreement.witnesses))
        yield Text(f"\n{word_message(title)}")
        yield matrix
    yield Text("")
    used = [variant for variant in TABLE if any(variant in section.classes for section in numbers.sections)]
    table = Table(_label("section"), "", *map(_label, ("chars", "entries", "density")),
                  *map(class_name, used), _label("comments"), box=None)
    for section in numbers.sections:
        if section.classes or section.characters:
            table.add_row(*_row(section, used, edition.labels))
    yield table


def _label(name: str) -> str:
    return word_message(Message(f"label-{name}"))


def _share(pairs: Mapping[tuple[str, str], tuple[int, int]], a: str, b: str) -> str:
    if a == b:
        return "·"
    agree, both = pairs.get((a, b)) or pairs.get((b, a)) or (0, 0)
    return f"{100 * agree / both:.1f} ({agree}/{both})" if both else "—"


def _row(section: measures.Section, used: list[str], labels: dict[str, str]) -> list[str]:
    most = sorted(section.speakers.items(), key=lambda speaker_row: (-speaker_row[1][0], speaker_row[0]))
    speakers = " ".join(f"{labels.get(who, who) or '?'} {notes}" for who, (notes, _) in most[:_SPEAKERS])
    more = f" +{len(most) - _SPEAKERS}" if len(most) > _SPEAKERS else ""
    return [
        section.reference, section.title, str(section.characters), str(sum(section.classes.values())),
        f"{section.density:.1f}", *(str(section.classes.get(variant, "")) for variant in used), speakers + more,
    ]


COMMANDS = (command,)
