"""Any value for any key of a folder's TOML: a documented exit code, and a refusal that names the file."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

from hypothesis import strategies as st

from tests.test_settings_fuzz import SCAFFOLD, TABLES, VALUES, changed, held

NAME = "settings"


def inputs() -> st.SearchStrategy[str]:
    """One to three changes of one table: as JSON, its name, and key, value and kind of each change."""
    change = st.tuples(st.integers(0, 60), st.one_of(st.sampled_from(VALUES), st.text(max_size=8)),
                       st.sampled_from(["value", "value", "value", "double", "gone", "key"]))
    tables = st.sampled_from([str(path.relative_to(SCAFFOLD)) for path in TABLES])
    return st.tuples(tables, st.lists(change, min_size=1, max_size=3)).map(json.dumps)


def hold(given: str) -> None:
    """The law of `tests.test_settings_fuzz`."""
    name, changes = json.loads(given)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(shutil.copytree(SCAFFOLD, Path(place) / "demo"))
        text = (folder / name).read_text(encoding="utf-8")
        for key, value, where in changes:
            try:
                text = changed(text, key, value, where)
            except ZeroDivisionError:  # no key is left
                break
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        held(folder, Path(name).name)
