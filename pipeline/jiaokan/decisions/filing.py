"""Write decisions into their files, in the order of the text; everything else in a file is kept."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

import msgspec
from msgspec.structs import FieldInfo, fields

from jiaokan.decisions.kinds import KIND_OF
from jiaokan.decisions.tables import Decision, OnEntry
from jiaokan.errors import JiaokanError, Message, Place
from jiaokan.model.pointers import order_key
from jiaokan.settings.syntax import parse_toml
from jiaokan.system.atomic import inside, write_file
from jiaokan.system.listing import matching

OWN = ".jiaokan"
"""Folder of the lock in an edition folder; git does not see it."""
LOCK = "decisions.lock"
_PATIENCE = 10
"""Seconds to wait for another writer, who needs a fraction of one."""


@contextmanager
def writing(root: Path) -> Iterator[None]:
    """Lock the decisions of a folder. Raises JiaokanError if another writer keeps the lock, or it lies outside."""
    from filelock import FileLock, Timeout  # only for those who write

    folder = inside(root, root / OWN, OWN)  # in the edition folder, for all who share it
    if not (folder / ".gitignore").exists():
        folder.mkdir(exist_ok=True)
        write_file(folder / ".gitignore", b"*\n")
    lock = FileLock(inside(root, folder / LOCK, OWN), is_singleton=True)  # not a link: locking a file truncates it
    try:
        lock.acquire(timeout=_PATIENCE)
    except Timeout:
        raise JiaokanError(Message("somebody-else-writing-decisions-folder"), place=Place(str(root)),
                           mend=Message("try-again")) from None
    try:
        yield
    finally:
        lock.release()


def file_of(root: Path, decision: Decision) -> Path:
    """Return the file for a decision: of those of its kind the one with most decisions on the same chapter or source;
    if none has any, the row's `new` one."""
    kind = KIND_OF[type(decision)]
    folder = root / "tei" / "decisions"
    paths = [path for path in matching(folder, "*.toml") if any(fnmatch(path.name, pattern) for pattern in kind.files)]
    source = getattr(decision, "source", None)
    chapter = ".".join(decision.id.split(".")[:2]) if isinstance(decision, OnEntry) else ""

    def is_near(table: str) -> bool:
        if chapter:
            return f"{_text_of(table, 'unit').replace(':', '.', 1)}.".startswith(f"{chapter}.")
        return bool(source) and _text_of(table, "source") == source

    counts = {path: sum(map(is_near, split_tables(path.read_text(encoding="utf-8")))) for path in paths}
    best = max(paths, key=lambda path: counts[path], default=None)
    if best is not None and counts[best]:
        return best
    return folder / kind.new.format(source=source or "")


def insert_table(text: str, table: str) -> str:
    """Return the text of a file with a further table, after those on what precedes it in the text, else at the end."""
    parts, order = split_tables(text), _order(table)
    head = next((n for n, part in enumerate(parts) if "[[" in part), len(parts))
    before_it = (n for n, part in enumerate(parts, 1) if _order(part)[0] and _order(part) <= order)
    at = max(before_it, default=head) if order[0] else len(parts)
    with_table = _insert_table("".join(parts[:at]), table, "".join(parts[at:]))
    return with_table if _count(with_table) == _count(text) + 1 else _insert_table(text, table, "")


def _insert_table(before: str, table: str, after: str) -> str:
    gap = "\n\n"
    if not before.strip("\n") or before.endswith("\n\n"):
        gap = ""
    elif before.endswith("\n"):
        gap = "\n"
    return f"{before}{gap}{table}{chr(10) if after else ''}{after}"


def _count(text: str) -> int:
    """Count the tables of a file, not what looks like one inside a string; -1 if it is not valid TOML."""
    try:
        return sum(len(rows) for rows in parse_toml(text).values() if isinstance(rows, list))
    except tomllib.TOMLDecodeError:
        return -1


def remove_table(text: str, table: str) -> str | None:
    """Return the text of a file without one table, which it has in exactly this form; None unless it has it once."""
    parts = split_tables(text)
    numbers = [n for n, part in enumerate(parts) if part.strip("\n") == table.strip("\n")]
    if len(numbers) != 1:
        return None
    at, last = numbers[0], numbers[0] == len(parts) - 1
    before, after = "".join(parts[:at]), "".join(parts[at + 1 :])
    rest = f"{before.rstrip(chr(10))}{chr(10) if before.strip() else ''}" if last else before + after
    return rest if _count(rest) == _count(text) - 1 else None


def split_tables(text: str) -> list[str]:
    """Split a file of decisions into its tables, each with the comment right above it and the empty lines after it, and
    comments that stand alone. Joined, they are the text."""
    blocks: list[list[str]] = [[]]
    for line in file_lines(text):
        blank = not blocks[-1] or not blocks[-1][-1].strip()
        under_comment = blocks[-1] and all(above.startswith("#") for above in blocks[-1])
        if (line.startswith("#") and blank) or (line.lstrip().startswith("[[") and not under_comment):
            blocks.append([])
        blocks[-1].append(line)
    return ["".join(lines) for lines in blocks if lines]


def _text_of(table: str, key: str) -> str:
    match = re.search(rf"""(?m)^\s*{key}\s*=\s*["']([^"']*)""", table)
    return match[1] if match else ""


def _order(table: str) -> tuple[tuple[tuple[int, str, int], ...], str]:
    """Return the sort key of a table: by unit in reading order, then by speaker; the head of a file comes first."""
    unit = _text_of(table, "unit")
    return order_key(unit.replace(":", ".", 1)) if unit else (), _text_of(table, "speaker")


def to_toml(decision: Decision) -> str:
    """Write a decision of any kind as a table of TOML, without keys that have their default, except `cert`."""
    lines = [f"[[{KIND_OF[type(decision)].name}]]"]
    for field in written_fields(type(decision)):
        value = getattr(decision, field.name)
        if value is not None and (field.required or field.name == "cert" or value != field.default):
            encoded = msgspec.json.encode(value if isinstance(value, bool | int) else str(value))
            lines.append(f"{field.name} = {encoded.decode('utf-8')}".replace("\x7f", "\\u007f"))
    return "\n".join(lines) + "\n"


LAST = ("resp", "why", "when", "cert", "proposed", "approved", "approved_when")


def written_fields(kind: type[Decision]) -> list[FieldInfo]:
    """Return the fields of a type in the order in which they are written: its own, then who, why, when, how surely."""
    by_name = {field.name: field for field in fields(kind)}
    return [*(field for name, field in by_name.items() if name not in LAST),
            *(by_name[name] for name in LAST if name in by_name)]


def file_lines(text: str) -> list[str]:
    """Return the lines of a file, each with its end; only a line feed ends a line, as in TOML. `str.splitlines` also
    ends one at U+2028, U+0085 or a form feed, which a comment can contain."""
    return io.StringIO(text, newline="\n").readlines()
