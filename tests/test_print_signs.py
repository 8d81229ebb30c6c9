"""What stylesheets, templates and program write into print themselves has a glyph in a font of every installation."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.characters.scripts import interface_words
from jiaokan.messages import ids, wording
from jiaokan.outputs.print.fonts import font_files, missing
from jiaokan.outputs.print.script import in_script

ROOT = Path(__file__).parent.parent
FILES = font_files()
STYLESHEETS = [path for path in sorted((ROOT / "xslt").rglob("*.xsl")) if path.parent.name not in ("html", "docx")]
TEMPLATES = sorted((ROOT / "xslt").rglob("*.typ"))
CATALOGUES = sorted((ROOT / "pipeline" / "jiaokan" / "messages").glob("*.po"))
PROGRAM = [path for room in ("entries", "outputs", "model")
           for path in sorted((ROOT / "pipeline" / "jiaokan" / room).rglob("*.py"))]
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_RANGE = re.compile(r"[^\x00-\x7f]-[^\x00-\x7f]")  # of a pattern's characters


def _program(path: Path) -> Iterator[str]:
    """Yield the strings of a module, without those that are sentences of documentation."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


def _stylesheet(path: Path) -> Iterator[str]:
    for element in etree.parse(path).getroot().iter(etree.Element):
        yield from (element.text or "", element.tail or "", *map(str, element.attrib.values()))


def _template(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.lstrip().startswith("//"):
            yield from _STRING.findall(line)


def _catalogue(path: Path) -> Iterator[str]:
    """Yield the words that stylesheets and templates get in the language of a catalogue."""
    yield from (wording(identifier, path.stem) for identifier in ids("term-"))


def _lacking(strings: Iterator[str]) -> str:
    """Return the characters that no font has, in either script. Places of private use are signs between steps."""
    chars = set(_RANGE.sub("", "\n".join(strings)))
    words = "".join(char for char in sorted(chars) if unicodedata.category(char) not in ("Co", "Cs", "Cn"))
    scripts = interface_words(words, "hant"), in_script(words, "simplified"), in_script(words, "traditional")
    return missing("".join((words, *scripts)), FILES)


@pytest.mark.parametrize(("kind", "paths"), [
    (_program, PROGRAM), (_stylesheet, STYLESHEETS), (_template, TEMPLATES), (_catalogue, CATALOGUES)])
def test_what_is_written_into_print_has_a_glyph(kind: object, paths: list[Path]) -> None:
    assert len(paths) > 1
    assert callable(kind)
    lacking = {str(path.relative_to(ROOT)): chars for path in paths if (chars := _lacking(kind(path)))}
    assert lacking == {}


def test_signs_of_entries_are_among_what_is_looked_at() -> None:
    signs = "".join(string for path in PROGRAM for string in _program(path))
    assert set("⌜⁵") <= set(signs)


def test_a_sign_without_a_glyph_is_noticed() -> None:
    assert _lacking(iter(["「\U0001F600」"])) == "\U0001F600"
