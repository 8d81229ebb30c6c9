"""The command `jiaokan`: parse, call, print, exit code; nothing else.

Each module here whose name has no underscore offers `COMMANDS`, found by scanning. The rooms that load Saxon,
Typst or the schema are imported when a command runs, so that `--help` and completion answer at once.
"""

from __future__ import annotations

import errno
import importlib
import pkgutil
import signal
import sys
import traceback
from typing import Any

import click

from pipeline import __version__
from pipeline.cli._say import say
from pipeline.errors import JiaokanError, machine

_EDITION = frozenset({"typst", "pylopdf_fonts_zh_cn", "fontTools", "uharfbuzz", "opencc", "yitizi"})
"""Modules that the extra ``edition`` brings."""


class _Failure(click.ClickException):
    """What could not be done."""

    exit_code = JiaokanError.exit_code

    def show(self, file: Any = None) -> None:  # noqa: ARG002 (the signature is click's)
        say(f"Error: {self.message}", err=True)


class _Group(click.Group):
    """Commands found by scanning; errors told in one place."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except JiaokanError as error:
            raise _Failure(str(error)) from None
        except KeyboardInterrupt:
            raise _Failure("interrupted; every output is whole, the old one or the new one") from None
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except (OSError, RecursionError, MemoryError) as error:
            raise _Failure(str(machine(error))) from None
        except Exception as error:
            if isinstance(error, RuntimeError) and str(error).startswith("Symlink loop"):  # Python before 3.13
                raise _Failure(str(machine(OSError(errno.ELOOP, str(error))))) from None
            if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _EDITION:
                raise _Failure(f"this needs {error.name}, which is not installed\n"
                               "  → pip install 'jiaokan[edition]'; without it `validate` and the like run") from None
            traceback.print_exc()
            raise _Failure(
                f"this is a fault of jiaokan, not of your files ({type(error).__name__})\n"
                f"  → please report the lines above, with the command and what `jiaokan doctor` prints"
            ) from None


@click.group(cls=_Group, epilog="Exit codes: 0 done; 1 there are findings; 2 could not be done.")
@click.version_option(__version__, prog_name="jiaokan")
def cli() -> None:
    """Jiaokan 校勘: from transcriptions of layered Chinese classics to TEI, HTML and print.

    \b
    Start:    jiaokan init demo && jiaokan build demo
    """


def _scan() -> None:
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            for command in importlib.import_module(f"{__name__}.{module.name}").COMMANDS:
                cli.add_command(command)


_scan()


def _ended(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # Windows consoles and LANG=C would refuse Chinese
            stream.reconfigure(encoding="utf-8")
    for name in ("SIGTERM", "SIGHUP"):  # ends as Ctrl-C does: what is half written goes; Windows has no SIGHUP
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _ended)
    cli(prog_name="jiaokan")
