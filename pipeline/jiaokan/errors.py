"""Errors, findings with their places, messages in several languages, and the nearest name.

Exit codes: 0 done; 1 findings; 2 could not be done (each error below). There are no others.
"""

from __future__ import annotations

import errno
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

Severity = Literal["error", "warning", "info"]


DEPTH = 100
"""Maximum depth of nested elements, at every stage: the limit of the parser inside Saxon (JAXP,
``jdk.xml.maxElementDepth``, which SaxonC cannot raise). Books have under twenty."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A file, with line and column counted from 1 (0: the whole file)."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join([one_line(self.file), *(str(n) for n in (self.line, self.column) if n)])


class Message(str):
    """A text with parameters: the str is its English wording; other languages fill their own form with the same values.

    A value that is a word of ours is a Message itself and is translated too; every other value is quoted as it is.
    """

    __slots__ = ("form", "values")
    form: str
    """The English wording with ``{}`` for each value."""
    values: tuple[str | int, ...]

    def __new__(cls, form: str, *values: object) -> Message:
        """Fill a form with its values, as `str.format`."""
        made = super().__new__(cls, form.format(*values))
        made.form, made.values = form, tuple(v if isinstance(v, str | int) else str(v) for v in values)
        return made

    @classmethod
    def of(cls, text: str) -> Message:
        """Return a text as a Message; plain text is all value and has no translation."""
        return text if isinstance(text, Message) else cls("{}", text)

    def __reduce__(self) -> tuple[type[Message], tuple[str | int, ...]]:
        """Keep form and values between processes."""
        return Message, (self.form, *self.values)

    def translated(self, forms: Mapping[str, str]) -> str:
        """Return the text in another language, of which `forms` has the wording for each English form."""
        values = (v.translated(forms) if isinstance(v, Message) else v for v in self.values)
        return forms.get(self.form, self.form).format(*values)


def stored(value: object) -> list[str | int]:
    """Return a Message as msgspec stores it: form and values. For `enc_hook`."""
    if not isinstance(value, Message):
        raise NotImplementedError(f"{type(value).__name__} is not stored")
    return [value.form, *value.values]


def restored(_: type, value: Any) -> Message:
    """Return the Message that `stored` wrote; raises TypeError if it is anything else. For `dec_hook`."""
    if not (isinstance(value, list) and value and isinstance(value[0], str)):
        raise TypeError("a message is stored as its form and values")
    form, *values = value
    return Message(form, *(restored(Message, v) if isinstance(v, list) else v for v in values))


@dataclass(frozen=True, slots=True, order=True, init=False)
class Finding:
    """Something that a reader, a collation or a check noticed; it does not stop the work."""

    rule: str
    """Stable id of the rule, e.g. ``siglum-unknown``."""
    place: Place
    message: Message
    """What was found and what was expected, in one sentence."""
    mend: Message
    """What to do about it."""
    severity: Severity

    def __init__(self, rule: str, place: Place, message: str, mend: str = "", severity: Severity = "error") -> None:
        values = {"rule": rule, "place": place, "message": Message.of(message), "mend": Message.of(mend),
                  "severity": severity}
        for name, value in values.items():
            object.__setattr__(self, name, value)


class JiaokanError(Exception):
    """Base of all errors that are shown to users; its ``str()`` is the whole message."""

    exit_code = 2
    several: tuple[JiaokanError, ...] = ()
    """The single errors of one made by `together`."""

    def __init__(self, message: str, *, place: Place | None = None, mend: str = "") -> None:
        self.message, self.place, self.mend = message, place, mend
        head = f"{place}: {message}" if place else message
        super().__init__(f"{head}\n  → {mend}" if mend else head)


E = TypeVar("E", bound=JiaokanError)


def together(errors: Sequence[E], what: str) -> E:
    """Return several errors as one of the type of the first, each with its place and remedy; a single one as it is.

    `what` names them in the head line: ``faults in the settings``.
    """
    if len(errors) == 1:
        return errors[0]
    lines = [line for each in errors for line in str(each).splitlines()]
    made = type(errors[0])(f"{len(errors)} {what}:\n  " + "\n  ".join(lines))
    made.several = tuple(errors)
    return made


def raise_all(errors: Iterable[JiaokanError], what: str = "faults in the settings") -> None:
    """Raise all errors as one (`together`), each once and in order; do nothing if there are none."""
    single = {str(each): each for error in errors for each in error.several or (error,)}
    if single:
        raise together([*single.values()], what) from None


class SystemFault(JiaokanError):
    """The machine refused something: a file, a folder, disk space, memory."""


ALIKE = 0.6
"""The least similarity (twice the common characters in order, by the characters of both) of a wrong name to the one
that is suggested. Names of four letters with one wrong have 0.75, of three 0.67, of two 0.5. Lower, unlike names are
suggested; higher, slips in short names are not."""
_LISTED = 12
"""How many known names are listed where none is near."""


def nearest(wrong: str, known: Iterable[str]) -> str:
    """Return the known name most similar to a wrong one, the first of several; empty if none is similar."""
    from rapidfuzz import process  # imported only when something is wrong
    from rapidfuzz.distance import Indel

    names = list(known) if isinstance(known, Sequence | Mapping) else sorted(known)
    found = process.extractOne(wrong, names, scorer=Indel.normalized_similarity, score_cutoff=ALIKE)
    return found[0] if found else ""


def suggestion(
    wrong: str, known: Iterable[str], otherwise: str | None = None, *, prefix: str = "", both: bool = False
) -> Message:
    """Return ``did you mean 'zhushu'?`` with the known name nearest to a wrong one, after a `prefix` such as ``#``.

    If none is near, return `otherwise`, by default the list of known names; with `both` it follows the question, too.
    """
    names = list(known) if isinstance(known, Sequence | Mapping) else sorted(known)
    if near := nearest(wrong, names):
        question = Message("did you mean '{}'?", prefix + near)
        return Message("{} Otherwise {}", question, otherwise or "") if both else question
    if otherwise is not None:
        return Message.of(otherwise)
    return Message("known: {}", ", ".join(names[:_LISTED]) + " …" * (len(names) > _LISTED) or Message("none"))


def machine(error: OSError | RecursionError | MemoryError) -> JiaokanError:
    """Return an exception of Python or the system as an error with a remedy."""
    if isinstance(error, RecursionError):
        return SystemFault("elements are nested too deeply", mend=f"reduce them to {DEPTH} levels")
    if isinstance(error, MemoryError):
        mend = "build with `--memory 1G` or `--jobs 1`, or on a machine with more memory"
        return SystemFault("not enough memory", mend=mend)
    place = Place(str(error.filename)) if error.filename is not None else None
    return SystemFault(error.strerror or str(error) or type(error).__name__, place=place,
                       mend=_MENDS.get(error.errno or 0, ""))


_MENDS = {
    errno.ENOSPC: "free some disk space; existing files are unchanged",
    errno.EDQUOT: "free some disk space; existing files are unchanged",
    errno.EROFS: "the disk is read-only; write elsewhere with --out",
    errno.EACCES: "get write permission, or write elsewhere with --out",
    errno.EPERM: "get write permission, or write elsewhere with --out",
    errno.ENAMETOOLONG: "use a shorter name",
    errno.EFBIG: "raise the limit of file sizes (`ulimit -f`)",
    errno.EEXIST: "move the file: a folder is expected here",
    errno.EMFILE: "too many files are open; raise `ulimit -n`",
    errno.EISDIR: "move the folder: a file is expected here",
    errno.ENOTDIR: "move the file: a folder is expected here",
}


class CatalogError(JiaokanError):
    """Settings are missing, malformed, or name something that does not exist."""


class SourceError(JiaokanError):
    """A source is missing, empty, not UTF-8, not the file with the declared sha256, or does not fit its reader."""


class DecisionError(JiaokanError):
    """A decision of the editor no longer fits its text."""


class TeiError(JiaokanError):
    """A TEI file cannot be parsed, or contains something unknown to the encoding."""


class CollationError(JiaokanError):
    """Witnesses cannot be collated as the edition requires."""


class RenderError(JiaokanError):
    """A stylesheet, Typst or a font failed."""


_COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
"""Control characters except tab and line feed; line and paragraph separators; characters with the property Bidi_Control
(Unicode Standard Annex 9); the byte order mark and the two noncharacters that XML forbids; undecodable bytes of file
names (surrogates)."""


def visible(text: str) -> str:
    """Return `text` with control and bidirectional characters as escapes (``\\\\x1b``)."""
    return _COMMANDS.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    """Return `text` visible and on one line: a name or message with a line break must not look like two messages."""
    return visible(text).replace("\n", "\\n")


_FORMULAS = frozenset("=+-@\t\r\n")
"""Characters that begin a formula, or that a spreadsheet skips before one."""


def cell(text: str) -> str:
    """Return a cell that no spreadsheet reads as a formula (OWASP, “CSV Injection”).

    Spreadsheets in Chinese and Japanese also read the full-width signs ＝ ＋ － ＠ so; other compatibility forms of the
    signs (﹦ ﹢) are guarded with them.
    """
    return f"'{text}" if unicodedata.normalize("NFKC", text[:1]) in _FORMULAS else text
