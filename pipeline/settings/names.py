"""Names that an edition folder can give: ids become names of files, folders and addresses on every system."""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

from pipeline.errors import CatalogError, Place
from pipeline.system.shown import visible

RESERVED = frozenset({
    "assets", "files", "schema", "search", "index", "tei", "pdf", "html", "epub", "docx", "dts", "api", "data", "all",
    "library",
})
"""What the program itself calls a folder, a page or an address of its outputs, or may: no text is called so."""
TEI_NAMES = frozenset({"notes", "variants", "lists", "bases", "editors", "jiaokan"})
"""``xml:id`` that a header of ours has for itself: its taxonomies, the editors together, the program."""
TEI_PREFIXES = ("note-", "var-", "list-", "g-", "work-", "person-", "place-", "org-", "basis-")
"""How further ``xml:id`` of a header begin: those of classes, lists, characters, cited works, persons,
places, states, and of what the editor's marks rest on."""
_DEVICES = frozenset({"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)})
"""What Windows takes for a device, whatever follows the first dot (Microsoft, “Naming Files, Paths, and
Namespaces”): no file can be called so there."""
_LONGEST = 64
"""Characters of an id. File systems take 255 bytes of a name, to which layouts, endings and marks are added."""


def check_id(name: str, what: str, place: Place) -> None:
    """Raise CatalogError for an id that is no name, or one that this program or a file system keeps for itself."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise CatalogError(f"{what} id {name[:_LONGEST]!r} is not of the form a-z0-9-", place=place,
                           mend=f"begin with a letter, go on with a-z, 0-9 and -{_slug(name)}")
    if len(name) > _LONGEST:
        raise CatalogError(f"{what} id {name[:12]}… has {len(name)} characters", place=place,
                           mend=f"at most {_LONGEST} make a file name everywhere")
    if windows(name):
        raise CatalogError(f"{what} cannot be called {name!r}: Windows keeps the name for a device", place=place,
                           mend="name it otherwise")
    if what in ("source", "edition") and (name in TEI_NAMES or name.startswith(TEI_PREFIXES)):
        raise CatalogError(f"{what} cannot be called {name!r}: a TEI header uses the name", place=place,
                           mend=f"name it otherwise: not {', '.join(sorted(TEI_NAMES))}, nor "
                                f"{'…, '.join(TEI_PREFIXES)}…")
    if name in RESERVED and what in ("source", "edition"):
        raise CatalogError(f"{what} cannot be called {name!r}: the program uses the name", place=place,
                           mend="name it otherwise")


def _slug(name: str) -> str:
    """Suggest an id that is like a name: ``: yi-shu``; nothing where none is."""
    made = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_LONGEST]
    return f": {made}" if re.match(r"[a-z]", made) else ""


def windows(name: str) -> bool:
    """Tell whether Windows takes a file's name, with or without ending, for a device."""
    return name.partition(".")[0].lower() in _DEVICES


def folder_name(called: str) -> str:
    """Give the name of a folder, and part of an address, for a text whose file is called so: what no system takes, or
    what shows as something else, is written out; what the program or Windows has for itself gets a sign more."""
    plain = re.sub(r"^[. ]|[. ]$|[<>:\"/\\|?*\n\t]", "_", visible(called))
    return f"{plain}_" if plain.lower() in RESERVED or windows(plain) or not plain else plain


def file_name(name: str, what: str, place: Place) -> str:
    """Give `name` back if it is the plain name of a file, in no other folder; raises CatalogError if it is not."""
    if not re.fullmatch(r"[^\x00-\x1f<>:\"/\\|?*]{1,200}", name) or name[0] == "." or name[-1] in ". " or windows(name):
        raise CatalogError(f"{what} {name!r} is not the plain name of a file", place=place,
                           mend="a name without /, \\, :, and without a dot at its beginning or end")
    return name


_BELOW = 2
"""So many folders deep is looked behind a link to a folder: where settings, sources and lists are read from. A link may
lead to the whole disk."""


def hold_files(folder: Path, linked: int = 0) -> None:
    """Raise CatalogError for what is, in a folder and those in it, neither a file nor a folder, by links too: a pipe
    would be waited for, a device read without end. `linked`: how far behind a link the folder is."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            kind = _kind(entry)
            if stat.S_ISDIR(kind):
                depth = linked + (linked > 0 or entry.is_symlink())
                if depth <= _BELOW:
                    hold_files(Path(entry), depth)
            elif kind and not stat.S_ISREG(kind):
                what = "a link that leads to itself" if stat.S_ISLNK(kind) else "neither a file nor a folder"
                raise CatalogError(f"it is {what}", place=Place(entry.path),
                                   mend="put a file there: a pipe or a device is not read")


def _kind(entry: os.DirEntry[str]) -> int:
    """Give what a name leads to, as `stat` has it: a link, if it leads in a circle, 0 if it leads nowhere."""
    try:
        if not entry.is_symlink() and (entry.is_dir() or entry.is_file()):  # known without asking the disk again
            return stat.S_IFDIR if entry.is_dir() else stat.S_IFREG
        return entry.stat().st_mode
    except OSError as error:
        return stat.S_IFLNK if error.errno == errno.ELOOP else 0
