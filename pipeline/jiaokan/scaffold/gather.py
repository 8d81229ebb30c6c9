"""Folders and archives of files: which of them are texts, and which are the chapters of one text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jiaokan.errors import Message, Place, SourceError, one_line, visible
from jiaokan.model.numerals import NUMERAL, numeral
from jiaokan.scaffold.files import format_of, is_archive, is_binary, load_text
from jiaokan.scaffold.survey import SUFFIXES, group_files, is_named_text
from jiaokan.scaffold.works import grams_of
from jiaokan.system.archive import unpack_below
from jiaokan.system.atomic import MARK, RECORDS
from jiaokan.system.listing import bytes_of, leads_out

_MOST = 5000
"""Files of one folder: the longest books in parts have a few hundred."""
_SHOWN = 8
"""Most names of files in a line of the report. A choice."""
_SAME = 0.25
"""Share of its n-grams that a witness has in common with the others, as in `works`."""
_COUNTED = re.compile(f"(?:第|卷第?)?(?:\\d{{1,4}}|{NUMERAL})(?:[卷篇章回]|[ _.、-]|(?=\\D|$)).*")
"""The name of a file that counts the parts of a text: 1, 02 學而, 卷三, 第四篇."""
_LEADING = re.compile(r"\d+[ _.、-]*(?=\D)")
_ORDER = "上中下"


@dataclass(frozen=True, slots=True)
class FoundText:
    """The files of a text."""

    files: tuple[Path, ...]
    home: Path | None = None
    """The folder whose chapters the files are."""
    above: tuple[tuple[tuple[int, str], ...], ...] = ()
    """For each file the headings above it that begin there, by their level."""
    work: str = ""
    """The title of its work, if its folder is one of several witnesses."""


@dataclass(slots=True)
class Gathered:
    """Texts, and what was decided on them."""

    texts: list[FoundText] = field(default_factory=list)
    report: list[str] = field(default_factory=list)


def gather(paths: Sequence[Path]) -> Gathered:
    """Return the texts in files and folders. A folder with sub-folders, or with numbered files, is one text with these
    as chapters, unless they share their words: then they are witnesses. Raises SourceError."""
    gathered = Gathered()
    loose: list[Path] = []
    for path in paths:
        if path.is_dir() and (names := _passed_over(path)):
            gathered.report.append(Message(
                "files-passed-over", name=one_line(path.name), count=len(names),
                shown=", ".join(names[:_SHOWN]) + " …" * (len(names) > _SHOWN)))
        if path.is_dir() and (chapters := _chapters_below(path)):
            _add_folder(path, chapters, gathered)
        else:
            loose.append(path)
    gathered.texts += map(FoundText, group_files(loose))
    return gathered


def _chapters_below(folder: Path) -> list[Path]:
    """Return the text files below a folder whose files or sub-folders are chapters or witnesses; none if it only has
    files that stand alone."""
    files = sorted(_text_files(folder, folder), key=lambda path: _key(path.relative_to(folder)))
    if any(file.parent != folder for file in files):
        return files
    numbered = len(files) > 1 and all(_COUNTED.fullmatch(file.stem) for file in files)
    return files if numbered and len([*group_files([folder])]) == len(files) else []


def _text_files(folder: Path, top: Path) -> Iterator[Path]:
    """Yield the text files below a folder, without hidden ones, what is about it, and outputs of the program."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name == "__MACOSX":
            continue
        if leads_out(path, top):
            raise SourceError(Message("link-leads-out-folder-not"), place=Place(str(path)),
                              mend=Message("copy-file-folder-give-name"))
        if path.is_dir():
            if not path.is_symlink() and not any((path / name).exists() for name in (MARK, RECORDS)):
                yield from _text_files(path, top)
        elif is_named_text(path) and not is_binary(path):
            yield path


def _passed_over(folder: Path) -> list[str]:
    """Return the names of the files below a folder that are not text, but for hidden ones."""
    return [one_line(str(path.relative_to(folder))) for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.is_symlink() and is_binary(path, whole=is_named_text(path))
            and not any(part.startswith((".", "__MACOSX")) for part in path.relative_to(folder).parts)]


def _key(path: Path) -> list[list[tuple[int, str]]]:
    """Return the place of a path in the order of its numbers, those of 上 中 下, and its words."""
    parts = [*path.parent.parts, path.stem]
    return [[_value(token) for token in re.findall(f"\\d+|{NUMERAL}|[{_ORDER}]|.", part)] for part in parts]


def _value(token: str) -> tuple[int, str]:
    number = int(token) if token.isdecimal() and len(token) < 10 else numeral(token)
    return (number or (_ORDER.find(token) + 1 if token in _ORDER else 1 << 40), token)


def _add_folder(folder: Path, files: Sequence[Path], gathered: Gathered) -> None:
    """Add the texts of a folder with chapters or witnesses."""
    if len(files) > _MOST:
        raise SourceError(Message("folder-many-files", count=len(files), most=_MOST), place=Place(str(folder)),
                          mend=Message("give-one-work"))
    texts = {file: load_text(file).text for file in files}
    of_parts: dict[Path, list[Path]] = {}
    for file in files:
        of_parts.setdefault(folder / file.relative_to(folder).parts[0], []).append(file)
    if any(format_of(text) in ("tei", "mandoku") for text in texts.values()):  # they say themselves what they are
        for home in dict.fromkeys(file.parent for file in files):
            gathered.texts += map(FoundText, group_files([home]))
        return
    if len(of_parts) > 1 and _share_words(["".join(map(texts.__getitem__, part)) for part in of_parts.values()]):
        for path, part in of_parts.items():
            gathered.texts.append(_text(path, part, visible(folder.name)) if path.is_dir() else FoundText((path,)))
        gathered.report.append(Message("folder-witnesses", name=one_line(folder.name), count=len(of_parts)))
        return
    gathered.texts.append(_text(folder, files))
    gathered.report.append(Message("folder-chapters", name=one_line(folder.name), count=len(files), shown=", ".join(
        one_line(_name(path)) for path in [*of_parts][:_SHOWN]) + (" …" if len(of_parts) > _SHOWN else "")))


def _share_words(texts: Iterable[str]) -> bool:
    """Whether most texts have much of their words in another one: they are witnesses of one work, not its chapters."""
    grams = [grams_of(re.sub(r"\W", "", text)) for text in texts]
    count = Counter(gram for text in grams for gram in text)
    shares = sorted(sum(count[gram] > 1 for gram in text) / max(1, len(text)) for text in grams)
    return shares[len(shares) // 2] >= _SAME


def _text(home: Path, files: Sequence[Path], work: str = "") -> FoundText:
    """Return the text of a folder, with the headings that the names of its sub-folders and files give it."""
    alone = Counter(file.parent for file in files)
    heads, before = [], tuple[str, ...]()
    for file in files:
        inside = file.relative_to(home)
        parts = inside.parent.parts if alone[file.parent] == 1 and file.parent != home else (
            *inside.parent.parts, inside.stem)
        same = next((n for n, (part, other) in enumerate(zip(parts, before, strict=False)) if part != other),
                    min(len(parts), len(before)))
        heads.append(tuple((level, _name(Path(part))) for level, part in enumerate(parts[same:], same + 1)))
        before = parts
    return FoundText(tuple(files), home, tuple(heads) if len(files) > 1 else (), work)


def _name(path: Path) -> str:
    """Return the name of a chapter by that of its file or folder, without the number before it."""
    name = visible(path.name if path.is_dir() or path.suffix.lower() not in SUFFIXES else path.stem)
    return _LEADING.sub("", name, count=1) or name


def expand_archives(paths: Sequence[Path], into: Path) -> list[Path]:
    """Return the paths with each zip archive replaced by the texts in it, unpacked below `into`. Raises SourceError if
    it is broken, too large, leads out of its folder, or has no text."""
    expanded: list[Path] = []
    for number, path in enumerate(paths):
        if not path.is_file() or not is_archive(data := bytes_of(path)):
            expanded.append(path)
            continue
        home = into / f"archive-{number}" / (visible(path.stem) or "archive")
        unpack_below(data, home, SUFFIXES, str(path))
        inside = [*home.iterdir()] if home.is_dir() else []
        if not inside:
            raise SourceError(Message("archive-no-text"), place=Place(str(path)),
                              mend=Message("unpack-archive-give-texts"))
        expanded.append(inside[0] if len(inside) == 1 else home)
    return expanded
