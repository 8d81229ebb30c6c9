"""Decisions written into the files in which they lie, in the order of the text, with all that stands there kept."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import msgspec
from filelock import FileLock, Timeout

from pipeline.decisions.kinds import KINDS
from pipeline.decisions.tables import CharacterPair, ReadingDecision
from pipeline.errors import JiaokanError, Place
from pipeline.model.pointers import order_key
from pipeline.settings.syntax import parse_toml
from pipeline.settings.values import Strict
from pipeline.system.atomic import inside, recover, write_file
from pipeline.system.listing import matching

OWN = ".jiaokan"
"""Folder of the lock in an edition folder; git does not see it."""
LOCK = "decisions.lock"
"""What who writes decisions of a folder holds meanwhile."""
_PATIENCE = 10
"""Seconds that one waits for another who is writing: nobody takes more than a fraction of one."""


@dataclass(frozen=True, slots=True)
class Filing:
    """A decision that was written, and what the files held before."""

    path: Path
    decision: Strict
    before: Mapping[Path, bytes | None]

    def undo(self) -> None:
        """Write the files again as they were before."""
        for path, data in self.before.items():
            if data is None:
                path.unlink(missing_ok=True)
            else:
                write_file(path, data)


def _lock_file(root: Path) -> Path:
    """Return the file that writers lock, in a folder that is hidden from git. All who share the folder must meet it,
    so it lies there; it must not be a link, since locking a file truncates it."""
    folder = inside(root, root / OWN, OWN)
    if not (folder / ".gitignore").exists():
        folder.mkdir(exist_ok=True)
        write_file(folder / ".gitignore", b"*\n")
    return inside(root, folder / LOCK, OWN)


@contextmanager
def writing(root: Path) -> Iterator[None]:
    """Hold the decisions of an edition folder: nobody else writes any meanwhile. Raises JiaokanError if somebody else
    holds them for too long, or the lock lies outside the folder."""
    lock = FileLock(_lock_file(root), is_singleton=True)
    try:
        lock.acquire(timeout=_PATIENCE)
    except Timeout:
        raise JiaokanError("somebody else is writing decisions of this folder", place=Place(str(root)),
                           mend="try again") from None
    try:
        yield
    finally:
        lock.release()


def file(root: Path, decision: ReadingDecision | CharacterPair, *, instead: Sequence[Filing] = ()) -> Filing:
    """Add a decision to the file of an edition folder that has those on the same chapter, else to
    ``tei/decisions/lemmas.toml``, after the others on what comes before it; what is said of two characters, at the end
    of ``tei/decisions/characters.toml``. It stands `instead` of others that were written before, which are taken away.

    What else stands there, and its order, is kept. Raises as `writing`.
    """
    with writing(root):
        path = home(root, decision)
        paths = {path, *(each.path for each in instead)}
        for each in paths:
            recover(inside(root, each, "tei"))
        before = {each: each.read_bytes() if each.exists() else None for each in sorted(paths)}
        texts = {each: (data or b"").decode("utf-8") for each, data in before.items()}
        for old in instead:
            text = taken(texts[old.path], toml(old.decision))
            texts[old.path] = texts[old.path] if text is None else text  # changed by somebody: it stays
        texts[path] = placed(texts[path], toml(decision))
        for each, text in texts.items():
            write_file(each, text.encode())
    return Filing(path, decision, before)


def home(root: Path, decision: Strict) -> Path:
    """Give the file in which a decision is to lie: of those that may hold its kind the one that has most on the same
    chapter, or on the same source, else the first, ``ID`` for a source in its name."""
    kind = next(kind for kind in KINDS if type(decision) is kind.table)
    folder = root / "tei" / "decisions"
    paths = [path for path in matching(folder, "*.toml") if any(fnmatch(path.name, each) for each in kind.files)]
    about = _about(decision)
    counts = {path: sum(map(about, pieces(path.read_text(encoding="utf-8")))) for path in paths}
    best = max(paths, key=lambda path: counts[path], default=None)
    if best is not None and counts[best]:
        return best
    source = getattr(decision, "source", None) or ""
    named = kind.files[-1].replace("*", f"-{source}" if source and not isinstance(decision, CharacterPair) else "")
    if kind.name == "glyph":
        named = "glyphs.toml"
    return folder / named


def _about(decision: Strict) -> Callable[[str], bool]:
    """Give what tells whether a table is on the same chapter of an edition, or on the same source."""
    if isinstance(decision, ReadingDecision):
        chapter = ".".join(decision.id.split(".")[:2])
        return lambda table: f"{_said(table, 'unit').replace(':', '.', 1)}.".startswith(f"{chapter}.")
    source = getattr(decision, "source", None)
    return lambda table: bool(source) and _said(table, "source") == source


def placed(text: str, table: str) -> str:
    """Give the text of a file with a table of TOML more, after the others on what comes before it, else at the end; all
    else is as it was."""
    parts, own = pieces(text), _order(table)
    head = next((n for n, part in enumerate(parts) if "[[" in part), len(parts))
    before_it = (n for n, part in enumerate(parts, 1) if _order(part)[0] and _order(part) <= own)
    at = max(before_it, default=head) if own[0] else len(parts)
    made = _joined("".join(parts[:at]), table, "".join(parts[at:]))
    return made if _count(made) == _count(text) + 1 else _joined(text, table, "")


def _joined(before: str, table: str, after: str) -> str:
    """Put a table between two parts of a file, with an empty line on each side."""
    gap = "" if not before.strip("\n") or before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"
    return f"{before}{gap}{table}{chr(10) if after else ''}{after}"


def _count(text: str) -> int:
    """Count the tables of a file; a long string that holds what looks like one is no table. -1 if it is no TOML."""
    try:
        return sum(len(each) for each in parse_toml(text).values() if isinstance(each, list))
    except tomllib.TOMLDecodeError:
        return -1


def taken(text: str, table: str) -> str | None:
    """Give the text of a file without one table, written exactly so; None if it is not there, or not once."""
    parts = pieces(text)
    found = [n for n, part in enumerate(parts) if part.strip("\n") == table.strip("\n")]
    if len(found) != 1:
        return None
    at, last = found[0], found[0] == len(parts) - 1
    before, after = "".join(parts[:at]), "".join(parts[at + 1 :])
    rest = f"{before.rstrip(chr(10))}{chr(10) if before.strip() else ''}" if last else before + after
    return rest if _count(rest) == _count(text) - 1 else None


def pieces(text: str) -> list[str]:
    """Part a file of decisions into its tables, each with the comment right above it and the empty lines after it, and
    into comments that stand by themselves: together they are the text."""
    found: list[list[str]] = [[]]
    for line in rows(text):
        blank = not found[-1] or not found[-1][-1].strip()
        under_comment = found[-1] and all(each.startswith("#") for each in found[-1])
        if (line.startswith("#") and blank) or (line.lstrip().startswith("[[") and not under_comment):
            found.append([])
        found[-1].append(line)
    return ["".join(lines) for lines in found if lines]


def _said(table: str, key: str) -> str:
    """Give the string that a table has for a key; empty if none."""
    found = re.search(rf"""(?m)^\s*{key}\s*=\s*["']([^"']*)""", table)
    return found[1] if found else ""


def _order(table: str) -> tuple[tuple[tuple[int, str, int], ...], str]:
    """Give the key by which tables are sorted: as the text is read, then by speaker; a file's head comes first."""
    unit = _said(table, "unit")
    return order_key(unit.replace(":", ".", 1)) if unit else (), _said(table, "speaker")


ORDER = (
    "edition", "unit", "speaker", "source", "code", "characters", "context", "before", "text", "after", "sic", "corr",
    "standard", "verdict", "person", "chapter", "words", "reading", "witness", "variant", "notes", "evidence",
    "resp", "why", "when", "cert",
)
"""The keys of all kinds in the order in which they are written."""
_OF_PAIRS = ("left", "right", "variant", "source", "resp", "why", "when", "cert")
_NAMES = {kind.table: kind.name for kind in KINDS}


def toml(decision: Strict) -> str:
    """Write a decision of any kind as a table of TOML; keys that say nothing are left out, but for the certainty."""
    rank = _OF_PAIRS if isinstance(decision, CharacterPair) else ORDER
    lines = [f"[[{_NAMES[type(decision)]}]]"]
    said = {field.name: field for field in msgspec.structs.fields(type(decision))}
    for name in sorted(said, key=rank.index):
        value = getattr(decision, name)
        if value is not None and (said[name].required or name == "cert" or value != said[name].default):
            lines.append(f"{name} = {_value(value)}")
    return "\n".join(lines) + "\n"


def rows(text: str) -> list[str]:
    """Give the lines of a file that a person writes, each with its end: only a line feed ends one, as TOML counts them.

    `str.splitlines` ends one at U+2028, U+0085 or a form feed, too, which can stand in a comment.
    """
    return io.StringIO(text, newline="\n").readlines()


def order(key: str) -> int:
    """Give the rank of a key: those of the left and the right of a pair come first."""
    return ORDER.index(key) if key in ORDER else -1


def _value(value: Any) -> str:
    """Write a value of TOML; a basic string, whose escapes are those of JSON, for all but numbers and truth."""
    encoded = msgspec.json.encode(value if isinstance(value, bool | int) else str(value))
    return encoded.decode("utf-8").replace("\x7f", "\\u007f")
