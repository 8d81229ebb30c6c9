"""The law: the letters that are printed of an entry are the letters of the entry, in every form."""

from __future__ import annotations

import html
import re
import subprocess
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jiaokan.cli import cli
from jiaokan.editions.other import as_ours
from jiaokan.exchange import exports
from jiaokan.exchange.exports import ExportSettings
from jiaokan.tei.parse import from_tei
from tests.letters import SCRIPTS, Edition, every_kind

COLLATED_ONLY = {"nexus", "collatex-json", "tei-plain"}  # forms for programs that compare witnesses: no conjectures
WITHOUT_APPARATUS = {"iiif"}  # of pictures
AS_WRITTEN = {"collatex-json"}  # has the slip of a witness, not its correction


def letters(text: str) -> str:
    """Return the letters of a form, without its tags and codes."""
    plain = html.unescape(re.sub(r"<[^>]*>", "", text))
    return "".join(filter(str.isalnum, re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), plain)))


def missing(edition: Edition, text: str, form: str = "") -> list[str]:
    """Return the pieces of an edition that are not in a form of it."""
    printed = letters(text)
    wanted = [*edition.pieces, *(() if form in COLLATED_ONLY else edition.conjectures),
              *(() if form in AS_WRITTEN else edition.corrections)]
    return [piece for piece in wanted if letters(piece) not in printed]


def export(edition: Edition, form: str) -> str:
    made = as_ours(edition.tei(), name="litterae.xml")
    assert made is not None
    document = from_tei(made.tei, name="litterae.xml")
    return exports.get(form).write(document, ExportSettings(tei=made.tei))


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("form", sorted(set(exports.names()) - WITHOUT_APPARATUS))
def test_every_reading_is_whole_in_every_export(form: str, language: str) -> None:
    edition = every_kind(language)
    assert missing(edition, export(edition, form), form) == []


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.integers(1, 30)), min_size=1, max_size=3),
       st.sampled_from(sorted(SCRIPTS)))
def test_no_nested_entry_is_dropped(shapes: list[tuple[bool, int, int]], language: str) -> None:
    edition = Edition(language)
    for has_lemma, depth, size in shapes:
        edition.add(edition.words(3) if has_lemma else "", edition.nested("BCDE", depth, min(size, 60 // (depth + 1))),
                    "BCDE"[:depth + 1])
    for form in set(exports.names()) - WITHOUT_APPARATUS:
        assert missing(edition, export(edition, form), form) == []


def written(edition: Edition, command: str, folder: Path) -> str:
    """Return the words of an output that a command makes."""
    source, target = folder / "litterae.xml", folder / f"out.{command}"
    source.write_bytes(edition.tei())
    ran = CliRunner().invoke(cli, [command, str(source), "-o", str(target)])
    assert ran.exit_code in (0, 1), ran.output
    if command == "pdf":
        return subprocess.run(["pdftotext", target, "-"], capture_output=True, check=True, text=True).stdout
    if command == "html":
        return (target / "litterae" / "1.html").read_text(encoding="utf-8")
    with zipfile.ZipFile(target) as book:
        parts = [name for name in book.namelist() if name.endswith((".xhtml", "footnotes.xml", "document.xml"))]
        return "".join(book.read(name).decode() for name in parts)


@pytest.mark.parametrize(("command", "language"), [
    ("html", "zh-Hans"), ("html", "la"), ("epub", "grc"),
    pytest.param("docx", "la", marks=pytest.mark.needs("pandoc")),
    *(pytest.param("pdf", language, marks=pytest.mark.needs("pdftotext")) for language in ("zh-Hans", "la"))])
def test_every_reading_is_whole_in_every_output(command: str, language: str, tmp_path: Path) -> None:
    edition = every_kind(language)
    assert missing(edition, written(edition, command, tmp_path)) == []


def test_a_lemma_may_be_shortened_a_reading_not() -> None:
    edition = every_kind("la")
    lines = export(edition, "apparatus").splitlines()
    assert " … " in lines[0] and f"{edition.pieces[0]} B C" in lines[0]
    assert lines[2].partition(" ] ")[2].startswith("om. B")


def test_the_apparatus_of_a_chapter_is_given_once() -> None:
    edition = every_kind("la")
    assert export(edition, "jiaokanji").count(edition.pieces[0]) == 1
