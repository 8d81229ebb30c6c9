"""The order of work as data: which stages there are, what each depends on, and the steps of an edition folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import msgspec

from pipeline.decisions.kinds import paths
from pipeline.errors import JiaokanError
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import (
    also_path,
    copy_path,
    edition_path,
    font_paths,
    front_path,
    pages_path,
    pdf_paths,
    press_file,
    press_path,
    profile_path,
    punctuation_paths,
    quotations_path,
    quoted_path,
    schemas,
    sections,
    shown_text,
    site_path,
    witness_path,
)
from pipeline.settings.lists import lists_paths
from pipeline.system.listing import below
from pipeline.system.resources import resource
from pipeline.system.store import Store, cache_folder, fingerprint, program


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A kind of work."""

    name: str
    """Also the name of the function in ``work.py`` that does it."""
    program: tuple[str, ...]
    """The modules and folders that do it: when they or what they import change, it is done again."""
    packages: tuple[str, ...]
    """The packages whose version matters to what it makes."""


_FONTS = ("pylopdf-fonts-zh-cn", "fonttools", "uharfbuzz")

# In the order in which ready steps are taken: what others wait for, and what takes long, first.
STAGES = (
    Stage(name="read", program=("editions/make/witness.py", "readers"), packages=("lxml", "msgspec")),
    Stage(name="collate", program=("editions/make/edition.py", "collate", "characters"),
          packages=("lxml", "msgspec", "opencc", "yitizi", "rapidfuzz")),
    Stage(name="punctuate", program=("editions/make/edition.py",), packages=("lxml", "msgspec", "rapidfuzz")),
    Stage(name="quote", program=("proposals/quotations.py", "proposals/lay.py", "characters"),
          packages=("lxml", "msgspec", "opencc", "yitizi")),
    Stage(name="copy", program=("tei/tree.py", "proposals/lay.py"), packages=("lxml",)),
    Stage(name="html", program=("outputs/html.py", "data/xslt", "data/schema"), packages=("saxonche", "lxml")),
    Stage(name="pdf", program=("outputs/pdf.py", "outputs/print", "data/xslt"),
          packages=("saxonche", "lxml", "typst", "opencc", *_FONTS)),
    Stage(name="also", program=("outputs", "data/xslt", "data/schema"),
          packages=("saxonche", "lxml", "typst", "opencc", *_FONTS)),
    Stage(name="site", program=("outputs/html.py", "data/xslt", "data/schema"), packages=("saxonche", "lxml", *_FONTS)),
    Stage(name="check", program=("validate", "data/schema"), packages=("lxml", "xmlschema")),
)
ALWAYS = ("stats/counts.py", "system/atomic.py")
"""What every stage runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One piece of work: a stage on a subject. It waits for the steps whose output is among its inputs."""

    stage: str
    subject: str
    """Id of a source or of an edition; empty for what is about all."""
    part: str = ""
    """Which of the works of a stage on the same subject: the second layout of a PDF, a further output; else empty."""
    inputs: tuple[Path, ...]
    """Files whose content matters; one that does not exist counts as such."""
    settings: bytes
    """The part of the catalog that matters, as canonical JSON."""
    outputs: tuple[Path, ...] = ()
    """The files and folders that it makes."""
    name: str = field(init=False)
    """Its name in records and messages."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", f"{self.stage} {self.subject} {self.part}".rstrip())


def steps(catalog: Catalog, out: Path) -> tuple[Step, ...]:
    """Give all steps that make the outputs of an edition folder under `out`."""
    texts = tuple(_texts(catalog))
    sources = {step.subject: (step.outputs[0], step.inputs[0]) for step in texts if step.stage == "read"}
    return (*texts, *_outputs(catalog, out, sources))


def _texts(catalog: Catalog) -> Iterator[Step]:
    """The TEI of each source and of each critical edition. What concerns all is worked out once: a library has ten
    thousand."""
    decided, lists = paths(catalog.root, "read"), lists_paths(catalog.root)
    all_said = _digest(*_said(catalog), catalog.persons, schemas(catalog))
    for entry in catalog.sources.values():
        yield Step(
            stage="read", subject=entry.id, outputs=(witness_path(catalog, entry.id),),
            inputs=(catalog.path(entry), *catalog.conventions(entry.id), *decided, *lists,
                    *filter(None, [catalog.manifest(entry)])),
            settings=_json(all_said, entry, catalog.works[entry.work]),
        )
    collated = paths(catalog.root, "collate")
    whole = _digest(*_said(catalog), catalog.works, *_named(catalog), schemas(catalog))
    for plan in catalog.editions.values():
        marks = punctuation_paths(catalog.root, plan.id)
        if plan.kind == "reading" and marks:
            yield Step(
                stage="punctuate", subject=plan.id, outputs=(edition_path(catalog, plan),),
                inputs=(witness_path(catalog, plan.witness), *marks, *lists),
                settings=_json(whole, plan, catalog.sources[plan.witness]),
            )
        if plan.kind == "critical":
            yield Step(
                stage="collate", subject=plan.id, outputs=(edition_path(catalog, plan),),
                inputs=(*(witness_path(catalog, w) for w in plan.all_witnesses()), *collated, *lists, *marks),
                settings=_json(whole, plan, [catalog.sources[w] for w in plan.all_witnesses()]),
            )


def _said(catalog: Catalog) -> tuple[object, ...]:
    """What of the settings every header tells."""
    return catalog.project, catalog.publication, catalog.revisions


def _named(catalog: Catalog) -> tuple[object, ...]:
    """What of the settings names persons, places and states."""
    return catalog.persons, catalog.named, catalog.places, catalog.orgs


def _outputs(catalog: Catalog, out: Path, sources: Mapping[str, tuple[Path, Path]]) -> Iterator[Step]:
    """What is made from the TEI: the site, the PDFs, the findings, and copies to take away. `sources` gives of each
    source its TEI and its own file: to make paths is half of what ten thousand texts take."""
    plans = tuple(catalog.editions.values())
    texts = {edition_path(catalog, plan): shown_text(plan) for plan in plans}
    texts |= {witness_path(catalog, name): name for plan in plans for name in plan.all_witnesses()}
    quoted = {path: quoted_path(out, name) for path, name in texts.items()}
    yield Step(stage="quote", subject="", inputs=(*texts,),
               outputs=(quotations_path(out), *dict.fromkeys(quoted.values())),
               settings=_json(catalog.persons, [plan.id for plan in plans]))
    for plan in plans:
        inputs = (edition_path(catalog, plan), front_path(catalog, plan), *paths(catalog.root, "print"))
        settings = _json(plan, *([catalog.latin()] if plan.print.index == "pinyin" else []))
        own = font_paths(catalog, plan)
        witnesses = plan.all_witnesses() if plan.kind == "critical" else ()
        yield Step(stage="html", subject=plan.id, outputs=(pages_path(out, plan),),
                   inputs=(copy_path(out, inputs[0]), *inputs[1:], quoted[inputs[0]],
                           *(copy_path(out, witness_path(catalog, w)) for w in witnesses)),
                   settings=_json(plan, catalog.project.url, catalog.project.image_hosts, catalog.persons))
        testimonia = (quoted[inputs[0]],) if plan.print.testimonia else ()
        for layout, path in pdf_paths(out, plan).items():
            pressed = plan.print.files(press_file(path)) if plan.print.press.wanted() else ()
            yield Step(stage="pdf", subject=plan.id, part=layout if layout != plan.print.made()[0] else "",
                       inputs=(*inputs, *testimonia, press_path(catalog), *own,
                               *filter(None, (profile_path(catalog, plan),))),
                       outputs=(*plan.print.files(path), *pressed), settings=settings)
        for name in plan.print.also:
            yield Step(stage="also", subject=plan.id, part=name, inputs=(*inputs, *own), settings=settings,
                       outputs=(also_path(out, plan, name),))
    shown = [edition_path(catalog, plan) for plan in plans]
    taken = dict.fromkeys([*shown, *(witness_path(catalog, name) for plan in plans for name in plan.all_witnesses())])
    if plans:  # else there is nothing to show: a folder of transcriptions
        yield Step(
            stage="site", subject="",
            inputs=(*(pages_path(out, plan) for plan in plans),
                    *(file for plan in plans for path in pdf_paths(out, plan).values()
                      for file in plan.print.files(path)),
                    *(copy_path(out, path) for path in taken)),
            outputs=(site_path(out),),
            settings=_json(catalog.project.title, [plan.id for plan in plans], catalog.latin(), catalog.project.url,
                           sections(catalog)),
        )
    yield from _checks(catalog, sources)
    for path in (*(tei for tei, _ in sources.values()), *(path for path in shown if path.parent.name == "editions")):
        subject = f"{path.parent.name}/{path.name}"
        inputs = (path, quoted[path]) if path in texts else (path,)
        yield Step(stage="copy", subject=subject, inputs=inputs, settings=b"", outputs=(copy_path(out, path),))


def _checks(catalog: Catalog, sources: Mapping[str, tuple[Path, Path]]) -> Iterator[Step]:
    """Each TEI file, held also against what it was made from, the settings and the decisions."""
    home = catalog.root / "tei"
    decided = [path for path in below(home / "decisions") if path.suffix == ".toml"]
    said = (home / "catalog.toml", home / "persons.toml", home / "places.toml", *decided)
    # decisions quote any source by its names; where there are none, a new title is its own text's affair
    called = _digest([(each.id, each.siglum, each.title) for each in catalog.sources.values()] if decided else [])
    for entry in catalog.sources.values():
        yield Step(stage="check", subject=f"witnesses/{entry.id}.xml", settings=_json(called, entry),
                   inputs=(*sources[entry.id], *catalog.conventions(entry.id), *said))
    for plan in catalog.editions.values():
        if edition_path(catalog, plan).parent.name == "editions":
            witnesses = (witness_path(catalog, name) for name in plan.all_witnesses())
            yield Step(stage="check", subject=f"editions/{plan.id}.xml", settings=_json(called, plan),
                       inputs=(edition_path(catalog, plan), *witnesses, *said,
                               *punctuation_paths(catalog.root, plan.id)))


def _digest(*parts: object) -> str:
    return hashlib.sha256(_json(*parts)).hexdigest()


def _json(*parts: object) -> bytes:
    return msgspec.json.encode(parts, order="sorted", enc_hook=str)


PACKAGE = Path(__file__).parents[1]
_STAGES = {stage.name: stage for stage in STAGES}
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(pipeline[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+(pipeline[\w.]*))",
    re.MULTILINE,
)


def files(seeds: Iterable[str]) -> list[tuple[str, Path]]:
    """Give names and paths of all files that decide what some parts of the program do, in a fixed order.

    A seed is a module or a folder of the package, or a folder of resources such as ``data/xslt``. The tables that
    lie beside a module count as the module's.
    """
    found: set[Path] = set()
    todo = [path for seed in seeds for path in _start(seed)]
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            if path.suffix == ".py" and path != PACKAGE / "__init__.py":  # it only names the API
                todo += [*_imported(path), *_tables(path.parent)]
                todo += [folder / "__init__.py" for folder in path.parents if folder.is_relative_to(PACKAGE)]
    return sorted((path.relative_to(_root(path)).as_posix(), path) for path in found)


def _start(seed: str) -> list[Path]:
    path = resource(seed.removeprefix("data/")) if seed.startswith("data/") else PACKAGE / seed
    inside = below(path) if path.is_dir() else (path,)
    return [each for each in inside if each.is_file() and "__pycache__" not in each.parts]


def _root(path: Path) -> Path:
    return PACKAGE if path.is_relative_to(PACKAGE) else PACKAGE.parent


@cache
def _imported(path: Path) -> tuple[Path, ...]:
    """Give the files of the modules that a module imports."""
    names: set[str] = set()
    for module, what, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
        names.add(module or plain)
        names |= {f"{module}.{name.split()[0]}" for name in re.split(r"[,()\n]", what) if name.strip()}
    paths = [PACKAGE.parent.joinpath(*name.split(".")) for name in names]
    files = [file for path in paths for file in (path.with_suffix(".py"), path / "__init__.py")]
    return tuple(sorted(filter(Path.is_file, files)))


@cache
def _tables(folder: Path) -> tuple[Path, ...]:
    """Give the data that lie beside the modules of a folder of the package."""
    if folder == PACKAGE:
        return ()
    return tuple(path for path in folder.iterdir() if path.is_file() and path.suffix not in (".py", ".pyc"))


@cache
def program_of(stage: str) -> str:
    """Return a hash of the program's files and packages that a stage runs, from the cache if the program is unchanged.

    Raises JiaokanError for a package that is not installed.
    """
    cached = Store(cache_folder("program"))
    if (found := cached.get(stage, program(), str)) is None:
        found = _hash_program(stage)
        cached.put(stage, program(), found)
    return found


def _hash_program(stage: str) -> str:
    digest = hashlib.sha256()
    for name, path in files((*ALWAYS, *_STAGES[stage].program)):
        digest.update(f"{name} {fingerprint(path)}\n".encode())
    digest.update((PACKAGE / "build" / "work.py").read_bytes())  # imports the rooms of all stages: not followed
    for package in _STAGES[stage].packages:
        digest.update(f"{package} {_version(package)}\n".encode())
    return digest.hexdigest()


def _version(package: str) -> str:
    import importlib.metadata  # slow to import, and most builds find the hash in the cache

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise JiaokanError(f"the package {package} is not installed", mend="install jiaokan again") from None
