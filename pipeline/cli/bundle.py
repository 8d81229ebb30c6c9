"""`jiaokan bundle`: an edition packed for a repository."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.api import edition_root
from pipeline.cli._folder import folder_option, load, show, text_names
from pipeline.cli._terminal import say


@click.command("bundle")
@click.argument("edition", default="", shell_complete=text_names)
@click.option("-o", "--out", type=click.Path(path_type=Path),
              help="The bag: NAME.zip, or a folder (default: build/bundle/NAME.zip).")
@click.option("--built", type=click.Path(file_okay=False, path_type=Path),
              help="Outputs of the build (default: build/ in the edition folder).")
@click.option("--doi", default="", metavar="DOI",
              help="Only write this DOI of the repository into the catalog, for the next build.")
@folder_option
def command(edition: str, out: Path | None, built: Path | None, doi: str, folder: Path) -> None:
    """Pack an edition for a repository such as Zenodo (BagIt).

    EDITION is the id of an edition (default: the whole folder). The bag (BagIt 1.0, RFC 8493) contains the TEI, the
    schema, settings and decisions, the sources if their licence allows copies (else their checksums), website and PDFs
    if they are built, CITATION.cff, metadata for Zenodo and DataCite, and a README. The same edition gives the same
    bytes. To have the DOI in the TEI: reserve it at the repository, write it with --doi, build, then bundle.

    \b
    Example:  jiaokan bundle lunyu
              jiaokan bundle --doi 10.5281/zenodo.3402901 && jiaokan build && jiaokan bundle
    """
    if doi:
        from pipeline.exchange.bundle import write_doi

        path = edition_root(folder) / "tei" / "catalog.toml"
        load(folder)  # do not write into an invalid catalog
        write_doi(path, doi)
        say(f"{path}: doi of [publication] is now {doi}")
        say("Next: jiaokan build, then jiaokan bundle")
        return
    from pipeline.exchange.bundle import make_bundle

    catalog = load(folder)
    home = built or catalog.root / "build"
    target = out or home / "bundle" / f"{edition or catalog.root.resolve().name}.zip"
    count, findings = make_bundle(catalog, home, target, edition=edition)
    show(findings)
    say(f"{target}: {count:,} files")


COMMANDS = (command,)
