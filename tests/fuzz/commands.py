"""Commands run in this process, and the law that all of them keep: no traceback, a documented exit code."""

from __future__ import annotations

import re

from click.testing import CliRunner

from jiaokan.cli import cli

COMMANDS_OF_A_TERMINAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OF_THE_MACHINE = re.compile(r"\bX[A-Z]{3}\d{4}\b|Saxon|internal error in jiaokan|Traceback \(most")
"""What no person should read of his own file: codes of XSLT and XPath, tracebacks."""


def jiaokan(*arguments: object, typed: str | None = None) -> tuple[int, str, str]:
    """Run a command, with what a person would type; gives its exit code, what it gave and what it said."""
    done = CliRunner().invoke(cli, [str(each) for each in arguments], input=typed)
    line = f"jiaokan {' '.join(str(each) for each in arguments)}\n{done.output}"
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in (0, 1, 2), line
    assert not OF_THE_MACHINE.search(done.stderr), line
    assert not COMMANDS_OF_A_TERMINAL.search(done.stderr), line
    assert done.exit_code != 2 or "Error: " in done.stderr or "Usage: " in done.stderr, line
    return done.exit_code, done.stdout, done.stderr
