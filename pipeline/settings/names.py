"""Names that an edition folder can give: ids become names of files, folders and addresses on every system."""

from __future__ import annotations

import re

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
