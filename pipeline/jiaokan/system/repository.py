"""Read git repositories with the program ``git``; nothing is checked out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from jiaokan.errors import Message, Place, SourceError
from jiaokan.system.ceiling import run_limited


def is_repository(folder: Path) -> bool:
    """Whether a folder is a git repository, with a work tree or bare."""
    return (folder / ".git").exists() or ((folder / "HEAD").is_file() and (folder / "objects").is_dir())


def branches(folder: Path) -> dict[str, str]:
    """Return the commit of each branch of a repository, also of its remotes; raises SourceError."""
    rows = git(folder, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes").decode()
    commits: dict[str, str] = {}
    for line in rows.splitlines():
        commit, _, name = line.partition(" ")
        short = name.removeprefix("refs/heads/") if name.startswith("refs/heads/") else name.split("/", 3)[-1]
        if short != "HEAD":
            commits.setdefault(short, commit)
    return commits


def texts(folder: Path, commit: str, suffix: str = ".txt") -> Mapping[str, bytes]:
    """Return the files of a commit whose names end in `suffix`, by path; raises SourceError."""
    listed = git(folder, "ls-tree", "-r", "-z", commit).decode(errors="replace").split("\0")
    rows = (line.partition("\t") for line in listed)
    return {path: git(folder, "cat-file", "blob", head.split()[2]) for head, _, path in rows if path.endswith(suffix)}


_SAFE = {
    "core.fsmonitor": "false",  # a command that is asked whenever the index is read
    "core.hooksPath": os.devnull,
    "core.sshCommand": "false", "protocol.allow": "never",
}
"""Settings by which an untrusted repository could make our subcommands run commands."""


def git(folder: Path, *arguments: str, inside: bool = False, data: bytes = b"") -> bytes:
    """Run git on a repository, or with `inside` on the one around a folder; return what it prints.

    All calls of git go through here. `_SAFE` overrides the repository's settings, and nothing is fetched, as a partial
    clone does for missing objects. Filters (`filter.NAME.clean`) cannot be overridden, since the repository chooses
    their names; nor can the settings of submodules. So use no subcommand that looks at the work tree: ``diff``,
    ``status``, ``add``, ``checkout``, ``hash-object`` with a path.

    Raises SourceError if git fails or is not installed.
    """
    home = folder / ".git" if (folder / ".git").exists() else folder
    where = ["-C", str(folder)] if inside else [f"--git-dir={home}"]
    settings = [option for key, value in _SAFE.items() for option in ("-c", f"{key}={value}")]
    environment = {**os.environ, "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0",
                   "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = run_limited(["git", "--no-pager", *where, *settings, *arguments], environment, data)
    except FileNotFoundError:
        raise SourceError(Message("git-not-installed"), place=Place(str(folder)),
                          mend=Message("install-git-branches-give-folder")) from None
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise SourceError(": ".join([Message("git-cannot-read"), *reason]), place=Place(str(folder)))
    return done.stdout
