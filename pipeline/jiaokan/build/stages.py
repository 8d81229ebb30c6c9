"""The stages of a build as data, the steps of an edition folder, and the program files that each stage runs."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import msgspec

from jiaokan.decisions.kinds import paths
from jiaokan.errors import JiaokanError, Message
from jiaokan.settings import folder
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.lists import lists_paths
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.listing import below, resource
from jiaokan.system.store import Store, cache_folder, fingerprint, program


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A kind of step."""

    name: str  # also the name of its function in ``work.py``
    program: tuple[str, ...]
    """Modules and folders; when they or their imports change, the steps are stale. Workers that fork load the first."""
    packages: tuple[str, ...]  # packages whose version affects the outputs


_FONTS = ("pylopdf-fonts-zh-cn", "fonttools", "uharfbuzz")

STAGES = (
    Stage(name="read", program=("editions/witness.py", "readers"), packages=("lxml", "msgspec")),
    Stage(name="collate", program=("editions/edition.py", "collate", "characters"),
          packages=("lxml", "msgspec", "opencc", "yitizi", "rapidfuzz")),
    Stage(name="punctuate", program=("editions/edition.py",), packages=("lxml", "msgspec", "rapidfuzz")),
    Stage(name="quote", program=("proposals/quotations.py", "proposals/lay.py", "characters"),
          packages=("lxml", "msgspec", "opencc", "yitizi")),
    Stage(name="copy", program=("tei/inert.py", "proposals/lay.py"), packages=("lxml",)),
    Stage(name="prepare", packages=("saxonche", "lxml", "opencc"),
          program=("outputs/text/prepare.py", "data/xslt/prepare", "data/xslt/lib", "data/xslt/params.xsl")),
    Stage(name="html", program=("outputs/html.py", "data/xslt", "data/schema"), packages=("saxonche", "lxml")),
    *(Stage(name=name, program=("outputs/pdf.py", "outputs/print", "data/xslt"),
            packages=("saxonche", "lxml", "typst", "opencc", *_FONTS)) for name in ("book", "pdf")),
    Stage(name="also", program=("outputs", "data/xslt", "data/schema"),
          packages=("saxonche", "lxml", "typst", "opencc", *_FONTS)),
    Stage(name="site", program=("outputs/html.py", "data/xslt", "data/schema"),
          packages=("saxonche", "lxml", "typst", *_FONTS)),
    Stage(name="check", program=("validate", "data/schema"), packages=("lxml", "xmlschema")),
)
ALWAYS = ("stats/counts.py", "system/atomic.py")
"""Modules that every stage runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One piece of work: a stage and its subject. It waits for the steps whose outputs are its inputs."""

    stage: str
    subject: str  # id of a source or edition, or path of a TEI file; empty for all texts
    part: str = ""  # distinguishes steps of one stage and subject (a further layout or output); else empty
    inputs: tuple[Path, ...]  # files whose content or absence affects the outputs
    settings: bytes  # the settings that affect the outputs, as canonical JSON
    outputs: tuple[Path, ...] = ()  # the files and folders that the step makes
    name: str = field(init=False)  # the name in records and messages

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", f"{self.stage} {self.subject} {self.part}".rstrip())


def steps(catalog: Catalog, out: Path) -> tuple[Step, ...]:
    """Return all steps that make the outputs of an edition folder under `out`."""
    texts = tuple(_texts(catalog))
    sources = {step.subject: (step.outputs[0], step.inputs[0]) for step in texts if step.stage == "read"}
    return (*texts, *_outputs(catalog, out, sources))


def _texts(catalog: Catalog) -> Iterator[Step]:
    """Yield the steps that make the TEI of sources and editions; what they share is computed once."""
    root, schemas = catalog.root, folder.schemas(catalog)
    header = catalog.project, catalog.publication, catalog.revisions
    decided, lists = paths(root, "read"), lists_paths(root)
    shared = _digest(*header, catalog.persons, schemas)
    for entry in catalog.sources.values():
        yield Step(
            stage="read", subject=entry.id, outputs=(folder.witness_path(catalog, entry.id),),
            inputs=(catalog.path(entry), *catalog.conventions(entry.id), *decided, *lists,
                    *filter(None, [catalog.manifest(entry)])),
            settings=_json(shared, entry, catalog.works[entry.work]),
        )
    decided = paths(root, "collate")
    shared = _digest(*header, catalog.works, catalog.persons, catalog.named, catalog.places, catalog.orgs, schemas)
    for plan in catalog.editions.values():
        marks = folder.layer_paths(root, plan.id)
        if plan.kind == "critical" or marks:
            witnesses = [catalog.sources[name] for name in plan.read()]
            texts = (folder.witness_path(catalog, witness.id) for witness in witnesses)
            yield Step(
                stage="collate" if plan.kind == "critical" else "punctuate", subject=plan.id,
                inputs=(*texts, *(decided if plan.kind == "critical" else ()), *lists, *marks),
                outputs=(folder.edition_path(catalog, plan),), settings=_json(shared, plan, witnesses),
            )


def _outputs(catalog: Catalog, out: Path, sources: Mapping[str, tuple[Path, Path]]) -> Iterator[Step]:
    """Yield the steps for quotations, pages, PDFs, further outputs, the site, checks and copies of the TEI.

    `sources` has the TEI and the file of each source, since making paths is half of the time of ten thousand texts.
    """
    plans = tuple(catalog.editions.values())
    shown = [folder.edition_path(catalog, plan) for plan in plans]
    texts = dict(zip(shown, map(folder.shown_text, plans), strict=True))
    texts |= {folder.witness_path(catalog, name): name for plan in plans for name in plan.all_witnesses()}
    quoted = {path: folder.quoted_path(out, name) for path, name in texts.items()}
    yield Step(stage="quote", subject="", inputs=(*texts,),
               outputs=(folder.quotations_path(out), *dict.fromkeys(quoted.values())),
               settings=_json(catalog.persons, [plan.id for plan in plans]))
    for plan, tei in zip(plans, shown, strict=True):
        yield from _outputs_of(plan, tei, catalog, out, quoted[tei])
    if plans:  # a folder of transcriptions has no site
        yield Step(
            stage="site", subject="",
            inputs=(*(folder.pages_path(out, plan) for plan in plans),
                    *(file for plan in plans for path in folder.pdf_paths(out, plan).values()
                      for file in plan.print.files(path)),
                    *(folder.copy_path(out, path) for path in texts)),
            outputs=(folder.site_path(out),),
            settings=_json(catalog.project.title, [plan.id for plan in plans], catalog.latin(), catalog.project.url,
                           folder.sections(catalog)),
        )
    yield from _checks(catalog, sources)
    for path in (*(tei for tei, _ in sources.values()), *(path for path in shown if path.parent.name == "editions")):
        yield Step(stage="copy", subject=f"{path.parent.name}/{path.name}", settings=b"",
                   inputs=(path, quoted[path]) if path in texts else (path,), outputs=(folder.copy_path(out, path),))


def _outputs_of(plan: EditionPlan, tei: Path, catalog: Catalog, out: Path, quoted: Path) -> Iterator[Step]:
    """Yield the steps for the prepared form, the pages, PDFs and further outputs of an edition."""
    prepared = folder.prepared_path(out, plan)
    yield Step(stage="prepare", subject=plan.id, inputs=(folder.copy_path(out, tei),), outputs=(prepared,),
               settings=_json(plan.apparatus, plan.description))
    inputs = (tei, folder.front_path(catalog, plan), *paths(catalog.root, "print"), prepared)
    settings = _json(plan, *([catalog.latin()] if plan.print.content.index == "pinyin" else []))
    fonts = folder.font_paths(catalog, plan)
    witnesses = plan.all_witnesses() if plan.kind == "critical" else ()
    yield Step(stage="html", subject=plan.id, outputs=(folder.pages_path(out, plan),),
               inputs=(folder.copy_path(out, tei), *inputs, quoted,
                       *(folder.copy_path(out, folder.witness_path(catalog, name)) for name in witnesses),
                       *(path for name in witnesses for path in folder.picture_paths(catalog, catalog.sources[name]))),
               settings=_json(plan, catalog.project.url, catalog.project.image_hosts, catalog.persons,
                              [catalog.sources[name].images for name in witnesses]))
    for layout, path in folder.pdf_paths(out, plan).items():
        pdfs = (path, folder.press_file(path)) if plan.print.press.is_wanted() else (path,)
        book, part = folder.book_path(out, plan, layout), layout if layout != plan.print.pdf_layouts()[0] else ""
        yield Step(stage="book", subject=plan.id, part=part, settings=settings, outputs=(book,),
                   inputs=(*inputs, *([quoted] if plan.print.content.testimonia else []), *fonts))
        yield Step(stage="pdf", subject=plan.id, part=part, settings=settings,
                   inputs=(tei, book, *inputs[1:-1], folder.press_path(catalog), *fonts,
                           *filter(None, [folder.profile_path(catalog, plan)]), *folder.plate_paths(catalog, plan)),
                   outputs=tuple(file for pdf in pdfs for file in (*plan.print.files(pdf), *plan.print.covers(pdf))))
    for name in plan.print.also:
        yield Step(stage="also", subject=plan.id, part=name, inputs=(*inputs, *fonts), settings=settings,
                   outputs=(folder.also_path(out, plan, name),))


def _checks(catalog: Catalog, sources: Mapping[str, tuple[Path, Path]]) -> Iterator[Step]:
    """Yield the checks of TEI files, which also depend on sources, settings and decisions."""
    home = catalog.root / "tei"
    decided = [path for path in below(home / "decisions") if path.suffix == ".toml"]
    settings = (home / "catalog.toml", home / "persons.toml", home / "places.toml", *decided)
    # decisions may name any source; without decisions a title affects only its own text
    sources_named = catalog.sources.values() if decided else ()
    called = _digest([(source.id, source.siglum, source.title) for source in sources_named])
    for entry in catalog.sources.values():
        yield Step(stage="check", subject=f"witnesses/{entry.id}.xml", settings=_json(called, entry),
                   inputs=(*sources[entry.id], *catalog.conventions(entry.id), *settings))
    for plan in catalog.editions.values():
        tei = folder.edition_path(catalog, plan)
        if tei.parent.name == "editions":
            witnesses = (folder.witness_path(catalog, name) for name in plan.read())
            yield Step(stage="check", subject=f"editions/{plan.id}.xml", settings=_json(called, plan),
                       inputs=(tei, *witnesses, *settings, *folder.layer_paths(catalog.root, plan.id)))


def _digest(*parts: object) -> str:
    return hashlib.sha256(_json(*parts)).hexdigest()


def _json(*parts: object) -> bytes:
    return msgspec.json.encode(parts, order="sorted", enc_hook=str)


PACKAGE = Path(__file__).parents[1]
STAGE = {stage.name: stage for stage in STAGES}


def files(seeds: Iterable[str]) -> list[tuple[str, Path]]:
    """Return names and paths of all program files that some parts of the program run, in a fixed order.

    A seed is a module or folder of the package, or a folder of resources such as ``data/xslt``. Imports are followed,
    wherever they are in a module; the data files beside a module are included.
    """
    reached: set[Path] = set()
    todo: list[Path] = []
    for seed in seeds:
        path = resource(seed.removeprefix("data/")) if seed.startswith("data/") else PACKAGE / seed
        inside = below(path) if path.is_dir() else (path,)
        todo += (file for file in inside if file.is_file() and "__pycache__" not in file.parts)
    while todo:
        path = todo.pop()
        if path not in reached:
            reached.add(path)
            if path.suffix == ".py" and path != PACKAGE / "__init__.py":  # which names the API
                todo += [*_imports_of(path), *_tables(path.parent)]
                todo += [home / "__init__.py" for home in path.parents if home.is_relative_to(PACKAGE)]
    roots = {path: PACKAGE if path.is_relative_to(PACKAGE) else PACKAGE.parents[1] for path in reached}
    return sorted((path.relative_to(root).as_posix(), path) for path, root in roots.items())


@cache
def _imports_of(path: Path) -> tuple[Path, ...]:
    """Return the files of the modules that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    ours = (name.split(".") for name in names if name.partition(".")[0] == PACKAGE.name)
    paths = [PACKAGE.parent.joinpath(*steps) for steps in ours]
    files = [file for path in paths for file in (path.with_suffix(".py"), path / "__init__.py")]
    return tuple(sorted(filter(Path.is_file, files)))


@cache
def _tables(home: Path) -> tuple[Path, ...]:
    """Return the data files beside the modules of a folder."""
    if home == PACKAGE:
        return ()
    return tuple(path for path in home.iterdir() if path.is_file() and path.suffix not in (".py", ".pyc", ".md"))


@cache
def program_of(stage: str) -> str:
    """Return a hash of the program's files and packages that a stage runs, from the cache if the program is unchanged.

    Raises JiaokanError for a package that is not installed.
    """
    cached = Store(cache_folder("program"))
    if (digest := cached.get(stage, program(), str)) is None:
        digest = _hash_program(STAGE[stage])
        cached.put(stage, program(), digest)
    return digest


def _hash_program(stage: Stage) -> str:
    import importlib.metadata as packages  # slow to import, and most builds find the hash in the cache

    digest = hashlib.sha256()
    for name, path in files((*ALWAYS, *stage.program)):
        digest.update(f"{name} {fingerprint(path)}\n".encode())
    digest.update((PACKAGE / "build" / "work.py").read_bytes())  # its imports, of all stages, are not followed
    for package in stage.packages:
        try:
            digest.update(f"{package} {packages.version(package)}\n".encode())
        except packages.PackageNotFoundError:
            raise JiaokanError(Message("package-not-installed", package=package),
                               mend=Message("install-jiaokan-again")) from None
    return digest.hexdigest()
