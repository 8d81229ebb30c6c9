"""Which files of the program a stage runs: what its modules import, and what those import, wherever they do."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pipeline.build.stages import ALWAYS, STAGES
from pipeline.errors import JiaokanError
from pipeline.system.listing import below
from pipeline.system.resources import resource
from pipeline.system.store import Store, cache_folder, fingerprint, program

PACKAGE = Path(__file__).parents[1]
_STAGES = {stage.name: stage for stage in STAGES}
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(pipeline[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+(pipeline[\w.]*))",
    re.MULTILINE,
)


def files(seeds: Iterable[str]) -> list[tuple[str, Path]]:
    """Give names and paths of all files that decide what some parts of the program do, in a fixed order.

    A seed is a module or a folder of the package, or a folder of resources such as ``data/xslt``. The tables that
    lie beside a module count as the module's.
    """
    found: set[Path] = set()
    todo = [path for seed in seeds for path in _start(seed)]
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            if path.suffix == ".py" and path != PACKAGE / "__init__.py":  # it only names the API
                todo += [*_imported(path), *_tables(path.parent)]
                todo += [folder / "__init__.py" for folder in path.parents if folder.is_relative_to(PACKAGE)]
    return sorted((path.relative_to(_root(path)).as_posix(), path) for path in found)


def _start(seed: str) -> list[Path]:
    path = resource(seed.removeprefix("data/")) if seed.startswith("data/") else PACKAGE / seed
    inside = below(path) if path.is_dir() else (path,)
    return [each for each in inside if each.is_file() and "__pycache__" not in each.parts]


def _root(path: Path) -> Path:
    return PACKAGE if path.is_relative_to(PACKAGE) else PACKAGE.parent


@cache
def _imported(path: Path) -> tuple[Path, ...]:
    """Give the files of the modules that a module imports."""
    names: set[str] = set()
    for module, what, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
        names.add(module or plain)
        names |= {f"{module}.{name.split()[0]}" for name in re.split(r"[,()\n]", what) if name.strip()}
    paths = [PACKAGE.parent.joinpath(*name.split(".")) for name in names]
    files = [file for path in paths for file in (path.with_suffix(".py"), path / "__init__.py")]
    return tuple(sorted(filter(Path.is_file, files)))


@cache
def _tables(folder: Path) -> tuple[Path, ...]:
    """Give the data that lie beside the modules of a folder of the package."""
    if folder == PACKAGE:
        return ()
    return tuple(path for path in folder.iterdir() if path.is_file() and path.suffix not in (".py", ".pyc"))


@cache
def program_of(stage: str) -> str:
    """Return a hash of the program's files and packages that a stage runs, from the cache if the program is unchanged.

    Raises JiaokanError for a package that is not installed.
    """
    cached = Store(cache_folder("program"))
    if (found := cached.get(stage, program(), str)) is None:
        found = _hash_program(stage)
        cached.put(stage, program(), found)
    return found


def _hash_program(stage: str) -> str:
    digest = hashlib.sha256()
    for name, path in files((*ALWAYS, *_STAGES[stage].program)):
        digest.update(f"{name} {fingerprint(path)}\n".encode())
    digest.update((PACKAGE / "build" / "work.py").read_bytes())  # imports the rooms of all stages: not followed
    for package in _STAGES[stage].packages:
        digest.update(f"{package} {_version(package)}\n".encode())
    return digest.hexdigest()


def _version(package: str) -> str:
    import importlib.metadata  # slow to import, and most builds find the hash in the cache

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise JiaokanError(f"the package {package} is not installed", mend="install jiaokan again") from None
