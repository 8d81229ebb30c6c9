"""The command `jiaokan`: parse arguments, call the library, print, set the exit code.

`commands.tsv` has what `jiaokan --help` needs; a command's module is imported only when that command runs.
"""

from __future__ import annotations

import copy
import errno
import importlib
import inspect
import os
import shlex
import signal
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from jiaokan import __version__
from jiaokan.cli._terminal import language, say, worded
from jiaokan.errors import JiaokanError, machine

GROUPS = {
    "begin": ("Begin", "开始"), "build": ("Build", "生成"), "decide": ("Decide", "裁定"), "check": ("Check", "检查"),
    "exchange": ("Exchange", "交换"), "inspect": ("Inspect", "查看"),
}
"""The groups of `jiaokan --help`, with their titles in English and Chinese."""
_WIDTH = 60
"""Characters in a line of Chinese help: click counts each as one column, and it has two; options have one."""


class CommandRow(NamedTuple):
    """A command in `jiaokan --help`."""

    group: str
    module: str
    english: str
    chinese: str


@cache
def registry() -> dict[str, CommandRow]:
    """Return the commands: those of `commands.tsv`, and the outputs that are not in it, each by the first line of its
    module, since a module put into `jiaokan.outputs` is a command."""
    here = Path(__file__).parent
    lines = (here / "commands.tsv").read_text(encoding="utf-8").splitlines()[1:]
    found = {name: CommandRow(group, *row) for group, name, *row in (line.split("\t") for line in lines)}
    for path in sorted((here.parent / "outputs").glob("[!_]*.py")):
        if path.stem not in found:
            about = path.read_text(encoding="utf-8").partition("\n")[0].strip('"')
            found[path.stem] = CommandRow("build", "outputs", about, about)
    return found


Command = TypeVar("Command", bound=click.Command)


class _Failure(click.ClickException):
    """A command that could not be completed."""

    exit_code = JiaokanError.exit_code

    def show(self, file: Any = None) -> None:  # noqa: ARG002 (the signature is click's)
        say(f"Error: {self.message}", err=True)


class _Misuse(_Failure):
    """A command line that is not understood."""

    def show(self, file: Any = None) -> None:  # noqa: ARG002 (the signature is click's)
        say(self.message, err=True)


class _Group(click.Group):
    """The command group: imports a command when it is run, and turns every exception into a message. `commands` has
    only the names, from which click suggests one."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (the signatures are click's)
        """Return the names of the commands."""
        return list(registry())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command; None for an unknown name."""
        if cmd_name not in (known := registry()):
            return None
        module = importlib.import_module(f"{__name__}.{known[cmd_name].module}")
        commands: tuple[click.Command, ...] = module.COMMANDS
        found = next(each for each in commands if each.name == cmd_name)
        return _in_chinese(found, known[cmd_name].chinese) if language() == "zh" else found

    def get_help(self, ctx: click.Context) -> str:
        """Return the help in the language of the machine."""
        if language() == "en":
            return super().get_help(ctx)
        _, mark, start = inspect.cleandoc(self.help or "").partition("\b\n")
        words = f"校勘 Jiaokan：由历代经典的录文，做出 TEI、网页和印本。\n\n{mark}{start}"
        return worded(super(_Group, _with_help(self, words)).get_help(ctx))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands by group with their whole one-line help, in the language of the machine."""
        column = int(language() == "zh")
        for group, titles in GROUPS.items():
            with formatter.section(titles[column]):
                rows = [(name, each.chinese if column else each.english) for name, each in registry().items()
                        if each.group == group]
                formatter.write_dl(rows, col_max=12)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete the name of a command."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name, help=each.english) for name, each in registry().items()
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
        except click.UsageError as error:
            at = error.ctx or ctx
            raise _Misuse(f"{at.get_usage()}\nTry '{at.command_path} --help' for help.\n\n"
                          f"Error: {error.format_message()}") from None
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except (OSError, RecursionError, MemoryError) as error:
            raise _Failure(str(machine(error))) from None
        except Exception as error:
            raise _failure(error) from None


def _in_chinese(command: click.Command, first: str) -> click.Command:
    """Return a command with the Chinese help; the examples stay."""
    from jiaokan.system.wording import chinese, table

    _, mark, examples = inspect.cleandoc(command.help or "").partition("\b\nExample:")
    made = _with_help(command, f"{first}。\n\n{table()['help'].get(command.name or '', '')}\n\n{mark}{examples}")
    made.context_settings = {**command.context_settings, "terminal_width": _WIDTH}
    made.get_help = lambda ctx: chinese(type(made).get_help(made, ctx))  # type: ignore[method-assign]  # click's words
    return made


def _with_help(command: Command, words: str) -> Command:
    """Return a copy of a command with this help and that of its options in the language of the environment."""
    made = copy.copy(command)
    made.help, made.params = words, [copy.copy(each) for each in command.params]
    for option in made.params:
        if isinstance(option, click.Option) and option.help:
            option.help = worded(option.help)
    return made


def _failure(error: Exception) -> _Failure:
    import traceback

    if isinstance(error, RuntimeError) and str(error).startswith("Symlink loop"):  # Python before 3.13
        return _Failure(str(machine(OSError(errno.ELOOP, str(error)))))
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("jiaokan"):
        return _Failure(f"this command needs {error.name}, which is not installed\n  → pip install jiaokan")
    traceback.print_exception(error)
    return _Failure(f"internal error in jiaokan ({type(error).__name__}); your files are fine\n"
                    "  → please report the lines above, the command, and the output of `jiaokan doctor`")


def _speak(_context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value:
        os.environ["JIAOKAN_LANG"] = value


@click.group(cls=_Group, epilog="Exit codes: 0 done; 1 there are findings; 2 could not be done.",
             invoke_without_command=True, commands={name: click.Command(name) for name in registry()})
@click.version_option(__version__, prog_name="jiaokan")
@click.option("--lang", type=click.Choice(["en", "zh"]), is_eager=True, expose_value=False, callback=_speak,
              help="Language of messages (default: the machine's).")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Jiaokan 校勘: from transcriptions of layered Chinese classics to TEI, HTML and print.

    \b
    Start:    jiaokan init demo && jiaokan build demo
    """
    if ctx.invoked_subcommand is None:
        say("\n".join(next_steps(Path.cwd(), language())))


_NEXT = {
    "texts": ("Make an edition of the texts here:", "由这里的文本新建整理文件夹："),
    "none": ("No texts and no edition here. Make one of your texts (in the browser, or here), or try the example:",
             "这里没有文本，也没有整理文件夹。可由您的文本新建（在浏览器中，或在这里），或先试示例："),
    "unbuilt": ("Build the edition:", "生成全部成品："),
    "built": ("Open the website, decide what is open, and build again:", "打开网站，裁定未定之处，再生成一次："),
    "all": ("All commands: jiaokan --help", "全部命令：jiaokan --help"),
}


def next_steps(here: Path, lang: str) -> list[str]:
    """Return what to do next in a folder, as lines: what it has, the commands, and how to see all commands."""
    home = next((each for each in (here, *here.parents) if (each / "tei" / "catalog.toml").exists()), None)
    texts = sorted(each.name for each in here.glob("*") if each.suffix in (".txt", ".md", ".xml", ".html"))
    if home is not None and (page := home / "build" / "html" / "index.html").exists():
        state, steps = "built", [str(page), f"jiaokan desk {home}", f"jiaokan build {home}"]
    elif home is not None:
        state, steps = "unbuilt", [f"jiaokan build {home}"]
    elif texts:
        names = " ".join(shlex.quote(each) for each in texts[:6])
        state, steps = "texts", [f"jiaokan init edition --from {names} && jiaokan build edition"]
    else:
        state, steps = "none", ["jiaokan desk", "jiaokan init edition --from FILE … && jiaokan build edition",
                                "jiaokan init demo && jiaokan build demo"]
    column = int(lang == "zh")
    return [_NEXT[state][column], *(f"  {step}" for step in steps), _NEXT["all"][column]]


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
