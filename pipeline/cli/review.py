"""`jiaokan review`: the entries that nobody has decided, one by one."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli._folder import classes_option, folder_option, load, text_names
from pipeline.cli._say import say
from pipeline.errors import CatalogError, Place
from pipeline.model.pointers import reference_of
from pipeline.model.vocabulary import EDITORS, PROGRAM
from pipeline.settings.catalog import Catalog

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.decisions.filing import Filing
    from pipeline.editions.answers import Judge
    from pipeline.editions.review import OpenEntry


@click.command("review")
@click.argument("edition", required=False, shell_complete=text_names)
@click.option("--within", default="", metavar="REF", help="Only this chapter, section or unit: 6 or 6.3.")
@click.option("--list", "listed", is_flag=True, help="Show the entries and ask nothing.")
@click.option("--decided", is_flag=True, help="Show the entries that are decided, with who and why, and ask nothing.")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
@click.option("--check", is_flag=True, help="The same, and the exit code is 1 if anything is open.")
@click.option("--reported", is_flag=True, help="Also entries in which all collated witnesses agree.")
@click.option("-n", "most", type=click.IntRange(1), help="At most so many entries.")
@click.option("--resp", default=EDITORS, show_default=True, help="Who decides: an id of persons.toml, or all editors.")
@click.option("--when", default="", metavar="DATE", help="The date of the decisions (default: today).")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language of questions.")
@classes_option
@folder_option
def command(
    edition: str | None, within: str, listed: bool, decided: bool, as_json: bool, check: bool, reported: bool,
    most: int | None, resp: str, when: str, lang: str, without: frozenset[str], folder: Path,
) -> None:
    """Walk through the entries of EDITION that nobody has decided, the weightiest first.

    Each is shown with its words in context, its readings and how they differ, and what notes say of it; each answer
    is written to tei/decisions/lemmas.toml at once, and takes effect with the next build. Entries answered before
    are not asked again.

    \b
    Keys: a number prints that reading; o leaves the place open; c judges how a reading differs; p judges it for
    these two characters wherever they stand (tei/decisions/characters.toml); r: it is no variant; n writes a
    note; e prints what no witness has; s (or Enter) skips, b goes back, u takes the last answer back, q ends.
    Example:  jiaokan review lunyu --within 1 --without script,graphic,loan
              jiaokan review --check --within 1 --without script,graphic
              jiaokan review --decided --json
    """
    from pipeline.decisions.kinds import load as filed
    from pipeline.decisions.tables import ReadingDecision
    from pipeline.editions.review import settled, undecided
    from pipeline.tei.parse import from_tei
    from pipeline.tei.persons import declared

    catalog = load(folder)
    path = _edition(catalog, edition)
    data = path.read_bytes()
    document, names = from_tei(data, name=path.name), declared(data, name=path.name).printed()
    place = within.replace(":", ".", 1)
    place = place if not place or place.split(".")[0] == document.id else f"{document.id}.{place}"
    without = frozenset((*without, *catalog.editions[path.stem].settled))
    if decided:
        found = settled(document, within=place)[:most]
    else:
        there = filed(catalog.root, ReadingDecision)
        found = undecided(document, without=without, within=place, reported=reported, filed=there)[:most]
    if as_json:
        say(_json(found))
    elif listed or check or decided:
        _list(found, names, lang, "decided" if decided else "open")
    else:
        _walk(found, _judge(catalog, resp, when), catalog.root, names, lang)
    if check and found and not decided:
        raise SystemExit(1)


def _edition(catalog: Catalog, name: str | None) -> Path:
    """Give the TEI of an edition, the only critical one by default; raises CatalogError."""
    critical = [plan.id for plan in catalog.editions.values() if plan.kind == "critical"]
    if name is None and len(critical) != 1:
        raise CatalogError(
            "say which edition is reviewed", place=Place(str(catalog.root / "tei" / "editions")),
            mend=f"there is: {', '.join(critical) or 'none that is critical'}",
        )
    wanted = name or critical[0]
    if wanted not in critical:
        raise CatalogError(
            f"no critical edition is called {wanted!r}", place=Place(str(catalog.root / "tei" / "editions")),
            mend=f"there is: {', '.join(critical) or 'none'}",
        )
    path = catalog.root / "tei" / "editions" / f"{wanted}.xml"
    if not path.exists():
        raise CatalogError("the edition is not built yet", place=Place(str(path)), mend="run `jiaokan build`")
    return path


def _judge(catalog: Catalog, resp: str, when: str) -> Judge:
    """Give who decides, and when; raises a usage error for nobody and for no day."""
    from pipeline.editions.answers import Judge

    if resp not in (*catalog.persons, EDITORS, PROGRAM):
        raise click.BadParameter(f"{resp!r} is nobody in tei/persons.toml", param_hint="--resp")
    try:
        return Judge(resp=resp, when=datetime.date.fromisoformat(when) if when else datetime.date.today())
    except ValueError:
        raise click.BadParameter(f"{when!r} is no day: write it as 2026-11-20", param_hint="--when") from None


def _list(found: Sequence[OpenEntry], names: Mapping[str, str], lang: str, what: str) -> None:
    from pipeline.cli._asking import WORDS, show

    for number, each in enumerate(found, 1):
        show(each, f"{number}/{len(found)}", names, lang)
    say(WORDS[lang][what].format(open=len(found)))


def _json(found: Sequence[OpenEntry]) -> str:
    """Give the entries for a program: where each is, what is read, why it is open."""
    from pipeline.model.text import attested

    return json.dumps([
        {
            "unit": reference_of(each.unit), "speaker": each.speaker, "context": each.context, "class": each.variant,
            "readings": [
                {"words": attested(r.content), "witnesses": r.witnesses, "resp": r.resp, "class": r.variant,
                 "source": r.source, "cert": r.cert} for r in each.readings
            ],
            "remarks": each.remarks, "notes": [attested(note.content) for note in each.app.notes],
        }
        for each in found
    ], ensure_ascii=False, indent=1)


def _walk(found: Sequence[OpenEntry], judge: Judge, root: Path, names: Mapping[str, str], lang: str) -> None:
    """Ask about each entry, go back where that is wanted, and write each answer."""
    from pipeline.cli._asking import WORDS, ask, show
    from pipeline.decisions.filing import file
    from pipeline.decisions.tables import CharacterPair
    from pipeline.editions.review import pairs

    words, at = WORDS[lang], 0
    written: list[tuple[int, Filing]] = []
    while at < len(found):
        last = {place: filing.decision for place, filing in written}
        settled = {frozenset((each.left, each.right)): place for place, each in last.items()
                   if isinstance(each, CharacterPair)}
        if (own := pairs(found[at])) and own <= settled.keys() and at not in settled.values():
            at += 1
            continue
        show(found[at], f"{at + 1}/{len(found)}", names, lang)
        answer = ask(found[at], judge, lang, found)
        if answer == "q":
            break
        if answer == "u":
            say(f"  {words['undone' if written else 'nothing']}")
            if written:
                at, filing = written.pop()
                filing.undo()
        elif isinstance(answer, str):
            at = max(0, at + {"s": 1, "b": -1, "": 0}[answer])
        else:
            # a second answer to an entry is about words that the first may have changed: it stands instead of it
            earlier = [filing for place, filing in written if place == at]
            written.append((at, file(root, answer, instead=earlier)))
            say("  " + words["instead" if earlier else "written"].format(path=written[-1][1].path))
            at += 1
    say(words["end"].format(done=len({place for place, _ in written}), open=len(found)))


COMMANDS = (command,)
