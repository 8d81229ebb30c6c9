"""`jiaokan completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from pipeline.cli._say import say
from pipeline.errors import JiaokanError


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Example:  jiaokan completion bash >> ~/.bashrc
              jiaokan completion fish > ~/.config/fish/completions/jiaokan.fish
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise JiaokanError(f"click knows no completion for {shell}")
    # `source()` asks bash for its version; the script itself does not depend on it.
    complete = kind(ctx.find_root().command, {}, "jiaokan", "_JIAOKAN_COMPLETE")
    say(complete.source_template % complete.source_vars())


COMMANDS = (command,)
