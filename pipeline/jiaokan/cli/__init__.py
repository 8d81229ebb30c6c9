"""The command `jiaokan`: parse arguments, call the library, print, set the exit code.

In come the arguments of a command; out go printed lines and an exit code. Read first `_folder` (what commands share),
`_terminal` (how findings and progress are printed) and `validate` (a command as most are).

`commands.tsv` has what `jiaokan --help` needs; a command's module is imported only when that command runs.
"""

from __future__ import annotations

import copy
import errno
import importlib
import inspect
import shlex
import signal
import sys
from contextvars import copy_context
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from jiaokan import __version__, messages
from jiaokan.cli._terminal import choose_language, language, say, word_message
from jiaokan.errors import JiaokanError, Message, TeiError, join_messages, machine, nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GROUPS = ("begin", "build", "decide", "check", "exchange", "inspect")
"""The groups of `jiaokan --help`; their titles are the messages group-NAME."""
_WIDTH = 60
"""Characters in a line of Chinese help: click counts each as one column, and it has two; options have one."""


class _Choice(click.Choice[str]):
    """A choice that names the value nearest to a wrong one."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the value; a usage error for one that is no choice."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            if near := nearest(value, self.choices):
                meant = word_message(Message("click-did-you-mean", possibility=repr(near)))
                self.fail(f"{error.message} {meant}", param, ctx)
            raise


class CommandRow(NamedTuple):
    """A command in `jiaokan --help`."""

    group: str
    module: str
    about: Message
    """Its line in `jiaokan --help`."""


@cache
def registry() -> dict[str, CommandRow]:
    """Return the commands: those of `commands.tsv`, and the outputs that are not in it, each by the first line of its
    module, since a module put into `jiaokan.outputs` is a command."""
    here = Path(__file__).parent
    lines = (here / "commands.tsv").read_text(encoding="utf-8").splitlines()[1:]
    commands = {name: CommandRow(group, module, Message(f"command-{name}"))
                for group, name, module in (line.split("\t") for line in lines)}
    for path in sorted((here.parent / "outputs").glob("[!_]*.py")):
        if path.stem not in commands:
            about = path.read_text(encoding="utf-8").partition("\n")[0].strip('"')
            commands[path.stem] = CommandRow("build", "outputs", Message.of(about))
    return commands


Command = TypeVar("Command", bound=click.Command)


def _explain_error(error: JiaokanError) -> JiaokanError:
    """Return an error; one of libxml2 with the words and the remedy that `validate` has for it."""
    if not isinstance(error, TeiError):
        return error
    from jiaokan.tei.tree import NOT_WELL_FORMED
    from jiaokan.validate.schema.jiaokan import explain

    if Message.of(error.message).id != NOT_WELL_FORMED:
        return error
    place, message, mend = explain(error, error.place.file if error.place else "")
    return TeiError(message, place=place, mend=mend)


class _Failure(click.ClickException):
    """A command that could not be completed."""

    exit_code = JiaokanError.exit_code

    def show(self, file: object = None) -> None:  # noqa: ARG002 (the signature is click's)
        say(Message("error-head", message=self.message), err=True)


class _Misuse(_Failure):
    """A command line that is not understood."""

    def show(self, file: object = None) -> None:  # noqa: ARG002 (the signature is click's)
        say(self.message, err=True)


class _Group(click.Group):
    """The command group: imports a command when it is run, and turns every exception into a message. `commands` has
    only the names, from which click suggests one."""

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Run the command line; click words its own messages from our catalogue."""
        _translate_click()
        return copy_context().run(super().main, *arguments, **settings)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (the signatures are click's)
        """Return the names of the commands."""
        return list(registry())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command; None for an unknown name."""
        if cmd_name not in (known := registry()):
            return None
        module = importlib.import_module(f"{__name__}.{known[cmd_name].module}")
        commands: tuple[click.Command, ...] = module.COMMANDS
        matching = next(candidate for candidate in commands if candidate.name == cmd_name)
        return _translate_help(matching, known[cmd_name].about)

    def get_help(self, ctx: click.Context) -> str:
        """Return the help in the language of the machine."""
        _, mark, start = inspect.cleandoc(self.help or "").partition("\b\nStart:")
        words = f"{_words('jiaokan-about')}\n\n{mark and chr(8)}\n{_words('label-start')}{start}"
        group = _with_help(self, words)
        group.epilog = _words("exit-codes")
        return super(_Group, group).get_help(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands by group with their whole one-line help, in the language of the machine."""
        for group in GROUPS:
            with formatter.section(_words(f"group-{group}")):
                rows = [(name, word_message(command_row.about)) for name, command_row in registry().items()
                        if command_row.group == group]
                formatter.write_dl(rows, col_max=12)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command."""
        from click.shell_completion import CompletionItem

        completions = [
            CompletionItem(name, help=word_message(command_row.about)) for name, command_row in registry().items()
            if name.startswith(incomplete)
        ]
        return [*completions, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; every exception becomes a message and an exit code."""
        try:
            return super().invoke(ctx)
        except JiaokanError as error:
            raise _Failure(_explain_error(error).whole) from None
        except KeyboardInterrupt:
            raise _Failure(Message("interrupted-every-output-complete-either")) from None
        except click.UsageError as error:
            at = error.ctx or ctx
            raise _Misuse(Message("misuse", usage=at.get_usage(), command=at.command_path,
                                  message=error.format_message())) from None
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except (OSError, RecursionError, MemoryError) as error:
            raise _Failure(machine(error).whole) from None
        except Exception as error:
            raise _failure(error) from None


def _words(identifier: str) -> str:
    return word_message(Message(identifier))


def _translate_help(command: click.Command, about: Message) -> click.Command:
    """Return a command with its help in the language of the environment; the examples stay."""
    _, mark, examples = inspect.cleandoc(command.help or "").partition("\b\nExample:")
    body = f"help-{command.name}"
    parts = [word_message(about), *([_words(body)] if messages.has(body) else ()),
             *([f"\b\n{_words('label-example')}{examples}"] if mark else ())]
    translated = _with_help(command, "\n\n".join(parts))
    if not word_message(about).isascii():
        translated.context_settings = {**command.context_settings, "terminal_width": _WIDTH}
    return translated


def _with_help(command: Command, words: str) -> Command:
    """Return a copy of a command with this help, and with that of its options in the language of the environment."""
    translated = copy.copy(command)
    translated.help, translated.params = words, [copy.copy(parameter) for parameter in command.params]
    translated._help_option = None  # click keeps its own in the language of the first use
    for option in translated.params:
        if isinstance(option, click.Option) and option.help and messages.has(option.help):
            option.help = _words(option.help)
        if isinstance(option.type, click.Choice):
            option.type = _Choice(option.type.choices, option.type.case_sensitive)
    return translated


class _Template(str):
    """A translated template of click, which words what click puts into it, too: our messages and click's own names of
    types, which click itself leaves in English."""

    __slots__ = ()

    def format(self, *values: object, **named: object) -> str:
        """Fill in the values."""
        for kind in ("number_type", *(("name",) if "filename" in named else ())):
            lower = str(named.get(kind, "")).lower()
            if (translated := _translate_template(lower)) != lower:
                named[kind] = translated
        return super().format(*values, **{
            key: word_message(value) if isinstance(value, Message) else value for key, value in named.items()})


def _translate_template(template: str) -> str:
    identifier = messages.id_of(template, "click-")
    return _Template(messages.wording(identifier, language()) if identifier else template)


def _translate_click() -> None:
    """Give click the catalogue: it words its own messages by gettext, and takes the template from a module's `_`."""

    def plural(singular: str, other: str, count: int) -> str:
        return _translate_template(singular if count == 1 else other)

    for name in ("core", "decorators", "exceptions", "formatting", "parser", "termui", "types"):
        module = importlib.import_module(f"click.{name}")
        for attribute, function in (("_", _translate_template), ("ngettext", plural)):
            if hasattr(module, attribute):
                setattr(module, attribute, function)


def _failure(error: Exception) -> _Failure:
    import traceback

    if isinstance(error, RuntimeError) and str(error).startswith("Symlink loop"):  # Python before 3.13
        return _Failure(machine(OSError(errno.ELOOP, str(error))).whole)
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("jiaokan"):
        return _Failure(Message("the-command-needs-not-installed-pip", error=error.name))
    traceback.print_exception(error)
    return _Failure(Message("internal-error-jiaokan-files-fine", name=type(error).__name__))


def _choose_language(_context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value:
        choose_language(value)


@click.group(cls=_Group, invoke_without_command=True, commands={name: click.Command(name) for name in registry()})
@click.version_option(__version__, prog_name="jiaokan", help="option-version")
@click.option("--lang", type=click.Choice(messages.languages()), is_eager=True, expose_value=False,
              callback=_choose_language, help="option-init-lang")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Jiaokan 校勘: from transcriptions of layered Chinese classics to TEI, HTML and print.

    \b
    Start:    jiaokan init demo && jiaokan build demo
    """
    if ctx.invoked_subcommand is None:
        say(join_messages("list-lines", next_steps(Path.cwd())))


def next_steps(here: Path) -> list[Message]:
    """Return what to do next in a folder, as lines: what it has, the commands, and how to see all commands."""
    home = next((parent for parent in (here, *here.parents) if (parent / "tei" / "catalog.toml").exists()), None)
    texts = sorted(path.name for path in here.glob("*") if path.suffix in (".txt", ".md", ".xml", ".html"))
    if home is not None and (page := home / "build" / "html" / "index.html").exists():
        state, steps = "built", [str(page), f"jiaokan desk {home}", f"jiaokan build {home}"]
    elif home is not None:
        state, steps = "unbuilt", [f"jiaokan build {home}"]
    elif texts:
        names = " ".join(shlex.quote(name) for name in texts[:6])
        state, steps = "texts", [f"jiaokan init edition --from {names} && jiaokan build edition"]
    else:
        state, steps = "none", ["jiaokan desk", "jiaokan init edition --from FILE … && jiaokan build edition",
                                "jiaokan init demo && jiaokan build demo"]
    return [Message(f"next-{state}"), *(Message.of(f"  {step}") for step in steps), Message("next-all")]


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
    modules: dict[str, Any] = sys.modules
    modules.setdefault("rnc2rng", None)  # lxml would import it, which takes twice as long as lxml itself
    cli(prog_name="jiaokan")
