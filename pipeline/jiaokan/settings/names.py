"""Check ids and file names of an edition folder: they become files, folders and addresses on every system."""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

from jiaokan.errors import CatalogError, Message, Place, visible
from jiaokan.system.listing import leads_out

RESERVED = frozenset({
    "assets", "files", "schema", "search", "index", "tei", "pdf", "html", "epub", "docx", "dts", "api", "data", "all",
    "library",
})
"""Names of folders, pages and addresses in the outputs, now or in future; no text may have one."""
TEI_NAMES = frozenset({"notes", "variants", "lists", "bases", "editors", "jiaokan"})
"""``xml:id`` that the TEI header uses: its taxonomies, the editors together, the program."""
TEI_PREFIXES = ("note-", "var-", "list-", "g-", "work-", "person-", "place-", "org-", "basis-")
"""Prefixes of other ``xml:id`` in the TEI header: of classes, lists, characters, cited works, persons, places, states,
and bases of the editor's marks."""
_DEVICES = frozenset({"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)})
"""Names of devices on Windows, with any suffix (Microsoft, “Naming Files, Paths, and Namespaces”): no file can have
one."""
_LONGEST = 64
"""Characters of an id. File systems allow 255 bytes for a name, which layouts and suffixes make longer."""


def check_id(name: str, what: str, place: Place) -> None:
    """Raise CatalogError if an id has an invalid form, or is used by the program, a TEI header or a file system."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_LONGEST]
        example = f": {slug}" if re.match(r"[a-z]", slug) else ""
        raise CatalogError(Message("id-form-invalid", what=what, name=name[:_LONGEST]), place=place,
                           mend=Message("begin-letter-use-z", example=example))
    if len(name) > _LONGEST:
        raise CatalogError(Message("id-characters", what=what, name=name[:12], count=len(name)), place=place,
                           mend=Message("use-most-file-names-every", longest=_LONGEST))
    if windows(name):
        raise CatalogError(Message("id-name-device-windows", what=what, name=name), place=place,
                           mend=Message("choose-another-id"))
    if what in ("source", "edition") and (name in TEI_NAMES or name.startswith(TEI_PREFIXES)):
        raise CatalogError(Message("id-used-tei-header", what=what, name=name), place=place,
                           mend=Message("choose-another-id-not-nor", tei_names=", ".join(sorted(TEI_NAMES)),
                                        tei_prefixes="…, ".join(TEI_PREFIXES)))
    if name in RESERVED and what in ("source", "edition"):
        raise CatalogError(Message("id-used-program", what=what, name=name), place=place,
                           mend=Message("choose-another-id"))


def windows(name: str) -> bool:
    """Whether a file name, with or without suffix, is a device on Windows."""
    return name.partition(".")[0].lower() in _DEVICES


def folder_name(called: str) -> str:
    """Return the name of a folder, and part of an address, for a text with this file name.

    Invisible characters are written out, characters that file systems reject become _, and a reserved name gets a _.
    """
    plain = re.sub(r"^[. ]|[. ]$|[<>:\"/\\|?*\n\t]", "_", visible(called))
    return f"{plain}_" if plain.lower() in RESERVED or windows(plain) or not plain else plain


def file_name(name: str, what: str, place: Place | None) -> str:
    """Return `name`. Raises CatalogError if it is not a plain file name, without folder."""
    if not re.fullmatch(r"[^\x00-\x1f<>:\"/\\|?*]{1,200}", name) or name[0] == "." or name[-1] in ". " or windows(name):
        raise CatalogError(Message("not-plain-name-file", what=what, name=name), place=place,
                           mend=Message("use-name-without-without-dot"))
    return name


_BELOW = 2
"""Levels of folders that are checked behind a link, enough for settings, sources and lists: a link may lead to the
folder that it is in."""


def check_files(root: Path) -> None:
    """Raise CatalogError if anything in the folder ``tei`` of an edition folder, at any depth, is neither a file nor a
    folder, also through links, or a link out of the edition folder."""
    _check_link(root / "tei", root)
    _check_folder(root / "tei", root)


def _check_folder(folder: Path, root: Path, linked: int = 0) -> None:
    """Check the entries of a folder that is `linked` levels behind a link. Reading a pipe would wait forever, reading a
    device never end."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda item: item.name):
            kind = _kind(entry)
            if kind and not stat.S_ISDIR(kind) and not stat.S_ISREG(kind):
                what = Message("link-itself") if stat.S_ISLNK(kind) else Message("neither-file-nor-folder")
                raise CatalogError(what, place=Place(entry.path),
                                   mend=Message("put-file-pipes-devices-not"))
            _check_link(Path(entry), root)
            depth = linked + (linked > 0 or entry.is_symlink())
            if stat.S_ISDIR(kind) and depth <= _BELOW:
                _check_folder(Path(entry), root, depth)


def _check_link(path: Path, root: Path) -> None:
    if leads_out(path, root):
        raise CatalogError(Message("link-leads-out-edition-folder"), place=Place(str(path)),
                           mend=Message("put-copy-file-folder-instead"))


def _kind(entry: os.DirEntry[str]) -> int:
    """Return the file type that a name leads to, as in `stat`: S_IFLNK for a circular link, 0 for a broken one."""
    try:
        if not entry.is_symlink() and (entry.is_dir() or entry.is_file()):  # known without another system call
            return stat.S_IFDIR if entry.is_dir() else stat.S_IFREG
        return entry.stat().st_mode
    except OSError as error:
        return stat.S_IFLNK if error.errno == errno.ELOOP else 0
