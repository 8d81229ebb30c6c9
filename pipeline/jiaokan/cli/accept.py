"""`jiaokan accept`, `adopt`, `bundle`: a changed source, a published edition, an edition to publish."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from jiaokan.cli._folder import FOLDER, folder_option, load, show, text_names
from jiaokan.cli._terminal import say
from jiaokan.errors import CatalogError, Place

_MOST = 20
"""How many changes are printed."""
_WIDE = 60
"""How many characters of each side of a change are printed."""


@click.command("accept")
@click.argument("source", shell_complete=text_names)
@click.option("--dry", is_flag=True, help="Only show the changes.")
@folder_option
def accept(source: str, dry: bool, folder: Path) -> None:
    """Accept a changed source: show changes, update its checksum.

    SOURCE is the id of a source. Only its sha256 in the catalog is changed. The changes are found by comparing with
    the TEI of the last build; if there is none, only the new size is shown.

    \b
    Example:  jiaokan accept jijie
    """
    from jiaokan.editions import witness as accepting

    catalog = load(folder)
    entry = catalog.source(source)
    found = accepting.changed(entry, catalog)
    if found.sha256 == entry.sha256:
        say(f"{entry.file}: matches the catalog; nothing to accept")
        return
    before = f"{found.were:,} → " if found.were else ""
    say(f"{entry.file}: {found.lines:,} lines, {before}{found.characters:,} characters, "
        + (f"{len(found.changes)} changes" if found.were else "no earlier TEI to compare with"))
    for each in found.changes[:_MOST]:
        say(f"  line {each.line}")
        say(f"    - {_shorten(each.before)}")
        say(f"    + {_shorten(each.after)}")
    if len(found.changes) > _MOST:
        say(f"  … and {len(found.changes) - _MOST} more")
    if not dry:
        path = accepting.accept(entry, catalog, found.sha256)
        say(f"{path}: sha256 of {entry.id} is now {found.sha256}")


def _shorten(text: str) -> str:
    return (f"{text[:_WIDE]}… ({len(text)} characters)" if len(text) > _WIDE else text) or "∅"


@click.command("adopt")
@click.argument("edition", required=False, shell_complete=text_names)
@folder_option
def adopt(edition: str | None, folder: Path) -> None:
    """Turn the choices of a published edition into decisions.

    EDITION (default: the first critical edition) must have the sources of the published edition as witnesses;
    `init --from EDITION.xml` makes such a folder and runs this command. The witnesses are collated. Wherever the
    published edition differs from the base text, a decision is written to tei/decisions/lemmas-ID.toml, so that its
    text stays the same when a witness is added. Choices that no decision can express are listed.

    \b
    Example:  jiaokan adopt lunyu
    """
    from jiaokan.desk.begin import adopted

    catalog = load(folder)
    wanted = edition or next((each.id for each in catalog.editions.values() if each.kind == "critical"), "")
    if wanted not in catalog.editions:
        raise CatalogError(f"no critical edition is called {wanted!r}" if wanted else "there is no critical edition",
                           place=Place(str(catalog.root / "tei" / "editions")))
    for each in adopted(catalog, wanted, datetime.now(UTC).date()):
        say(each)


@click.command("bundle")
@click.argument("edition", default="", shell_complete=text_names)
@click.option("-o", "--out", type=click.Path(path_type=Path),
              help="The bag: NAME.zip, or a folder (default: build/bundle/NAME.zip).")
@click.option("--built", type=FOLDER,
              help="Outputs of the build (default: build/ in the edition folder).")
@folder_option
def bundle(edition: str, out: Path | None, built: Path | None, folder: Path) -> None:
    """Pack an edition for a repository such as Zenodo (BagIt).

    EDITION is the id of an edition (default: the whole folder). The bag (BagIt 1.0, RFC 8493) contains the TEI, the
    schema, settings and decisions, the sources if their licence allows copies (else their checksums), website and PDFs
    if they are built, CITATION.cff, metadata for Zenodo and DataCite, and a README. The same edition gives the same
    bytes. To have the DOI in the TEI: reserve it at the repository, write doi = "…" below [publication] in
    tei/catalog.toml, build, then bundle.

    \b
    Example:  jiaokan bundle lunyu
    """
    from jiaokan.exchange.bundle import make_bundle

    catalog = load(folder)
    home = built or catalog.root / "build"
    target = out or home / "bundle" / f"{edition or catalog.root.resolve().name}.zip"
    count, findings = make_bundle(catalog, home, target, edition=edition)
    show(findings)
    say(f"{target}: {count:,} files")


COMMANDS = (accept, adopt, bundle)
