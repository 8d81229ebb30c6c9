"""A source as readers get it: checked, decoded, cut into lines, with its convention; bracketed text as a tree."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Annotated, Any, Literal

import msgspec

from jiaokan.decisions.characters import replacement_pattern
from jiaokan.decisions.passages import boundaries_of
from jiaokan.decisions.tables import Boundary
from jiaokan.errors import Finding, Message, Place, SourceError, refusal, suggestion
from jiaokan.model.words import LINE_END
from jiaokan.settings.catalog import Catalog, SourceEntry, Work
from jiaokan.settings.lists import NONE, Lists
from jiaokan.settings.tables import PrintedCorrections
from jiaokan.settings.toml import TomlTable, to_type
from jiaokan.settings.values import NoteSubtype, PersonId, Strict
from jiaokan.system.listing import bytes_of

PAGE = "⟦⟧"
"""Brackets for the notes of a page's editors: characters that no text of the tradition has."""
BLANK = " \t　"
"""White space around the text of a line, which does not belong to it."""


Words = Annotated[str, msgspec.Meta(min_length=1)]


class Speaker(Strict, frozen=True, kw_only=True):
    """A row ``[[speaker]]`` of a convention: words that introduce a comment, its speaker (empty: unknown), its kind."""

    prefix: str
    person: PersonId = ""
    subtype: NoteSubtype = "shuo"


class NamedRow(Speaker, frozen=True, kw_only=True):
    """A row with words to search for: without any, everything would be a speaker."""

    prefix: Words


class PlacedRow(NamedRow, frozen=True, kw_only=True):
    """Words that introduce a speaker, name the place of a note (眉批), or sign it at its end (… 補疏)."""

    place: Literal["", "top", "end"] = ""


class _AnyRow(Speaker, frozen=True, kw_only=True):
    place: str = ""


class _Speakers(Strict, frozen=True, kw_only=True):
    speaker: tuple[_AnyRow, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """One whole transcription."""

    id: str
    file: str
    """Its path as written in the catalog, for messages."""
    lines: tuple[str, ...]
    """Physical lines without their ends; line n of the file is ``lines[n - 1]``."""
    work: Work
    convention: Mapping[str, Any]
    """The table of ``tei/conventions/ID.toml``: the marks of this source's layers."""
    speakers: tuple[Speaker, ...]
    """The ``[[speaker]]`` rows of the convention, longest prefix first."""
    boundaries: tuple[Boundary, ...] = ()
    """The editor's decisions on the beginnings of its layers."""
    data: bytes = b""
    """The bytes of the file, for formats that do not consist of lines; otherwise empty."""
    parsed: object = None
    """What its reader makes of its bytes, if several functions of it need that."""
    lists: Lists = NONE
    """The lists of the edition folder."""
    corrections: PrintedCorrections | None = None
    """The brackets of corrections that it prints, which may be those of notes."""

    @property
    def correction_pattern(self) -> re.Pattern[str] | None:
        """Pattern of printed corrections, which are not notes even in the brackets of notes."""
        return replacement_pattern(self.corrections) if self.corrections else None

    def place(self, line: int, column: int = 0) -> Place:
        """Return the place of a line (and column) of the source, both from 1."""
        return Place(self.file, line, column)

    def finding(self, rule: str, line: int, message: str, mend: str = "") -> Finding:
        """Return a warning at a line of the source."""
        return Finding(rule, self.place(line), message, mend, "warning")


def load(entry: SourceEntry, catalog: Catalog, *, whole: bool = False) -> Source:
    """Read, check and cut a source; with `whole` keep its bytes too. Raises SourceError if the file is missing, empty,
    not UTF-8, has a character that XML forbids, or another sha256 than declared; CatalogError if its convention names
    an undeclared person."""
    convention = catalog.convention(entry.id)
    return Source(
        id=entry.id, file=entry.file, lines=checked_lines(entry, catalog), work=catalog.works[entry.work],
        convention=convention, speakers=_speakers(entry.id, convention, catalog),
        boundaries=boundaries_of(catalog.root, entry.id), data=catalog.path(entry).read_bytes() if whole else b"",
        lists=catalog.lists, corrections=entry.corrections,
    )


def checked_lines(entry: SourceEntry, catalog: Catalog) -> tuple[str, ...]:
    """Return the lines of a source's file; raises SourceError as `load`."""
    text, digest = current_lines(entry, catalog)
    if digest != entry.sha256:
        raise SourceError(
            Message("source-not-file-catalog-describes", entry=entry.id, digest=digest, sha256=entry.sha256 or "none"),
            place=Place(str(catalog.path(entry))),
            mend=Message("text-meant-shows-changed-takes", entry=entry.id),
        )
    return text


def current_lines(entry: SourceEntry, catalog: Catalog) -> tuple[tuple[str, ...], str]:
    """Return the lines and the sha256 of a source's present file; raises SourceError if it cannot be read."""
    path = catalog.path(entry)
    try:
        data = bytes_of(path)
    except OSError as error:
        names = [file.name for file in path.parent.glob("*")] if path.parent.is_dir() else []
        if "\\" in entry.file:
            names = [entry.file.replace("\\", "/")]
        raise SourceError(
            Message("source-cannot-read", entry=entry.id, strerror=refusal(error)), place=Place(str(path)),
            mend=suggestion(entry.file if "\\" in entry.file else path.name, names,
                            Message("put-file-correct-file-source-tei", file=entry.file), both=True),
        ) from None
    return decode_lines(data, str(path)), hashlib.sha256(data).hexdigest()


def _speakers(source: str, convention: Mapping[str, Any], catalog: Catalog) -> tuple[Speaker, ...]:
    """Return the speaker rows of a convention, longest prefix first; checks that each person is declared."""
    paths = convention.paths if isinstance(convention, TomlTable) else (Path(f"tei/conventions/{source}.toml"),)
    table = TomlTable({"speaker": convention.get("speaker", [])}, paths=paths)
    rows = to_type(table, _Speakers, known=catalog.known).speaker
    return tuple(sorted(rows, key=lambda row: (-len(row.prefix), row.prefix)))


UNFIT = re.compile("[^\t\n\r\x20-\x7e\x80-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML forbids (NUL, other control characters, noncharacters), and DEL."""
_CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_LIKELY = ("UTF-16LE", "UTF-16BE", "GB18030", "BIG5")
_COMMON = re.compile("[的一是不之人大而以有子曰為为者也其於于中天下無无所]")
"""Commonest characters of Chinese texts, old and new."""
_DECODED = {"utf-16": "UTF-16", "gb18030": "GB18030", "big5hkscs": "Big5-HKSCS"}
"""Names of encodings in messages."""
_TABLES = (".csv", ".tsv", ".xlsx", ".ods")
_CONTEXT = 10
"""Characters shown on each side of one that cannot be decoded; affects only messages."""


def refuse_table(file: str) -> None:
    """Raise SourceError for a table: its cells are no running text, and its columns would be taken for words."""
    if PurePath(file).suffix.lower() in _TABLES:
        raise SourceError(Message("table-is-no-text"), place=Place(file), mend=Message("give-column-file"))


def decode(data: bytes) -> dict[str, str]:
    """Return the text of bytes in each encoding in which they can be: UTF-16 if they have its mark, UTF-8 if they are
    valid (hardly any other text is by chance), else GB18030 and Big5, which decode each other's bytes as rare
    characters: the right one has more common characters (`count_common`)."""
    decodings: dict[str, str] = {}
    is_utf16 = data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    for encoding in ("utf-16",) if is_utf16 else ("utf-8-sig", "gb18030", "big5hkscs"):
        if "utf-8-sig" not in decodings:
            with suppress(UnicodeDecodeError):
                decodings[encoding] = data.decode(encoding)
    return decodings


def count_common(text: str) -> int:
    """Return how many characters of a text are common ones."""
    return len(_COMMON.findall(text))


def as_utf8(data: bytes) -> tuple[bytes, str]:
    """Return a text in UTF-8, with the name of its encoding if it was another one that is sure: UTF-16 with its mark,
    or the one of GB18030 and Big5 in which it is Chinese with more common characters. Else the bytes as they are."""
    decodings = decode(data)
    if "utf-8-sig" in decodings:
        return data, ""
    sure = [*decodings] if "utf-16" in decodings else []
    if not sure:
        common = {encoding: count_common(text) for encoding, text in decodings.items() if is_chinese(text)}
        sure = [encoding for encoding, count in common.items() if count and count == max(common.values())]
    return (decodings[sure[0]].encode(), _DECODED[sure[0]]) if len(sure) == 1 else (data, "")


def is_chinese(text: str) -> bool:
    """Whether most of a text is Chinese, without characters that XML forbids."""
    return 2 * len(_CHINESE.findall(text)) > len(text) and not UNFIT.search(text)


def decode_lines(data: bytes, file: str) -> tuple[str, ...]:
    """Return the lines of UTF-8 text; raises SourceError for other bytes, an empty text or `UNFIT` characters."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _undecodable(data, error.start, file) from None
    if unfit := UNFIT.search(text):
        at = unfit.start()
        around = f"…{text[max(0, at - _CONTEXT) : at]}⟦{text[at]!a}⟧{text[at + 1 : at + 1 + _CONTEXT]}…"
        raise SourceError(
            Message("u-cannot-stand-text", code=ord(unfit[0])) + around.replace("\n", "⏎").replace("\r", ""),
            place=_place(text, at, file), mend=Message("take-character-out-write-meant"),
        )
    if not text.strip():
        raise SourceError(Message("file-empty"), place=Place(file), mend=Message("give-text-leave-file-out"))
    return tuple(LINE_END.split(text))


def remedy_for_encoding(data: bytes) -> Message | None:
    """Return how to convert bytes that are Chinese in another encoding than UTF-8; None if they are in none."""
    likely = []
    for encoding in ("UTF-16",) if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else _LIKELY:
        with suppress(UnicodeDecodeError):
            likely += [encoding] if is_chinese(data.decode(encoding).removeprefix("\ufeff")) else []
    return Message("looks-like-iconv-f-t", likely=" or ".join(likely), likely2=likely[0]) if likely else None


def _undecodable(data: bytes, at: int, file: str) -> SourceError:
    """Return the error for bytes that are not UTF-8 from `at` on, with the likely encoding."""
    before, mend = data[:at].decode("utf-8-sig", "replace"), remedy_for_encoding(data) or Message("convert-file-utf")
    words = Message("after-words", words=before[-_CONTEXT:]) if before else ""
    return SourceError(Message("not-utf-byte", at=at, words=words), place=_place(before, len(before), file), mend=mend)


def _place(text: str, at: int, file: str) -> Place:
    """Return the line and column, from 1, of an offset in a text."""
    ends = [match.end() for match in LINE_END.finditer(text, 0, at)]
    return Place(file, len(ends) + 1, at - (ends[-1] if ends else 0) + 1)


DEEPEST = 20
"""Brackets nested deeper stay characters of the text: they are damage, since printed commentaries nest two or three
deep. Without a limit a file of opening brackets would exhaust the stack."""
_AROUND = 8
"""Characters shown on each side of a bracket without partner; affects only messages."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """A pair of brackets with its content."""

    content: tuple[str | Bracket, ...]
    rend: str
    """The brackets themselves, opening and closing; one character if never closed."""
    column: int
    """Column of its content, the offset after the opening bracket."""

    @property
    def is_closed(self) -> bool:
        """Whether its closing bracket is there."""
        return len(self.rend) > 1

    def text(self) -> str:
        """Return it as it was written."""
        return self.rend[0] + text_of_pieces(self.content) + self.rend[1:]


Pieces = tuple[str | Bracket, ...]


def nest(text: str, pair: str, corrections: re.Pattern[str] | None = None, *, closed_only: bool = False) -> Pieces:
    """Cut a text at one kind of brackets, given as opening and closing; ``written(nest(text, pair)) == text``. A
    closing bracket without partner stays text. An opening one without partner reaches to the end of the text, or stays
    text with `closed_only`. Without a pair nothing is cut. Matches of `corrections` stay text with all their
    brackets."""
    if not pair:
        return (text,) if text else ()
    opening, closing = pair[0], pair[1]
    literal = set(unpaired_offsets(text, pair)) if closed_only else set()
    stack: list[tuple[int, list[str | Bracket]]] = [(0, [])]
    start = past = too_deep = 0
    for at, char in enumerate(text):
        if corrections and at >= past and char == opening and (match := corrections.match(text, at)):
            past = match.end()
        if at < past or char not in (opening, closing) or at in literal:
            continue
        if (char == opening and len(stack) > DEEPEST) or (char == closing and too_deep):
            too_deep += 1 if char == opening else -1
        elif char == opening or len(stack) > 1:
            stack[-1][1].extend(filter(None, [text[start:at]]))
            start = at + 1
            if char == opening:
                stack.append((at + 1, []))
            else:
                _close(stack, pair)
    stack[-1][1].extend(filter(None, [text[start:]]))
    while len(stack) > 1:
        _close(stack, opening)
    return tuple(stack[0][1])


def _close(stack: list[tuple[int, list[str | Bracket]]], rend: str) -> None:
    column, content = stack.pop()
    stack[-1][1].append(Bracket(tuple(content), rend, column))


def text_of_pieces(pieces: Pieces) -> str:
    """Return pieces as they were written."""
    return "".join(piece if isinstance(piece, str) else piece.text() for piece in pieces)


def outside(pieces: Pieces) -> str:
    """Return the text of pieces that is not in brackets."""
    return "".join(piece for piece in pieces if isinstance(piece, str))


def unpaired_offsets(text: str, pair: str) -> list[int]:
    """Return the offsets of brackets without a partner."""
    if not pair:
        return []
    open_: list[int] = []
    alone: list[int] = []
    for at, char in enumerate(text):
        if char == pair[0]:
            open_.append(at)
        elif char == pair[1]:
            if open_:
                open_.pop()
            else:
                alone.append(at)
    return sorted([*alone, *open_])


def report_unbalanced(source: Source, line: int, text: str, pair: str, indent: int = 0) -> list[Finding]:
    """Report the brackets without a partner in the text of a line, which begins after `indent` characters."""
    findings = []
    for at in unpaired_offsets(text, pair):
        fault = Message("never-closed-line") if text[at] == pair[0] else Message("no-opening-bracket-line")
        around = text[max(0, at - _AROUND) : at + _AROUND + 1]
        place = source.place(line, indent + at + 1)
        message = f"{text[at]} {fault}: …{around}…"
        findings.append(Finding("bracket-unbalanced", place, message, Message("compare-printed-text"), "warning"))
    return findings
