"""Paths in an edition folder: of its files, and of what is made from them."""

from __future__ import annotations

from pathlib import Path

from jiaokan.settings.catalog import Catalog, SourceEntry
from jiaokan.settings.plans import EditionPlan, Layout
from jiaokan.system.listing import below, leads_out, matching, numbered_order

PREPARED = ".prepared"
"""Suffix of the prepared form of a text: XML, but no TEI."""


def witness_path(catalog: Catalog, source: str) -> Path:
    """Return the path of a source's TEI."""
    return catalog.root.joinpath("tei", "witnesses", f"{source}.xml")


def edition_path(catalog: Catalog, plan: EditionPlan) -> Path:
    """Return the path of the TEI that an edition shows: its witness's, for a reading edition without a layer."""
    if plan.kind == "reading" and not layer_paths(catalog.root, plan.id):
        return witness_path(catalog, plan.witness)
    return catalog.root / "tei" / "editions" / f"{plan.id}.xml"


def punctuation_paths(root: Path, edition: str) -> tuple[Path, ...]:
    """Return the files of the editor's punctuation of an edition."""
    return matching(punctuation_folder(root, edition), "*.txt")


def punctuation_folder(root: Path, edition: str) -> Path:
    """Return the folder of the editor's punctuation of an edition."""
    return root / "tei" / "punctuation" / edition


def translation_paths(root: Path, edition: str) -> tuple[Path, ...]:
    """Return the files of the translations of an edition."""
    return matching(root / "tei" / "translations" / edition, "*/*.txt")


def layer_paths(root: Path, edition: str) -> tuple[Path, ...]:
    """Return the files of what the editor adds to the text of an edition: its punctuation and translations."""
    return (*punctuation_paths(root, edition), *translation_paths(root, edition))


def schemas(catalog: Catalog) -> str:
    """Return the folder of the folder's own schemas, relative to its TEI files; "" if it has none."""
    return "../../schema" if (catalog.root / "schema" / "jiaokan.xsd").exists() else ""


def pdf_paths(out: Path, plan: EditionPlan) -> dict[Layout, Path]:
    """Return the paths of an edition's PDFs, one for each layout of its plan; the first has the plain name.

    `PrintPlan.files` makes the paths of volumes from one of them.
    """
    path, (first, *others) = out / "pdf" / f"{plan.id}.pdf", plan.print.pdf_layouts()
    return {first: path, **{layout: path.with_stem(f"{plan.id}-{layout}") for layout in others}}


def press_file(path: Path) -> Path:
    """Return the path of the file for the printing house, beside the PDF at `path`."""
    return path.with_stem(f"{path.stem}-press")


def also_path(out: Path, plan: EditionPlan, output: str) -> Path:
    """Return the path of a further output of an edition; its name is also the suffix."""
    return out / output / f"{plan.id}.{output}"


def front_path(catalog: Catalog, plan: EditionPlan) -> Path:
    """Return the path of an edition's front matter, which need not exist."""
    return catalog.root / "tei" / "front" / f"{plan.id}.md"


def press_path(catalog: Catalog) -> Path:
    """Return the path of a publisher's own Typst functions."""
    return catalog.root / "tei" / "print" / "edition.typ"


def font_paths(catalog: Catalog, plan: EditionPlan) -> tuple[Path, ...]:
    """Return an edition's font files, those of a folder sorted."""
    paths: list[Path] = []
    for name in plan.print.type.fonts:
        path = catalog.root / name
        fonts = path.iterdir() if path.is_dir() else (path,)
        paths += sorted(file for file in fonts if file == path or file.suffix.lower() in (".otf", ".ttf"))
    return tuple(paths)


def profile_path(catalog: Catalog, plan: EditionPlan) -> Path | None:
    """Return the path of the ICC profile in an edition's plan, if it names one."""
    return catalog.root / plan.print.press.profile if plan.print.press.profile else None


def plate_paths(catalog: Catalog, plan: EditionPlan) -> tuple[Path, ...]:
    """Return the paths of the plates in an edition's plan."""
    return tuple(catalog.root / plate.file for plate in plan.print.book.plates)


_PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".gif", ".bmp", ".jp2")


def picture_paths(catalog: Catalog, entry: SourceEntry) -> tuple[Path, ...]:
    """Return the pictures in the folder that a source names, in the order of the numbers in their names."""
    home = catalog.pictures(entry)
    files = (path for path in below(home) if path.parent == home and not leads_out(path, home)) \
        if home and home.is_dir() else ()
    return tuple(sorted((path for path in files if path.suffix.lower() in _PICTURES),
                        key=lambda path: numbered_order(path.name)))


def site_path(out: Path) -> Path:
    """Return the folder of the website, which is self-contained."""
    return out / "html"


def pages_path(out: Path, plan: EditionPlan) -> Path:
    """Return the folder in which the pages of an edition are made, before the site is replaced as a whole."""
    return out / ".cache" / "html" / plan.id


def shown_text(plan: EditionPlan) -> str:
    """Return the id of the text that an edition shows: its own, or its witness's."""
    return plan.id if plan.kind == "critical" else plan.witness


def shown_texts(catalog: Catalog) -> dict[str, EditionPlan]:
    """Return the texts with pages of their own, by id, each with the first edition that shows it."""
    return {shown_text(plan): plan for plan in reversed(tuple(catalog.editions.values()))}


def sections(catalog: Catalog) -> dict[str, str]:
    """Return the heading under which each edition is listed, by id, if its work declares one."""
    works = {plan.id: plan.work or (catalog.sources[plan.witness].work if plan.witness in catalog.sources else "")
             for plan in catalog.editions.values()}
    return {name: catalog.works[work].section for name, work in works.items()
            if work in catalog.works and catalog.works[work].section}


def quotations_path(out: Path) -> Path:
    """Return the path of the table of quotations between texts."""
    return out / "quotations.tsv"


def quoted_path(out: Path, text: str) -> Path:
    """Return the path of the rows in which a text quotes or is quoted; without such rows there is no file."""
    return out / ".cache" / "quotations" / f"{text}.tsv"


def prepared_path(out: Path, plan: EditionPlan) -> Path:
    """Return the path of the prepared form of an edition, from which its outputs are made."""
    return out / ".cache" / "prepared" / f"{plan.id}{PREPARED}"


def book_path(out: Path, plan: EditionPlan, layout: Layout) -> Path:
    """Return the path of the book of an edition in a layout, which Typst sets."""
    return out / ".cache" / "books" / f"{plan.id}-{layout}"


def copy_path(out: Path, tei: Path) -> Path:
    """Return the path of the copy of a TEI file for readers."""
    return out.joinpath("tei", *tei.parts[-2:])
