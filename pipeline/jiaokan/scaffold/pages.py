"""Recognised pages (PAGE XML, ALTO, hOCR): those of a folder are one text, and the file that keeps them all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from jiaokan.errors import JiaokanError, SourceError, visible
from jiaokan.readers.pages.files import is_pages, read_pages, together
from jiaokan.readers.pages.lines import PageText
from jiaokan.scaffold.letters import LeftOut, Received
from jiaokan.system.listing import bytes_of, leads_out, numbered_order

_SUFFIXES = (".xml", ".hocr", ".html", ".htm", ".xhtml", ".alto", ".page")
_KINDS = re.compile(r"(?:gt-?)?(?:page|alto|hocr|pagexml|page-?xml|xml|data)", re.I)
"""Names of folders that say the format and not the text."""
_NUMBER = re.compile(r"[\d]+(?=\D*$)")


def load_pages(data: bytes, path: Path) -> Received:
    """Return the text of recognised pages, a paragraph a line, with commentary in brackets. Raises SourceError."""
    try:
        text = PageText(read_pages(data, str(path)))
    except JiaokanError as error:
        raise SourceError(error.message, place=error.place, mend=error.mend) from None
    lines = "".join(f"{paragraph.line}\n" for paragraph in text.paragraphs)
    left_out = tuple(LeftOut(rule, words, is_text=False) for rule, words in text.dropped)
    return Received(lines, left_out=left_out, brackets=text.pair if text.has_notes else "", source=data)


def expand_pages(paths: Sequence[Path], into: Path) -> list[Path]:
    """Return the paths with the pages of each folder in one file below `into`; of a folder that has pages in two
    formats, the first. What else is in such a folder (METS, pictures) is about them."""
    expanded: list[Path] = []
    loose: dict[tuple[Path, str], list[Path]] = {}
    for path in paths:
        if path.is_dir():
            groups = [*_groups(path)]
            expanded += [_merge(group, path, into / f"pages-{len(expanded) + n}") for n, group in enumerate(groups)]
            expanded += [] if groups else [path]
        elif path.suffix.lower() in _SUFFIXES and is_pages(bytes_of(path)):
            loose.setdefault((path.parent, _NUMBER.sub("", path.stem)), []).append(path)
        else:
            expanded.append(path)
    for group in loose.values():
        alone = len(group) == 1 and group[0].suffix == ".xml" and b"\0" not in bytes_of(group[0])[:4]
        expanded.append(group[0] if alone
                        else _merge(group, group[0].parent, into / f"pages-{len(expanded)}", _stem(group[0])))
    return expanded


def _groups(folder: Path) -> Iterator[list[Path]]:
    """Yield the files of pages in a folder and in each below it, in the order of their numbers. Files whose names
    differ after the first full stop (1r.xml, 1r.corrected.xml) are texts of their own."""
    by_home: dict[tuple[Path, str], list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if any(part.startswith(".") for part in inside.parts) or path.suffix.lower() not in _SUFFIXES:
            continue
        if path.is_file() and not leads_out(path, folder) and is_pages(bytes_of(path)):
            by_home.setdefault((path.parent, path.name.partition(".")[2].lower()), []).append(path)
    seen: set[tuple[Path, frozenset[str]]] = set()
    for (home, _), files in by_home.items():
        key = home.parent, frozenset(file.stem for file in files)
        if home == folder or key not in seen:
            seen.add(key)
            yield sorted(files, key=lambda path: numbered_order(path.stem))


def _merge(files: Sequence[Path], folder: Path, into: Path, name: str = "") -> Path:
    home = files[0].parent
    home = home.parent if _KINDS.fullmatch(home.name) and home != folder else home
    path = into / f"{visible(name or home.name) or 'pages'}.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(together([(file.name, bytes_of(file)) for file in files]))
    return path


def _stem(path: Path) -> str:
    return _NUMBER.sub("", path.stem).strip(" ._-") or path.parent.name
