"""Arguments that are files: a path, or the id of a text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jiaokan.api.inputs import files_by_id
from jiaokan.cli._folder import given_folder


class _TextFile(click.Path):
    """A path. The id of a text of the edition folder, where no file has that name, is the path of its TEI."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; a usage error for a folder where only a file will do."""
        path = Path(value)
        taken = path.exists() if self.dir_okay else path.is_file()
        if not taken and path.name == str(path):
            value = files_by_id(given_folder(ctx)).get(path.name, value)
        return super().convert(value, param, ctx)


TEXT_PATH = _TextFile(path_type=Path)
TEXT_FILE = _TextFile(path_type=Path, dir_okay=False)
