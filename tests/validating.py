"""Running ``validate`` in this process."""

from __future__ import annotations

from click.testing import CliRunner, Result

from jiaokan.cli import cli


def run(*arguments: str) -> Result:
    """Run ``jiaokan validate``."""
    return CliRunner().invoke(cli, ["validate", *arguments])
