"""What commands share: options, the edition folder, output to a file or standard output, findings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

import click
from click.shell_completion import CompletionItem

from jiaokan.api import edition_root
from jiaokan.cli._terminal import call_in_language, language, say
from jiaokan.errors import CatalogError, Finding, Message, visible
from jiaokan.model.variants import VARIANT_CLASSES
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog
from jiaokan.system.atomic import write_file
from jiaokan.system.process import Inputs, call_within_limits

F = TypeVar("F", bound=Callable[..., object])
P = ParamSpec("P")
T = TypeVar("T")


class _Words(click.ParamType[str]):
    """Text that will be written into XML; control characters are a usage error."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; a usage error for characters that XML forbids."""
        from jiaokan.tei.tree import FORBIDDEN

        if bad := FORBIDDEN.search(value):
            self.fail(Message("text-forbidden-in-xml", text=value, code=ord(bad[0])), param, ctx)
        return value


WORDS = _Words()
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


_GIVEN = "jiaokan.folder"
"""Where a context keeps the value of ``--folder``."""


def _remember(ctx: click.Context, _option: click.Parameter, value: Path) -> Path:
    ctx.meta[_GIVEN] = value
    return value


def given_folder(ctx: click.Context | None) -> Path:
    """Return the value of ``--folder``, which is read before the arguments of a command."""
    folder: Path = ctx.meta.get(_GIVEN, Path()) if ctx else Path()
    return folder


def folder_option(command: F, name: str = "folder", *, expose: bool = True) -> F:
    """Add ``--folder``, the edition folder of a command; without `expose` only its arguments are looked up there."""
    return click.option("-C", "--folder", name, type=FOLDER, default=Path(), callback=_remember, is_eager=True,
                        expose_value=expose, help="option-folder")(command)


def texts_folder_option(command: F) -> F:
    """Add ``--folder`` to a command whose files can be named by the ids of an edition folder's texts."""
    return folder_option(command, expose=False)


def _one_folder(ctx: click.Context, _argument: click.Parameter, value: Path | None) -> Path:
    given = given_folder(ctx)
    if value is not None and given != Path():
        raise click.UsageError(Message("folder-given-twice", folder=value, option=given))
    return given if value is None else value


def folder_argument(command: F) -> F:
    """Add the argument ``FOLDER``, the edition folder of a command, which ``--folder`` gives too."""
    argument = click.argument("folder", type=FOLDER, required=False, callback=_one_folder)
    return argument(folder_option(command, "option_folder", expose=False))


def out_option(command: F) -> F:
    """Add ``--out`` for a command that writes one file."""
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option("-o", "--out", type=kind, help="option-out")(command)


def _classes(_context: click.Context, _option: click.Parameter, value: str) -> frozenset[str]:
    """Parse a list of variant classes, by id or printed name."""
    ids = {printed: name for name, printed in VARIANT_CLASSES.items()}
    classes = [ids.get(part.strip(), part.strip()) for part in value.replace("、", ",").split(",") if part.strip()]
    if unknown := [name for name in classes if name not in VARIANT_CLASSES]:
        raise click.BadParameter(Message("not-class-classes", unknown=unknown[0],
                                         variant_classes=", ".join(VARIANT_CLASSES)))
    return frozenset(classes)


def classes_option(command: F) -> F:
    """Add ``--without``, variant classes to ignore."""
    return click.option("--without", default="", metavar="CLASSES", callback=_classes, help="option-without")(command)


def part_option(default: str) -> Callable[[F], F]:
    """Add ``--part``, the layer whose entries are wanted."""
    kinds = click.Choice(["text", "notes", "all"])
    return click.option("--part", type=kinds, default=default, show_default=True,
                        help="option-part")


def load(folder: Path) -> Catalog:
    """Load the settings of the edition folder at or above `folder`; raises CatalogError."""
    return catalogs.load(edition_root(folder))


def _ids(catalog: Catalog) -> list[str]:
    return list(dict.fromkeys([*catalog.editions, *catalog.sources]))


class _TextName(click.ParamType[str]):
    """The id of a text, or a file. A folder is neither."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, or "" where none is given; a usage error for a folder that is not also the id of a text."""
        if not value or not Path(value).is_dir():
            return value
        with suppress(CatalogError):
            if value in _ids(load(given_folder(ctx))):
                return value
        remedy = Message("give-text-of-a-folder")
        with suppress(CatalogError):
            names = _ids(load(Path(value)))
            ids = ", ".join(names[:_NAMED]) + " …" * (len(names) > _NAMED)
            remedy = Message("give-text-of-folder", folder=value, ids=ids)
        self.fail(Message("folder-is-no-text", folder=value, remedy=remedy), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str,  # noqa: ARG002 (the signature is click's)
    ) -> list[CompletionItem]:
        """Complete the id of an edition or a source, else a file name."""
        names: list[str] = []
        with suppress(CatalogError):
            names = [name for name in _ids(load(given_folder(ctx))) if name.startswith(incomplete)]
        return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


TEXT_NAME = _TextName()
_NAMED = 12
"""Texts that a message names."""


def run_limited(files: Iterable[Path], function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> T:
    """Call a function of a module that reads files, in a process with limits of memory and time, unless all are files
    of an edition folder: there the memory of a build holds. Raises what the function raises, and JiaokanError beyond
    the limits."""
    paths = tuple(files)
    if all(map(_in_edition_folder, paths)):
        return function(*arguments, **named)
    return call_within_limits(Inputs.of(*paths), call_in_language, language(), partial(function, *arguments, **named))


def _in_edition_folder(path: Path) -> bool:
    return any((folder / "tei" / "catalog.toml").is_file() for folder in path.resolve().parents)


def emit(data: bytes, out: Path | None, *, sheet: bool = False) -> None:
    """Write to a file (atomically) or to standard output.

    A `sheet` file begins with a byte order mark: without it some spreadsheets do not detect UTF-8.
    """
    if out is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(visible(data.decode()).encode() if sys.stdout.isatty() else data)
    else:
        write_file(out, b"\xef\xbb\xbf" + data if sheet else data)


def show(findings: Iterable[Finding]) -> None:
    """Print findings on standard error, one per line."""
    for finding in findings:
        say(line(finding), err=True)


def line(finding: Finding) -> Message:
    """Return a finding as one line: place, severity, message, rule, remedy."""
    mend = " → " + finding.mend if finding.mend else ""
    return Message("finding-line", place=finding.place, severity=Message(f"severity-{finding.severity}"),
                   message=finding.message, rule=finding.rule, mend=mend)
