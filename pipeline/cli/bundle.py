"""`jiaokan bundle`: an edition as a bag for a repository; the DOI that it gives, written back."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli._folder import folder_option, load, root, show, text_names
from pipeline.cli._say import say


@click.command("bundle")
@click.argument("edition", default="", shell_complete=text_names)
@click.option("-o", "--out", type=click.Path(path_type=Path),
              help="The bag: NAME.zip, or a folder (default: build/bundle/NAME.zip).")
@click.option("--built", type=click.Path(file_okay=False, path_type=Path),
              help="Where the outputs of the build are (default: build/ in the edition folder).")
@click.option("--doi", default="", metavar="DOI",
              help="Only write the DOI that the repository gave into the catalog, for the next build.")
@folder_option
def command(edition: str, out: Path | None, built: Path | None, doi: str, folder: Path) -> None:
    """Put an edition, or all of a folder, into a bag (BagIt 1.0, RFC 8493) for a repository such as Zenodo.

    In it are the TEI, the schema, settings and decisions, the sources where their licence allows copies (else their
    checksums), website and PDFs if they are built, CITATION.cff, metadata for Zenodo and DataCite, and a README. The
    same edition gives the same bytes. Reserve the DOI first, write it with --doi, build, and bundle: then the TEI says
    it, too.

    \b
    Example:  jiaokan bundle lunyu
              jiaokan bundle --doi 10.5281/zenodo.3402901 && jiaokan build && jiaokan bundle
    """
    if doi:
        from pipeline.exchange.bundle import write_doi

        path = root(folder) / "tei" / "catalog.toml"
        load(folder)  # a catalog with faults is not written into
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
