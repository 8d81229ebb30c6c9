"""The command `jiaokan`: parse arguments, call the library, print, set the exit code.

`REGISTRY` has what `jiaokan --help` needs; a command's module is imported only when that command runs.
"""

from __future__ import annotations

import errno
import importlib
import signal
import sys
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import click

from pipeline import __version__
from pipeline.cli._terminal import say
from pipeline.errors import JiaokanError, machine

REGISTRY = {
    "accept": ("accept", "Accept a changed source: show changes, update its checksum."),
    "adopt": ("accept", "Turn the choices of a published edition into decisions."),
    "build": ("build", "Build the TEI, website and PDFs of an edition folder."),
    "bundle": ("bundle", "Pack an edition for a repository such as Zenodo (BagIt)."),
    "collate": ("collate", "Collate witnesses into an edition or an apparatus."),
    "completion": ("installation", "Print the completion script of a shell."),
    "convert": ("convert", "Convert one transcription to TEI."),
    "convert-apparatus": ("convert", "Convert an apparatus to another TEI linking method."),
    "desk": ("serve", "Open the editor's desk: the website, to decide in."),
    "doctor": ("installation", "Report what is installed, what is missing, missing glyphs."),
    "docx": ("outputs", "Make a file for word processors from a TEI file."),
    "epub": ("outputs", "Make an e-book from a TEI file."),
    "explain": ("explain", "Explain settings, rules, and why a passage reads as it does."),
    "glyphs": ("candidates", "List lost and damaged characters, with their parallels."),
    "html": ("outputs", "Make a website from TEI files."),
    "import": ("convert", "Convert a Word file whose footnotes are a 校勘記 to TEI."),
    "init": ("init", "Create an edition folder from your texts, or an example."),
    "ledger": ("read", "List what a reader left out of a transcription."),
    "names": ("candidates", "List possible names that are not marked."),
    "pdf": ("outputs", "Make a PDF from a TEI file."),
    "punctuate": ("punctuate", "Propose punctuation, or check the editor's punctuation."),
    "read": ("read", "Print a passage as plain text."),
    "review": ("review", "Review undecided entries, the most important first."),
    "schema": ("installation", "Print, copy or locate the schemas."),
    "serve": ("serve", "Serve the website locally, rebuilt when a file changes."),
    "source": ("read", "Print a transcription as its TEI gives it back."),
    "speakers": ("candidates", "List undeclared names before 曰."),
    "stats": ("stats", "Report agreement of witnesses, variants and comments."),
    "validate": ("validate", "Validate TEI files against schemas and edition rules."),
}
"""The module and the one-line help of each command; tests/test_cli.py compares both with the modules."""
_EDITION = frozenset({"typst", "pylopdf_fonts_zh_cn", "fontTools", "uharfbuzz", "opencc", "yitizi"})
"""Modules that the extra ``edition`` brings."""


def registry() -> dict[str, tuple[str, str]]:
    """Return `REGISTRY` with the outputs that are not in it: a module put into `pipeline.outputs` is a command."""
    found = dict(REGISTRY)
    for path in sorted((Path(__file__).parents[1] / "outputs").glob("[!_]*.py")):
        if path.stem not in found:
            with path.open(encoding="utf-8") as lines:
                found[path.stem] = "outputs", lines.readline().strip().strip('"')
    return found


class _Failure(click.ClickException):
    """A command that could not be completed."""

    exit_code = JiaokanError.exit_code

    def show(self, file: Any = None) -> None:  # noqa: ARG002 (the signature is click's)
        say(f"Error: {self.message}", err=True)


class _Commands(MutableMapping[str, click.Command]):
    """The commands by name. Each is imported when it is looked up, not when names are listed."""

    def __getitem__(self, name: str) -> click.Command:
        module = importlib.import_module(f"{__name__}.{registry()[name][0]}")
        found: dict[str, click.Command] = {command.name: command for command in module.COMMANDS}
        return found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(registry())

    def __len__(self) -> int:
        return len(registry())

    def __setitem__(self, name: str, command: click.Command) -> None:
        raise TypeError("add the command to REGISTRY")

    def __delitem__(self, name: str) -> None:
        raise TypeError("remove the command from REGISTRY")


class _Group(click.Group):
    """The command group: lists commands without importing them, and turns every exception into a message."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their one-line help."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in registry().items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete the name of a command."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name, help=about) for name, (_, about) in registry().items()
                 if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; every exception becomes a message and an exit code."""
        try:
            return super().invoke(ctx)
        except JiaokanError as error:
            raise _Failure(str(error)) from None
        except KeyboardInterrupt:
            raise _Failure("interrupted; every output is complete, either the old or the new version") from None
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except (OSError, RecursionError, MemoryError) as error:
            raise _Failure(str(machine(error))) from None
        except Exception as error:
            raise _failure(error) from None


def _failure(error: Exception) -> _Failure:
    import traceback

    if isinstance(error, RuntimeError) and str(error).startswith("Symlink loop"):  # Python before 3.13
        return _Failure(str(machine(OSError(errno.ELOOP, str(error)))))
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _EDITION:
        return _Failure(f"this command needs {error.name}, which is not installed\n"
                        "  → pip install 'jiaokan[edition]'; `validate` and other commands run without it")
    traceback.print_exception(error)
    return _Failure(f"internal error in jiaokan ({type(error).__name__}); your files are fine\n"
                    "  → please report the lines above, the command, and the output of `jiaokan doctor`")


@click.group(cls=_Group, commands=_Commands(),
             epilog="Exit codes: 0 done; 1 there are findings; 2 could not be done.")
@click.version_option(__version__, prog_name="jiaokan")
def cli() -> None:
    """Jiaokan 校勘: from transcriptions of layered Chinese classics to TEI, HTML and print.

    \b
    Start:    jiaokan init demo && jiaokan build demo
    """


def _exit(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # Windows consoles and LANG=C would refuse Chinese
            stream.reconfigure(encoding="utf-8")
    for name in ("SIGTERM", "SIGHUP"):  # end as Ctrl-C does: half-written files are removed; Windows has no SIGHUP
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _exit)
    cli(prog_name="jiaokan")
