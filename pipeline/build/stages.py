"""The order of work as data: which stages there are, what each depends on, and the steps of an edition folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pipeline.catalog import Catalog
from pipeline.plans import EditionPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A kind of work."""

    name: str
    """Also the name of the function in ``work.py`` that does it."""
    program: tuple[str, ...]
    """The files and folders of the package that it runs, beyond `BASE`; when one changes, it is done again."""
    packages: tuple[str, ...]
    """The packages whose version matters to what it makes."""


BASE = ("errors.py", "names.py", "resources.py", "model.py", "leaves.py", "plans.py", "catalog.py", "decisions.py",
        "xslt.py", "tei", "build/work.py", "build/figures.py", "atomic.py", "__init__.py")

# In the order in which ready steps are taken: what others wait for, and what takes long, first.
STAGES = (
    Stage(name="read", program=("annotate", "readers"), packages=("lxml", "msgspec")),
    Stage(name="collate", program=("annotate", "characters", "collate"),
          packages=("lxml", "msgspec", "opencc", "yitizi", "rapidfuzz")),
    Stage(name="html", program=("outputs", "data/xslt"), packages=("saxonche", "fonttools", "brotli")),
    Stage(name="pdf", program=("outputs", "data/xslt"),
          packages=("saxonche", "typst", "pylopdf-fonts-zh-cn", "fonttools")),
    Stage(name="check", program=("validate", "data/schema"), packages=("lxml", "xmlschema")),
    Stage(name="copy", program=(), packages=()),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One piece of work: a stage on a subject. It waits for the steps whose output is among its inputs."""

    stage: str
    subject: str
    """Id of a source or of an edition; empty for what is about all."""
    inputs: tuple[Path, ...]
    """Files whose content matters; one that does not exist counts as such."""
    settings: bytes
    """The part of the catalog that matters, as canonical JSON."""
    output: Path | None = None
    """The file or folder that it makes."""

    @property
    def name(self) -> str:
        """Its name in records and messages."""
        return f"{self.stage} {self.subject}".rstrip()


def witness_path(catalog: Catalog, source: str) -> Path:
    """Give where the TEI of a source lies."""
    return catalog.root / "tei" / "witnesses" / f"{source}.xml"


def edition_path(catalog: Catalog, plan: EditionPlan) -> Path:
    """Give where the TEI that an edition shows lies: of a reading edition, that of its witness."""
    if plan.kind == "reading":
        return witness_path(catalog, plan.witness)
    return catalog.root / "tei" / "editions" / f"{plan.id}.xml"


def steps(catalog: Catalog, out: Path) -> tuple[Step, ...]:
    """Give all steps that make the outputs of an edition folder under `out`."""
    return (*_texts(catalog), *_outputs(catalog, out))


def _texts(catalog: Catalog) -> Iterator[Step]:
    """The TEI of each source and of each critical edition."""
    home = catalog.root / "tei"
    decisions = tuple(sorted((home / "decisions").rglob("*.toml")))
    for entry in catalog.sources.values():
        yield Step(
            stage="read", subject=entry.id, output=witness_path(catalog, entry.id),
            inputs=(catalog.path(entry), home / "conventions" / f"{entry.id}.toml", *decisions),
            settings=_json(catalog.project, entry, catalog.works[entry.work], catalog.persons),
        )
    for plan in catalog.editions.values():
        if plan.kind == "critical":
            yield Step(
                stage="collate", subject=plan.id, output=edition_path(catalog, plan),
                inputs=(*(witness_path(catalog, w) for w in plan.all_witnesses()), *decisions),
                settings=_json(catalog.project, plan, catalog.works, catalog.persons,
                               [catalog.sources[w] for w in plan.all_witnesses()]),
            )


def _outputs(catalog: Catalog, out: Path) -> Iterator[Step]:
    """What is made from the TEI: the site, the PDFs, the findings, and copies to take away."""
    plans = tuple(catalog.editions.values())
    shown = tuple(dict.fromkeys(edition_path(catalog, plan) for plan in plans))
    witnesses = tuple(witness_path(catalog, source) for source in catalog.sources)
    yield Step(stage="html", subject="", output=out / "html", inputs=shown, settings=_json(catalog.project, plans))
    for plan in plans:
        yield Step(stage="pdf", subject=plan.id, output=out / "pdf" / f"{plan.id}.pdf",
                   inputs=(edition_path(catalog, plan),), settings=_json(catalog.project, plan))
    for path in dict.fromkeys((*witnesses, *shown)):
        subject = f"{path.parent.name}/{path.name}"
        yield Step(stage="check", subject=subject, inputs=(path,), settings=b"")
        yield Step(stage="copy", subject=subject, inputs=(path,), settings=b"", output=out / "tei" / subject)


def _json(*parts: object) -> bytes:
    return msgspec.json.encode(parts, order="sorted")
