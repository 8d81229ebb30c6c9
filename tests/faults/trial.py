"""One fault: a build that meets it, what it left, and the build after it."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

from tests.faults import Shim
from tests.faults.stand import Ended, Stand, build, files

TWO = ("--jobs", "2")


def faults_of(stand: Stand, shim: Shim, options: tuple[str, ...], home: Path) -> list[str]:
    """Return what was not as it must be, each as a line; none if all was."""
    with tempfile.TemporaryDirectory(dir=home) as folder:
        trial, aside = stand.copy(Path(folder) / "demo"), Path(folder) / "aside"
        aside.mkdir()
        ended = build(trial, shim, *options, temporary=aside)
        where = ended.points[shim.at - 1] if len(ended.points) >= shim.at else "not reached"
        found = [*_said(stand, trial, ended), *stand.torn(trial, ended), *_left(trial, aside, where)]
        shutil.rmtree(aside)
        left = _state(trial)
        if not found and left in stand.mended:
            return []
        after = build(trial)
        if after.code:
            found.append(f"the next build ended with {after.code}: {after.said[-1500:]}")
        found += [f"not healed: {name}" for name in stand.healed(trial)[:5]]
        found += _left(trial, aside, "")
        if not found:
            stand.mended.add(left)
        return [where.replace(folder, "…"), f"ended with {ended.code}", *found] if found else []


def _state(folder: Path) -> str:
    """Return the sum of all files of a folder with their names: what the next build begins with."""
    made = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        made.update(f"{path.relative_to(folder)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return made.hexdigest()


def _said(stand: Stand, trial: Path, ended: Ended) -> list[str]:
    """Check how the build ended: 0 has made everything, 1 says which output is missing, 2 says what and why."""
    said = ended.said
    if "Traceback (most" in said or "internal error in jiaokan" in said or "Exception ignored" in said:
        return [f"a traceback: {said[-3000:]}"]
    if ended.code == 0:
        return [] if files(trial) == stand.after else ["it says that all is done, and it is not"]
    if ended.code == 1:
        return [] if "was not made" in said else [f"1, and nothing says which output is missing: {said[-1500:]}"]
    return [] if ended.code == 2 and "Error: " in said else [f"no documented end: {ended.code} {said[-1500:]}"]


def _left(trial: Path, aside: Path, where: str) -> list[str]:
    """Check that nothing half made lies about, unless it was the removal that the system refused."""
    if where.split()[0:1] in (["unlink"], ["rmdir"], ["remove"], ["scandir"], ["look"]):
        return []
    left = [path for path in (*trial.rglob("*.part"), *aside.rglob("*")) if path.exists()]
    return [f"left aside: {path.name}" for path in left[:3]]
