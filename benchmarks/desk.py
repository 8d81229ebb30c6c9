"""Forty decisions of all kinds at the desk of a folder: how long each takes, and whether the build accepts them.

`python benchmarks/desk.py FOLDER TEXT [--chapter N]`: a copy of the folder (without its PDFs) gets decisions
on what is open, chosen by rule. Then the TEI is made anew; at the end all is taken back, and the editor's files are
compared with what they were. Times are CPU seconds of the process, from the request to the mended parts of pages.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from jiaokan.desk.requests import Action, Choose, Decide, Request, Type
from jiaokan.desk.session import Session
from jiaokan.editions.edition import make_edition, make_reading, witnesses_of
from jiaokan.editions.witness import make_witness
from jiaokan.errors import JiaokanError
from jiaokan.model import Note, Unit
from jiaokan.model.text import counted
from jiaokan.model.walk import walk
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.folder import edition_path, witness_path

WHY = "试"
MANY, TRIES, STEP = 40, 12, 13
"""Decisions in all; places that are tried for a kind that may be refused at one of them; units and notes from one such
place to the next."""


def main() -> None:
    """Decide, measure, compare; print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("text")
    parser.add_argument("--chapter", default="")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as aside:
        ignored = shutil.ignore_patterns(".git", "pdf", ".jiaokan", "*.pdf")
        root = Path(shutil.copytree(asked.folder, Path(aside) / "folder", ignore=ignored))
        before = files(root)
        desk = Session(root)
        desk.overview(asked.text, "editors")
        times, kinds = decide(desk, asked.text, asked.chapter)
        print(f"{sum(kinds.values())} decisions: {', '.join(f'{name} {n}' for name, n in kinds.items())}")
        print(f"CPU seconds each: median {statistics.median(times):.2f}, longest {max(times):.2f}")
        print(f"made anew with them: {len(made(root))} files of TEI")
        while desk.turn("undo", asked.text, "editors")["what"]:
            pass
        left = files(root)
        print(f"all taken back: {sum(before.get(name) != left.get(name) for name in before.keys() | left.keys())} of "
              f"{len(before)} files of the editor's are not what they were")


def files(root: Path) -> dict[str, bytes]:
    """Return the editor's files."""
    found = (path for name in ("decisions", "punctuation") for path in (root / "tei" / name).rglob("*"))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found if path.is_file()}


def made(root: Path) -> dict[str, bytes]:
    """Make the TEI of a folder anew, and give it."""
    catalog = catalogs.load(root)
    for entry in catalog.sources.values():
        witness_path(catalog, entry.id).write_bytes(make_witness(entry, catalog).tei)
    found = {path.name: path.read_bytes() for path in sorted((root / "tei" / "witnesses").glob("*.xml"))}
    for plan in catalog.editions.values():
        given = witnesses_of(plan, catalog)
        if plan.kind == "critical":
            found[f"edition {plan.id}"] = make_edition(plan, given, catalog).tei
        elif edition_path(catalog, plan).parent.name == "editions":
            found[f"edition {plan.id}"] = make_reading(plan, given[plan.witness], catalog).tei
    return found


def decide(desk: Session, text: str, chapter: str) -> tuple[list[float], Counter[str]]:
    """Make the decisions; give how long each took, and how many of each kind there are."""
    times: list[float] = []
    kinds: Counter[str] = Counter()
    makers = {"line": lines, "lemma": chosen, "open": chosen, "class": on_entry, "reject": on_entry, "note": on_entry,
              "emendation": on_entry, "merge": merged, "split": split, "pair": paired, "passim": throughout,
              "correction": on_source, "supplied": on_source, "target": aimed, "boundary": bounded, "glyph": single,
              "lost": single, "character": single}
    while sum(kinds.values()) < MANY:
        before = sum(kinds.values())
        for kind, maker in makers.items():
            if kinds[kind] and kind in ("glyph", "lost", "character"):
                continue
            for action in islice(maker(desk, text, chapter, kind), TRIES):
                start = time.process_time()
                try:
                    told = desk.decide(Request(text=text, actions=(action,)), "editors")
                except JiaokanError:
                    continue
                if any(each["kind"] != "line" for each in told["misfits"]):  # an earlier decision would fit no more
                    desk.turn("undo", text, "editors")
                    continue
                times.append(time.process_time() - start)
                print(f"{kind}: {times[-1]:.2f}", flush=True)
                kinds[kind] += 1
                break
            if sum(kinds.values()) == MANY:
                break
        if sum(kinds.values()) == before:
            break
    return times, kinds


def questions(desk: Session, text: str, chapter: str) -> Iterator[dict[str, Any]]:
    """Return what is open, in the chapter first."""
    rows = [row for row in desk.overview(text, "editors")["open"] if row["kind"] == "open"]
    own = f"{text}.{chapter}"
    for row in sorted(rows, key=lambda row: row["chapter"] != own):
        yield desk.entry(text, row["id"])


def chosen(desk: Session, text: str, chapter: str, kind: str) -> Iterator[Action]:
    """Another reading printed, or the place left open."""
    for each in questions(desk, text, chapter):
        yield Choose(entry=each["id"], context=each["context"], words=each["choices"][-1]["words"], why=WHY,
                     cert="low" if kind == "open" else "medium")


def on_entry(desk: Session, text: str, chapter: str, kind: str) -> Iterator[Action]:
    """What is said of one entry."""
    for each in questions(desk, text, chapter):
        more = {"class": {"reading": each["choices"][1]["words"], "variant": "corruption"},
                "emendation": {"reading": "某"}}.get(kind, {})
        yield Decide(kind=kind, entry=each["id"], context=each["context"], said={"why": WHY, **more})


def merged(desk: Session, text: str, chapter: str, kind: str) -> Iterator[Action]:
    """An entry with the graph after it."""
    for each in questions(desk, text, chapter):
        head, _, tail = each["context"].partition("]")
        if len(tail) > 2:
            yield Decide(kind=kind, entry=each["id"], context=each["context"],
                         said={"why": WHY, "context": f"{head}{tail[0]}]{tail[1:]}"})


def split(desk: Session, text: str, chapter: str, kind: str) -> Iterator[Action]:
    """An entry of several graphs, parted after the first."""
    for each in questions(desk, text, chapter):
        if len(each["lemma"]) > 1:
            parted = each["context"].replace(f"[{each['lemma']}]", f"[{each['lemma'][0]}|{each['lemma'][1:]}]")
            yield Decide(kind=kind, entry=each["id"], context=each["context"], said={"why": WHY, "context": parted})


def paired(desk: Session, text: str, chapter: str, kind: str) -> Iterator[Action]:
    """Two graphs, wherever one stands for the other."""
    for each in questions(desk, text, chapter):
        other = each["choices"][1]["words"]
        if len(each["lemma"]) == len(other) == 1:
            yield Decide(kind=kind, said={"left": each["lemma"], "right": other, "variant": "loan", "why": WHY})


def throughout(desk: Session, text: str, chapter: str, kind: str) -> Iterator[Action]:
    """What one witness always writes."""
    for each in questions(desk, text, chapter):
        mine, other = each["choices"][0], each["choices"][1]
        if mine["words"] and other["words"] and other["ids"]:
            yield Decide(kind=kind, said={"edition": text, "source": other["ids"][0], "words": other["words"],
                                          "reading": mine["words"], "why": WHY, "notes": bool(each["speaker"])})


def placed(desk: Session, text: str, chapter: str) -> Iterator[tuple[str, Any, dict[str, str]]]:
    """Return passages of the chapter with what a source has there: its id, the unit or note, the words of a decision.

    Each time others, so that no place is decided twice."""
    own = f"{text}.{chapter}." if chapter else ""
    found = [item for item in walk(desk.desk_text(text).document)
             if isinstance(item, Unit | Note) and item.id.startswith(own) and len(counted(item.content)) > 8]
    start = len(desk.journal.entries) * STEP % max(1, len(found))
    for item in (*found[start:], *found[:start]):
        if isinstance(item, Unit | Note):
            said = desk.selected(text, counted(item.content)[2:5], counted(item.content)[:2])["selected"]
            for source, words in said.items():
                yield source, item, words


def on_source(desk: Session, text: str, chapter: str, kind: str) -> Iterator[Action]:
    """A graph of a source corrected, or one supplied."""
    for source, _, words in placed(desk, text, chapter):
        if kind == "correction":
            said = {"context": words["context"], "sic": words["sic"], "corr": "某"}
        else:
            said = {"before": words["before"], "after": words["after"], "text": "某"}
        yield Decide(kind=kind, said={"source": source, "why": WHY, **said})


def aimed(desk: Session, text: str, chapter: str, kind: str) -> Iterator[Action]:
    """What a note is on: the beginning of its unit."""
    units = {item.id: counted(item.content) for item in walk(desk.desk_text(text).document) if isinstance(item, Unit)}
    for source, item, words in placed(desk, text, chapter):
        above = units.get(item.id.rpartition(".")[0], "") if isinstance(item, Note) else ""
        if len(above) > 2:
            yield Decide(kind=kind, said={"source": source, "context": words["sic"], "words": above[:2], "why": WHY})


def bounded(desk: Session, text: str, chapter: str, kind: str) -> Iterator[Action]:
    """Words at which nothing begins."""
    for source, _, words in placed(desk, text, chapter):
        yield Decide(kind=kind, said={"source": source, "before": words["before"], "after": words["after"],
                                      "verdict": "inside", "why": WHY})


def single(desk: Session, text: str, _chapter: str, kind: str) -> Iterator[Action]:
    """What holds wherever a character stands."""
    source = desk.desk_text(text).plan.all_witnesses()[0]
    yield Decide(kind=kind, said={"why": WHY, **{
        "glyph": {"code": "U+E999", "standard": "某"}, "lost": {"source": source, "characters": "某"},
        "character": {"code": "U+2A6D6", "standard": "某"}}[kind]})


def lines(desk: Session, text: str, chapter: str, _kind: str) -> Iterator[Action]:
    """A unit or note with the marks that are proposed, or none but the last."""
    name = desk.desk_text(text).document.id
    own = f"{name}.{chapter}." if chapter else f"{name}."
    kept = desk.desk_text(text)
    typed = {f"{name}.{ref}" for division in kept.document.divisions for ref in kept.hold_lines(division).held}
    for item in walk(kept.document):
        if isinstance(item, Unit | Note) and item.id.startswith(own) and item.id not in typed:
            line = desk.line(text, item.id)
            if not line["was"]:
                yield Type(id=item.id, was="", line=line["proposal"]["line"] or f"{line['words']}。", why=WHY)


if __name__ == "__main__":
    main()
