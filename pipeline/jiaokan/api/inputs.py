"""What a caller gives: paths, contents and options, checked so that every mistake is a `JiaokanError`."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import wraps
from inspect import signature
from itertools import islice
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeGuard, TypeVar

from jiaokan.errors import CatalogError, JiaokanError, Message, Place, machine, nearest, refusal, suggestion
from jiaokan.model.variants import LEVELS, VARIANT_CLASSES
from jiaokan.system.listing import bytes_of, input_files

P = ParamSpec("P")
R = TypeVar("R")

File = Path | str | bytes | IO[bytes] | IO[str]
"""A path, the contents of a file, or an open file."""
CONTENTS = "<bytes>"
"""Name of contents without a file in messages."""
_MAGIC = "*?["
_LISTED = 10_000
"""Most files of a folder whose names are compared with a wrong one. A choice."""
_SHOWN = 40
"""Characters of a wrong value in a message. A choice."""


def guard(function: Callable[P, R]) -> Callable[P, R]:
    """Let a public function raise JiaokanError for a parameter annotated ``str`` that gets something else, and for what
    the machine refuses."""
    texts = [name for name, parameter in signature(function).parameters.items() if parameter.annotation == "str"]
    known = signature(function)

    @wraps(function)
    def call(*arguments: P.args, **options: P.kwargs) -> R:
        bound = known.bind(*arguments, **options).arguments
        for name in texts:
            if not isinstance(bound.get(name, ""), str):
                raise wrong_type(bound[name], Message("a-text"), name)
        try:
            return function(*arguments, **options)
        except (OSError, RecursionError, MemoryError) as error:
            raise machine(error) from None

    return call


def wrong_type(value: object, expected: str, name: str = "") -> JiaokanError:
    """Return the error for a value of a wrong type, of the parameter `name`."""
    kind = f"{name}: {type(value).__name__}" if name else type(value).__name__
    return JiaokanError(Message("argument-wrong-type", kind=kind), mend=Message("expected-here", expected=expected))


def path_of(path: object) -> Path:
    """Return a path; raises JiaokanError if it is none."""
    if not isinstance(path, str | os.PathLike):
        raise wrong_type(path, Message("a-path"))
    text = os.fspath(path)
    if not isinstance(text, str) or not text or "\0" in text:
        raise JiaokanError(Message("path-invalid", path=repr(text)[:_SHOWN]), mend=Message("a-path"))
    if text.lstrip().startswith("<"):
        raise JiaokanError(Message("path-is-xml"), mend=Message("give-xml-as-bytes"))
    return Path(text)


def file_of(path: object) -> Path:
    """Return the path of a file; raises JiaokanError if there is none."""
    file = path_of(path)
    if not file.is_file():
        raise JiaokanError(Message("file-not-found"), place=Place(str(file)), mend=nearest_file(file))
    return file


def folder_around(place: Path) -> Path | None:
    """Return the edition folder at or above an absolute path; None if there is none."""
    return next((folder for folder in (place, *place.parents) if (folder / "tei" / "catalog.toml").exists()), None)


def files_by_id(folder: Path = Path()) -> dict[str, Path]:
    """Return the TEI of each text of the edition folder at or above a folder, by its id."""
    root = folder_around(folder.resolve()) or folder
    return {tei.stem: tei for kind in ("witnesses", "editions")
            for tei in sorted((Path(os.path.relpath(root)) / "tei" / kind).glob("*.xml"))}


def nearest_file(path: Path) -> Message:
    """Return what is meant by the path of a file that does not exist: the file of the nearest name in the same folder,
    or the TEI of the text of this edition folder with the nearest id."""
    is_name = path.name == str(path)
    ids = files_by_id() if is_name else {}
    names: list[str] = []
    with suppress(OSError, ValueError):
        names = [file.name for file in islice(path.parent.iterdir(), _LISTED)]
    beside = "" if is_name else f"{path.parent}{os.sep}"
    if is_name and not nearest(path.name, names) and (near := nearest(path.name, ids)):
        return Message("did-you-mean", name=ids[near])
    return suggestion(path.name, sorted({*names} - {path.name}), Message("check-name-permissions"), prefix=beside)


def is_many(sources: object) -> TypeGuard[Iterable[Any]]:
    """Whether something is a list, or another iterable, of files, not one file."""
    single = isinstance(sources, str | bytes | bytearray | memoryview) or hasattr(sources, "read")
    return isinstance(sources, Iterable) and not single


def read_input(file: object) -> tuple[str, bytes]:
    """Return the name in messages and the content of a path, of bytes, or of an open file.

    Raises JiaokanError if it cannot be read.
    """
    if isinstance(file, bytes | bytearray | memoryview):
        return CONTENTS, bytes(file)
    if callable(read := getattr(file, "read", None)) and not isinstance(file, os.PathLike):
        name = getattr(file, "name", CONTENTS)
        try:
            data = read()
            return (name if isinstance(name, str) else CONTENTS), data.encode() if isinstance(data, str) else data
        except ValueError as error:  # a closed file, or text in another encoding
            raise JiaokanError(Message("cannot-read", strerror=str(error)), place=Place(str(name))) from None
    if not isinstance(file, str | os.PathLike):
        raise wrong_type(file, Message("a-path-or-contents"))
    path = path_of(file)
    return str(path), read_bytes(path)


def read_bytes(path: Path) -> bytes:
    """Return the contents of a file; raises JiaokanError if it cannot be read."""
    try:
        return bytes_of(path)
    except OSError as error:
        mend = Message("give-files", path=path) if path.is_dir() else nearest_file(path)
        raise JiaokanError(Message("cannot-read", strerror=refusal(error)), place=Place(str(path)), mend=mend) from None


def xml_files(path: Path) -> tuple[Path, ...]:
    """Return a file, the XML files of a folder without outputs and hidden folders, or those that match a pattern
    (``tei/**/*.xml``).

    Raises JiaokanError if there are none.
    """
    if path.is_dir():
        files = tuple(file for file in input_files(path) if file.suffix == ".xml")
        if not files:
            raise JiaokanError(Message("no-xml-folder"), place=Place(str(path)),
                               mend=Message("hidden-folders-outputs-build-skipped"))
        return files
    if path.exists():
        return (path,)
    files = tuple(sorted(_matches(path))) if any(sign in str(path) for sign in _MAGIC) else ()
    if not files:
        raise JiaokanError(Message("file-not-found"), place=Place(str(path)), mend=nearest_file(path))
    return files


def _matches(pattern: Path) -> Iterator[Path]:
    with suppress(ValueError):  # an invalid pattern, as `**.xml`, has no files
        paths = Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor)))
        yield from (path for path in paths if path.is_file())


def check_choice(value: str, known: Iterable[str], name: str) -> None:
    """Raise CatalogError if the value of an option is not one of those that are known."""
    choices = tuple(known)
    if value not in choices:
        raise CatalogError(Message("choice-unknown", name=name, value=value), mend=suggestion(str(value), choices))


PARTS = ("all", "text", "notes")
"""The parts of a text whose entries count."""


def without_classes(level: str, without: Collection[str], part: str) -> frozenset[str]:
    """Return the classes of variants that do not count; raises CatalogError for an unknown level, class or part."""
    check_choice(level, LEVELS, "level")
    check_choice(part, PARTS, "part")
    if isinstance(without, str) or not isinstance(without, Collection):
        raise wrong_type(without, Message("a-list-of-classes"), "without")
    for variant in without:
        check_choice(str(variant), VARIANT_CLASSES, "without")
    return LEVELS[level] | frozenset(without)
