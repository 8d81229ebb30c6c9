"""What commands share: the edition folder they work in, output to a file or to standard output, findings shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from pipeline.cli._say import say
from pipeline.errors import CatalogError, Finding, Place
from pipeline.model.variants import VARIANT_CLASSES
from pipeline.settings import catalog as catalogs
from pipeline.settings.catalog import Catalog, SourceEntry
from pipeline.system.atomic import write_file
from pipeline.system.shown import visible

F = TypeVar("F", bound=Callable[..., Any])


class _Words(click.ParamType[str]):
    """Words that come into a text: such as XML can hold."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Give them as they are; a usage error for the others."""
        from pipeline.tei.tree import FORBIDDEN

        if bad := FORBIDDEN.search(value):
            self.fail(f"{value!r} has U+{ord(bad[0]):04X}, which no text can have", param, ctx)
        return value


WORDS = _Words()
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


def folder_option(command: F) -> F:
    """Add ``--folder``, the edition folder that a command works in."""
    return click.option(
        "-C", "--folder", type=FOLDER, default=Path(),
        help="The edition folder (default: here, or the nearest one above).",
    )(command)


def lang_option(command: F) -> F:
    """Add ``--lang``, the language of what is printed: that of the machine, if it is Chinese, else English."""
    return click.option("--lang", type=click.Choice(["en", "zh"]), default=_language, show_default="as the machine's",
                        help="Language of what is printed.")(command)


def _language() -> str:
    """Give the language that the environment asks for (POSIX: LC_ALL before LC_MESSAGES before LANG)."""
    asked = next(filter(None, (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return "zh" if asked.startswith("zh") else "en"


def out_option(command: F) -> F:
    """Add ``--out`` for a command that writes one file."""
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option("-o", "--out", type=kind, help="Write to this file, not to standard output.")(command)


def _classes(_context: click.Context, _option: click.Parameter, value: str) -> frozenset[str]:
    """Parse a list of classes of variants, by their ids or their printed names."""
    ids = {printed: name for name, printed in VARIANT_CLASSES.items()}
    given = [ids.get(each.strip(), each.strip()) for each in value.replace("、", ",").split(",") if each.strip()]
    if unknown := [each for each in given if each not in VARIANT_CLASSES]:
        raise click.BadParameter(f"{unknown[0]!r} is no class; classes: {', '.join(VARIANT_CLASSES)}")
    return frozenset(given)


def classes_option(command: F) -> F:
    """Add ``--without``, classes of variants that do not count."""
    text = "Classes that do not count, e.g. graphic,script: their readings go with the lemma."
    return click.option("--without", default="", metavar="CLASSES", callback=_classes, help=text)(command)


def part_option(default: str) -> Callable[[F], F]:
    """Add ``--part``, the layer of which entries are wanted."""
    kinds = click.Choice(["text", "notes", "all"])
    return click.option("--part", type=kinds, default=default, show_default=True,
                        help="Entries of the base text, of the commentary, or all.")


def load(folder: Path) -> Catalog:
    """Load the edition folder `folder`, or the nearest above that is one."""
    return catalogs.load(root(folder))


def root(folder: Path) -> Path:
    """Give the edition folder at or above a path; raises CatalogError if there is none, or nothing at that path: of a
    name that was mistyped the folder around it is not meant."""
    if not folder.exists():
        raise CatalogError("there is no such folder", place=Place(str(folder)),
                           mend="name an edition folder, or one in it; `jiaokan init DIR` makes one")
    here = folder.resolve()
    for place in [here, *here.parents]:
        if (place / "tei" / "catalog.toml").exists():
            return place
    raise CatalogError(
        "no edition folder here or above (it would hold tei/catalog.toml)", place=Place(str(folder)),
        mend="name it with --folder, or make one with `jiaokan init DIR`",
    )


def text_names(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of an edition or a source, else the name of a file."""
    try:
        catalog = load(Path(ctx.params.get("folder") or Path()))
        names = [name for name in dict.fromkeys([*catalog.editions, *catalog.sources]) if name.startswith(incomplete)]
    except CatalogError:
        names = []
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


def emit(data: bytes, out: Path | None, *, sheet: bool = False) -> None:
    """Write to a file, whole or not at all, or to standard output.

    A file that is a `sheet` begins with a byte order mark: without it some spreadsheets do not know UTF-8.
    """
    if out is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(visible(data.decode()).encode() if sys.stdout.isatty() else data)
    else:
        write_file(out, b"\xef\xbb\xbf" + data if sheet else data)


def show(findings: Iterable[Finding]) -> None:
    """Print findings on standard error, a line each."""
    for finding in findings:
        say(line(finding), err=True)


def changed(paths: Iterable[Path]) -> str:
    """Give the day on which the newest of some files was changed: no clock decides what is written."""
    newest = max((path.stat().st_mtime for path in paths if path.exists()), default=0.0)
    return datetime.fromtimestamp(newest, tz=UTC).date().isoformat()


def line(finding: Finding) -> str:
    """Give a finding as one line: place, severity, what, rule, mend."""
    mend = f" → {finding.mend}" if finding.mend else ""
    return f"{finding.place}: {finding.severity}: {finding.message} [{finding.rule}]{mend}"


def source_entry(name: str, catalog: Catalog) -> SourceEntry:
    """Give a source of the catalog; raises CatalogError that names those there are."""
    if name not in catalog.sources:
        raise CatalogError(
            f"no source is called {name!r}", place=Place(str(catalog.root / "tei" / "catalog.toml")),
            mend=f"there is: {', '.join(catalog.sources)}",
        )
    return catalog.sources[name]
