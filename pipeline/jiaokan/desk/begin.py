"""A new edition folder from files: what is detected in them, corrected by the editor, and written."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from jiaokan.decisions.readings import NAMES
from jiaokan.errors import JiaokanError, Message
from jiaokan.exchange.adopt import adopt, edition_source
from jiaokan.scaffold.detection import Detection, settings_by_examples
from jiaokan.scaffold.folder import Folder, settings_file
from jiaokan.scaffold.works import fit_plan
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.values import Strict
from jiaokan.structure.examples import Example
from jiaokan.system.atomic import new_folder, write_file
from jiaokan.system.listing import resource
from jiaokan.system.process import Inputs, call_within_limits

_SCAFFOLD = Path(__file__).parents[1] / "scaffold"


class CorrectedSource(Strict, frozen=True, kw_only=True):
    """What the editor corrects in a detected source."""

    id: str
    siglum: str
    title: str
    person: str = ""
    """Who speaks in its unsigned notes."""


class Corrections(Strict, frozen=True, kw_only=True):
    """What the editor corrects in what was detected."""

    title: str = ""
    base: str = ""
    """Id of the base text."""
    sources: tuple[CorrectedSource, ...] = ()


def detect(
    files: Iterable[Path], gaiji: Path | None = None, *, aside: Path | None = None, examples: Sequence[Example] = (),
    show: bool = False,
) -> Folder:
    """Return the settings detected in files, folders and Kanripo repositories, which are unpacked in the folder `aside`
    (default: that of the system) and removed again; with `show` also the texts line by line.

    Strangers wrote them: they are read in a process with limits of memory and time. Raises SourceError if there is no
    text, or an empty one, and JiaokanError beyond the limits.
    """
    inputs = tuple(files)
    return call_within_limits(Inputs.of(*inputs), _detect, inputs, gaiji, aside, tuple(examples), show)


def _detect(
    paths: tuple[Path, ...], gaiji: Path | None, aside: Path | None, examples: tuple[Example, ...], show: bool
) -> Folder:
    with tempfile.TemporaryDirectory(dir=aside) as unpacked:
        return settings_by_examples(Detection(paths, gaiji, Path(unpacked), _today()), examples, show=show)


def describe_folder(project: Folder) -> dict[str, object]:
    """Return what was detected as the page shows it: sources, chapters, report and doubts."""
    tables = {name: tomllib.loads(data.decode()) for name, data in project.files.items() if name.endswith(".toml")}
    catalog, persons = tables["tei/catalog.toml"], tables["tei/persons.toml"].get("person", [])
    names = {person["id"]: person["name"] for person in persons}
    plans = [table for name, table in tables.items() if name.startswith("tei/editions/")]
    conventions = {source["id"]: tables.get(f"tei/conventions/{source['id']}.toml", {}) for source in catalog["source"]}
    return {
        "title": catalog["project"]["title"], "report": project.report, "doubts": project.doubts,
        "base": next((row["base"] for plan in plans for row in plan.get("chapters", ())), ""),
        "outcomes": project.outcomes,
        "texts": [{"id": text.id, "lines": text.lines, "answers": [
            [[answer[0], *answer[1:]] for answer in text.answers.get(str(doubt), ())] for doubt in project.doubts]}
            for text in project.texts],
        "settings": {name: data.decode() for name, data in sorted(project.files.items())
                     if name.startswith(("tei/conventions/", "tei/catalog"))},
        "chapters": [row["title"] for work in catalog["work"] for row in work["chapters"]],
        "sources": [
            {"id": source["id"], "siglum": source["siglum"], "title": source["title"], "file": source["origin"],
             "notes": "unsigned" in conventions[source["id"]],
             "person": names.get(conventions[source["id"]].get("unsigned", {}).get("person", ""), "")}
            for source in catalog["source"]
        ],
    }


def apply_corrections(project: Folder, corrections: Corrections) -> dict[str, bytes]:
    """Return the files of a new folder with the editor's corrections."""
    files = dict(project.files)
    catalog, persons = (tomllib.loads(files[f"tei/{name}.toml"].decode()) for name in ("catalog", "persons"))
    catalog["project"]["title"] = corrections.title or catalog["project"]["title"]
    people = persons.setdefault("person", [])
    changes = {source.id: source for source in corrections.sources}
    for row in catalog["source"]:
        if (change := changes.get(row["id"])) is None:
            continue
        row |= {"siglum": change.siglum or row["siglum"], "title": change.title or row["title"]}
        name = f"tei/conventions/{row['id']}.toml"
        if change.person and name in files:
            convention = tomllib.loads(files[name].decode())
            convention.setdefault("unsigned", {"subtype": "zhu"})["person"] = _person(change.person, people)
            files[name] = settings_file(convention, "reader")
    for name in [file for file in files if corrections.base and file.startswith("tei/editions/")]:
        plan = tomllib.loads(files[name].decode())
        for chapter in plan.get("chapters", ()):
            if corrections.base in chapter["witnesses"]:
                chapter["base"] = corrections.base
        files[name] = settings_file(plan)
    files["tei/catalog.toml"] = settings_file(catalog, "catalog")
    files["tei/persons.toml"] = settings_file(persons, "persons")
    return files


def _person(name: str, people: list[dict[str, object]]) -> str:
    """Return the id of the person of this name, who is added if new."""
    person_id = next((str(person["id"]) for person in people if person["name"] == name), "")
    if not person_id:
        used_ids = {person["id"] for person in people}
        person_id = next(candidate for n in range(1, len(used_ids) + 2) if (candidate := f"person-{n}") not in used_ids)
        people.append({"id": person_id, "name": name, "label": name, "dynasty": ""})
    return person_id


def create(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Write a new edition folder, and return what was fitted to its texts, which are read again, within the limits of
    `detect`. Raises JiaokanError for settings that the texts do not fit, and beyond the limits."""
    return call_within_limits(Inputs(str(folder), sum(map(len, files.values()))), _create, folder, files)


def _create(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(folder / name, data)
    shutil.copytree(resource("schema"), folder / "schema")
    shutil.copyfile(_SCAFFOLD / ".gitignore", folder / ".gitignore")
    report = [*_fit(catalogs.load(folder))]
    catalog = catalogs.load(folder)
    for plan in catalog.editions.values():
        if plan.kind == "critical" and edition_source(plan, catalog):
            report += adopt_decisions(catalog, plan.id, _today())
    return report


def create_all(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Write a new edition folder that does not exist or is empty, whole or not at all; return what `create` returns."""
    return _whole(folder, lambda part: create(part, files))


def _whole(folder: Path, write: Callable[[Path], list[str]]) -> list[str]:
    """Write a folder aside, then put it into its place. If that fails, nothing is left."""
    new_folders = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        if folder in new_folders:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with new_folder(folder) as part:
                report = write(part)
        else:
            with new_folder(folder / ".new") as part:
                report = write(part)
            for path in (folder / ".new").iterdir():
                path.rename(folder / path.name)
            (folder / ".new").rmdir()
    except BaseException:
        for path in new_folders:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise
    return [line.replace(str(part), str(folder)) for line in report]


def copy_example(folder: Path) -> None:
    """Copy the worked example, whole or not at all."""
    _whole(folder, _copy_example)


def _copy_example(folder: Path) -> list[str]:
    left = shutil.ignore_patterns("*.py", "__pycache__")
    shutil.copytree(_SCAFFOLD, folder, dirs_exist_ok=True, ignore=left)
    shutil.copytree(resource("schema"), folder / "schema")
    return []


def _fit(catalog: Catalog) -> Iterator[str]:
    """Choose for each chapter of a critical edition a base text that has it; the build reports what cannot be read."""
    for plan in catalog.editions.values():
        if plan.kind != "critical" or any(catalog.sources[name].reader == "tei" for name in plan.all_witnesses()):
            continue  # keep the chapters of a published edition
        path = catalog.root / "tei" / "editions" / f"{plan.id}.toml"
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        with contextlib.suppress(JiaokanError):
            fitted, report = fit_plan(table, catalog)
            if fitted != table:
                write_file(path, settings_file(fitted))
                yield from report


def adopt_decisions(catalog: Catalog, edition: str, today: date) -> Iterator[str]:
    """Write the decisions of the published edition among the sources of `edition`; yield findings, and how many."""
    adoption = adopt(catalog.editions[edition], catalog, today)
    for finding in adoption.findings:
        mend = f" → {finding.mend}" if finding.mend else ""
        yield f"{finding.place}: {finding.severity}: {finding.message} [{finding.rule}]{mend}"
    counts = Counter(NAMES[type(decision)] for decision in adoption.decisions)
    summary = ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"
    yield (Message("decisions-published-edition", edition=edition, summary=summary)
           + (Message("choices-not-expressed-decisions", count=len(adoption.findings)) if adoption.findings else ""))


def _today() -> date:
    return datetime.now(UTC).date()
