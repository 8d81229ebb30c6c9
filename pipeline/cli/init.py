"""`jiaokan init`: a new edition folder, from your texts or with a worked example."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from pipeline.cli._folder import EXISTING_FILE, FOLDER
from pipeline.cli._terminal import say
from pipeline.errors import JiaokanError, Place, SourceError
from pipeline.system.listing import below, resource

_SCAFFOLD = Path(__file__).parents[1] / "scaffold"


@click.command("init")
@click.argument("folder", type=FOLDER)
@click.option("--from", "files", multiple=True, type=click.Path(path_type=Path),
              help="A text, a folder of texts, or a Kanripo repository, whose branches are witnesses. "
                   "Can be repeated; further texts can follow the folder.")
@click.argument("more", nargs=-1, type=click.Path(path_type=Path))
@click.option("--gaiji", type=EXISTING_FILE, help="A table of the characters that codes (&KR0014;) stand for, e.g. "
                                                  "charlist.org.txt of kanripo/KR-Gaiji.")
@click.option("--dry", is_flag=True, help="Only report what is detected; write nothing.")
def command(folder: Path, files: tuple[Path, ...], more: tuple[Path, ...], gaiji: Path | None, dry: bool) -> None:
    """Create an edition folder from your texts, or an example.

    With --from, encoding, format, chapters, notes, speakers and works are detected and written as settings. Correct
    wrong guesses in these TOML files. Without it, the example is the opening of 论语 in three works.

    \b
    Example:  jiaokan init laozi --from heshanggong.txt fuyi.txt && jiaokan build laozi
              jiaokan init demo && jiaokan build demo
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise JiaokanError("the folder exists and is not empty", place=Place(str(folder)), mend="choose a new folder")
    if files:
        _from_files(folder, (*files, *more), gaiji, dry=dry)
    else:
        _example(folder)
    if not dry:
        say(f"Next: jiaokan build {folder}")


def _from_files(folder: Path, files: tuple[Path, ...], gaiji: Path | None, *, dry: bool) -> None:
    """Write the settings detected in the files, and print what was detected."""
    from pipeline.scaffold.folder import make_folder
    from pipeline.scaffold.gaiji import read_table
    from pipeline.scaffold.repository import expand_repositories
    from pipeline.scaffold.survey import group_files, survey_witnesses
    from pipeline.scaffold.works import group_by_work
    from pipeline.system.atomic import write_file

    with tempfile.TemporaryDirectory() as aside:
        found = expand_repositories(files, Path(aside))
        texts = [each for group in group_files(found.paths) for each in survey_witnesses(*group)]
        if not texts:
            raise SourceError(f"no text found in {', '.join(map(str, files))}",
                              mend="give the files, or the folder that contains them; its subfolders are not searched")
        for each in texts:
            if not each.text.strip():
                raise SourceError("the file is empty", place=Place(str(each.path)),
                                  mend="give a file with text, or leave it out")
        works = group_by_work(texts, found.evidence, read_table(gaiji) if gaiji else {}, gaiji.name if gaiji else "")
        made = make_folder(works, today=datetime.now(UTC).date())
    for line in (*found.report, *made.report):
        say(line)
    if dry:
        for name in made.files:
            say(f"would write {folder / name}")
        _doubts(made.doubts)
        return
    for name, data in made.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(folder / name, data)
    shutil.copytree(resource("schema"), folder / "schema")
    shutil.copyfile(_SCAFFOLD / ".gitignore", folder / ".gitignore")
    _fit(folder)
    _editions(folder)
    _doubts(made.doubts)


def _doubts(lines: Sequence[str]) -> None:
    """Print what was decided without being sure."""
    if lines:
        say("Please check, the most important first:")
    for line in lines:
        say(f"  {line}")


def _fit(folder: Path) -> None:
    """Choose for each chapter of a critical edition a base text that has it; the build reports what cannot be read."""
    from pipeline.cli._folder import load
    from pipeline.scaffold.folder import settings_file
    from pipeline.scaffold.works import fit_plan
    from pipeline.system.atomic import write_file

    catalog = load(folder)
    for plan in catalog.editions.values():
        if plan.kind != "critical" or any(catalog.sources[name].reader == "tei" for name in plan.all_witnesses()):
            continue  # keep the chapters of a published edition
        path = folder / "tei" / "editions" / f"{plan.id}.toml"
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        with contextlib.suppress(JiaokanError):
            made, told = fit_plan(table, catalog)
            if made != table:
                write_file(path, settings_file(made))
                for line in told:
                    say(line)


def _editions(folder: Path) -> None:
    """Write the choices of published editions among the texts as decisions."""
    from pipeline.cli._folder import load
    from pipeline.cli.accept import adopt_edition
    from pipeline.exchange.adopt import edition_source

    catalog = load(folder)
    for plan in catalog.editions.values():
        if plan.kind == "critical" and edition_source(plan, catalog):
            adopt_edition(catalog, plan.id, datetime.now(UTC).date())


def _example(folder: Path) -> None:
    """Copy the worked example."""
    left = shutil.ignore_patterns("*.py", "__pycache__")
    shutil.copytree(_SCAFFOLD, folder, dirs_exist_ok=True, ignore=left)
    shutil.copytree(resource("schema"), folder / "schema")
    for path in below(folder):
        say(path)


COMMANDS = (command,)
