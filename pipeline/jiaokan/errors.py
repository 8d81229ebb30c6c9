"""Errors, findings with their places, messages in several languages, and the nearest name.

Exit codes: 0 done; 1 findings; 2 could not be done (each error below). There are no others.
"""

from __future__ import annotations

import errno
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from jiaokan import messages

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


Value = str | int | float
"""What a message has in it: a Message is translated with it, anything else stays as it is."""


_CONCATENATED = "+"
"""Id of texts put together without a separator."""


class Message(str):
    """A text with an id and named values: the str is its English wording, `in_language` that of another language.

    The wordings are in the catalogues (`jiaokan.messages`). A value is never translated, unless it is a Message.
    """

    __slots__ = ("id", "values")
    id: str
    """Its id in the catalogues; empty for a text that is all value."""
    values: dict[str, Value]

    def __new__(cls, identifier: str, /, **values: object) -> Message:
        """Word a message in English. Raises LookupError for an unknown id or a missing value."""
        checked = {name: _to_value(value) for name, value in values.items()}
        message = super().__new__(cls, _word(identifier, checked, messages.ENGLISH))
        message.id, message.values = identifier, checked
        return message

    @classmethod
    def of(cls, text: str) -> Message:
        """Return a text as a Message; plain text is all value and has no translation."""
        return text if isinstance(text, Message) else cls("", text=text)

    def __reduce__(self) -> tuple[object, ...]:
        """Keep id and values between processes."""
        return _message, (self.id, self.values)

    def __add__(self, more: str, /) -> Message:
        """Return two texts as one message."""
        return join_messages(_CONCATENATED, (self, more))

    def __radd__(self, before: str, /) -> Message:
        return join_messages(_CONCATENATED, (before, self))

    def in_language(self, language: str) -> str:
        """Return the text in a language."""
        if language == messages.ENGLISH:
            return str(self)
        values = {name: value.in_language(language) if isinstance(value, Message) else value
                  for name, value in self.values.items()}
        return _word(self.id, values, language)


def _message(identifier: str, values: Mapping[str, object]) -> Message:
    return Message(identifier, **values)


def _to_value(value: object) -> Value:
    if isinstance(value, JiaokanError):
        return value.whole
    return value if isinstance(value, str | int | float) else str(value)


def _word(identifier: str, values: Mapping[str, Value], language: str) -> str:
    if not identifier:
        return str(values["text"])
    if identifier == _CONCATENATED:
        return "".join(map(str, values.values()))
    wording = messages.wording(identifier, language, values.get("count"))
    if identifier.startswith("list-"):
        return _join_list(wording, list(values.values()))
    return wording.format(**values)


def _join_list(separator: str, parts: Sequence[Value]) -> str:
    """Join parts; a separator with a line break indents the further lines of each part."""
    return separator.join(str(part).replace("\n", separator) if "\n" in separator else str(part) for part in parts)


def join_messages(separator: str, parts: Iterable[object]) -> Message:
    """Return parts as one message; the id of the separator begins with ``list-``, as ``list-comma``."""
    return Message(separator, **{f"part{number}": part for number, part in enumerate(parts)})


def encode_message(value: object) -> list[object]:
    """Return a Message as msgspec stores it: id and values. For `enc_hook`."""
    if not isinstance(value, Message):
        raise NotImplementedError(f"{type(value).__name__} is not stored")
    values = {name: encode_message(item) if isinstance(item, Message) else item for name, item in value.values.items()}
    return [value.id, values]


def decode_message(_: type, value: object) -> Message:
    """Return the Message that `encode_message` wrote; raises TypeError if it is anything else. For `dec_hook`."""
    match value:
        case [str() as identifier, dict() as values]:
            try:
                return Message(identifier, **{name: decode_message(Message, item) if isinstance(item, list) else item
                                              for name, item in values.items()})
            except LookupError as error:
                raise TypeError("a message of another version") from error
    raise TypeError("a message is stored as its id and values")


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
    """Base of all errors that are shown to users; its ``str()`` is the whole message in English."""

    exit_code = 2
    several: tuple[JiaokanError, ...] = ()
    """The single errors of one made by `together`."""

    def __init__(self, message: str, *, place: Place | None = None, mend: str = "") -> None:
        self.message, self.place, self.mend = Message.of(message), place, Message.of(mend)
        super().__init__(str(self.whole))

    @property
    def whole(self) -> Message:
        """Place, message and remedy as one message."""
        head = Message("error-at-place", place=self.place, message=self.message) if self.place else self.message
        return Message("error-with-remedy", message=head, mend=self.mend) if self.mend else head


E = TypeVar("E", bound=JiaokanError)


def together(errors: Sequence[E], what: str, **values: object) -> E:
    """Return several errors as one of the type of the first, each with its place and remedy; a single one as it is.

    `what` is the id of its message, as ``settings-faults``; its values are `count`, `errors` and those given.
    """
    if len(errors) == 1:
        return errors[0]
    lines = join_messages("list-indented", [error.whole for error in errors])
    whole = type(errors[0])(Message(what, count=len(errors), errors=lines, **values))
    whole.several = tuple(errors)
    return whole


def raise_all(errors: Iterable[JiaokanError], what: str = "settings-faults") -> None:
    """Raise all errors as one (`together`), each once and in order; do nothing if there are none."""
    single = {str(member): member for error in errors for member in error.several or (error,)}
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
    match = process.extractOne(wrong, names, scorer=Indel.normalized_similarity, score_cutoff=ALIKE)
    return match[0] if match else ""


def suggestion(
    wrong: str, known: Iterable[str], otherwise: str | None = None, *, prefix: str = "", both: bool = False
) -> Message:
    """Return ``did you mean 'zhushu'?`` with the known name nearest to a wrong one, after a `prefix` such as ``#``.

    If none is near, return `otherwise`, by default the list of known names; with `both` it follows the question, too.
    """
    names = list(known) if isinstance(known, Sequence | Mapping) else sorted(known)
    if near := nearest(wrong, names):
        question = Message("did-you-mean", name=prefix + near)
        return Message("question-otherwise", question=question, otherwise=otherwise or "") if both else question
    if otherwise is not None:
        return Message.of(otherwise)
    return Message("known-names", names=", ".join(names[:_LISTED]) + " …" * (len(names) > _LISTED) or Message("none"))


def lacks_memory(error: BaseException) -> bool:
    """Whether an exception is for want of memory, also of a library that could not be loaded into it."""
    if isinstance(error, ImportError):
        return any(words in str(error) for words in ("cannot map", "failed to map", "cannot allocate memory"))
    return isinstance(error, MemoryError)


def machine(error: OSError | RecursionError | MemoryError | ImportError) -> JiaokanError:
    """Return an exception of Python or the system as an error with a remedy."""
    if isinstance(error, RecursionError):
        return SystemFault(Message("elements-nested-too-deeply"), mend=Message("reduce-levels", count=DEPTH))
    if isinstance(error, MemoryError | ImportError):
        mend = Message("build-memory-g-jobs-machine")
        return SystemFault(Message("not-enough-memory"), mend=mend)
    place = Place(str(error.filename)) if error.filename is not None else None
    remedy = _MENDS.get(error.errno or 0)
    return SystemFault(refusal(error), place=place, mend=Message(remedy) if remedy else "")


def refusal(error: OSError) -> Message:
    """Return why the system refused something: our wording of its number, else the system's own words."""
    known = f"errno-{errno.errorcode.get(error.errno or 0, '').lower()}"
    if messages.has(known):
        return Message(known)
    return Message.of(error.strerror or str(error) or type(error).__name__)


_MENDS = {
    errno.ENOSPC: "free-some-disk-space-existing",
    errno.EDQUOT: "free-some-disk-space-existing",
    errno.EROFS: "disk-read-write-elsewhere-out",
    errno.EACCES: "get-write-permission-write-elsewhere",
    errno.EPERM: "get-write-permission-write-elsewhere",
    errno.ENAMETOOLONG: "use-shorter-name",
    errno.EFBIG: "raise-limit-file-sizes-ulimit",
    errno.EEXIST: "move-file-folder-expected",
    errno.EMFILE: "too-many-files-open-raise",
    errno.EISDIR: "move-folder-file-expected",
    errno.ENOTDIR: "move-file-folder-expected",
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


COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
"""Control characters except tab and line feed; line and paragraph separators; characters with the property Bidi_Control
(Unicode Standard Annex 9); the byte order mark and the two noncharacters that XML forbids; undecodable bytes of file
names (surrogates)."""


def visible(text: str) -> str:
    """Return `text` with control and bidirectional characters as escapes (``\\\\x1b``)."""
    return COMMANDS.sub(lambda match: ascii(match[0])[1:-1], text)


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
