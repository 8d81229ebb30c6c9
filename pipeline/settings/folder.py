"""Where things lie in an edition folder: the paths of what it holds and of what is made from it."""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import CatalogError, Place
from pipeline.settings.catalog import Catalog
from pipeline.settings.plans import EditionPlan, Layout
from pipeline.system.listing import matching


def witness_path(catalog: Catalog, source: str) -> Path:
    """Give where the TEI of a source lies."""
    return catalog.root.joinpath("tei", "witnesses", f"{source}.xml")


def edition_path(catalog: Catalog, plan: EditionPlan) -> Path:
    """Give where the TEI that an edition shows lies: that of its witness, if it is a reading edition without marks of
    the editor's."""
    if plan.kind == "reading" and not punctuation_paths(catalog.root, plan.id):
        return witness_path(catalog, plan.witness)
    return catalog.root / "tei" / "editions" / f"{plan.id}.xml"


def punctuation_paths(root: Path, edition: str) -> tuple[Path, ...]:
    """Give the files of the editor's punctuation of an edition; none if nobody punctuated it."""
    return matching(punctuation_folder(root, edition), "*.txt")


def punctuation_folder(root: Path, edition: str) -> Path:
    """Give where the files of the editor's punctuation of an edition lie."""
    return root / "tei" / "punctuation" / edition


def schemas(catalog: Catalog) -> str:
    """Give where the folder's own schemas lie as seen from its TEI files; empty if it has none."""
    return "../../schema" if (catalog.root / "schema" / "jiaokan.xsd").exists() else ""


def pdf_path(out: Path, plan: EditionPlan) -> Path:
    """Give where the PDF of an edition lies."""
    return out / "pdf" / f"{plan.id}.pdf"


def pdf_paths(out: Path, plan: EditionPlan) -> dict[Layout, Path]:
    """Give where the PDFs of an edition lie, one for each layout that its plan asks for, the first under its name.

    Of one in volumes: the path of which `PrintPlan.files` makes those of its volumes.
    """
    path, (first, *others) = pdf_path(out, plan), plan.print.made()
    return {first: path, **{layout: path.with_stem(f"{plan.id}-{layout}") for layout in others}}


def press_file(path: Path) -> Path:
    """Give where the file for the printing house lies, beside the PDF at a path."""
    return path.with_stem(f"{path.stem}-press")


def also_path(out: Path, plan: EditionPlan, output: str) -> Path:
    """Give where a further output of an edition lies: its name is also the ending of its file."""
    return out / output / f"{plan.id}.{output}"


def front_path(catalog: Catalog, plan: EditionPlan) -> Path:
    """Give the path of what the editor wrote to stand before an edition; there need be none."""
    return catalog.root / "tei" / "front" / f"{plan.id}.md"


def press_path(catalog: Catalog) -> Path:
    """Give where a press puts its own Typst functions."""
    return catalog.root / "tei" / "print" / "edition.typ"


def font_paths(catalog: Catalog, plan: EditionPlan) -> tuple[Path, ...]:
    """Give the font files of an edition's own, those of a folder by name; raises CatalogError for what lies outside."""
    found: list[Path] = []
    for name in plan.print.fonts:
        if not (catalog.root / name).resolve().is_relative_to(catalog.root.resolve()):
            place = Place(str(catalog.root / "tei" / "editions" / f"{plan.id}.toml"))
            raise CatalogError(f"the font {name} lies outside the edition's folder", place=place,
                               mend="copy it into the folder")
        path = catalog.root / name
        fonts = path.iterdir() if path.is_dir() else (path,)
        found += sorted(each for each in fonts if each == path or each.suffix.lower() in (".otf", ".ttf"))
    return tuple(found)


def profile_path(catalog: Catalog, plan: EditionPlan) -> Path | None:
    """Give the ICC profile of the press that an edition's plan names, if it names one."""
    return catalog.root / plan.print.press.profile if plan.print.press.profile else None


def site_path(out: Path) -> Path:
    """Give the folder of the website: whole by itself, so that it can be copied anywhere."""
    return out / "html"


def pages_path(out: Path, plan: EditionPlan) -> Path:
    """Give where the pages of an edition are made, aside: the site takes them over when all of it is there."""
    return out / ".cache" / "html" / plan.id


def shown_text(plan: EditionPlan) -> str:
    """Give the id of the text that an edition shows: its own, or its witness's."""
    return plan.id if plan.kind == "critical" else plan.witness


def shown_texts(catalog: Catalog) -> dict[str, EditionPlan]:
    """Give the texts that have pages of their own, by their ids, each with the first edition that shows it."""
    return {shown_text(plan): plan for plan in reversed(tuple(catalog.editions.values()))}


def sections(catalog: Catalog) -> dict[str, str]:
    """Give under what heading each edition is listed, by its id, where its work says so."""
    works = {plan.id: plan.work or (catalog.sources[plan.witness].work if plan.witness in catalog.sources else "")
             for plan in catalog.editions.values()}
    return {name: catalog.works[work].section for name, work in works.items()
            if work in catalog.works and catalog.works[work].section}


def quotations_path(out: Path) -> Path:
    """Give where the table of what texts quote from each other lies."""
    return out / "quotations.tsv"


def quoted_path(out: Path, text: str) -> Path:
    """Give where those rows of it lie in which a text quotes or is quoted: there is no file where there is none."""
    return out / ".cache" / "quotations" / f"{text}.tsv"


def copy_path(out: Path, tei: Path) -> Path:
    """Give where the copy of a TEI file to take away lies."""
    return out.joinpath("tei", *tei.parts[-2:])
