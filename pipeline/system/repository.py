"""What the branches of a git repository hold, read by the program ``git``; nothing is checked out."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from pipeline.errors import Place, SourceError


def is_repository(folder: Path) -> bool:
    """Tell whether a folder is a git repository, with a work tree or bare."""
    return (folder / ".git").exists() or ((folder / "HEAD").is_file() and (folder / "objects").is_dir())


def branches(folder: Path) -> dict[str, str]:
    """Give the branches of a repository, those of its remote too, each with its commit; raises SourceError."""
    said = _git(folder, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes").decode()
    found: dict[str, str] = {}
    for line in said.splitlines():
        commit, _, name = line.partition(" ")
        short = name.removeprefix("refs/heads/") if name.startswith("refs/heads/") else name.split("/", 3)[-1]
        if short != "HEAD":
            found.setdefault(short, commit)
    return found


def texts(folder: Path, commit: str, suffix: str = ".txt") -> Mapping[str, bytes]:
    """Give the files of a commit whose names end so, by their paths; raises SourceError."""
    listed = _git(folder, "ls-tree", "-r", "-z", commit).decode(errors="replace").split("\0")
    rows = (line.partition("\t") for line in listed)
    return {path: _git(folder, "cat-file", "blob", head.split()[2]) for head, _, path in rows if path.endswith(suffix)}


def _git(folder: Path, *arguments: str) -> bytes:
    """Ask git; these commands run no hook and no program of the repository's settings."""
    home = folder / ".git" if (folder / ".git").exists() else folder
    try:
        done = subprocess.run(["git", "--no-pager", f"--git-dir={home}", *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        raise SourceError("git is not installed, so that the branches of a repository cannot be read",
                          place=Place(str(folder)), mend="install git, or give a folder for each branch") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise SourceError(f"git cannot read it: {''.join(said)}", place=Place(str(folder)))
    return done.stdout
